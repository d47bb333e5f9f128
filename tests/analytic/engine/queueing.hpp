// Queues with known mean waits, simulated by the engine: jobs of one GPU on servers of one GPU.
#pragma once

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <vector>

#include "sim/base/rng.hpp"
#include "sim/engine/engine.hpp"

namespace queueing {

using namespace fleetsim;

inline constexpr double kService_s = 100.0;  ///< mean service time

enum class Service { exponential, fixed, hyper_exponential };

/// Squared coefficient of variation of the service time.
inline double scv(Service law) {
  return law == Service::exponential ? 1.0 : law == Service::fixed ? 0.0 : 2.0;
}

struct Model {
  int servers = 1;
  Service service = Service::exponential;
  double first_class = 0.0;  ///< share of arrivals that go before the others; 0: one class
};

/// C(c, a): the probability that an arrival must wait. C = B / (1 - rho (1 - B)), B by Erlang's recursion
/// B_k = a B_{k-1} / (k + a B_{k-1}), B_0 = 1; a = c rho.
inline double erlang_c(int servers, double load) {
  const double a = servers * load;
  double b = 1.0;
  for (int k = 1; k <= servers; ++k) b = a * b / (k + a * b);
  return b / (1.0 - load * (1.0 - b));
}

/// Mean waits of the first and of the second class; of all jobs, twice, when there is one class.
///   M/M/c:  W = C s / (c (1 - rho))
///   M/G/1:  W = rho s (1 + scv) / (2 (1 - rho))              Pollaczek and Khinchine; C = rho for one server
///   Non-preemptive priority (Cobham 1954): with W0 = C s / c (1 + scv) / 2 and sigma = load of the first
///   class, W_1 = W0 / (1 - sigma), W_2 = W0 / ((1 - sigma) (1 - rho)).
inline std::array<double, 2> mean_waits_s(const Model& m, double load) {
  const double w0 = erlang_c(m.servers, load) * kService_s / m.servers * (1.0 + scv(m.service)) / 2.0;
  const double sigma = load * m.first_class;
  const double last = w0 / ((1.0 - sigma) * (1.0 - load));
  return {m.first_class > 0.0 ? w0 / (1.0 - sigma) : last, last};
}

inline constexpr std::size_t kControls = 4;
/// One replication: mean waits, and quantities of the drawn jobs alone whose true means are 0.
struct Sample {
  std::array<double, 2> wait_s{};
  std::array<double, kControls> control{};
};

struct Size {
  std::size_t warm = 0, jobs = 0;  ///< the first `warm` jobs are not counted
  std::uint32_t replications = 0;
};

inline double draw_service_s(Service law, Rng& rng) {
  if (law == Service::fixed) return kService_s;
  if (law == Service::exponential) return rng.exponential(kService_s);
  // Two exponential phases of equal share of the work ("balanced means").
  const double p = 0.5 * (1.0 + std::sqrt((scv(law) - 1.0) / (scv(law) + 1.0)));
  const bool first = rng.bernoulli(p);
  return rng.exponential(kService_s / (2.0 * (first ? p : 1.0 - p)));
}

/// Control variates: the waits of the same jobs, by Lindley's recursion W' = max(0, W + s / c - g), at one
/// server that is c times as fast, with longer gaps g, so at lower loads. Pollaczek and Khinchine give their
/// true means. The last control is the mean excess of work that an arrival brings.
class Companions {
 public:
  Companions(const Model& model, double load) : model_(model), load_(load) {
    constexpr std::array<double, kControls - 1> kIdler = {1.1, 1.5, 2.5};  // idle over busy time, over ours
    for (std::size_t c = 0; c < loads_.size(); ++c) loads_[c] = load / (load + kIdler[c] * (1.0 - load));
  }
  void arrive(double service_s, double gap_s, bool counted) {
    for (std::size_t c = 0; c < loads_.size(); ++c) {
      wait_s_[c] = std::max(0.0, wait_s_[c] - gap_s * load_ / loads_[c]);  // the gap before this job
      if (counted) sum_s_[c] += wait_s_[c];
      wait_s_[c] += service_s / model_.servers;
    }
    if (!counted) return;
    excess_ += service_s / kService_s - gap_s * model_.servers * load_ / kService_s;
    jobs_ += 1.0;
  }
  [[nodiscard]] std::array<double, kControls> controls() const {
    std::array<double, kControls> out{};
    for (std::size_t c = 0; c < loads_.size(); ++c) {
      const double load = loads_[c];
      const double mean_s =
          load * kService_s / model_.servers * (1.0 + scv(model_.service)) / (2.0 * (1.0 - load));
      out[c] = sum_s_[c] / jobs_ / mean_s - 1.0;
    }
    out.back() = excess_ / jobs_;
    return out;
  }

 private:
  Model model_;
  double load_;
  std::array<double, kControls - 1> loads_{}, wait_s_{}, sum_s_{};
  double excess_ = 0.0, jobs_ = 0.0;
};

inline Sample replicate(const Model& m, double load, std::uint64_t seed, std::uint32_t replication,
                        const Size& size, Workload& workload) {
  Rng gaps(seed, replication, "gaps"), services(seed, replication, "services"),
      classes(seed, replication, "classes");
  const double gap_mean_s = kService_s / (m.servers * load);
  const std::size_t all = size.warm + size.jobs;
  JobRequests& r = workload.requests;
  JobTruth& t = workload.truth;
  r.submit.resize(all);
  t.wall.resize(all);
  r.queue.resize(all);
  r.gpus.assign(all, 1);
  r.limit.assign(all, kForever);
  t.shape.assign(all, 0);
  Companions companions(m, load);
  Instant at = kStart;
  for (std::size_t j = 0; j < all; ++j) {
    const double gap_s = gaps.exponential(gap_mean_s), service_s = draw_service_s(m.service, services);
    at += from_seconds(gap_s);
    r.submit[j] = at;
    t.wall[j] = from_seconds(service_s);
    const bool first = m.first_class > 0.0 && classes.bernoulli(m.first_class);
    r.queue[j] = QueueId{static_cast<std::uint16_t>(m.first_class > 0.0 && !first ? 1 : 0)};
    companions.arrive(service_s, gap_s, j >= size.warm);
  }
  EngineInput input;
  input.pools.push_back({"servers", m.servers, 1});
  input.queues.push_back({"first", {PoolId{0}}, {}});
  if (m.first_class > 0.0) input.queues.push_back({"second", {PoolId{0}}, {}});
  input.run_time = {1, {1.0}, {}};
  input.requests = &r;
  input.truth = &t;
  input.policy = PolicyKind::fifo;
  const EngineResult result = run_engine(input);

  Sample sample;
  std::array<double, 2> jobs{};
  for (std::size_t j = size.warm; j < all; ++j) {
    const std::size_t k = index(r.queue[j]);
    sample.wait_s[k] += to_seconds(result.jobs.start[j] - result.jobs.submit[j]);
    jobs[k] += 1.0;
  }
  sample.wait_s[0] /= jobs[0];
  sample.wait_s[1] = m.first_class > 0.0 ? sample.wait_s[1] / jobs[1] : sample.wait_s[0];
  sample.control = companions.controls();
  return sample;
}

struct Interval {
  double mean = 0.0, half_width = 0.0;
};

/// 99 % interval of the mean wait of a class: intercept of the least-squares fit of the wait to the controls,
/// whose standard error is that of linear regression.
inline Interval interval(const std::vector<Sample>& samples, std::size_t job_class) {
  constexpr std::size_t k = kControls + 1;
  // Normal equations, with the inverse of X'X by elimination beside them.
  double a[k][2 * k] = {};
  double b[k] = {}, squares = 0.0;
  for (const Sample& s : samples) {
    double x[k] = {1.0};
    for (std::size_t c = 0; c < kControls; ++c) x[c + 1] = s.control[c];
    for (std::size_t i = 0; i < k; ++i) {
      b[i] += x[i] * s.wait_s[job_class];
      for (std::size_t c = 0; c < k; ++c) a[i][c] += x[i] * x[c];
    }
    squares += s.wait_s[job_class] * s.wait_s[job_class];
  }
  for (std::size_t i = 0; i < k; ++i) a[i][k + i] = 1.0;
  for (std::size_t i = 0; i < k; ++i) {  // X'X is positive definite: no pivoting
    const double pivot = a[i][i];
    for (double& cell : a[i]) cell /= pivot;
    for (std::size_t row = 0; row < k; ++row) {
      if (row == i) continue;
      const double factor = a[row][i];
      for (std::size_t c = 0; c < 2 * k; ++c) a[row][c] -= factor * a[i][c];
    }
  }
  double mean = 0.0, explained = 0.0;
  for (std::size_t i = 0; i < k; ++i) {
    double beta = 0.0;
    for (std::size_t c = 0; c < k; ++c) beta += a[i][k + c] * b[c];
    if (i == 0) mean = beta;
    explained += beta * b[i];
  }
  const double freedom = static_cast<double>(samples.size() - k);
  const double error = std::sqrt((squares - explained) / freedom * a[0][k]);
  return {mean, boost::math::quantile(boost::math::students_t(freedom), 0.995) * error};
}

}  // namespace queueing
