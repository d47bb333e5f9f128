// Desktops against a pool, by Erlang: n users with exponential jobs and Poisson arrivals have n M/M/1 apart
// and one M/M/k together.
#include <cmath>

#include "sim/study/study.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

constexpr double kMean_h = 1.0;  ///< mean run time

/// C(k, a), the probability that an arrival must wait; a = k rho. Erlang's recursion for B, then
/// C = B / (1 - rho (1 - B)).
double erlang_c(int k, double a) {
  double b = 1.0;
  for (int i = 1; i <= k; ++i) b = a * b / (i + a * b);
  return b / (1.0 - a / k * (1.0 - b));
}

/// The wait that 19 in 20 do not exceed: P(W > t) = C exp(-(k mu - lambda) t) = 0.05.
double p95_h(int k, double a) {
  const double c = erlang_c(k, a);
  return c <= 0.05 ? 0.0 : std::log(c / 0.05) * kMean_h / (k - a);
}

/// The fewest shared machines whose p95 is not above that of one private machine at this load.
int least_by_erlang(int users, double load) {
  int k = static_cast<int>(users * load) + 1;
  while (p95_h(k, users * load) > p95_h(1, load)) ++k;
  return k;
}

Scenario lab(int users, double load, Duration measure) {
  Scenario s;
  s.time = {2 * kWeek, measure, kWeek, 10};
  NodePool pool;
  pool.name = "desktop";
  pool.node.name = "desktop";
  pool.node.gpus = 1;
  pool.node.pcie.usable_rate.value = pool.node.cpu_link.usable_rate.value = pool.node.host_staging.value =
      BytesPerSecond{10e9};
  pool.count = users;
  s.pools = {pool};
  s.scheduler.policy = PolicyKind::fifo;
  s.scheduler.kill_at_limit = false;
  Partition all;
  all.name = "all";
  all.pools = {PoolId{0}};
  all.max_time = 52 * kWeek;
  s.scheduler.partitions = {all};
  JobClass job;
  job.name = "job";
  job.gpus = {{1, 1.0}};
  job.wall_time.law = ExponentialSpec{from_seconds(kMean_h * 3600.0)};
  job.arrivals = ArrivalSpec{PerSecond{load / (kMean_h * 3600.0)}, ArrivalProfile::flat};
  s.workload.users = users;
  s.workload.classes = {job};
  return s;
}

Scenario apart(Scenario s) {
  s.scheduler.sharing = SharingRule::private_machines;
  return s;
}
Scenario pooled(Scenario s, int machines) {
  s.scheduler.sharing = SharingRule::one_pool;
  s.pools[0].count = machines;
  return s;
}

std::vector<double> p95s(const Scenario& s) {
  std::vector<double> out;
  for (int r = 0; r < s.time.replications; ++r)
    out.push_back(simulate(s, static_cast<std::uint32_t>(r)).metrics.all.value("wait_s_p95"));
  return out;
}

/// Sizes 1 to `users`; sizes that Erlang puts far from the answer are not simulated but take its word.
Pooling study(const Scenario& s, double load, int expected) {
  const int users = s.workload.users;
  StudyResult result;
  std::vector<std::vector<double>> waits;
  CandidateResult row;
  row.counts = {users};
  result.candidates.push_back(row);
  waits.push_back(p95s(apart(s)));
  for (int k = 1; k <= users; ++k) {
    row.counts = {k};
    result.candidates.push_back(row);
    if (std::abs(k - expected) <= 2 && k > users * load) {
      waits.push_back(p95s(pooled(s, k)));
    } else {
      waits.emplace_back(waits.front().size(), k < expected ? 1e9 : 0.0);
    }
  }
  return compare_pools(result, waits);
}

}  // namespace

TEST_CASE("the formulas of Erlang give known values") {
  // One server: C = rho; P(W > t) = rho exp(-(1 - rho) t). At rho = 1/2: ln(10) / (1/2).
  CHECK(erlang_c(1, 0.5) == Approx(0.5));
  CHECK(p95_h(1, 0.5) == Approx(2.0 * std::log(10.0)));
  // Two servers at a = 1: C = 1/3.
  CHECK(erlang_c(2, 1.0) == Approx(1.0 / 3.0));
}

TEST_CASE("the least pool is that of Erlang C") {
  struct Case {
    int users;
    double load;
  };
  for (const Case& c : {Case{30, 0.15}, Case{10, 0.3}, Case{10, 0.6}, Case{20, 0.4}}) {
    const Scenario s = lab(c.users, c.load, 26 * kWeek);
    const int expected = least_by_erlang(c.users, c.load);
    INFO(c.users << " users at load " << c.load << ": by Erlang " << expected);
    const Pooling found = study(s, c.load, expected);
    CHECK(found.first_open <= expected);
    CHECK(found.least >= expected);
    CHECK(found.least - found.first_open <= 1);
  }
}

TEST_CASE("the waits of both sides are those of Erlang C at 18 of 20 seeds") {
  const int users = 10, machines = 6;
  const double load = 0.5;
  int apart_covered = 0, pooled_covered = 0;
  const double apart_s = 3600.0 * p95_h(1, load), pooled_s = 3600.0 * p95_h(machines, users * load);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Scenario s = lab(users, load, 12 * kWeek);
    s.seed = seed;
    s.time.replications = 8;
    const Summary a = summarise(p95s(apart(s)), "s"), b = summarise(p95s(pooled(s, machines)), "s");
    apart_covered += a.ci95_low <= apart_s && apart_s <= a.ci95_high ? 1 : 0;
    pooled_covered += b.ci95_low <= pooled_s && pooled_s <= b.ci95_high ? 1 : 0;
    CHECK(a.mean == Approx(apart_s).epsilon(0.15));
    CHECK(b.mean == Approx(pooled_s).epsilon(0.25));
  }
  CHECK(apart_covered >= 18);
  CHECK(pooled_covered >= 18);
}
