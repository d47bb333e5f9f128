#include "sim/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/cluster/free_map.hpp"
#include "sim/metrics/measure.hpp"
#include "sim/private_machines.hpp"

namespace fleetsim {

namespace {

/// By class; empty when no class asks.
std::vector<std::int32_t> max_leaves(const Scenario& scenario) {
  std::vector<std::int32_t> out;
  for (const JobClass& job_class : scenario.workload.classes)
    out.push_back(job_class.max_switches.value_or(kAnyLeaves));
  const bool none = std::all_of(out.begin(), out.end(), [](std::int32_t n) { return n == kAnyLeaves; });
  return none ? std::vector<std::int32_t>{} : out;
}

}  // namespace

RunResult simulate(const Scenario& scenario, const Workload& workload, EngineResult* outcome) {
  if (const auto unbuilt = unbuilt_features(scenario); !unbuilt.empty())
    throw std::invalid_argument(unbuilt.front());
  if (has_private_machines(scenario))
    if (const std::string problem = private_problem(scenario); !problem.empty())
      throw std::invalid_argument(problem);
  Prepared prepared = prepare(scenario, workload.shapes);
  const JobRequests requests = bind(scenario, prepared, workload);

  EngineInput input;
  input.pools = std::move(prepared.pools);
  input.queues = std::move(prepared.queues);
  input.requests = &requests;
  input.truth = &workload.truth;
  input.run_time = std::move(prepared.run_time);
  input.max_leaves = max_leaves(scenario);
  input.policy = scenario.scheduler.policy;
  input.ties = scenario.scheduler.ties;
  input.kill_at_limit = scenario.scheduler.kill_at_limit;
  input.preempt = scenario.scheduler.sharing == SharingRule::preempt;
  if (const auto& failures = scenario.availability.failures) {
    input.checkpoint = {failures->checkpoint_interval, failures->checkpoint_cost};
    input.requeue = failures->requeue;
  }
  input.burst = bursting(scenario, prepared.burst, workload.replication);
  input.tag_begin = kStart + scenario.time.warm_up;
  input.tag_end = input.tag_begin + scenario.time.measure;
  input.stop = input.tag_end + scenario.time.drain;

  const bool apart = has_private_machines(scenario);
  input.node_events = draw_node_events(apart ? one_pool_a_user(scenario) : scenario, input.pools,
                                       workload.replication, input.stop);

  Ledger ledger(input);
  EngineResult result = run_engine(input, &ledger);
  ledger.close(result.ended);

  RunResult out;
  out.metrics = measure(scenario, input, result, ledger, prepared.efficiency, prepared.burst.efficiency);
  if (apart) as_one_pool(scenario, out.metrics, result);
  add_economic_metrics(scenario, apart ? ledger.gpu_time().in_one_pool() : ledger.gpu_time(), out.metrics);
  out.events = result.events;
  out.replay_hash = result.replay_hash;
  if (outcome != nullptr) *outcome = std::move(result);
  return out;
}

RunResult simulate(const Scenario& scenario, std::uint32_t replication) {
  return simulate(scenario, generate(scenario, replication));
}

std::vector<std::string> unbuilt_features(const Scenario& scenario) {
  std::vector<std::string> out;
  switch (scenario.scheduler.policy) {
    case PolicyKind::fifo:
    case PolicyKind::easy:
    case PolicyKind::conservative:
      break;
    case PolicyKind::builtin:
    case PolicyKind::backfill:
      out.push_back(fmt::format("scheduler.type: {} is not built yet; fifo, easy and conservative are",
                                to_string(scenario.scheduler.policy)));
  }
  return out;
}

}  // namespace fleetsim
