// The dossier of one fleet: bill, cost, energy, scaling and what they rest on.
#include "sim/study/dossier.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "sim/study/dossier_parts.hpp"
#include "sim/study/fleet_use.hpp"
#include "topology/run_time_ratio.hpp"
#include "topology/step_time.hpp"

namespace fleetsim {
namespace {

std::vector<PoolInfo> pools_of(const Scenario& scenario) {
  std::vector<PoolInfo> pools;
  for (std::size_t i = 0; i < scenario.pools.size(); ++i) {
    const NodePool& pool = scenario.pools[i];
    pools.push_back({pool.name, pool.node.name, pool.node.title, pool.node.gpu.title,
                     to_string(pool.node.cooling), pool.count, pool.node.gpus,
                     node_price(scenario, PoolId{static_cast<std::uint16_t>(i)}), load_power(pool),
                     idle_power(pool.node)});
  }
  return pools;
}

double mean_of(const CandidateResult& candidate, const std::string& metric, double otherwise) {
  const auto found = candidate.metrics.find(metric);
  return found != candidate.metrics.end() && std::isfinite(found->second.mean) ? found->second.mean
                                                                               : otherwise;
}

/// Allocated utilisation of each pool: as simulated, or the load of the fleet where nothing was simulated.
std::vector<double> utilisation_of(const Scenario& scenario, const StudyResult& study,
                                   const CandidateResult* candidate) {
  std::vector<double> utilisation(scenario.pools.size(), std::clamp(study.demand.fleet_load, 0.0, 1.0));
  if (candidate == nullptr) return utilisation;
  for (std::size_t i = 0; i < utilisation.size(); ++i) {
    const bool known =
        i < candidate->pool_utilisation.size() && std::isfinite(candidate->pool_utilisation[i].mean);
    utilisation[i] = known ? candidate->pool_utilisation[i].mean : 0.0;
  }
  return utilisation;
}

/// Whether the budget pays for one more node of some pool beside the fleet.
bool affords_further_node(Scenario scenario) {
  for (std::size_t i = 0; i < scenario.pools.size(); ++i) {
    if (node_price(scenario, PoolId{static_cast<std::uint16_t>(i)}) <= Money{}) continue;  // not for sale
    ++scenario.pools[i].count;
    try {
      if (purchase_money(scenario, bill_of_materials(scenario)) <= scenario.budget) return true;
    } catch (const std::invalid_argument&) {
      // The fabric has no room for it.
    }
    --scenario.pools[i].count;
  }
  return false;
}

void add_money_and_energy(Dossier& dossier, const Scenario& scenario, const CandidateResult* candidate) {
  const std::vector<double> utilisation = utilisation_of(scenario, dossier.study, candidate);
  const Watts power = mean_power(scenario, utilisation);
  dossier.bill = bill_of_materials(scenario);
  const double rented = candidate == nullptr ? 0.0 : mean_use(scenario, *candidate).rented;
  dossier.cost = cost_by_year(scenario, dossier.bill, {power, rented});
  dossier.economics = economics_info(scenario, dossier.bill, dossier.cost,
                                     candidate == nullptr ? 0.0 : candidate->results_per_week);
  if (scenario.budget > Money{}) dossier.unspent = scenario.budget - dossier.economics.purchase;
  dossier.maximal_fleet = dossier.unspent && *dossier.unspent >= Money{} && !affords_further_node(scenario);
  dossier.energy_kwh_per_year = power.count() * scenario.site.pue * kHoursPerYear / 1000.0;
  dossier.energy = energy_info(scenario, candidate, dossier.energy_kwh_per_year);
  dossier.peak_power_at_meter = peak_power_at_meter(scenario);
  dossier.power_limit = scenario.site.power_limit.value_or(Watts{});
  dossier.racks = racks_needed(scenario);

  double allocated_gpus = 0.0;
  for (std::size_t i = 0; i < scenario.pools.size(); ++i) {
    allocated_gpus += utilisation[i] * scenario.pools[i].count * scenario.pools[i].node.gpus;
  }
  const double efficiency = candidate == nullptr ? 1.0 : mean_of(*candidate, "scaling_efficiency", 1.0);
  const double useful_rented =
      candidate == nullptr ? 0.0 : mean_of(*candidate, "burst_useful_gpu_hours", 0.0);
  dossier.gpu_hours_useful_per_year =
      allocated_gpus * kHoursPerYear * efficiency + burst_hours_a_year(scenario, useful_rented);
  if (dossier.gpu_hours_useful_per_year > 0.0) {
    dossier.cost_per_useful_gpu_hour =
        scaled(dossier.cost.total, 1.0 / (scenario.economics.years * dossier.gpu_hours_useful_per_year));
  }
}

void add_fabric(Dossier& dossier, const Scenario& scenario) {
  std::vector<const NodeType*> nodes;
  std::size_t last_pool_begins = 0;
  for (const NodePool& pool : scenario.pools) {
    if (pool.count > 0) last_pool_begins = nodes.size();
    nodes.insert(nodes.end(), static_cast<std::size_t>(pool.count), &pool.node);
  }
  dossier.fabric_shape = to_string(scenario.fabric.shape);
  if (scenario.fabric.shape != FabricShape::none) dossier.fabric_link = scenario.fabric.link.title;
  if (nodes.empty()) return;
  const Fabric fabric = Fabric::build(scenario.fabric, nodes);
  dossier.fabric_counts = fabric.counts();
  dossier.fabric_dot = fabric.to_dot();
  dossier.node_dot = fabric.node_to_dot(NodeId{static_cast<std::uint32_t>(last_pool_begins)});
}

/// One model on one type of node, at the sizes its jobs can have there.
struct Series {
  std::string title;
  const ModelType* model;
  const NodeType* node;
  std::set<int> sizes;
};

/// Powers of two up to the largest job of the class, and the sizes of its jobs: as far as the pool has GPUs.
void add_sizes(const JobClass& job_class, const NodePool& pool, std::set<int>& sizes) {
  const int most = pool.count * pool.node.gpus;
  int largest = 0;
  for (const SizeShare& size : job_class.gpus) {
    largest = std::max(largest, size.gpus);
    if (size.gpus <= most) sizes.insert(size.gpus);
  }
  for (int gpus = 1; gpus <= std::min(most, largest); gpus *= 2) sizes.insert(gpus);
}

/// Each class on each pool whose GPUs hold it; classes of one model share a series.
std::vector<Series> series_of(const Scenario& scenario) {
  std::vector<Series> all;
  for (const JobClass& job_class : scenario.workload.classes) {
    if (!job_class.model) continue;
    for (const NodePool& pool : scenario.pools) {
      if (pool.count == 0 || pool.node.gpu.memory.value < job_class.gpu_memory) continue;
      const std::string title = fmt::format("{} on {}", job_class.model->title, pool.node.title);
      auto found = std::find_if(all.begin(), all.end(), [&](const Series& s) { return s.title == title; });
      if (found == all.end()) found = all.insert(all.end(), {title, &*job_class.model, &pool.node, {}});
      add_sizes(job_class, pool, found->sizes);
    }
  }
  return all;
}

}  // namespace

std::vector<ScalingPoint> scaling_of(const Scenario& scenario) {
  std::vector<ScalingPoint> points;
  for (const Series& series : series_of(scenario)) {
    for (const int gpus : series.sizes) {
      const int nodes = (gpus + series.node->gpus - 1) / series.node->gpus;
      if (nodes > 1 && scenario.fabric.shape == FabricShape::none) continue;
      try {
        const std::vector<const NodeType*> all(static_cast<std::size_t>(nodes), series.node);
        const Fabric fabric = Fabric::build(scenario.fabric, all);
        const StepTime step =
            step_time(*series.model, {gpus}, fabric, packed_placement(gpus, series.node->gpus));
        points.push_back({series.title, gpus, step.efficiency});
      } catch (const std::invalid_argument&) {
        continue;  // a size that cannot be placed has no point
      }
    }
  }
  return points;
}

Dossier make_dossier(const Scenario& scenario, const StudyResult& study, int candidate) {
  Dossier dossier;
  dossier.study = study;
  dossier.kind = study.candidates.size() == 1 ? "run" : "study";
  dossier.scenario_name = scenario.name;
  dossier.seed = scenario.seed;
  dossier.replications = study.replications;
  dossier.budget = scenario.budget;
  dossier.k = scenario.study.prototypes_per_result;
  dossier.sharing = scenario.scheduler.sharing;
  dossier.candidates = scenario.study.candidates == CandidateRule::as_given            ? "as-given"
                       : scenario.study.candidates == CandidateRule::pool_sizes        ? "pool-sizes"
                       : scenario.study.candidates == CandidateRule::affordable_fleets ? "affordable-fleets"
                                                                                       : "maximal-fleets";
  const CandidateResult* result = nullptr;
  if (candidate >= 0) {
    result = &study.candidates.at(static_cast<std::size_t>(candidate));
    dossier.recommended = result->label;
    dossier.recommended_index = candidate;
    dossier.replay_hash = fmt::format("{:016x}", result->replay_hash);
  }
  dossier.pools = pools_of(scenario);
  add_money_and_energy(dossier, scenario, result);
  add_fabric(dossier, scenario);
  dossier.scaling = scaling_of(scenario);
  dossier.assumptions = assumptions_of(scenario);
  dossier.not_evaluated = scenario.not_evaluated;
  dossier.facility = facility::check(scenario);
  dossier.limitations = limitations_of(scenario, study);
  return dossier;
}

}  // namespace fleetsim
