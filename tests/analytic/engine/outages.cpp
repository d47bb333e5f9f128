// Failures and checkpoints against their formulas.
#include <cmath>

#include "sim/base/rng.hpp"
#include "sim/checkpoints.hpp"
#include "sim/engine/engine.hpp"
#include "sim/engine/outages.hpp"
#include "sim/simulate.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

/// Mean and standard error.
struct OutageSample {
  double sum = 0.0, squares = 0.0;
  int n = 0;
  void add(double x) {
    sum += x;
    squares += x * x;
    ++n;
  }
  [[nodiscard]] double mean() const { return sum / n; }
  [[nodiscard]] double error() const { return std::sqrt((squares / n - mean() * mean()) / (n - 1)); }
};

Duration hours(double h) {
  return from_seconds(3600.0 * h);
}

/// One pool of nodes that fail.
struct Machine {
  Scenario scenario;
  std::vector<EnginePool> pools;
  Machine(int nodes, int gpus, const FailureSpec& failures) {
    NodePool pool;
    pool.name = "all";
    pool.count = nodes;
    pool.node.gpus = gpus;
    scenario.pools.push_back(pool);
    scenario.availability.failures = failures;
    pools.push_back({"all", nodes, gpus, 0});
  }
};

/// Share of [0, end) in which each node is up, over the nodes.
OutageSample availability(const Machine& machine, Duration end) {
  EngineInput input;
  input.pools = machine.pools;
  input.node_events = draw_node_events(machine.scenario, machine.pools, 0, kStart + end);
  std::vector<double> down_h(static_cast<std::size_t>(machine.pools[0].nodes));
  std::vector<Instant> since(down_h.size(), kNever);
  for (const NodeEvent& e : input.node_events) {
    const std::size_t n = index(e.node);
    if (e.cause == NodeCause::repair) down_h[n] += to_hours(e.at - since[n]);
    since[n] = e.cause == NodeCause::failure ? e.at : kNever;
  }
  OutageSample up;
  for (std::size_t n = 0; n < down_h.size(); ++n) {
    const double last_h = since[n] == kNever ? 0.0 : to_hours(kStart + end - since[n]);
    up.add(1.0 - (down_h[n] + last_h) / to_hours(end));
  }
  return up;
}

/// Time on GPUs of one job of `work` under exponential failures, by the engine, over the replications.
OutageSample time_on_gpus_h(double work_h, double mtbf_h, const Checkpointing& checkpoint, int replications) {
  FailureSpec failures;
  failures.node_mtbf = hours(mtbf_h);
  failures.repair = hours(1.0);
  const Machine machine(1, 1, failures);
  JobRequests requests;
  JobTruth truth;
  requests.submit = {kStart};
  requests.gpus = {1};
  requests.limit = {kForever};
  requests.job_class = {kNoClass};
  requests.queue = {QueueId{0}};
  requests.user = {0};
  requests.parent = {kNoJob};
  truth.wall = {hours(work_h)};
  truth.limit_factor = {1.0};
  truth.child = {kNoJob};
  truth.pause = {Duration{}};
  truth.shape = {0};
  EngineInput input;
  input.pools = machine.pools;
  input.queues = {{"all", {PoolId{0}}, {}}};
  input.requests = &requests;
  input.truth = &truth;
  input.run_time = {1, {1.0}, {}};
  input.checkpoint = checkpoint;
  OutageSample out;
  for (int r = 0; r < replications; ++r) {
    input.node_events = draw_node_events(machine.scenario, machine.pools, static_cast<std::uint32_t>(r),
                                         kStart + hours(200.0 * work_h));
    const EngineResult result = run_engine(input);
    REQUIRE(result.jobs.state[0] == JobState::completed);
    double held_h = to_hours(result.jobs.end[0] - result.jobs.start[0]);
    for (const Attempt& a : result.attempts) held_h += to_hours(a.end - a.start);
    out.add(held_h);
  }
  return out;
}

}  // namespace

TEST_CASE("A node that is repaired is up for MTBF / (MTBF + MTTR) of the time") {
  FailureSpec failures;
  failures.node_mtbf = hours(100.0);
  failures.repair = hours(10.0);
  // 100 / 110. Starting with all nodes up adds (1 - A) A^2 MTTR / end < 4e-5, far below the error.
  const OutageSample alone = availability(Machine(400, 8, failures), hours(20'000.0));
  CHECK(std::abs(alone.mean() - 100.0 / 110.0) < 2.6 * alone.error());
  CHECK(alone.error() < 1e-3);
  // GPUs of 400 h beside it: rates add up, 1 / (1 / 100 + 8 / 400) = 33.3 h; 33.3 / 43.3.
  failures.gpu_mtbf = hours(400.0);
  const OutageSample both = availability(Machine(400, 8, failures), hours(20'000.0));
  CHECK(std::abs(both.mean() - 100.0 / 130.0) < 2.6 * both.error());
  CHECK(both.error() < 1e-3);
}

TEST_CASE("A job with checkpoints takes the expected time of Daly's model") {
  // A piece of work of length w that starts anew at every failure takes M (e^(w / M) - 1) on average, since
  // the exponential law has no memory. Ten pieces of 2 h, nine followed by a checkpoint of 0.5 h, M = 8 h:
  // 9 * 8 (e^(2.5 / 8) - 1) + 8 (e^(2 / 8) - 1) = 28.68 h for 20 h of work.
  const OutageSample found = time_on_gpus_h(20.0, 8.0, {hours(2.0), hours(0.5)}, 4000);
  const double exact = 72.0 * std::expm1(2.5 / 8.0) + 8.0 * std::expm1(2.0 / 8.0);
  CHECK(exact == Approx(28.68).epsilon(1e-3));
  CHECK(std::abs(found.mean() - exact) < 2.6 * found.error());
  CHECK(found.error() / exact < 0.005);
  // Daly's model has a checkpoint behind the last piece, too: longer by 8 (e^(2.5 / 8) - e^(2 / 8)).
  const double daly = 20.0 * expected_stretch(2.0, 0.5, 8.0);
  CHECK(daly - exact == Approx(8.0 * (std::exp(2.5 / 8.0) - std::exp(2.0 / 8.0))));
}

TEST_CASE("A job without checkpoints that is as long as the MTBF takes e - 1 of it") {
  // M (e^(T / M) - 1) with T = M = 5 h: 8.591 h.
  const OutageSample found = time_on_gpus_h(5.0, 5.0, {}, 4000);
  CHECK(std::abs(found.mean() - 5.0 * std::expm1(1.0)) < 2.6 * found.error());
}

TEST_CASE("Daly's interval is the best one, and Young's is close where writing takes little time") {
  for (const double share : {1e-4, 1e-3, 1e-2, 0.1, 0.5}) {
    const double mtbf = 1000.0, cost = share * mtbf;
    double best = 1e300;
    for (double tau = 1.0; tau < 3.0 * mtbf; tau *= 1.001)
      best = std::min(best, expected_stretch(tau, cost, mtbf));
    INFO("cost over MTBF " << share);
    CHECK(expected_stretch(daly_interval_s(cost, mtbf), cost, mtbf) < best * 1.0005);
    if (share <= 1e-2) CHECK(expected_stretch(young_interval_s(cost, mtbf), cost, mtbf) < best * 1.002);
  }
  // C = 60 s, M = 6300 h: sqrt(2 * 60 * 22 680 000) s = 52 169 s = 14.49 h.
  CHECK(young_interval_s(60.0, 6300.0 * 3600.0) == Approx(52169.0).epsilon(1e-4));
  CHECK(daly_interval_s(60.0, 6300.0 * 3600.0) ==
        Approx(52169.0 * (1.0 + 0.0011501 / 3.0) - 60.0).epsilon(1e-4));
}

TEST_CASE(
    "Writing checkpoints at Daly's interval takes less time in the simulation than at half or twice of it") {
  const double cost_h = 0.25, mtbf_h = 10.0;
  const double tau_h = daly_interval_s(cost_h * 3600.0, mtbf_h * 3600.0) / 3600.0;
  const auto mean_h = [&](double interval_h) {
    return time_on_gpus_h(60.0, mtbf_h, {hours(interval_h), hours(cost_h)}, 1500).mean();
  };
  const double best_h = mean_h(tau_h);
  CHECK(best_h < mean_h(tau_h / 2.5));
  CHECK(best_h < mean_h(tau_h * 2.5));
}

TEST_CASE("Nodes keep their outages whatever the fleet around them is") {
  FailureSpec failures;
  failures.node_mtbf = hours(500.0);
  failures.repair = hours(24.0);
  const auto of_node = [&](int first_pool, int second_pool, std::size_t pool, int node) {
    Machine machine(first_pool, 8, failures);
    machine.scenario.pools.push_back(machine.scenario.pools.front());
    machine.scenario.pools[1].count = second_pool;
    machine.pools.push_back({"second", second_pool, 8, first_pool});
    std::vector<std::pair<Instant, NodeCause>> out;
    const int number = (pool == 0 ? 0 : first_pool) + node;
    for (const NodeEvent& e : draw_node_events(machine.scenario, machine.pools, 3, kStart + hours(5000.0)))
      if (static_cast<int>(index(e.node)) == number) out.emplace_back(e.at, e.cause);
    return out;
  };
  CHECK(of_node(10, 3, 0, 9) == of_node(12, 1, 0, 9));
  CHECK(of_node(10, 3, 1, 0) == of_node(2, 7, 1, 0));
  CHECK(of_node(10, 3, 0, 0) != of_node(10, 3, 1, 0));
  CHECK(!of_node(10, 3, 0, 9).empty());
}
