// Offered load: the demand in money, and its share s that the result class makes up.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sim/economics/demand_parts.hpp"
#include "sim/economics/economics.hpp"
#include "sim/economics/fleet_cost.hpp"
#include "sim/economics/leaf_reach.hpp"
#include "sim/economics/run_time_share.hpp"
#include "sim/workload/from_trace.hpp"
#include "topology/card_limits.hpp"
#include "topology/step_time_book.hpp"

namespace fleetsim {
namespace {

/// GPUs of the largest job that could run for this partition: of the largest pool that it may use, or of one
/// node where no fabric joins them.
std::int64_t most_gpus(const Scenario& scenario, QueueId queue) {
  const std::vector<bool> may = admissible_pools(scenario, queue);
  std::int64_t most = 0;
  for (std::size_t i = 0; i < scenario.pools.size(); ++i) {
    const NodePool& pool = scenario.pools[i];
    const int joined = scenario.fabric.shape == FabricShape::none ? std::min(pool.count, 1) : pool.count;
    if (may[i]) most = std::max(most, std::int64_t{joined} * pool.node.gpus);
  }
  return most;
}

double impossible_share(const Scenario& scenario, const JobClass& job_class, const Ratios& ratios) {
  const std::vector<bool> may = admissible_pools(scenario, job_class.partition);
  double all = 0.0, impossible = 0.0;
  for (std::size_t i = 0; i < job_class.gpus.size(); ++i) {
    const SizeShare& size = job_class.gpus[i];
    bool possible = false;
    for (std::size_t pool = 0; pool < scenario.pools.size(); ++pool) {
      const std::int64_t held = std::int64_t{scenario.pools[pool].count} * scenario.pools[pool].node.gpus;
      possible =
          possible ||
          (may[pool] && held >= size.gpus && std::isfinite(ratios[pool][i]) &&
           (!job_class.max_switches || fits_below(scenario, pool, size.gpus, *job_class.max_switches)));
    }
    const double gpu_time = size.probability * size.gpus;  // wall time does not depend on the size
    all += gpu_time;
    if (!possible) impossible += gpu_time;
  }
  return all > 0.0 ? impossible / all : 0.0;
}

/// Of the jobs that run on `pool`, those that run longer there than the partition's longest limit.
double cut_off_share(const Scenario& scenario, const JobClass& job_class, const std::vector<double>& ratio) {
  const SchedulerSpec& scheduler = scenario.scheduler;
  if (!scheduler.kill_at_limit || scheduler.partitions.empty()) return 0.0;
  const double limit_s = to_seconds(scheduler.partitions[index(job_class.partition)].max_time);
  double cut = 0.0, all = 0.0;
  for (std::size_t i = 0; i < job_class.gpus.size(); ++i) {
    if (!std::isfinite(ratio[i])) continue;
    all += job_class.gpus[i].probability;
    cut += job_class.gpus[i].probability * share_above(job_class.wall_time, limit_s / ratio[i]);
  }
  return all > 0.0 ? cut / all : 0.0;
}

/// Jobs a second that the closed loops of a class submit where none waits: each cycle is a think time and a
/// run on the class's cheapest node. A size that no node can run ends at once.
double closed_loop_rate(const Scenario& scenario, const JobClass& job_class) {
  const Ratios ratios = ratios_of(scenario, job_class);
  const std::vector<bool> home = home_pools(scenario, job_class.partition, ratios);
  const bool owned = only_owned(scenario, home, ratios);
  const double mean_s = mean_wall_s(job_class);
  double least = kImpossible, run_s = 0.0;
  for (std::size_t pool = 0; pool < scenario.pools.size(); ++pool) {
    if (!home[pool]) continue;
    const double price = to_usd(node_worth(scenario, pool, owned));
    const double held_s = node_seconds(job_class, ratios, pool, scenario.pools[pool].node);
    if (price <= 0.0 || held_s <= 0.0 || !(held_s * price < least)) continue;
    least = held_s * price;
    run_s = 0.0;
    for (std::size_t i = 0; i < job_class.gpus.size(); ++i)
      if (runs_somewhere(ratios, i)) run_s += job_class.gpus[i].probability * mean_s * ratios[pool][i];
  }
  const ClosedLoop& loop = *job_class.arrivals->closed_loop;
  return scenario.workload.users * loop.jobs_in_flight / (to_seconds(loop.mean_think) + run_s);
}

/// Jobs a second of each class. Promotion forms no cycles (the loader refuses them), so as many passes as
/// classes reach every generation.
std::vector<double> arrival_rates(const Scenario& scenario) {
  const WorkloadSpec& workload = scenario.workload;
  const std::size_t n = workload.classes.size();
  std::vector<double> own(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const auto& arrivals = workload.classes[i].arrivals;
    if (arrivals)
      own[i] = arrivals->closed_loop ? closed_loop_rate(scenario, workload.classes[i])
                                     : arrivals->per_user.count() * workload.users;
  }
  std::vector<double> rate = own;
  for (std::size_t pass = 0; pass < n; ++pass) {
    std::vector<double> next = own;
    for (std::size_t i = 0; i < n; ++i) {
      const auto& promotion = workload.classes[i].promotes_to;
      if (promotion) next[index(promotion->target)] += rate[i] * promotion->probability;
    }
    rate = std::move(next);
  }
  return rate;
}

/// Classes whose jobs come from closed loops, by themselves or by promotion.
std::vector<bool> closed_classes(const WorkloadSpec& workload) {
  const std::size_t n = workload.classes.size();
  std::vector<bool> closed(n);
  for (std::size_t pass = 0; pass < n; ++pass) {
    for (std::size_t i = 0; i < n; ++i) {
      const JobClass& c = workload.classes[i];
      if (c.arrivals && c.arrivals->closed_loop) closed[i] = true;
      if (closed[i] && c.promotes_to) closed[index(c.promotes_to->target)] = true;
    }
  }
  return closed;
}

ClassDemand class_demand(const Scenario& scenario, const JobClass& job_class, double rate_s) {
  ClassDemand demand;
  demand.name = job_class.name;
  demand.jobs_per_day = rate_s * 86400.0;
  const Ratios ratios = ratios_of(scenario, job_class);
  demand.impossible_share = impossible_share(scenario, job_class, ratios);
  const std::vector<bool> home = home_pools(scenario, job_class.partition, ratios);
  const bool owned = only_owned(scenario, home, ratios);
  double least = kImpossible;
  for (std::size_t pool = 0; pool < scenario.pools.size(); ++pool) {
    if (!home[pool]) continue;
    const Money price = node_worth(scenario, pool, owned);
    const NodeType& node = scenario.pools[pool].node;
    const double held_s = node_seconds(job_class, ratios, pool, node);
    const double cost = held_s * to_usd(price);
    if (price <= Money{} || held_s <= 0.0 || !(cost < least)) continue;
    least = cost;
    demand.cheapest_node = scenario.pools[pool].name;
    demand.busy_nodes = rate_s * held_s;
    demand.money = scaled(price, demand.busy_nodes);
    demand.cut_off_share = cut_off_share(scenario, job_class, ratios[pool]);
    demand.mean_node_share = 0.0;
    for (const SizeShare& size : job_class.gpus) {
      demand.mean_node_share += size.probability * size.gpus / node.gpus;
    }
  }
  return demand;
}

/// The cheapest node is the one with the cheapest GPU time.
ClassDemand trace_demand(const Scenario& scenario, const Trace& trace) {
  ClassDemand demand;
  demand.name = "trace";
  double gpu_s = 0.0, mean_gpus = 0.0, impossible_s = 0.0;
  const std::int64_t most = most_gpus(scenario, scenario.workload.trace_partition);
  // What comes behind the measurement window is no load of this run; a lone late record would stretch the
  // span.
  const Instant end = kStart + scenario.time.warm_up + scenario.time.measure;
  std::size_t jobs = 0;
  for (const TraceJob& job : trace.jobs) {
    if (job.submit >= end) break;
    ++jobs;
    const double job_s = to_seconds(job.run) * job.processors;
    gpu_s += job_s;
    mean_gpus += job.processors;
    if (job.processors > most) impossible_s += job_s;
  }
  demand.impossible_share = gpu_s > 0.0 ? impossible_s / gpu_s : 0.0;
  if (jobs == 0) return demand;
  const Instant last = jobs < trace.jobs.size() ? end : trace.jobs.back().submit;
  const double span_s = to_seconds(last - trace.jobs.front().submit);
  if (span_s <= 0.0) return demand;
  demand.jobs_per_day = static_cast<double>(jobs) / span_s * 86400.0;
  mean_gpus /= static_cast<double>(jobs);
  const std::vector<bool> home = home_pools(scenario, scenario.workload.trace_partition, {});
  const bool owned = only_owned(scenario, home, {});
  double least = kImpossible;
  for (std::size_t i = 0; i < scenario.pools.size(); ++i) {
    if (!home[i]) continue;
    const NodePool& pool = scenario.pools[i];
    const Money price = node_worth(scenario, i, owned);
    double ratio = recorded_time_ratio(scenario.workload, pool.node.gpu);
    if (scenario.workload.trace_recorded_on) ratio *= slower_run_time(speed_of(scenario, pool), 1.0);
    const double cost = to_usd(price) * ratio / pool.node.gpus;
    if (price <= Money{} || !(cost < least)) continue;
    least = cost;
    demand.cheapest_node = pool.name;
    demand.busy_nodes = gpu_s * ratio / span_s / pool.node.gpus;
    demand.mean_node_share = mean_gpus / pool.node.gpus;
    demand.money = scaled(price, demand.busy_nodes);
  }
  return demand;
}

}  // namespace

Money node_worth(const Scenario& scenario, std::size_t pool, bool owned) {
  const NodeType& node = scenario.pools[pool].node;
  if (node.rented()) return rent_a_year(node) * scenario.economics.years;
  if (scenario.pools[pool].existing) return owned ? node.price() : Money{};
  return node_price(scenario, PoolId{static_cast<std::uint16_t>(pool)});
}

OfferedLoad offered_load(const Scenario& scenario) {
  OfferedLoad load;
  const std::vector<JobClass>& classes = scenario.workload.classes;
  const std::vector<double> rates = arrival_rates(scenario);
  const std::vector<bool> closed = closed_classes(scenario.workload);
  load.closed_loop = has_closed_loop(scenario);
  Money all;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    load.classes.push_back(class_demand(scenario, classes[i], rates[i]));
    load.classes.back().closed_loop = closed[i];
    all += load.classes.back().money;
  }
  if (scenario.workload.trace) {
    load.trace = trace_demand(scenario, *scenario.workload.trace);
    all += load.trace->money;
  }
  set_node_budget(scenario, load);
  load.fleet_load = fleet_load(scenario, load);
  load.partition_load = partition_load(scenario, load);
  if (load.node_budget > Money{}) load.load = all / load.node_budget;
  const auto parent = std::find_if(classes.begin(), classes.end(),
                                   [](const JobClass& c) { return c.promotes_to.has_value(); });
  if (parent != classes.end()) {
    const auto a = static_cast<std::size_t>(parent - classes.begin());
    const std::size_t b = index(parent->promotes_to->target);
    if (all > Money{}) load.s = load.classes[b].money / all;
    load.identity = identity_sentence(scenario, load, a, b);
  }
  return load;
}

}  // namespace fleetsim
