// Nodes that arrive in a later year are paid, and grow old, from then on.
#include <algorithm>

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

TEST_CASE("running a node costs nothing before it comes and after it has left") {
  Scenario scenario = with_counts(lab(), {3, 2});
  scenario.economics.support = 0.05;
  scenario.economics.colocation_per_kw_month = usd(std::int64_t{100});
  scenario.economics.staff = StaffSpec{0.25, usd(std::int64_t{80000})};
  const Bill bill = bill_of_materials(scenario);
  const auto line = [&](const char* item, std::size_t year) {
    const CostTable table = cost_by_year(scenario, bill, Watts{9000.0}, 3);
    const auto found = std::find_if(table.lines.begin(), table.lines.end(),
                                    [&](const CostLine& one) { return one.item == item; });
    REQUIRE(found != table.lines.end());
    return to_usd(found->by_year.at(year));
  };
  const double power = line("Electricity", 0), room = line("Colocation", 0),
               support = line("Support and repair", 0);
  CHECK(line("Electricity", 2) == power);

  scenario.availability.deliveries = {{0, 2, 800 * kDay}};  // two of three nodes, on day 70 of the third year
  const double proto_w = 3 * load_power(scenario.pools[0]).count(),
               scale_w = 2 * load_power(scenario.pools[1]).count();
  const double proto_usd = 3 * to_usd(node_price(scenario, PoolId{0})), all_usd = to_usd(bill.node_money);
  const double there[] = {1.0 / 3.0, 1.0 / 3.0, (1.0 + 2.0 * 295.0 / 365.0) / 3.0};
  for (std::size_t year = 0; year < 3; ++year) {
    const double of_power = (proto_w * there[year] + scale_w) / (proto_w + scale_w);
    CHECK(line("Electricity", year) == Approx(power * of_power).margin(0.01));
    CHECK(line("Colocation", year) == Approx(room * of_power).margin(0.01));
    CHECK(line("Support and repair", year) ==
          Approx(support * (all_usd - proto_usd * (1.0 - there[year])) / all_usd).margin(0.01));
    CHECK(line("Staff", year) == 20000.0);
  }

  // The other pool is owned and leaves at the end of the first year.
  scenario.availability.starts = "2021-01";
  scenario.pools[1].existing = true;
  scenario.pools[1].retires = "2022-01";
  CHECK(line("Electricity", 1) == Approx(power * proto_w / 3.0 / (proto_w + scale_w)).margin(0.01));
  CHECK(line("Colocation", 0) == Approx(room * (proto_w / 3.0 + scale_w) / (proto_w + scale_w)).margin(0.01));
}
