#include "sim/advice/work_price.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "topology/run_time_ratio.hpp"

namespace fleetsim {
namespace {

struct Machine {
  const NodeType* node;
  std::string short_name;
};

std::vector<Machine> machines_of(const Scenario& scenario, const Advice& advice) {
  std::vector<Machine> all;
  const auto add = [&](const NodeType& node) {
    const bool known =
        std::any_of(all.begin(), all.end(), [&](const Machine& m) { return m.node->name == node.name; });
    if (!known && node.gpus > 0) all.push_back({&node, fmt::format("{}x {}", node.gpus, node.gpu.title)});
  };
  for (const NodePool& pool : scenario.pools) add(pool.node);
  for (const AdviceSegment& segment : advice.segments)
    for (const AdviceVerdict& v : segment.verdicts)
      for (const AdviceOption& option : v.options)
        for (const AdvisedPart& part : option.parts)
          if (!part.bare_card) add(part.machine);
  return all;
}

int likeliest_size(const JobClass& c) {
  const auto at = std::max_element(c.gpus.begin(), c.gpus.end(), [](const SizeShare& a, const SizeShare& b) {
    return a.probability < b.probability;
  });
  return at == c.gpus.end() ? 1 : at->gpus;
}

double speed_of(const ModelType& model, int gpus, const NodeType& target, const NodeType& reference,
                const FabricSpec& fabric) {
  try {
    const double ratio = run_time_ratio(model, gpus, target, reference, fabric, false);
    return std::isfinite(ratio) && ratio > 0.0 ? 1.0 / ratio : 0.0;
  } catch (const std::invalid_argument&) {
    return 0.0;  // the model does not run there, or the fabric cannot join these nodes
  }
}

}  // namespace

std::vector<ClassWorkPrices> work_prices(const Scenario& scenario, const Advice& advice) {
  const std::vector<Machine> machines = machines_of(scenario, advice);
  std::vector<ClassWorkPrices> all;
  for (const JobClass& c : scenario.workload.classes) {
    if (!c.model) continue;
    const auto reference = std::find_if(machines.begin(), machines.end(), [&](const Machine& m) {
      return m.node->gpu.memory.value >= c.gpu_memory;
    });
    if (reference == machines.end()) continue;
    ClassWorkPrices prices{c.name, likeliest_size(c), reference->short_name, {}};
    double cheapest = 0.0;
    for (const Machine& m : machines) {
      WorkPrice row;
      row.node = m.node->name;
      row.short_name = m.short_name;
      row.fits = m.node->gpu.memory.value >= c.gpu_memory;
      row.priced = m.node->priced();
      for (const PricePart& part : m.node->price_parts)
        row.estimate = row.estimate || part.unit_price.from.estimate;
      if (row.priced) row.per_gpu = scaled(m.node->price(), 1.0 / m.node->gpus);
      if (row.fits) row.speed = speed_of(*c.model, prices.gpus, *m.node, *reference->node, scenario.fabric);
      if (row.fits && row.priced && row.speed > 0.0) {
        row.per_work = to_usd(row.per_gpu) / row.speed;
        cheapest = cheapest > 0.0 ? std::min(cheapest, row.per_work) : row.per_work;
      }
      prices.rows.push_back(std::move(row));
    }
    for (WorkPrice& row : prices.rows)
      if (cheapest > 0.0) row.per_work /= cheapest;
    all.push_back(std::move(prices));
  }
  return all;
}

}  // namespace fleetsim
