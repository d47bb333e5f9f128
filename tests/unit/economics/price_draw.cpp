// Which figures of a scenario are uncertain.
#include "sim/economics/price_draw.hpp"

#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/unit/economics/fixture.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;

namespace {

std::vector<std::string> items(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const UncertainQuantity& q : uncertain_quantities(scenario)) names.push_back(q.item);
  return names;
}

}  // namespace

TEST_CASE("uncertain quantities are the figures with a range, each item once, in the order of the bill") {
  CHECK(items(lab()) ==
        std::vector<std::string>{
            "barebone 8-GPU 4U with power supplies", "two CPUs", "256-512 GB RAM", "local NVMe",
            "water cooling for 8 cards", "InfiniBand EDR adapter with cable", "InfiniBand EDR switch",
            "Ethernet management switch", "rack with power distribution",
            "support and repair a year, share of the purchase", "power of all but the GPUs at load",
            "power of all but the GPUs when idle", "idle power of a GPU over its board power"});
}

TEST_CASE("an item with another range in another node is another quantity, drawn with the same luck") {
  Scenario scenario = lab();
  scenario.pools[1].node.price_parts[1].unit_price = estimated(usd(8000L), usd(10000L), usd(14000L));
  const auto all = uncertain_quantities(scenario);
  const auto find = [&](const std::string& item) {
    return static_cast<std::size_t>(
        std::find_if(all.begin(), all.end(), [&](const auto& q) { return q.item == item; }) - all.begin());
  };
  const std::size_t one = find("barebone 8-GPU 4U with power supplies"),
                    other = find("barebone 8-GPU 4U with power supplies (8x rtx3090)");
  REQUIRE(one < all.size());
  REQUIRE(other < all.size());
  const auto values = draw_quantities(all, 1, 5);
  // The second range is twice the first, so its value in each draw is, to the cent.
  CHECK(std::abs(values[other] - 2.0 * values[one]) < 0.02);
}

TEST_CASE("without ranges nothing is uncertain; existing nodes are not bought; a torus has no adapters") {
  Scenario scenario = lab();
  scenario.pools[1].existing = true;
  scenario.fabric.shape = FabricShape::torus;
  scenario.fabric.link.switch_ports = 0;
  const auto names = items(scenario);
  CHECK(std::find(names.begin(), names.end(), "water cooling for 8 cards") == names.end());
  CHECK(std::find(names.begin(), names.end(), "InfiniBand EDR adapter with cable") == names.end());
  scenario = lab();
  for (NodePool& pool : scenario.pools) {
    for (PricePart& part : pool.node.price_parts) part.unit_price = sourced(part.unit_price.value);
    pool.node.base_power_load = sourced(Watts{550.0});
    pool.node.base_power_idle = sourced(Watts{350.0});
    pool.node.gpu.idle_power_share = sourced(0.08);
  }
  scenario.fabric.link.adapter_price = sourced(usd(870L));
  scenario.fabric.link.switch_price = sourced(usd(8000L));
  scenario.prices.management_switch = sourced(usd(1500L));
  scenario.prices.rack = sourced(usd(2500L));
  scenario.prices.support_per_year = sourced(0.05);
  CHECK(uncertain_quantities(scenario).empty());
}
