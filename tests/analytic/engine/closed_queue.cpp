// Closed loops against the machine-repairman model: N users think for an exponential time of mean Z and
// submit a job of exponential size S to c servers; M/M/c//N.
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <vector>

#include "sim/simulate.hpp"
#include "tests/catch.hpp"
#include "tests/unit/simulate/example.hpp"

using namespace fleetsim;

namespace {

struct ClosedModel {
  int users, servers;
  double think_h, service_h;
};
struct Truth {
  double jobs_per_hour, wait_h;
};

/// p(n) / p(0) = N! / (N - n)! a^n / n! for n <= c, N! / (N - n)! a^n / (c! c^(n - c)) above, a = S / Z. The
/// throughput is X = sum p(n) min(n, c) / S; by Little's law the mean wait is sum p(n) max(0, n - c) / X.
/// Source: Gross, Shortle, Thompson, Harris, Fundamentals of Queueing Theory (4th ed. 2008), section 2.7.
Truth truth_of(const ClosedModel& m) {
  std::vector<double> p = {1.0};
  double sum = 1.0;
  for (int n = 1; n <= m.users; ++n) {
    p.push_back(p.back() * (m.users - n + 1) * m.service_h / m.think_h / std::min(n, m.servers));
    sum += p.back();
  }
  double busy = 0.0, waiting = 0.0;
  for (int n = 0; n <= m.users; ++n) {
    busy += p[static_cast<std::size_t>(n)] / sum * std::min(n, m.servers);
    waiting += p[static_cast<std::size_t>(n)] / sum * std::max(0, n - m.servers);
  }
  const double jobs_per_hour = busy / m.service_h;
  return {jobs_per_hour, waiting / jobs_per_hour};
}

Scenario lab(const ClosedModel& m, std::uint64_t seed) {
  Scenario s;
  s.seed = seed;
  s.time = {4 * kWeek, 26 * kWeek, 4 * kWeek, 1};
  s.pools = {{"servers", example::node("one", 1, 10), m.servers}};
  Partition all;
  all.name = "all";
  all.pools = {PoolId{0}};
  s.scheduler.partitions = {all};
  s.scheduler.policy = PolicyKind::fifo;
  s.scheduler.kill_at_limit = false;
  JobClass c;
  c.name = "job";
  c.gpus = {{1, 1.0}};
  c.wall_time.law = ExponentialSpec{from_seconds(3600.0 * m.service_h)};
  c.arrivals = ArrivalSpec{};
  c.arrivals->closed_loop = ClosedLoop{from_seconds(3600.0 * m.think_h), 1};
  s.workload.users = m.users;
  s.workload.classes = {c};
  return s;
}

/// Half of the 99 % interval of the mean of `values`.
struct MeanInterval {
  double mean = 0.0, half = 0.0;
};
MeanInterval mean_interval(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0.0, squares = 0.0;
  for (const double v : values) sum += v;
  const double mean = sum / n;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return {mean, boost::math::quantile(boost::math::students_t(n - 1.0), 0.995) *
                    std::sqrt(squares / (n - 1.0) / n)};
}

/// At 9 of 10 seeds at least the 99 % interval must hold the true values, and be narrow.
void check_closed(const ClosedModel& m, double wait_width) {
  const Truth truth = truth_of(m);
  constexpr int kReplications = 20;
  int rate_held = 0, wait_held = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Scenario s = lab(m, seed);
    std::vector<double> rates, waits;
    for (std::uint32_t r = 0; r < kReplications; ++r) {
      const RunResult run = simulate(s, r);
      rates.push_back(run.metrics.all.value("results_per_week") / 168.0);
      waits.push_back(run.metrics.all.value("wait_s") / 3600.0);
    }
    const MeanInterval rate = mean_interval(rates), wait = mean_interval(waits);
    rate_held += std::abs(rate.mean - truth.jobs_per_hour) <= rate.half ? 1 : 0;
    wait_held += std::abs(wait.mean - truth.wait_h) <= wait.half ? 1 : 0;
    CHECK(rate.half <= 0.02 * truth.jobs_per_hour);
    CHECK(wait.half <= wait_width * truth.wait_h);
  }
  INFO("true rate " << truth.jobs_per_hour << " /h, wait " << truth.wait_h << " h");
  CHECK(rate_held >= 9);
  CHECK(wait_held >= 9);
}

}  // namespace

TEST_CASE("The formulas of the closed queue give known values") {
  // One user never waits: X = 1 / (Z + S), W = 0.
  CHECK(truth_of({1, 1, 8, 2}).jobs_per_hour == Approx(0.1));
  CHECK(truth_of({1, 1, 8, 2}).wait_h == Approx(0.0).margin(1e-12));
  // Two users, one server, Z = S = 1 h: p = (1, 2, 2) / 5, X = 4/5 /h, W = 2/5 / X = 1/2 h.
  CHECK(truth_of({2, 1, 1, 1}).jobs_per_hour == Approx(0.8));
  CHECK(truth_of({2, 1, 1, 1}).wait_h == Approx(0.5));
  // The cycle of a user is think, wait and service: N = X (Z + W + S), whatever c.
  for (const ClosedModel& m : {ClosedModel{6, 2, 8, 4}, ClosedModel{20, 3, 8, 3}, ClosedModel{5, 5, 1, 7}}) {
    const Truth t = truth_of(m);
    CHECK(t.jobs_per_hour * (m.think_h + t.wait_h + m.service_h) == Approx(m.users));
  }
}

TEST_CASE("Throughput and waits of closed loops agree with the machine-repairman model") {
  check_closed({2, 1, 1, 1}, 0.05);
  check_closed({6, 2, 8, 4}, 0.08);
  check_closed({20, 3, 8, 3}, 0.05);  // users think in vain: two thirds of them wait
}
