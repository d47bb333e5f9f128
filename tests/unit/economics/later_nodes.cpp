// Nodes that arrive in a later year are paid, and grow old, from then on.
#include "fixture.hpp"
#include "sim/economics/depreciation.hpp"
#include "sim/economics/payments.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;

TEST_CASE("a node's book value counts its own age, from the year in which it arrives") {
  Scenario scenario = with_counts(lab(), {3, 0});
  scenario.economics.depreciation = DepreciationSpec{4.0, 0.1, {}};
  const Money node = node_price(scenario, PoolId{0});  // with its adapter: 16,062 USD
  const std::vector<Money> at_once = book_value_by_year(scenario, bill_of_materials(scenario));
  // max(salvage, 1 - (1 - salvage) x age / life): 0.775, 0.55, 0.325 of three nodes
  CHECK(to_usd(at_once.at(0)) == Approx(0.775 * 3 * to_usd(node)));
  CHECK(to_usd(at_once.at(2)) == Approx(0.325 * 3 * to_usd(node)));

  scenario.availability.deliveries = {{0, 2, 800 * kDay}};  // in the third year
  const Bill bill = bill_of_materials(scenario);
  const std::vector<Money> later = book_value_by_year(scenario, bill);
  REQUIRE(later.size() == 3);
  CHECK(to_usd(later[0]) == Approx(0.775 * to_usd(node)));
  CHECK(to_usd(later[1]) == Approx(0.55 * to_usd(node)));
  // one node of three years, two of one
  CHECK(to_usd(later[2]) == Approx((0.325 + 2 * 0.775) * to_usd(node)));
  // The sale in the last year brings as much.
  const CostTable table = cost_by_year(scenario, bill, Watts{0.0}, 3);
  REQUIRE(table.lines.back().item == "Resale");
  CHECK(to_usd(table.lines.back().by_year.back()) == Approx(-to_usd(later[2])));
}
