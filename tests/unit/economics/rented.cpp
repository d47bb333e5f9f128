// Network adapters that a system's price includes, nodes that are rented by the hour, nodes without a price.
#include <algorithm>
#include <stdexcept>

#include "fixture.hpp"
#include "sim/economics/economics.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;

namespace {

/// A system at 200,000 USD whose price includes eight EDR adapters.
NodeType with_adapters() {
  NodeType node = rtx3090_water();
  node.price_parts = {{"system", 1, sourced(usd(200000L))}};
  node.adapters_included = 8;
  node.adapters_included_link = "infiniband-edr";
  node.adapters_included_rate = edr().wire_rate.value;
  return node;
}

NodeType rented() {
  NodeType node = rtx3090_water();
  node.title = "cloud host";
  node.price_parts.clear();
  node.cloud_rate = sourced(usd(2.14));
  return node;
}

const BillLine* line(const Bill& bill, const std::string& group, const std::string& settled) {
  const auto it = std::find_if(bill.lines.begin(), bill.lines.end(),
                               [&](const BillLine& l) { return l.group == group && l.settled == settled; });
  return it == bill.lines.end() ? nullptr : &*it;
}

Money paid_adapters(const Bill& bill) {
  Money sum;
  for (const BillLine& l : bill.lines)
    if (l.item.find("adapter") != std::string::npos) sum += l.total();
  return sum;
}

Money of(const CostTable& table, const std::string& item) {
  for (const CostLine& l : table.lines)
    if (l.item == item) return l.by_year.back();
  return Money{-1};
}

}  // namespace

TEST_CASE("adapters that come with a system are listed as included and not charged") {
  Scenario scenario = lab();
  scenario.pools[1].node = with_adapters();
  scenario.fabric.adapters_per_node = 8;
  CHECK(node_price(scenario, PoolId{1}) == usd(200000L));
  // 15192 + 8 x 870
  CHECK(node_price(scenario, PoolId{0}) == usd(22152L));
  scenario.pools[0].count = 1;
  scenario.pools[1].count = 2;
  const Bill bill = bill_of_materials(scenario);
  REQUIRE(line(bill, "scale", "included") != nullptr);
  CHECK(line(bill, "scale", "included")->quantity == 16);  // 2 x 8
  CHECK(line(bill, "scale", "included")->total() == Money{});
  // only the eight of the other pool: 8 x 870
  CHECK(paid_adapters(bill) == usd(6960L));
  CHECK(bill.unpriced.empty());
}

TEST_CASE("more adapters than a system includes, or faster ones, are charged") {
  Scenario scenario = lab();
  scenario.pools[1].node = with_adapters();
  scenario.fabric.adapters_per_node = 10;
  // 200000 + 2 x 870
  CHECK(node_price(scenario, PoolId{1}) == usd(201740L));
  scenario.fabric.adapters_per_node = 8;
  scenario.fabric.link.wire_rate.value = BytesPerSecond{25e9};
  // 200000 + 8 x 870: the included ones are slower than this network
  CHECK(node_price(scenario, PoolId{1}) == usd(206960L));
  scenario.fabric.link.wire_rate.value = BytesPerSecond{3e9};
  CHECK(node_price(scenario, PoolId{1}) == usd(200000L));
  scenario.fabric.shape = FabricShape::none;
  CHECK(node_price(scenario, PoolId{1}) == usd(200000L));
}

TEST_CASE("the budget search prices included adapters as the bill does") {
  Scenario scenario = lab();
  scenario.pools[1].node = with_adapters();
  scenario.fabric.adapters_per_node = 4;
  scenario.budget = usd(1000000L);
  for (const std::vector<int>& counts : maximal_fleets(scenario)) {
    const Bill bill = bill_of_materials(with_counts(scenario, counts));
    CHECK(bill.total <= scenario.budget);
    CHECK(bill.node_money ==
          node_price(scenario, PoolId{0}) * counts[0] + node_price(scenario, PoolId{1}) * counts[1]);
  }
}

TEST_CASE("a rented fleet costs nothing to buy, its rent every year, and no electricity of its own") {
  Scenario scenario = lab();
  scenario.pools = {{"cloud", rented(), 2}};
  scenario.budget = Money{};
  scenario.scheduler.partitions = {{"cloud", {PoolId{0}}, kDay, std::nullopt, true}};
  for (JobClass& c : scenario.workload.classes) c.partition = QueueId{0};
  const Bill bill = bill_of_materials(scenario);
  CHECK(bill.total == Money{});
  CHECK(bill.unpriced.empty());
  REQUIRE(line(bill, "cloud", "rented") != nullptr);
  CHECK(line(bill, "cloud", "rented")->quantity == 2);
  CHECK(line(bill, "cloud", "rented")->item == "cloud host, rented at 2.14 USD per GPU-hour");
  CHECK(racks_needed(scenario) == 0);
  CHECK(mean_power(scenario, {1.0}).count() == 0.0);
  CHECK(peak_power_at_meter(scenario).count() == 0.0);
  const CostTable cost = cost_by_year(scenario, bill, mean_power(scenario, {1.0}));
  // 16 GPUs x 2.14 USD x 8760 h = 299,942.40 USD
  CHECK(of(cost, "Cloud rent") == usd(299942.4));
  // Money{-1}: no such line
  CHECK(of(cost, "Electricity") == Money{-1});
  CHECK(of(cost, "Support and repair") == Money{-1});
  CHECK(cost.total == usd(3 * 299942.4));
  // the load is a share of time, whatever a node costs
  CHECK(offered_load(scenario).load > 0.0);
}

TEST_CASE("a rented TPU is charged by the chip-hour") {
  Scenario scenario = lab();
  scenario.pools = {{"pod", rented(), 2}};
  scenario.pools[0].node.gpu.architecture = "TPU v3";
  const Bill bill = bill_of_materials(scenario);
  CHECK(line(bill, "pod", "rented")->item == "cloud host, rented at 2.14 USD per chip-hour");
  const CostTable cost = cost_by_year(scenario, bill, Watts{});
  CHECK(cost.lines.back().basis.starts_with("16 chips x 2.14 USD x 8760 h"));
}

TEST_CASE("bought nodes beside rented ones keep their switches, racks and power") {
  Scenario scenario = lab();
  scenario.pools[1].node = rented();
  scenario.pools[0].count = 2;
  scenario.pools[1].count = 1;
  const Bill bill = bill_of_materials(scenario);
  // 2 x 16062 + 8000 + 1500 + 2500; nothing for the rented node and its adapter
  CHECK(bill.total == usd(44124L));
  CHECK(mean_power(scenario, {1.0, 1.0}).count() == 2 * load_power(rtx3080()).count());
  // 8 x 2.14 x 8760
  CHECK(of(cost_by_year(scenario, bill, Watts{}), "Cloud rent") == usd(149971.2));
  CHECK(of(cost_by_year(lab(), bill_of_materials(lab()), Watts{}), "Cloud rent") == Money{-1});
}

TEST_CASE("a rented node and one with an unpriced part cannot be bought from a budget, and both say why") {
  Scenario scenario = lab();
  scenario.pools[1].node = rented();
  CHECK(not_for_sale(scenario.pools[0]).empty());
  CHECK(not_for_sale(scenario.pools[1]) ==
        "node supermicro-8x-rtx3090-water of pool scale is rented by the hour, so no budget can buy it");
  CHECK_THROWS_AS(maximal_fleets(scenario), std::invalid_argument);
  scenario.pools[1].node = rtx3090_water();
  scenario.pools[1].node.price_parts.push_back({"server", 1, {}});
  CHECK(not_for_sale(scenario.pools[1]).find("part 'server' has none") != std::string::npos);
  CHECK_FALSE(scenario.pools[1].node.priced());
  CHECK(node_price(scenario, PoolId{1}) == Money{});
  const Bill bill = bill_of_materials(scenario);
  CHECK(bill.unpriced == std::vector<std::string>{"server (scale)"});
  CHECK_FALSE(resolve(scenario).problems.empty());
}
