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
