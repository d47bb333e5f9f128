// Nodes that the lab owns already: on the bill at 0, on the meter in full, sold where they are replaced.
#include <algorithm>

#include "sim/economics/economics.hpp"
#include "sim/economics/fleet_cost.hpp"
#include "tests/catch.hpp"
#include "tests/unit/economics/fixture.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;

namespace {

/// The lab with two old nodes.
Scenario with_old() {
  Scenario s = with_counts(lab(), {13, 3});
  s.pools.push_back({"old", rtx3080(), 2});
  s.pools.back().existing = true;
  s.pools.back().bought = "2018-11";
  s.pools.back().resale = usd(3000L);
  return s;
}

const BillLine* line_of(const Bill& bill, const std::string& group) {
  const auto found = std::find_if(bill.lines.begin(), bill.lines.end(),
                                  [&](const BillLine& line) { return line.group == group; });
  return found == bill.lines.end() ? nullptr : &*found;
}

const CostLine* cost_of(const CostTable& table, const std::string& item) {
  for (const CostLine& line : table.lines)
    if (line.item == item) return &line;
  return nullptr;
}

}  // namespace

TEST_CASE("Owned nodes stand on the bill at nothing, and the bill is what it was without them") {
  const Scenario s = with_old();
  const Bill bill = bill_of_materials(s);
  const BillLine* old = line_of(bill, "old");
  REQUIRE(old != nullptr);
  CHECK(old->settled == "owned");
  CHECK(old->quantity == 2);
  CHECK(old->total() == Money{});
  CHECK(old->item.find("owned already, bought 2018-11") != std::string::npos);
  CHECK(bill.unpriced.empty());
  CHECK(bill.total == bill_of_materials(with_counts(lab(), {13, 3})).total);
  CHECK(node_price(s, PoolId{2}) == Money{});
}

TEST_CASE("Owned nodes draw power but have no support") {
  const Scenario s = with_old(), without = with_counts(lab(), {13, 3});
  // 2 x (350 W + 8 x 0.08 x 320 W) idle
  CHECK(mean_power(s, {0, 0, 0}).count() - mean_power(without, {0, 0}).count() ==
        Approx(2 * (350.0 + 8 * 0.08 * 320.0)));
  const Bill bill = bill_of_materials(s);
  const CostTable table = cost_by_year(s, bill, mean_power(s, {0, 0, 0}), 3);
  const CostTable before = cost_by_year(without, bill, mean_power(without, {0, 0}), 3);
  CHECK(cost_of(table, "Support and repair")->by_year == cost_of(before, "Support and repair")->by_year);
  CHECK(cost_of(table, "Support and repair")->basis.find("there already have none") != std::string::npos);
  CHECK(cost_of(table, "Electricity")->by_year[0] > cost_of(before, "Electricity")->by_year[0]);
  CHECK(cost_of(table, "Sale of owned nodes") == nullptr);
}

TEST_CASE("Replaced nodes bring their resale value in year 1: 2 x 3000 USD") {
  Scenario s = with_old();
  s.pools.back().sold = 2;
  s.pools.back().count = 0;
  CHECK(proceeds(s) == usd(6000L));
  const Bill bill = bill_of_materials(s);
  CHECK(line_of(bill, "old")->settled == "sold");
  const CostTable table = cost_by_year(s, bill, Watts{}, 3);
  const CostLine* sale = cost_of(table, "Sale of owned nodes");
  REQUIRE(sale != nullptr);
  CHECK(sale->by_year == std::vector<Money>{-usd(6000L), Money{}, Money{}});
}

TEST_CASE("A fabric that cannot hold old and new together makes the fleet unaffordable, not dearer") {
  Scenario s = with_old();
  s.fabric.shape = FabricShape::single_switch;
  s.fabric.link.switch_ports = 16;  // 13 + 3 fit, 2 more do not
  const FleetCost cost(s);
  CHECK(cost.fixed_money(std::vector<int>{13, 3, 0}).has_value());
  CHECK_FALSE(cost.fixed_money(std::vector<int>{13, 3, 2}).has_value());
}

TEST_CASE("Labels and shares speak of what is bought, whatever stands beside it") {
  Scenario s = with_old();
  CHECK(fleet_label(s) == "13+3");
  CHECK(index(scale_pool(s)) == 1);
  s.alternative = Alternative::replace;
  CHECK(fleet_label(s) == "replace 13+3");
  s.alternative = Alternative::keep;
  CHECK(fleet_label(s) == "keep");
}

TEST_CASE("Without anything to buy, the fleet is what is there, and its load is counted in its own worth") {
  Scenario s = with_old();
  s.pools.erase(s.pools.begin(), s.pools.begin() + 2);
  s.request = {};
  s.budget = {};
  s.scheduler.partitions = {{"all", {PoolId{0}}, 7 * kDay, std::nullopt, true}};
  for (JobClass& c : s.workload.classes) c.partition = QueueId{0};
  CHECK(bought_pools(s) == 0);
  CHECK(resolve(s).counts == std::vector<int>{2});
  CHECK(resolve(s).problems.empty());
  CHECK(maximal_fleets(s).empty());
  const OfferedLoad load = offered_load(s);
  CHECK(load.fleet_load > 0.0);
  CHECK(load.node_budget == rtx3080().price() * 2);
}

TEST_CASE("Work that only old nodes serve is counted in their worth, not dropped from the load") {
  Scenario s = with_old();
  // a partition of old nodes alone for the prototypes
  s.scheduler.sharing = SharingRule::strict;
  s.scheduler.partitions[0].pools = {PoolId{2}};
  const OfferedLoad load = offered_load(s);
  CHECK(load.classes[0].cheapest_node == "old");
  CHECK(load.classes[0].money == scaled(rtx3080().price(), load.classes[0].busy_nodes));
  CHECK(load.fleet_load > 0.0);
}
