#include "sim/checkpoints.hpp"

#include <cmath>

namespace fleetsim {

namespace {

/// First pool of the class's partition that has nodes; nullptr: none.
const NodePool* pool_of(const Scenario& scenario, const JobClass& job_class) {
  for (const PoolId id : scenario.scheduler.partitions[index(job_class.partition)].pools)
    if (scenario.pools[index(id)].count > 0) return &scenario.pools[index(id)];
  return nullptr;
}

}  // namespace

double young_interval_s(double cost_s, double mtbf_s) {
  return std::sqrt(2.0 * cost_s * mtbf_s);
}

double daly_interval_s(double cost_s, double mtbf_s) {
  if (cost_s >= 2.0 * mtbf_s) return mtbf_s;
  const double x = cost_s / (2.0 * mtbf_s);
  return young_interval_s(cost_s, mtbf_s) * (1.0 + std::sqrt(x) / 3.0 + x / 9.0) - cost_s;
}

double expected_stretch(double interval_s, double cost_s, double mtbf_s) {
  return mtbf_s * std::expm1((interval_s + cost_s) / mtbf_s) / interval_s;
}

std::vector<CheckpointAdvice> checkpoint_advice(const Scenario& scenario) {
  const auto& failures = scenario.availability.failures;
  if (!failures || failures->checkpoint_cost <= Duration{}) return {};
  const double cost_s = to_seconds(failures->checkpoint_cost);
  const double given_s = to_seconds(failures->checkpoint_interval);
  std::vector<CheckpointAdvice> out;
  for (const JobClass& job_class : scenario.workload.classes) {
    const NodePool* pool = pool_of(scenario, job_class);
    if (pool == nullptr) continue;
    double rate = 0.0;  // failures of a node, a second
    if (failures->node_mtbf > Duration{}) rate += 1.0 / to_seconds(failures->node_mtbf);
    if (failures->gpu_mtbf > Duration{}) rate += pool->node.gpus / to_seconds(failures->gpu_mtbf);
    if (!(rate > 0.0)) return {};
    for (const SizeShare& size : job_class.gpus) {
      CheckpointAdvice advice;
      advice.job_class = job_class.name;
      advice.pool = pool->name;
      advice.gpus = size.gpus;
      advice.nodes = (size.gpus + pool->node.gpus - 1) / pool->node.gpus;
      advice.mtbf_s = 1.0 / (rate * advice.nodes);
      advice.young_s = young_interval_s(cost_s, advice.mtbf_s);
      advice.daly_s = daly_interval_s(cost_s, advice.mtbf_s);
      advice.stretch_daly = expected_stretch(advice.daly_s, cost_s, advice.mtbf_s);
      if (given_s > 0.0) advice.stretch_given = expected_stretch(given_s, cost_s, advice.mtbf_s);
      out.push_back(advice);
    }
  }
  return out;
}

}  // namespace fleetsim
