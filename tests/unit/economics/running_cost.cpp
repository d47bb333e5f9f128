// Power, energy and the cost of the years.
#include "fixture.hpp"
#include "sim/economics/economics.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;

TEST_CASE("a node draws its base power and its cards' share of board power") {
  // 350 + 8 x 320 x 0.08
  CHECK(idle_power(rtx3080()).count() == Approx(554.8));
  // 550 + 8 x 320
  CHECK(load_power(rtx3080()).count() == Approx(3110.0));
  // 550 + 8 x 350
  CHECK(load_power(rtx3090_water()).count() == Approx(3350.0));
}

TEST_CASE("mean power is linear between idle and load in each pool's utilisation") {
  // 13 x (554.8 + 0.5 x 2555.2) + 3 x (574 + 0.25 x 2776); 350 + 8 x 350 x 0.08 = 574
  CHECK(mean_power(lab(), {0.5, 0.25}).count() == Approx(13 * 1832.4 + 3 * 1268.0));
  // the meter: 1.5 x (13 x 3110 + 3 x 3350)
  CHECK(peak_power_at_meter(lab()).count() == Approx(75720.0));
  // an empty pool has no utilisation and no power
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(mean_power(with_counts(lab(), {1, 0}), {1.0, nan}).count() == Approx(3110.0));
  CHECK_THROWS_AS(mean_power(lab(), {0.5}), std::invalid_argument);
}

TEST_CASE("three years cost the purchase once, and electricity and support every year") {
  const Scenario scenario = lab();
  const Bill bill = bill_of_materials(scenario);
  const CostTable cost = cost_by_year(scenario, bill, Watts{20000.0});
  REQUIRE(cost.lines.size() == 3);
  CHECK(cost.lines[0].by_year == std::vector<Money>{usd(298992L), Money{}, Money{}});
  // 20 kW x 1.5 x 8760 h x 0.12 USD/kWh = 31,536 USD
  CHECK(cost.lines[1].by_year == std::vector<Money>(3, usd(31536L)));
  // 5 % of 286,992
  CHECK(cost.lines[2].by_year == std::vector<Money>(3, usd(14349.6)));
  CHECK(cost.total_by_year == std::vector<Money>{usd(344877.6), usd(45885.6), usd(45885.6)});
  CHECK(cost.total == usd(436648.8));
  CHECK(cost.lines[2].estimate);
  CHECK_THROWS_AS(cost_by_year(scenario, bill, Watts{1.0}, 0), std::invalid_argument);
}

TEST_CASE("a power limit lowers load, mean and peak power of its pool, and leaves the idle power") {
  Scenario scenario = with_counts(lab(), {1, 1});
  scenario.pools[1].gpu_power_limit = Watts{280.0};
  // 550 + 8 x 280
  CHECK(load_power(scenario.pools[1]).count() == Approx(2790.0));
  CHECK(load_power(scenario.pools[0]).count() == Approx(3110.0));
  // 3110 + 2790, x 1.5
  CHECK(peak_it_power(scenario).count() == Approx(5900.0));
  CHECK(peak_power_at_meter(scenario).count() == Approx(8850.0));
  // 554.8 + 574 idle; half of the way to load
  CHECK(mean_power(scenario, {0.0, 0.0}).count() == Approx(1128.8));
  CHECK(mean_power(scenario, {0.5, 0.5}).count() == Approx(0.5 * (1128.8 + 5900.0)));
  // a limit above board power limits nothing
  scenario.pools[1].gpu_power_limit = Watts{400.0};
  CHECK(load_power(scenario.pools[1]).count() == Approx(3350.0));
}

TEST_CASE("racks are filled by the power that a limit leaves") {
  Scenario scenario = with_counts(lab(), {0, 4});
  scenario.site.rack.power = Watts{12e3};
  // 12000 / 3350 = 3.6: 3 a rack; 12000 / 2790 = 4.3: 4 a rack
  CHECK(racks_needed(scenario) == 2);
  scenario.pools[1].gpu_power_limit = Watts{280.0};
  CHECK(racks_needed(scenario) == 1);
}

TEST_CASE("work on limited cards keeps more of them busy") {
  Scenario scenario = lab();
  const double before = offered_load(scenario).fleet_load;
  CHECK(before > 0.0);
  for (NodePool& pool : scenario.pools) pool.gpu_power_limit = pool.node.gpu.board_power.value * 0.8;
  const double after = offered_load(scenario).fleet_load;
  // the computing part of a step takes 1 / 0.96 as long, communication none longer
  CHECK(after > before);
  CHECK(after <= before / 0.96 * (1.0 + 1e-9));
}
