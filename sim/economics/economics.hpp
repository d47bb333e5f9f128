// Money: what a fleet costs to buy and to run, and how a budget becomes whole nodes. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/metrics/metrics.hpp"
#include "sim/scenario.hpp"

namespace fleetsim {

/// One line of the bill of materials. `total` = quantity * unit_price exactly.
struct BillLine {
  std::string item;
  std::string group;  ///< pool name, "fabric", "room"
  int quantity = 0;
  Figure<Money> unit_price;
  bool priced = true;  ///< false: no price is known; total is 0 and the line is listed as unpriced
  /// "included" in the price of the system, or "rented" by the hour: costs nothing here. Empty: is bought.
  std::string settled{};
  [[nodiscard]] Money total() const { return unit_price.value * quantity; }
};

struct Bill {
  std::vector<BillLine> lines;
  Money node_money;   ///< nodes with their network adapters: what shares are of
  Money fixed_money;  ///< switches, cables, racks
  Money total;        ///< sum of the lines
  std::vector<std::string> unpriced;
};

/// Lines of a pool: the parts of its nodes, then its network adapters (group = pool). Then what is shared:
/// switches and switch-to-switch cables (group `fabric`), management switch and racks (group `room`). Counts
/// of adapters, switches and cables come from the fabric graph of scenario.pools. Adapters that come with a
/// system are listed as included; rented nodes are listed at 0, and a fleet of nothing else needs no switch,
/// rack or management switch of its own. A pool without nodes has no lines, a fleet without nodes none at
/// all. Throws std::invalid_argument when the fabric cannot be wired. Cost: builds the fabric graph once.
[[nodiscard]] Bill bill_of_materials(const Scenario& scenario);

/// Price of one node of a pool with the network adapters that its price does not include; 0 where the node
/// has no price or a part of it has none.
[[nodiscard]] Money node_price(const Scenario& scenario, PoolId pool);

/// Why no budget can buy nodes of this pool, one sentence; empty when it can.
[[nodiscard]] std::string not_for_sale(const NodePool& pool);
/// Rent of one node in a year: GPUs x rate x kHoursPerYear, reserved, so paid whether used or not. 0 where
/// the node is not rented.
[[nodiscard]] Money rent_a_year(const NodeType& node);
/// Whether the fleet has nodes, all of them rented.
[[nodiscard]] bool all_rented(const Scenario& scenario);

/// What the existing nodes that this fleet replaces bring: resale value x nodes sold.
[[nodiscard]] Money proceeds(const Scenario& scenario);

/// One cost line over the years, e.g. Electricity.
struct CostLine {
  std::string item;
  std::vector<Money> by_year;
  std::string basis;  ///< how it was computed, one sentence
  bool estimate = false;
};
struct CostTable {
  std::vector<CostLine> lines;  ///< purchase first, then its charges, then what running costs
  /// So many lines at the front are the purchase: the bill and what is charged on it (charges.hpp).
  std::size_t capital_lines = 1;
  std::vector<Money> total_by_year;
  Money total;
};
/// Hours that a year of operation has in every cost, energy and GPU-hour figure (365 days).
inline constexpr int kHoursPerYear = 8760;

/// The line of the cost table that jobs on rented GPUs make.
inline constexpr const char* kBurstItem = "Cloud rent of bursted jobs";

/// What a year of use adds to the cost. A mean power alone is use without any job that bursts.
struct FleetUse {
  FleetUse(Watts power, double rented_gpu_hours = 0.0)
      : mean_it_power(power), burst_gpu_hours(rented_gpu_hours) {}
  Watts mean_it_power;     ///< of the fleet in the run, see mean_power()
  double burst_gpu_hours;  ///< paid for jobs that burst, a year
};
/// GPU-hours a year from those of the measurement window (metric `burst_gpu_hours`); 0 for NaN, which is a
/// run without bursting.
[[nodiscard]] double burst_hours_a_year(const Scenario& scenario, double gpu_hours_of_window);

/// The purchase and its charges in year 1, less what replaced nodes bring; in every year what running the
/// fleet costs: electricity at the meter, colocation, staff, support and repair, the rent of rented nodes and
/// that of jobs that burst; in the last year what a sale of the nodes brings, below 0 (cost_lines.hpp). Lines
/// that the scenario does not ask for are not there. Not discounted; see present_cost().
[[nodiscard]] CostTable cost_by_year(const Scenario& scenario, const Bill& bill, FleetUse use, int years);
/// Over the years of the scenario, economics.years.
[[nodiscard]] CostTable cost_by_year(const Scenario& scenario, const Bill& bill, FleetUse use);

/// Mean IT power at the given allocated utilisation per pool: idle + utilisation * (load - idle), per node.
/// Rented nodes draw the cloud's power, which their rate includes, and stand in the cloud's racks: they count
/// nowhere. `present_by_pool`: share of the time in which the nodes of a pool are there (PoolMetrics), of
/// which the utilisation then is; empty: all of them always.
[[nodiscard]] Watts mean_power(const Scenario& scenario, const std::vector<double>& utilisation_by_pool,
                               const std::vector<double>& present_by_pool = {});

/// One node: everything but the GPUs, plus the GPUs at idle or at board power.
[[nodiscard]] Watts idle_power(const NodeType& node);
[[nodiscard]] Watts load_power(const NodeType& node);
/// What one GPU of the pool draws at load: its board power, or the pool's limit where that is less.
[[nodiscard]] Watts gpu_power(const NodePool& pool);
/// One node of the pool at load, under the pool's limit a GPU.
[[nodiscard]] Watts load_power(const NodePool& pool);
/// A node of the pool that no job uses: 0 where unused nodes are switched off.
[[nodiscard]] Watts idle_power(const NodePool& pool);
/// All nodes at load; rented ones stand elsewhere.
[[nodiscard]] Watts peak_it_power(const Scenario& scenario);
/// The same times PUE.
[[nodiscard]] Watts peak_power_at_meter(const Scenario& scenario);

/// Racks that the fleet fills, pool after pool, whole nodes, by rack units and by power at load. A node that
/// is too large for an empty rack takes one of its own.
[[nodiscard]] int racks_needed(const Scenario& scenario);

/// The bill with all that is charged on it: what the budget must cover.
[[nodiscard]] Money purchase_money(const Scenario& scenario, const Bill& bill);

/// Budget -> whole nodes: floor of each share, then leftover money buys whatever still fits, largest
/// shortfall first.
struct Resolved {
  std::vector<int> counts;
  std::vector<double> realised_share;  ///< of node money
  Money unspent;
  bool fabric_is_full = false;        ///< the rest would buy a node, but no switch port is left for it
  std::vector<std::string> problems;  ///< e.g. budget does not cover one node
};
/// Counts that were asked for are kept; a split is of node money, i.e. the largest bill that the capital pays
/// for with its charges, less the fixed costs of the fleet that comes out. Equal shortfalls: the first pool.
/// A fleet made from a split is always one of maximal_fleets(). Throws std::invalid_argument when the request
/// has not one entry a pool.
[[nodiscard]] Resolved resolve(const Scenario& scenario);

/// All maximal fleets under the budget (no further node of any pool affordable), by ascending share of the
/// last pool's node money, then by the counts in pool order. Fixed costs are recomputed for every fleet.
/// Empty when no node is affordable. Throws std::invalid_argument when a pool has no price. Cost: O(fleets *
/// pools * log nodes).
[[nodiscard]] std::vector<std::vector<int>> maximal_fleets(const Scenario& scenario);
/// All fleets under the budget with at least one node that is bought, in the same order.
[[nodiscard]] std::vector<std::vector<int>> affordable_fleets(const Scenario& scenario);

/// Demand in money (DESIGN section 9): independent of the split.
struct ClassDemand {
  std::string name;
  double jobs_per_day = 0.0;
  double mean_node_share = 0.0;   ///< E[nodes or part of a node held]
  double busy_nodes = 0.0;        ///< on the cheapest eligible node
  std::string cheapest_node;      ///< pool name, of the eligible ones; empty: can run nowhere
  Money money;                    ///< busy_nodes * node price
  double impossible_share = 0.0;  ///< of its GPU-hours that no pool of the scenario's fleet can hold
  /// Of its jobs that run longer, on the cheapest pool, than the longest limit of the partition: they are
  /// killed there. 0 where nothing is killed, and for a trace.
  double cut_off_share = 0.0;
  /// Its jobs come from closed loops, their own or those of classes that promote to it: the figures are what
  /// would be asked for if no job ever waited, at most.
  bool closed_loop = false;
};
struct OfferedLoad {
  std::vector<ClassDemand> classes;  ///< index = ClassId
  double load = 0.0;                 ///< sum of money over node money of the budget
  /// GPU time that the work keeps busy on its cheapest nodes over the GPU time of the scenario's own fleet;
  /// work that this fleet can never hold does not count. Above 1: the queue grows without end.
  double fleet_load = 0.0;
  /// Index = QueueId, strict sharing only, else empty: the same of each partition with its own classes on its
  /// own pools.
  std::vector<double> partition_load;
  double s = 0.0;     ///< share of the result class in the money
  Money node_budget;  ///< capital less fixed costs (of the fleet of the largest share of the first pool)
  std::string node_budget_basis;     ///< the same in words, for the reader of the load
  std::string identity;              ///< the sentence that ties s, promotion and sizes together
  std::optional<ClassDemand> trace;  ///< a recorded workload beside or instead of the classes
  /// Some class has no fixed demand (ClassDemand::closed_loop): load, fleet_load, partition_load and s are
  /// those of a lab in which nobody waits. Such users cannot overload a fleet, they wait.
  bool closed_loop = false;
};
/// Rates: own arrivals, or the parents' rate times the promotion probability, every parent taken as
/// completed. A closed loop: users x jobs in flight / (think time + mean run time on the cheapest node), by
/// renewal theory the rate without any wait. Holding time: mean wall time x run-time ratio of the packed job;
/// a job of g GPUs holds g/G nodes. Eligible: the pools of the class's partition (under one-pool sharing all
/// of them) with enough memory on each GPU, and a fabric where the job needs several nodes; pools that lend
/// idle nodes only where no own pool could run the class. Without a budget the node money of the given fleet
/// stands for it. A rented node counts with three years' rent.
[[nodiscard]] OfferedLoad offered_load(const Scenario& scenario);

/// To whole cents, so that printed lines add up to their printed totals.
[[nodiscard]] Money to_cents(Money money);

/// "one year", "three years", "12 years".
[[nodiscard]] std::string years_text(std::size_t years);

/// As printed everywhere: `16,062 USD`, with cents only where there are any: `0.31 USD`.
[[nodiscard]] std::string money_text(Money money);
/// The digits of that, without sign and unit: `16,062`, `0.31`. The one place where money becomes text.
[[nodiscard]] std::string money_digits(Money money);

}  // namespace fleetsim
