// The bill of materials: what is bought, in which quantity, at which price.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/base/assert.hpp"
#include "sim/economics/charges.hpp"
#include "sim/economics/economics.hpp"
#include "sim/economics/fleet_cost.hpp"
#include "sim/economics/rounding.hpp"

namespace fleetsim {
namespace {

class BillWriter {
 public:
  void node_line(const std::string& item, const std::string& pool, int quantity, const Figure<Money>& price) {
    bill_.node_money += add(item, pool, quantity, price);
  }
  void fixed_line(const std::string& item, const std::string& group, int quantity,
                  const Figure<Money>& price) {
    bill_.fixed_money += add(item, group, quantity, price);
  }
  /// Needed, but not bought here: `settled` says why, `why` in words.
  void settled_line(const std::string& item, const std::string& group, int quantity,
                    const std::string& settled, const std::string& why, const Provenance& from) {
    if (quantity == 0) return;
    Figure<Money> none;
    none.from = from;
    bill_.lines.push_back({fmt::format("{}, {}", item, why), group, quantity, none, true, settled});
  }
  [[nodiscard]] Bill finish() && {
    bill_.total = bill_.node_money + bill_.fixed_money;
    return std::move(bill_);
  }

 private:
  Money add(const std::string& item, const std::string& group, int quantity, const Figure<Money>& price) {
    if (quantity == 0) return {};
    BillLine line{item, group, quantity, price, price.value > Money{}, {}};
    if (!line.priced) {
      line.unit_price.value = Money{};
      bill_.unpriced.push_back(fmt::format("{} ({})", item, group));
    }
    const Money total = line.total();
    bill_.lines.push_back(std::move(line));
    return total;
  }

  Bill bill_;
};

constexpr const char* kIncluded = "included";
constexpr const char* kRented = "rented";
constexpr const char* kOwned = "owned";
constexpr const char* kSold = "sold";

/// Node, then adapters, of one pool.
void add_pool(BillWriter& bill, const NodePool& pool, const LinkType& link, int adapters_a_node) {
  const NodeType& node = pool.node;
  const std::string adapter = fmt::format("{} adapter with cable", link.title);
  if (pool.existing) {
    const Provenance from{"the scenario: fleet.existing", pool.bought, false, ""};
    const std::string since = pool.bought.empty() ? "" : ", bought " + pool.bought;
    bill.settled_line(node.title, pool.name, pool.count, kOwned, "owned already" + since, from);
    bill.settled_line(node.title, pool.name, pool.sold, kSold, "owned so far" + since, from);
    return;
  }
  if (node.rented()) {
    bill.settled_line(node.title, pool.name, pool.count, kRented,
                      fmt::format("rented at {} per {}-hour", money_text(node.cloud_rate.value),
                                  accelerator_word(node.gpu)),
                      node.cloud_rate.from);
    bill.settled_line(adapter, pool.name, pool.count * adapters_a_node, kRented, "in the rent",
                      node.cloud_rate.from);
    return;
  }
  if (node.price_parts.empty()) bill.node_line(node.title, pool.name, pool.count, {});
  for (const PricePart& part : node.price_parts)
    bill.node_line(part.item, pool.name, pool.count * part.quantity, part.unit_price);
  const int included = node.included_adapters(link, adapters_a_node);
  bill.settled_line(adapter, pool.name, pool.count * included, kIncluded, "in the price of the system",
                    node.adapters_included_from);
  bill.node_line(adapter, pool.name, pool.count * (adapters_a_node - included), link.adapter_price);
}

/// Of the nodes that are bought: those that are there already have their adapters, ports and racks.
FabricCounts counts_of(const Scenario& scenario) {
  std::vector<const NodeType*> nodes;
  for (const NodePool& pool : scenario.pools)
    if (!pool.existing) nodes.insert(nodes.end(), pool.count, &pool.node);
  if (nodes.empty()) return {};
  return Fabric::build(scenario.fabric, nodes).counts();
}

std::vector<int> bought_counts(const Scenario& scenario) {
  std::vector<int> counts;
  for (const NodePool& pool : scenario.pools) counts.push_back(pool.existing ? 0 : pool.count);
  return counts;
}

}  // namespace

Bill bill_of_materials(const Scenario& scenario) {
  int nodes = 0;
  for (const int count : bought_counts(scenario)) nodes += count;

  BillWriter bill;
  const FabricCounts network = counts_of(scenario);
  const LinkType& link = scenario.fabric.link;
  FLEETSIM_ASSERT(nodes == 0 || network.adapters % nodes == 0);
  const int adapters_a_node = nodes == 0 ? 0 : network.adapters / nodes;
  for (const NodePool& pool : scenario.pools) add_pool(bill, pool, link, adapters_a_node);
  int all = 0;
  for (const NodePool& pool : scenario.pools) all += pool.count;
  if (all > 0) {
    for (const GivenPrice& own : scenario.prices.given)
      bill.fixed_line(own.item, "quoted", own.quantity, own.price);
  }
  if (nodes == 0 || only_rented(scenario, bought_counts(scenario))) return std::move(bill).finish();
  // Private machines stand at their users' desks, on the office network.
  if (scenario.scheduler.sharing == SharingRule::private_machines) return std::move(bill).finish();
  bill.fixed_line(fmt::format("{} switch, {} ports", link.title, link.switch_ports), "fabric",
                  network.switches(), link.switch_price);
  bill.fixed_line(fmt::format("{} cable between switches", link.title), "fabric",
                  network.switch_cables + network.core_cables, scenario.prices.cable);
  bill.fixed_line(fmt::format("{} cable between nodes", link.title), "fabric", network.torus_cables,
                  scenario.prices.cable);
  if (scenario.site.facility.room == RoomKind::office) return std::move(bill).finish();
  bill.fixed_line("Ethernet management switch", "room", 1, scenario.prices.management_switch);
  if (scenario.site.rack.provided) {
    bill.fixed_line("rack parts and power distribution (racks provided)", "room", 1, scenario.prices.rack);
  } else {
    bill.fixed_line("rack with power distribution", "room", racks_for(scenario, bought_counts(scenario)),
                    scenario.prices.rack);
  }
  return std::move(bill).finish();
}

Money node_price(const Scenario& scenario, PoolId pool) {
  const NodeType& node = scenario.pools.at(index(pool)).node;
  if (!node.priced() || scenario.pools.at(index(pool)).existing) return {};
  // The links of a torus leave the accelerators themselves.
  const bool networked =
      scenario.fabric.shape != FabricShape::none && scenario.fabric.shape != FabricShape::torus;
  const int adapters = networked ? scenario.fabric.adapters_per_node : 0;
  const LinkType& link = scenario.fabric.link;
  return node.price() + link.adapter_price.value * (adapters - node.included_adapters(link, adapters));
}

std::string not_for_sale(const NodePool& pool) {
  const NodeType& node = pool.node;
  const std::string who = fmt::format("node {} of pool {}", node.name, pool.name);
  if (node.rented()) return who + " is rented by the hour, so no budget can buy it";
  for (const PricePart& part : node.price_parts) {
    if (part.unit_price.value == Money{})
      return fmt::format("{} has no price (part '{}' has none), so no budget can buy it", who, part.item);
  }
  return node.priced() ? std::string{} : who + " has no price, so no budget can buy it";
}

Money rent_a_year(const NodeType& node) {
  return node.rented() ? node.cloud_rate.value * (std::int64_t{node.gpus} * kHoursPerYear) : Money{};
}

bool all_rented(const Scenario& scenario) {
  std::vector<int> counts;
  for (const NodePool& pool : scenario.pools) counts.push_back(pool.count);
  return only_rented(scenario, counts);
}

int racks_needed(const Scenario& scenario) {
  std::vector<int> counts;
  for (const NodePool& pool : scenario.pools) counts.push_back(pool.count);
  return racks_for(scenario, counts);
}

Money purchase_money(const Scenario& scenario, const Bill& bill) {
  return purchase_of(scenario.economics, bill.total);
}

std::string money_digits(Money money) {
  const std::int64_t cents = std::abs(to_cents(money).count()) / kMicrosPerCent;
  std::string digits = std::to_string(cents / 100);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return digits + (cents % 100 == 0 ? "" : fmt::format(".{:02}", cents % 100));
}

std::string years_text(std::size_t years) {
  static constexpr const char* kWords[] = {"no",  "one",   "two",   "three", "four", "five",
                                           "six", "seven", "eight", "nine",  "ten"};
  const std::string number = years < std::size(kWords) ? kWords[years] : fmt::format("{}", years);
  return number + (years == 1 ? " year" : " years");
}

std::string money_text(Money money) {
  return fmt::format("{}{} USD", to_cents(money) < Money{} ? "-" : "", money_digits(money));
}

}  // namespace fleetsim
