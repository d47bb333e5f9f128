// The engine against queueing theory: M/M/1, M/M/c, M/G/1 and two classes with non-preemptive priority.
#include "tests/analytic/engine/queueing.hpp"

#include "tests/catch.hpp"

using namespace queueing;

namespace {

/// At 19 of 20 seeds at least the 99 % interval must hold the true mean wait, and be narrow.
void check(const Model& model, double load, const Size& size) {
  const auto truth_s = mean_waits_s(model, load);
  std::array<int, 2> covered{};
  std::array<double, 2> widest{};
  Workload workload;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<Sample> samples;
    for (std::uint32_t r = 0; r < size.replications; ++r)
      samples.push_back(replicate(model, load, seed, r, size, workload));
    for (std::size_t k = 0; k < 2; ++k) {
      const Interval found = interval(samples, k);
      if (std::abs(found.mean - truth_s[k]) <= found.half_width) ++covered[k];
      widest[k] = std::max(widest[k], found.half_width / truth_s[k]);
    }
  }
  for (std::size_t k = 0; k < 2; ++k) {
    INFO("class " << k << ", load " << load << ", true mean wait " << truth_s[k] << " s");
    CHECK(covered[k] >= 19);
    CHECK(widest[k] <= 0.03);
  }
}

}  // namespace

TEST_CASE("The formulas of queueing theory give known values") {
  // M/M/1: W = s rho / (1 - rho). At rho = 1/2: 100 s.
  CHECK(mean_waits_s({}, 0.5)[0] == Approx(100.0));
  // M/M/2: C = 2 rho^2 / (1 + rho), so at rho = 1/2 C = 1/3 and W = C s / (2 (1 - rho)) = 100/3 s.
  CHECK(mean_waits_s({2}, 0.5)[0] == Approx(100.0 / 3.0));
  // M/D/1: half of M/M/1.
  CHECK(mean_waits_s({1, Service::fixed}, 0.5)[0] == Approx(50.0));
  // M/G/1 with scv 2: (1 + 2) / 2 times M/M/1.
  CHECK(mean_waits_s({1, Service::hyper_exponential}, 0.5)[0] == Approx(150.0));
  // Priority, M/M/1, half of the arrivals first, rho = 1/2: W0 = 50 s, W_1 = 50 / (3/4), W_2 = 50 / (3/4
  // 1/2).
  const auto waits_s = mean_waits_s({1, Service::exponential, 0.5}, 0.5);
  CHECK(waits_s[0] == Approx(200.0 / 3.0));
  CHECK(waits_s[1] == Approx(400.0 / 3.0));
  // Conservation: the mean over both classes is that of M/M/1.
  CHECK((waits_s[0] + waits_s[1]) / 2.0 == Approx(100.0));
}

// Sizes: the number of jobs that a given precision needs grows as 1 / (1 - load)^2; the warm-up is eight
// relaxation times of 1 / (1 - sqrt(load))^2 jobs or more.
TEST_CASE("M/M/1 waits agree with theory") {
  check({}, 0.5, {200, 6000, 20});
  check({}, 0.8, {900, 10000, 20});
  check({}, 0.95, {13000, 100000, 20});
}
TEST_CASE("M/M/4 waits agree with Erlang C") {
  check({4}, 0.5, {200, 15000, 32});
  check({4}, 0.8, {900, 20000, 20});
  check({4}, 0.95, {13000, 50000, 24});
}
TEST_CASE("M/G/1 waits with fixed service times agree with Pollaczek and Khinchine") {
  check({1, Service::fixed}, 0.5, {200, 6000, 20});
  check({1, Service::fixed}, 0.8, {900, 10000, 20});
  check({1, Service::fixed}, 0.95, {13000, 50000, 24});
}
TEST_CASE("M/G/1 waits with hyper-exponential service times agree with Pollaczek and Khinchine") {
  check({1, Service::hyper_exponential}, 0.5, {200, 6000, 20});
  check({1, Service::hyper_exponential}, 0.8, {900, 10000, 20});
  check({1, Service::hyper_exponential}, 0.95, {20000, 50000, 24});
}
TEST_CASE("Waits of two priority classes on one server agree with Cobham") {
  check({1, Service::exponential, 0.4}, 0.5, {200, 12000, 24});
  check({1, Service::exponential, 0.4}, 0.8, {900, 15000, 24});
  check({1, Service::exponential, 0.4}, 0.95, {13000, 50000, 24});
}
TEST_CASE("Waits of two priority classes on four servers agree with Cobham") {
  check({4, Service::exponential, 0.4}, 0.5, {200, 25000, 32});
  check({4, Service::exponential, 0.4}, 0.8, {900, 20000, 24});
  check({4, Service::exponential, 0.4}, 0.95, {13000, 50000, 24});
}
