// The workload: users, job classes and how they promote, a recorded trace.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "scenarios/import/swf.hpp"
#include "scenarios/loader/sections.hpp"
#include "sim/base/units.hpp"
#include "sim/metrics/trace_scope.hpp"

namespace fleetsim {

namespace {

std::size_t default_partition(const Draft& draft) {
  const auto& all = draft.scenario.scheduler.partitions;
  const auto place = std::find_if(all.begin(), all.end(), [](const Partition& p) { return p.is_default; });
  return static_cast<std::size_t>(place - all.begin());
}

/// The partition named at `partition`, else the default one; an error at the section when there is none.
QueueId read_partition_of(Reader& section, const Draft& draft, const std::string& what) {
  section.accept("partition");
  if (draft.partitions.empty()) return QueueId{};  // the scheduler section is at fault
  if (section.has("partition")) {
    const auto i = section.choose("partition", draft.partitions, "partition");
    return static_cast<QueueId>(i.value_or(0));
  }
  const std::size_t i = default_partition(draft);
  if (i < draft.partitions.size()) return static_cast<QueueId>(i);
  if (!section.misspelled({"partition"})) {
    section.error_at_key(fmt::format("{} names no partition, and no partition is the default", what),
                         fmt::format("partitions: {}", fmt::join(draft.partitions, ", ")));
  }
  return QueueId{};
}

void read_promotion(Reader& reader, Draft& draft, JobClass& job_class) {
  auto section = reader.find("promotes_to");
  if (!section || !section->expect_map()) return;
  PromotionSpec made;
  bool fine = false;
  if (section->require("class")) {
    const auto i = section->choose("class", draft.classes, "class");
    made.target = static_cast<ClassId>(i.value_or(0));
    fine = i.has_value();
  }
  if (section->require("probability")) made.probability = section->ratio("probability").value_or(0.0);
  if (const auto pause = section->duration("pause")) made.mean_pause = *pause;
  section->finish();
  if (fine) job_class.promotes_to = made;
}

/// Follows the promotions from every class; a class that comes back to itself would never end.
void check_cycles(Reader& classes, const Draft& draft) {
  const auto& all = draft.scenario.workload.classes;
  for (Reader& reader : classes.entries()) {
    const auto start = index_of(draft.classes, reader.name());
    if (!start) continue;
    std::vector<std::string> chain = {all[*start].name};
    std::size_t here = *start;
    while (all[here].promotes_to && chain.size() <= all.size()) {
      here = index(all[here].promotes_to->target);
      chain.push_back(all[here].name);
      if (here != *start) continue;
      // A cycle is named once, at its first class.
      if (*std::min_element(chain.begin(), chain.end(), [&](const auto& a, const auto& b) {
            return index_of(draft.classes, a) < index_of(draft.classes, b);
          }) == all[*start].name) {
        reader.find("promotes_to")
            ->error_at_key(fmt::format("promotions run in a circle: {}", fmt::join(chain, " -> ")));
      }
      break;
    }
  }
}

/// Jobs of a class come from users or from promotions.
void check_sources(Reader& classes, const Draft& draft) {
  const auto& all = draft.scenario.workload.classes;
  for (Reader& reader : classes.entries()) {
    const auto i = index_of(draft.classes, reader.name());
    if (!i || all[*i].arrivals) continue;
    const bool promoted = std::any_of(all.begin(), all.end(), [&](const JobClass& c) {
      return c.promotes_to && index(c.promotes_to->target) == *i;
    });
    if (!promoted) {
      reader.error_at_key(
          fmt::format("class '{}' has no jobs: no 'arrivals', and no class promotes to it", reader.name()));
    }
  }
}

void read_classes(Reader& section, Draft& draft) {
  if (!section.expect_map()) return;
  std::vector<Reader> all = section.entries();
  for (const Reader& reader : all) draft.classes.push_back(reader.name());
  const int before = section.context().diagnostics.errors();
  for (Reader& reader : all) {
    if (!reader.expect_map()) {
      draft.scenario.workload.classes.emplace_back();
      continue;
    }
    JobClass made = read_class(reader, draft);
    made.partition = read_partition_of(reader, draft, fmt::format("class '{}'", reader.name()));
    read_promotion(reader, draft, made);
    reader.finish();
    draft.scenario.workload.classes.push_back(std::move(made));
  }
  if (all.empty()) section.error_at_key("there is no class");
  check_cycles(section, draft);
  if (section.context().diagnostics.errors() == before) check_sources(section, draft);
}

/// Nothing is dropped silently: what the trace's reader warned about, and its counts by reason.
void tell_losses(const Reader& file, const Trace& trace) {
  auto& diagnostics = file.context().diagnostics;
  for (const std::string& warning : trace.warnings)
    diagnostics.warning(file.position(), file.path(), fmt::format("{}: {}", file.raw(), warning));
  if (trace.dropped == 0 && trace.repaired == 0) return;
  std::string reasons;
  for (const auto& [reason, n] : trace.by_reason)
    reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", reason, n);
  diagnostics.warning(file.position(), file.path(),
                      fmt::format("{}: of {} records {} were dropped and {} repaired", file.raw(), trace.rows,
                                  trace.dropped, trace.repaired),
                      reasons);
}

/// Every replication holds its jobs in memory; more than this is a slip of the pen.
constexpr double kMostDrawnJobs = 1e8;

/// Of one class. A closed loop has a row for each job that a user who never waits for one could submit.
double most_jobs_per_user(const ArrivalSpec& arrivals, double span_s) {
  if (!arrivals.closed_loop) return arrivals.per_user.count() * span_s;
  const double think_s = to_seconds(arrivals.closed_loop->mean_think);
  return think_s > 0.0 ? arrivals.closed_loop->jobs_in_flight * span_s / think_s : 0.0;
}

/// Growth is that of rates.
void check_growth(Reader& workload, const Draft& draft) {
  if (draft.scenario.availability.demand_growth == 0.0 || !has_closed_loop(draft.scenario)) return;
  workload.find("growth")->error_at_key(
      "'growth' raises rates of arrival, and a class with a closed loop has none",
      "give that class 'per_user', or leave 'growth' out; more users are a scenario of their own");
}

}  // namespace

void check_jobs(const Reader& workload, const Draft& draft) {
  const Horizon& time = draft.scenario.time;
  const double span_s = to_seconds(time.warm_up) + to_seconds(time.measure) + to_seconds(time.drain);
  double jobs = 0.0;
  for (const JobClass& c : draft.scenario.workload.classes)
    if (c.arrivals) jobs += draft.scenario.workload.users * most_jobs_per_user(*c.arrivals, span_s);
  if (jobs > kMostDrawnJobs)
    workload.error_at_key(fmt::format("about {:.2g} jobs would arrive in one replication, more than {:.0g}",
                                      jobs, kMostDrawnJobs),
                          "fewer users, fewer arrivals or a shorter time");
}

namespace {

/// A trace begins at t = 0; what is submitted during the warm-up is simulated but not measured.
void tell_unmeasured(const Reader& file, const Trace& trace, Duration warm_up) {
  if (trace.jobs.empty() || trace.jobs.back().submit >= kStart + warm_up) return;
  file.context().diagnostics.warning(
      file.position(), file.path(),
      fmt::format("the last job of the trace is submitted {} after its first, within the warm-up of {}: none "
                  "of its jobs is "
                  "measured",
                  to_text(trace.jobs.back().submit - kStart), to_text(warm_up)),
      "set time.warm_up and time.measure to the trace's span");
}

void read_trace(Reader& section, Draft& draft) {
  if (!section.expect_map()) return;
  if (index_of(draft.classes, kTraceScope))
    section.error_at_key(
        fmt::format("a class is called '{}', as the recorded jobs are wherever classes are listed",
                    kTraceScope),
        "give the class another name");
  WorkloadSpec& workload = draft.scenario.workload;
  if (auto file = section.require("file")) {
    workload.trace_file = file->text().value_or("");
    const std::filesystem::path path = draft.folder / workload.trace_file;
    const std::string& name = workload.trace_file;
    const bool swf = name.ends_with(".swf") || name.ends_with(".swf.gz") || name.ends_with(".gz");
    std::error_code ignored;
    if (draft.known_trace != nullptr && name == draft.known_trace_file) {
      workload.trace = draft.known_trace;
    } else if (name.empty() || !draft.open_files) {
    } else if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
      file->error(fmt::format("'{}' is no file, but a folder, a device or a pipe", path.string()),
                  "a scenario's trace is a file: it is read again whenever the scenario is");
    } else if (!std::filesystem::is_regular_file(path, ignored)) {
      file->error(fmt::format("there is no file '{}'", path.string()),
                  "paths are relative to the scenario file");
    } else if (!swf) {
      file->error(fmt::format("'{}' is not a trace in the Standard Workload Format", name),
                  "name a file *.swf or *.swf.gz");
    } else {
      Diagnostics faults;
      workload.trace = std::make_shared<const Trace>(read_swf(path, faults));
      adopt_faults(faults, section.context().diagnostics);
      tell_losses(*file, *workload.trace);
      if (workload.trace->jobs.empty() && !faults.has_errors()) file->error("the trace has no jobs");
      tell_unmeasured(*file, *workload.trace, draft.scenario.time.warm_up);
    }
  }
  if (section.has("recorded_on")) {
    if (const auto gpu = catalog_name(section, "recorded_on", draft, CatalogKind::gpus, "GPU"))
      workload.trace_recorded_on = *draft.catalog.gpu(*gpu);
  }
  section.accept("recorded_on");
  workload.trace_partition = read_partition_of(section, draft, "the trace");
  read_trace_groups(section, draft);
  section.finish();
}

}  // namespace

void read_workload(Reader& file, Draft& draft) {
  auto workload = file.require("workload");
  if (!workload || !workload->expect_map()) return;
  if (const auto users = workload->integer("users")) draft.scenario.workload.users = static_cast<int>(*users);
  if (const auto growth = workload->ratio("growth")) draft.scenario.availability.demand_growth = *growth;
  read_groups(*workload, draft);
  if (auto classes = workload->find("classes")) read_classes(*classes, draft);
  check_jobs(*workload, draft);
  check_growth(*workload, draft);
  read_demand(*workload, draft);
  if (auto trace = workload->find("trace")) read_trace(*trace, draft);
  if (!workload->has("classes") && !workload->has("trace") && !workload->misspelled({"classes", "trace"}))
    workload->error_at_key("the workload has neither 'classes' nor a 'trace'");
  workload->finish();
}

}  // namespace fleetsim
