// Job classes -> jobs. Every attribute has its own stream per class and user, so that a draw added to one
// leaves the others alone, and no draw depends on the fleet or on other classes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "sim/base/assert.hpp"
#include "sim/base/rng.hpp"
#include "sim/scenario.hpp"
#include "sim/workload/arrivals.hpp"
#include "sim/workload/from_trace.hpp"
#include "sim/workload/lognormal.hpp"
#include "sim/workload/workload.hpp"

namespace fleetsim {

namespace {

// Longest chain of promotions behind one arrival; ends classes that promote to themselves for certain.
constexpr int kLongestChain = 64;
// Spread of the requested limits over the users' run times (estimate; median from the scenario).
constexpr double kLimitSigma = 0.5;
constexpr double kSmallestLimitFactor = 1.1;
constexpr std::uint32_t kNone = 0xFFFFFFFF;

/// The quantile u of an exponential law.
Duration exponential(Duration mean, double u) {
  return from_seconds(-to_seconds(mean) * std::log(1.0 - u));
}

/// Wall-time law of one class as a function of one uniform draw.
class WallTime {
 public:
  explicit WallTime(const JobClass& job_class) {
    const auto& law = job_class.wall_time.law;
    if (const auto* cut = std::get_if<LognormalSpec>(&law)) {
      const double max_s = to_seconds(cut->max);
      const auto fit = fit_cut_lognormal(to_seconds(cut->median), to_seconds(cut->mean), max_s);
      if (const double* largest = std::get_if<double>(&fit))
        throw std::invalid_argument(
            fmt::format("class {}: no log-normal has this median, mean and max; the largest mean is {:.4g} h",
                        job_class.name, *largest / 3600.0));
      draw_.emplace<CutLognormalDraw>(std::get<CutLognormal>(fit), max_s);
    } else if (const auto* mean = std::get_if<ExponentialSpec>(&law)) {
      draw_ = *mean;
    } else {
      draw_ = std::get<FixedSpec>(law);
    }
  }
  [[nodiscard]] Duration operator()(double u) const {
    if (const auto* cut = std::get_if<CutLognormalDraw>(&draw_)) return from_seconds((*cut)(u));
    if (const auto* law = std::get_if<ExponentialSpec>(&draw_)) return exponential(law->mean, u);
    return std::get<FixedSpec>(draw_).value;
  }

 private:
  std::variant<FixedSpec, ExponentialSpec, CutLognormalDraw> draw_;
};

/// What all jobs of one class share.
struct ClassLaw {
  const JobClass* spec;
  WallTime wall;
  std::uint16_t first_shape;
  std::vector<double> limit_factor;  ///< by user

  [[nodiscard]] std::uint16_t size(double u) const {
    double sum = 0.0;
    std::size_t i = 0;
    for (; i + 1 < spec->gpus.size(); ++i) {
      sum += spec->gpus[i].probability;
      if (u < sum) break;
    }
    return static_cast<std::uint16_t>(i);
  }
};

struct Job {
  Instant submit = kNever;
  Duration wall{}, limit{}, pause{};
  double limit_factor = 1.0;
  std::int32_t gpus = 1;
  std::int32_t user = 0;
  std::uint32_t child = kNone;  ///< index into Draft::children
  ClassId job_class{};
  QueueId queue{};
  std::uint16_t shape = 0;
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
    for (std::size_t c = 0; c < laws_.size(); ++c) {
      if (!laws_[c].spec->arrivals) continue;
      for (int user = 0; user < scenario_.workload.users; ++user)
        draw_user(ClassId{static_cast<std::uint16_t>(c)}, user);
    }
    if (scenario_.workload.trace != nullptr) add_trace();
    return merge();
  }

 private:
  [[nodiscard]] Rng stream(const char* what, const std::string& job_class, int level, int user) const {
    const std::string purpose =
        level == 0 ? fmt::format("{}:{}", what, job_class) : fmt::format("{}:{}/{}", what, job_class, level);
    return Rng(scenario_.seed, replication_, purpose, static_cast<std::uint64_t>(user));
  }

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
    return job;
  }

  void draw_user(ClassId job_class, int user) {
    const JobClass& spec = *laws_[index(job_class)].spec;
    std::vector<LevelStreams> levels;
    const auto level = [&](int l) -> LevelStreams& {
      while (static_cast<int>(levels.size()) <= l) {
        const int next = static_cast<int>(levels.size());
        levels.push_back({stream("gpus", spec.name, next, user), stream("wall", spec.name, next, user),
                          stream("promotion", spec.name, next, user),
                          stream("pause", spec.name, next, user)});
      }
      return levels[static_cast<std::size_t>(l)];
    };
    Arrivals arrivals(*spec.arrivals, stream("arrivals", spec.name, 0, user),
                      scenario_.availability.demand_growth);
    for (Instant at = arrivals.next(end_); at != kNever; at = arrivals.next(end_)) {
      const double size_draw = level(0).gpus.uniform();
      const double wall_draw = level(0).wall.uniform();
      Job job = make_job(job_class, user, size_draw, wall_draw);
      job.submit = at;
      draft_.arriving.push_back(job);
      draw_chain(job_class, user, level);
    }
  }

  /// Draws what completion of the newest arrival leads to. The draws of a child are taken whether or not the
  /// promotion happens: a different probability promotes other jobs but leaves each job's child as it was.
  template <class Level>
  void draw_chain(ClassId job_class, int user, const Level& level) {
    ClassId parent_class = job_class;
    std::uint32_t parent = kNone;  // kNone: the newest arrival
    for (int depth = 0; depth < kLongestChain; ++depth) {
      const auto& promotion = laws_[index(parent_class)].spec->promotes_to;
      if (!promotion) return;
      const bool promoted = level(depth).promotion.bernoulli(promotion->probability);
      const double pause_draw = level(depth).pause.uniform();
      const double size_draw = level(depth + 1).gpus.uniform();
      const double wall_draw = level(depth + 1).wall.uniform();
      if (!promoted) return;
      Job child = make_job(promotion->target, user, size_draw, wall_draw);
      const auto row = static_cast<std::uint32_t>(draft_.children.size());
      draft_.children.push_back(child);
      Job& before = parent == kNone ? draft_.arriving.back() : draft_.children[parent];
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
    for (std::size_t i = 0; i < trace.requests.size(); ++i) {
      Job job;
      job.submit = trace.requests.submit[i];
      if (job.submit >= end_) continue;
      job.wall = trace.truth.wall[i];
      job.limit = trace.requests.limit[i];
      job.limit_factor = trace.truth.limit_factor[i];
      job.gpus = trace.requests.gpus[i];
      job.user = scenario_.workload.users + trace.requests.user[i];
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
    reserve(out, draft_.arriving.size() + draft_.children.size());
    for (const SortKey& key : order) {
      const Job* job = &draft_.arriving[key.drawn];
      JobId parent = kNoJob;
      for (;;) {
        const JobId id{static_cast<std::uint32_t>(out.requests.size())};
        append(out, *job, parent, id);
        if (job->child == kNone) break;
        job = &draft_.children[job->child];
        parent = id;
      }
    }
    out.shapes = std::move(shapes_);
    out.replication = replication_;
    return out;
  }

  static void reserve(Workload& out, std::size_t rows) {
    JobRequests& r = out.requests;
    JobTruth& t = out.truth;
    std::apply([rows](auto&... columns) { (columns.reserve(rows), ...); },
               std::tie(r.submit, r.gpus, r.limit, r.job_class, r.queue, r.user, r.parent, t.wall,
                        t.limit_factor, t.child, t.pause, t.shape));
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
  Draft draft_;
};

}  // namespace

Workload generate(const Scenario& scenario, std::uint32_t replication) {
  return Generator(scenario, replication).run();
}

}  // namespace fleetsim
