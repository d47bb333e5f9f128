// Keys of `workload`: users, job classes, a recorded trace.
#include "scenarios/loader/schema_parts.hpp"
#include "scenarios/loader/sections.hpp"
#include "sim/base/units.hpp"

namespace fleetsim::schema_parts {

namespace {

constexpr Bytes kLargest{1'000'000'000'000'000};
constexpr Count kMostGpus = 1'000'000, kMostUsers = 1'000'000;
/// One job a second and user.
constexpr PerSecond kMostArrivals{1.0};

void class_keys(Keys& k) {
  const std::string c = "workload.classes.*.";
  k.push_back(
      key(c + "model", K::name, "what is trained: how the job scales and how fast it runs where", "resnet50")
          .of("models"));
  k.push_back(key(c + "arrivals", K::section, "how jobs come; a class without is entered by promotion only"));
  k.push_back(key(c + "arrivals.per_user", K::rate,
                  "jobs of a user, a mean over calendar days; needed without 'closed_loop'", "8.5 /day")
                  .in(above_to(PerSecond{0.0}, kMostArrivals)));
  k.push_back(key(c + "arrivals.profile", K::word, "shape over the week", "office-hours")
                  .one_of(spelled(profile_words()))
                  .otherwise("office-hours"));
  closed_loop_keys(k);
  k.push_back(key(c + "gpus", K::integer, "GPUs of a job: one number, or sizes with their probabilities", "8")
                  .in(between<Count>(1, kMostGpus))
                  .must());
  k.push_back(key(c + "gpus.*", K::ratio, "probability of this many GPUs", "0.70").in(between(0.0, 1.0)));
  k.push_back(key(c + "wall_time", K::section, "law of the run time at the requested size").must());
  k.push_back(key(c + "wall_time.lognormal", K::section,
                  "log-normal, cut at 'max'; median and mean hold after the cut"));
  k.push_back(key(c + "wall_time.lognormal.median", K::duration, "half of the jobs are shorter", "1.36 h")
                  .in(a_positive_time())
                  .must());
  k.push_back(key(c + "wall_time.lognormal.mean", K::duration, "mean of the law", "3.15 h")
                  .in(a_positive_time())
                  .must());
  k.push_back(key(c + "wall_time.lognormal.max", K::duration, "no job is longer", "24 h")
                  .in(a_positive_time())
                  .must());
  k.push_back(
      key(c + "wall_time.exponential", K::duration, "exponential of this mean", "3 h").in(a_positive_time()));
  k.push_back(key(c + "wall_time.exponential.mean", K::duration, "mean of the law", "3 h")
                  .in(a_positive_time())
                  .must());
  k.push_back(key(c + "wall_time.fixed", K::duration, "the same for every job", "2 h").in(a_positive_time()));
  k.push_back(key(c + "wall_time.reference", K::name,
                  "node on which this wall time holds; everywhere when left out", "supermicro-8x-rtx3080")
                  .of("nodes"));
  k.push_back(key(c + "gpu_memory", K::bytes, "memory that a job needs on every GPU", "8 GB")
                  .in(between(Bytes{0}, kLargest))
                  .otherwise("0"));
  k.push_back(key(c + "max_switches", K::integer,
                  "a job waits for GPUs below at most so many leaf switches (Slurm's --switches, without its "
                  "maximum wait)",
                  "1")
                  .in(between<Count>(1, kMostNodes)));
  k.push_back(key(c + "time_limit", K::section, "what users request"));
  k.push_back(key(c + "time_limit.factor", K::number, "median of requested limit over run time", "2.5")
                  .in(between(1.0, 1000.0))
                  .otherwise("2.5")
                  .must());
  k.push_back(
      key(c + "partition", K::name, "where jobs queue; else the default partition", "proto").of("partition"));
  k.push_back(key(c + "promotes_to", K::section, "a completed job may cause a job of another class"));
  k.push_back(key(c + "promotes_to.class", K::name, "that class", "scale_up").of("class").must());
  k.push_back(key(c + "promotes_to.probability", K::ratio, "per completed job", "0.33 %")
                  .in(between(0.0, 1.0))
                  .must());
  k.push_back(key(c + "promotes_to.pause", K::duration, "mean time between, exponential", "12 h")
                  .in(a_time())
                  .otherwise("12 h"));
}

}  // namespace

void workload_keys(Keys& k) {
  k.push_back(key("workload", K::section, "what is asked of the fleet: classes, a trace, or both").must());
  k.push_back(key("workload.users", K::integer, "people who submit jobs", "30")
                  .in(between<Count>(1, kMostUsers))
                  .otherwise("1"));
  growth_key(k);
  demand_keys(k);
  k.push_back(key("workload.classes", K::section, "job classes under free names"));
  k.push_back(key("workload.classes.*", K::section, "a class of jobs"));
  group_keys(k);
  class_keys(k);
  k.push_back(key("workload.trace", K::section, "a recorded workload beside or instead of the classes"));
  k.push_back(
      key("workload.trace.file", K::text, "file *.swf or *.swf.gz, relative to the scenario", "jobs.swf")
          .must());
  k.push_back(key("workload.trace.recorded_on", K::name,
                  "GPU on which it was recorded: run times then go with memory bandwidth (an estimate); "
                  "without it jobs keep their recorded time everywhere",
                  "rtx2080ti")
                  .of("gpus"));
  k.push_back(
      key("workload.trace.partition", K::name, "where its jobs queue; else the default partition", "proto")
          .of("partition"));
  trace_group_keys(k);
}

}  // namespace fleetsim::schema_parts
