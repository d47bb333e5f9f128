#include "sim/advice/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/economics/economics.hpp"

namespace fleetsim {
namespace {

int gpus_of(const Scenario& scenario, const std::vector<int>& counts) {
  int sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) sum += counts[i] * scenario.pools[i].node.gpus;
  return sum;
}

void count_gpus(const Scenario& scenario, AdviceFacts& facts) {
  std::vector<int> own;
  for (const NodePool& pool : scenario.pools) own.push_back(pool.count);
  facts.gpus = {gpus_of(scenario, own), "of the fleet that 'run' simulates"};
  facts.gpus_least = facts.gpus_most = facts.gpus.value;
  if (scenario.study.candidates != CandidateRule::maximal_fleets || scenario.budget <= Money{}) return;
  std::vector<std::vector<int>> fleets;
  try {
    fleets = maximal_fleets(scenario);
  } catch (const std::invalid_argument&) {
    return;  // a pool without a price: no budget buys it, so there is one fleet only
  }
  for (const auto& counts : fleets) {
    const int gpus = gpus_of(scenario, counts);
    facts.gpus_least = std::min(facts.gpus_least, gpus);
    facts.gpus_most = std::max(facts.gpus_most, gpus);
  }
  facts.fleets = std::max<std::size_t>(1, fleets.size());
}

/// Certain when the scenario says so or when water cools the GeForce nodes of three slots a card; a text that
/// wants certainty (G16) gets "no" from everything else.
Answer<bool> cooling_of(const Scenario& scenario) {
  if (scenario.advice.cooling_solved)
    return {*scenario.advice.cooling_solved, "advice.cooling_solved says so"};
  for (const NodePool& pool : scenario.pools) {
    if (pool.node.cooling == Cooling::water)
      return {true, fmt::format("pool {} is cooled by water", pool.name)};
  }
  return {false, "no pool is cooled by water and advice.cooling_solved is not given"};
}

Answer<bool> licence_of(const Scenario& scenario) {
  if (scenario.site.facility.room == RoomKind::office) return {false, "an office is no data centre"};
  switch (scenario.site.geforce_in_datacentre) {
    case GeforceRule::allowed:
      return {false, "site.geforce_in_datacentre is allowed"};
    case GeforceRule::waived:
      return {false, "site.geforce_in_datacentre is waived"};
    case GeforceRule::forbidden:
      return {true, "site.geforce_in_datacentre is forbidden"};
  }
  return {};
}

/// A job that no single node of the fleet holds spreads its model, or its batch, over nodes.
Answer<bool> model_parallel_of(const Scenario& scenario) {
  if (scenario.advice.model_parallel)
    return {*scenario.advice.model_parallel, "advice.model_parallel says so"};
  int largest_node = 0;
  for (const NodePool& pool : scenario.pools) largest_node = std::max(largest_node, pool.node.gpus);
  for (const JobClass& c : scenario.workload.classes) {
    if (c.model && c.model->transformer && c.model->transformer->tensor * c.model->transformer->pipeline > 1)
      return {true, fmt::format("class {} trains {}, which one GPU does not hold", c.name, c.model->title)};
  }
  for (const JobClass& c : scenario.workload.classes) {
    for (const SizeShare& size : c.gpus) {
      if (size.probability > 0.0 && size.gpus > largest_node)
        return {true, fmt::format("class {} has jobs of {} GPUs, more than a node has", c.name, size.gpus)};
    }
  }
  return {false, "no job needs more than a node"};
}

}  // namespace

AdviceFacts advice_facts(const Scenario& scenario) {
  AdviceFacts facts;
  facts.buyer = scenario.advice.buyer ? Answer<std::string>{*scenario.advice.buyer, "advice.buyer says so"}
                                      : Answer<std::string>{"lab", "unless advice.buyer says otherwise"};
  count_gpus(scenario, facts);
  facts.cooling_solved = cooling_of(scenario);
  facts.geforce_barred = licence_of(scenario);
  facts.model_parallel = model_parallel_of(scenario);
  for (const JobClass& c : scenario.workload.classes) {
    if (c.gpu_memory <= Bytes{}) continue;
    int most = 1;
    for (const SizeShare& size : c.gpus)
      if (size.probability > 0.0) most = std::max(most, size.gpus);
    facts.memory.push_back({c.name, c.gpu_memory, most});
  }
  for (const NodePool& pool : scenario.pools)
    facts.pools.push_back(
        {pool.name, pool.node.name, pool.node.title, pool.node.gpu, pool.node.gpus, pool.count});
  return facts;
}

}  // namespace fleetsim
