// Job classes -> jobs. Every attribute has its own stream per class and user, so that a draw added to one
// leaves the others alone, and no draw depends on the fleet or on other classes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "sim/base/assert.hpp"
#include "sim/base/rng.hpp"
#include "sim/scenario.hpp"
#include "sim/workload/arrivals.hpp"
#include "sim/workload/class_law.hpp"
#include "sim/workload/from_trace.hpp"
#include "sim/workload/groups.hpp"
#include "sim/workload/workload.hpp"

namespace fleetsim {

namespace {

// Longest chain of promotions behind one arrival; ends classes that promote to themselves for certain.
constexpr int kLongestChain = 64;
// Spread of the requested limits over the users' run times (estimate; median from the scenario).
constexpr double kLimitSigma = 0.5;
constexpr double kSmallestLimitFactor = 1.1;
constexpr std::uint32_t kNone = 0xFFFFFFFF;

struct Job {
  Instant submit = kNever;
  Duration wall{}, limit{}, pause{};
  Duration think = kForever;
  double limit_factor = 1.0;
  std::int32_t gpus = 1;
  std::int32_t user = 0;
  std::uint32_t child = kNone;  ///< index into Draft::children
  std::uint32_t next = kNone;   ///< index into Draft::repeats
  ClassId job_class{};
  QueueId queue{};
  std::uint16_t shape = 0;
  std::uint16_t group = 0;  ///< of the user; means nothing without groups
};

/// Place in the merged order: by submit, class, user, then as drawn.
struct SortKey {
  Instant submit;
  std::uint32_t drawn;
  friend bool operator<(const SortKey& a, const SortKey& b) {
    return a.submit != b.submit ? a.submit < b.submit : a.drawn < b.drawn;
  }
};

struct Draft {
  std::vector<Job> arriving;  ///< class after class, user after user, each by submit
  std::vector<Job> children;
  std::vector<Job> repeats;  ///< jobs of closed loops behind their first
};

/// Streams of the jobs that lie `level` promotions behind an arrival of one class and user.
struct LevelStreams {
  Rng gpus, wall, promotion, pause;
};

class Generator {
 public:
  Generator(const Scenario& scenario, std::uint32_t replication)
      : scenario_(scenario),
        replication_(replication),
        end_(kStart + scenario.time.warm_up + scenario.time.measure + scenario.time.drain) {}

  Workload run() {
    make_laws();
    group_of_user_ = group_by_user(scenario_.workload);
    for (std::size_t c = 0; c < laws_.size(); ++c) {
      const auto& arrivals = laws_[c].spec->arrivals;
      if (!arrivals) continue;
      const ClassId job_class{static_cast<std::uint16_t>(c)};
      const int loops = arrivals->closed_loop ? arrivals->closed_loop->jobs_in_flight : 0;
      for (int user = 0; user < scenario_.workload.users; ++user) {
        if (loops == 0) draw_user(job_class, user);
        for (int loop = 0; loop < loops; ++loop) draw_loop(job_class, user, loop);
      }
    }
    if (scenario_.workload.trace != nullptr) add_trace();
    return merge();
  }

 private:
  /// `loop`: of the closed loops of one user the number; 0 elsewhere.
  [[nodiscard]] Rng stream(const char* what, const std::string& job_class, int level, int user,
                           int loop = 0) const {
    const std::string purpose =
        level == 0 ? fmt::format("{}:{}", what, job_class) : fmt::format("{}:{}/{}", what, job_class, level);
    return Rng(scenario_.seed, replication_, purpose,
               static_cast<std::uint64_t>(loop) << 32 | static_cast<std::uint64_t>(user));
  }

  /// The streams of the jobs that arrivals of one class and user lead to, level by level as they are asked
  /// for.
  class Levels {
   public:
    Levels(const Generator& of, const std::string& job_class, int user, int loop = 0)
        : of_(of), job_class_(job_class), user_(user), loop_(loop) {}
    LevelStreams& operator()(int level) {
      while (static_cast<int>(streams_.size()) <= level) {
        const int next = static_cast<int>(streams_.size());
        const auto stream = [&](const char* what) {
          return of_.stream(what, job_class_, next, user_, loop_);
        };
        streams_.push_back({stream("gpus"), stream("wall"), stream("promotion"), stream("pause")});
      }
      return streams_[static_cast<std::size_t>(level)];
    }

   private:
    const Generator& of_;
    const std::string& job_class_;
    int user_, loop_;
    std::vector<LevelStreams> streams_;
  };

  void make_laws() {
    for (std::size_t c = 0; c < scenario_.workload.classes.size(); ++c) {
      const JobClass& spec = scenario_.workload.classes[c];
      FLEETSIM_ASSERT(!spec.gpus.empty());
      ClassLaw law{&spec, WallTime(spec), static_cast<std::uint16_t>(shapes_.size()), {}};
      for (const SizeShare& size : spec.gpus)
        shapes_.push_back({ClassId{static_cast<std::uint16_t>(c)}, size.gpus});
      for (int user = 0; user < scenario_.workload.users; ++user) {
        const double drawn =
            stream("limit", spec.name, 0, user).lognormal(std::log(spec.limit_factor_median), kLimitSigma);
        law.limit_factor.push_back(std::max(kSmallestLimitFactor, drawn));
      }
      laws_.push_back(std::move(law));
    }
  }

  [[nodiscard]] Job make_job(ClassId job_class, int user, double size_draw, double wall_draw) const {
    const ClassLaw& law = laws_[index(job_class)];
    const std::uint16_t size = law.size(size_draw);
    Job job;
    job.wall = law.wall(wall_draw);
    job.limit_factor = law.limit_factor[static_cast<std::size_t>(user)];
    job.gpus = law.spec->gpus[size].gpus;
    job.user = user;
    job.job_class = job_class;
    job.queue = law.spec->partition;
    job.shape = static_cast<std::uint16_t>(law.first_shape + size);
    job.group = group_of_user_[static_cast<std::size_t>(user)];
    return job;
  }

  [[nodiscard]] Job draw_job(ClassId job_class, int user, Levels& level) const {
    const double size_draw = level(0).gpus.uniform();
    const double wall_draw = level(0).wall.uniform();
    return make_job(job_class, user, size_draw, wall_draw);
  }

  void draw_user(ClassId job_class, int user) {
    const JobClass& spec = *laws_[index(job_class)].spec;
    Levels level(*this, spec.name, user);
    Arrivals arrivals(*spec.arrivals, stream("arrivals", spec.name, 0, user),
                      scenario_.availability.demand_growth);
    for (Instant at = arrivals.next(end_); at != kNever; at = arrivals.next(end_)) {
      Job job = draw_job(job_class, user, level);
      job.submit = at;
      draw_chain(job, level);
      draft_.arriving.push_back(job);
    }
  }

  /// The jobs that one loop could submit by the end of the run if none took any time; in a run, where jobs
  /// do, the last of them stay dormant.
  void draw_loop(ClassId job_class, int user, int loop) {
    const JobClass& spec = *laws_[index(job_class)].spec;
    const Duration mean = spec.arrivals->closed_loop->mean_think;
    Levels level(*this, spec.name, user, loop);
    Rng think = stream("think", spec.name, 0, user, loop);
    Instant earliest = kStart + exponential(mean, think.uniform());
    Job* before = nullptr;
    while (earliest <= end_) {
      Job job = draw_job(job_class, user, level);
      job.think = exponential(mean, think.uniform());
      draw_chain(job, level);
      if (before == nullptr) {
        job.submit = earliest;
        draft_.arriving.push_back(job);
        before = &draft_.arriving.back();
      } else {
        before->next = static_cast<std::uint32_t>(draft_.repeats.size());
        draft_.repeats.push_back(job);
        before = &draft_.repeats.back();
      }
      earliest += job.think;
    }
  }

  /// Draws what completion of a job leads to. The draws of a child are taken whether or not the promotion
  /// happens: a different probability promotes other jobs but leaves each job's child as it was.
  void draw_chain(Job& root, Levels& level) {
    ClassId parent_class = root.job_class;
    std::uint32_t parent = kNone;  // kNone: the root
    for (int depth = 0; depth < kLongestChain; ++depth) {
      const auto& promotion = laws_[index(parent_class)].spec->promotes_to;
      if (!promotion) return;
      const bool promoted = level(depth).promotion.bernoulli(promotion->probability);
      const double pause_draw = level(depth).pause.uniform();
      const double size_draw = level(depth + 1).gpus.uniform();
      const double wall_draw = level(depth + 1).wall.uniform();
      if (!promoted) return;
      Job child = make_job(promotion->target, root.user, size_draw, wall_draw);
      const auto row = static_cast<std::uint32_t>(draft_.children.size());
      draft_.children.push_back(child);
      Job& before = parent == kNone ? root : draft_.children[parent];
      before.child = row;
      before.pause = exponential(promotion->mean_pause, pause_draw);
      parent = row;
      parent_class = promotion->target;
    }
  }

  /// Recorded jobs that are submitted before the end, each size with a shape of its own.
  void add_trace() {
    const Workload trace = workload_from_trace(*scenario_.workload.trace, scenario_.workload.trace_partition);
    std::map<std::int32_t, std::uint16_t> shape_of;
    const TraceGroups groups(scenario_.workload);
    for (std::size_t i = 0; i < trace.requests.size(); ++i) {
      Job job;
      job.submit = trace.requests.submit[i];
      if (job.submit >= end_) continue;
      job.wall = trace.truth.wall[i];
      job.limit = trace.requests.limit[i];
      job.limit_factor = trace.truth.limit_factor[i];
      job.gpus = trace.requests.gpus[i];
      job.user = scenario_.workload.users + trace.requests.user[i];
      job.group = groups.of(i);
      job.job_class = kNoClass;
      job.queue = scenario_.workload.trace_partition;
      const auto [place, is_new] = shape_of.try_emplace(job.gpus, static_cast<std::uint16_t>(shapes_.size()));
      if (is_new) shapes_.push_back({kNoClass, job.gpus});
      job.shape = place->second;
      draft_.arriving.push_back(job);
    }
  }

  Workload merge() {
    std::vector<SortKey> order;
    order.reserve(draft_.arriving.size());
    for (std::size_t i = 0; i < draft_.arriving.size(); ++i)
      order.push_back({draft_.arriving[i].submit, static_cast<std::uint32_t>(i)});
    std::sort(order.begin(), order.end());
    Workload out;
    const bool loops = has_closed_loop(scenario_);
    reserve(out, draft_.arriving.size() + draft_.children.size() + draft_.repeats.size(), loops);
    for (const SortKey& key : order) {
      const Job* head = &draft_.arriving[key.drawn];
      for (;;) {
        const std::size_t at = out.requests.size();
        append_chain(out, *head, loops);
        if (head->next == kNone) break;
        out.truth.next[at] = JobId{static_cast<std::uint32_t>(out.requests.size())};
        head = &draft_.repeats[head->next];
      }
    }
    out.shapes = std::move(shapes_);
    out.replication = replication_;
    return out;
  }

  /// A job and, behind it, the jobs that its completion leads to.
  void append_chain(Workload& out, const Job& root, bool loops) const {
    const Job* job = &root;
    JobId parent = kNoJob;
    for (;;) {
      const JobId id{static_cast<std::uint32_t>(out.requests.size())};
      append(out, *job, parent, id);
      if (!scenario_.workload.groups.empty()) out.requests.group.push_back(job->group);
      if (loops) {
        out.truth.next.push_back(kNoJob);
        out.truth.think.push_back(job->think);
      }
      if (job->child == kNone) return;
      job = &draft_.children[job->child];
      parent = id;
    }
  }

  static void reserve(Workload& out, std::size_t rows, bool loops) {
    JobRequests& r = out.requests;
    JobTruth& t = out.truth;
    std::apply([rows](auto&... columns) { (columns.reserve(rows), ...); },
               std::tie(r.submit, r.gpus, r.limit, r.job_class, r.queue, r.user, r.parent, t.wall,
                        t.limit_factor, t.child, t.pause, t.shape));
    if (!loops) return;
    t.next.reserve(rows);
    t.think.reserve(rows);
  }

  static void append(Workload& out, const Job& job, JobId parent, JobId id) {
    JobRequests& r = out.requests;
    r.submit.push_back(job.submit);
    r.gpus.push_back(job.gpus);
    r.limit.push_back(job.limit);
    r.job_class.push_back(job.job_class);
    r.queue.push_back(job.queue);
    r.user.push_back(job.user);
    r.parent.push_back(parent);
    JobTruth& t = out.truth;
    t.wall.push_back(job.wall);
    t.limit_factor.push_back(job.limit_factor);
    t.child.push_back(job.child == kNone ? kNoJob : JobId{static_cast<std::uint32_t>(index(id) + 1)});
    t.shape.push_back(job.shape);
    t.pause.push_back(job.pause);
  }

  const Scenario& scenario_;
  std::uint32_t replication_;
  Instant end_;
  std::vector<ClassLaw> laws_;
  std::vector<JobShape> shapes_;
  std::vector<std::uint16_t> group_of_user_;
  Draft draft_;
};

}  // namespace

Workload generate(const Scenario& scenario, std::uint32_t replication) {
  return Generator(scenario, replication).run();
}

}  // namespace fleetsim
