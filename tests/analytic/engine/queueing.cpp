// The engine against queueing theory: M/M/c under FIFO, Erlang's C formula.
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <vector>

#include "sim/base/rng.hpp"
#include "sim/engine/engine.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

constexpr int kServers = 4;
constexpr double kService_s = 100.0;

/// Mean wait in an M/M/c queue: W = C(c, a) / (c / s - lambda) with a = lambda s, s the mean service time and
/// C = B / (1 - rho (1 - B)), B by Erlang's recursion B_k = a B_{k-1} / (k + a B_{k-1}), B_0 = 1.
double erlang_c_wait_s(int servers, double load) {
  const double a = servers * load;
  double b = 1.0;
  for (int k = 1; k <= servers; ++k) b = a * b / (k + a * b);
  const double c = b / (1.0 - load * (1.0 - b));
  return c * kService_s / (servers * (1.0 - load));
}

struct Sample {
  double wait_s = 0.0;
  double excess = 0.0;  ///< of the drawn work over the expected: its true mean is 0
};

/// One replication: jobs of one GPU on kServers nodes of one GPU; the first `warm` jobs are not counted.
Sample replicate(double load, std::uint64_t seed, std::uint32_t replication, std::size_t warm, std::size_t n,
                 Workload& workload) {
  Rng gaps(seed, replication, "gaps");
  Rng services(seed, replication, "services");
  const double mean_gap_s = kService_s / (kServers * load);
  const std::size_t all = warm + n;
  JobRequests& r = workload.requests;
  JobTruth& t = workload.truth;
  r.submit.resize(all);
  t.wall.resize(all);
  r.gpus.assign(all, 1);
  r.limit.assign(all, kForever);
  r.queue.assign(all, QueueId{0});
  t.shape.assign(all, 0);
  Sample sample;
  Instant at = kStart;
  for (std::size_t j = 0; j < all; ++j) {
    const double gap_s = gaps.exponential(mean_gap_s), service_s = services.exponential(kService_s);
    at += from_seconds(gap_s);
    r.submit[j] = at;
    t.wall[j] = from_seconds(service_s);
    if (j >= warm) sample.excess += service_s / kService_s - gap_s / mean_gap_s;
  }
  EngineInput input;
  input.pools.push_back({"servers", kServers, 1});
  input.queues.push_back({"all", {PoolId{0}}, {}});
  input.run_time = {1, {1.0}, {}};
  input.requests = &r;
  input.truth = &t;
  input.policy = PolicyKind::fifo;
  const EngineResult result = run_engine(input);
  for (std::size_t j = warm; j < all; ++j) {
    sample.wait_s += to_seconds(result.jobs.start[j] - result.jobs.submit[j]);
  }
  sample.wait_s /= static_cast<double>(n);
  sample.excess /= static_cast<double>(n);
  return sample;
}

struct Interval {
  double mean = 0.0, half_width = 0.0;
};

/// 99 % interval of the mean wait. The drawn excess of work serves as control variate: the intercept of the
/// least-squares line of wait on excess, whose standard error is that of linear regression.
Interval interval(const std::vector<Sample>& samples) {
  const auto n = static_cast<double>(samples.size());
  double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
  for (const Sample& s : samples) {
    x += s.excess / n;
    y += s.wait_s / n;
  }
  for (const Sample& s : samples) {
    xx += (s.excess - x) * (s.excess - x);
    xy += (s.excess - x) * (s.wait_s - y);
    yy += (s.wait_s - y) * (s.wait_s - y);
  }
  const double slope = xy / xx;
  const double variance = (yy - slope * xy) / (n - 2.0);
  const double error = std::sqrt(variance * (1.0 / n + x * x / xx));
  const boost::math::students_t t(n - 2.0);
  return {y - slope * x, boost::math::quantile(t, 0.995) * error};
}

/// At 19 of 20 seeds at least the 99 % interval must hold the true mean wait, and be narrow.
void check_load(double load, std::size_t warm, std::size_t n, std::uint32_t replications) {
  const double truth_s = erlang_c_wait_s(kServers, load);
  int covered = 0;
  double widest = 0.0;
  Workload workload;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<Sample> samples;
    for (std::uint32_t r = 0; r < replications; ++r)
      samples.push_back(replicate(load, seed, r, warm, n, workload));
    const Interval found = interval(samples);
    if (std::abs(found.mean - truth_s) <= found.half_width) ++covered;
    widest = std::max(widest, found.half_width / found.mean);
  }
  INFO("load " << load << ", true mean wait " << truth_s << " s");
  CHECK(covered >= 19);
  CHECK(widest <= 0.03);
}

}  // namespace

TEST_CASE("Erlang's C formula gives known values") {
  // One server: W = s rho / (1 - rho), the M/M/1 queue. At rho = 1/2: 100 s.
  CHECK(erlang_c_wait_s(1, 0.5) == Approx(100.0));
  // Two servers: C = 2 rho^2 / (1 + rho), so at rho = 1/2 C = 1/3 and W = C s / (2 (1 - rho)) = 100/3 s.
  CHECK(erlang_c_wait_s(2, 0.5) == Approx(100.0 / 3.0));
}

// Sizes: the number of jobs that a given precision needs grows as 1 / (1 - load)^2; the warm-up is more than
// ten relaxation times of 1 / (1 - sqrt(load))^2 jobs.
TEST_CASE("M/M/c waits at load 0.5 agree with Erlang C") {
  check_load(0.5, 1000, 9000, 100);
}
TEST_CASE("M/M/c waits at load 0.8 agree with Erlang C") {
  check_load(0.8, 2000, 14000, 100);
}
TEST_CASE("M/M/c waits at load 0.95 agree with Erlang C") {
  check_load(0.95, 16000, 104000, 100);
}
