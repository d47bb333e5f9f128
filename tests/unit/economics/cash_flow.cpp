// Running lines, resale, caps of the years, and what all of it is worth today.
#include "sim/economics/cash_flow.hpp"
#include "sim/economics/depreciation.hpp"
#include "sim/economics/payments.hpp"
#include "tests/catch.hpp"
#include "tests/unit/economics/fixture.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;

namespace {

const CostLine* line(const CostTable& cost, const std::string& item) {
  for (const CostLine& one : cost.lines)
    if (one.item == item) return &one;
  return nullptr;
}

CostTable cost_of(const Scenario& scenario) {
  return cost_by_year(scenario, bill_of_materials(scenario), Watts{20000.0});
}

}  // namespace

TEST_CASE("Without an economics section there is no line but purchase, electricity and support") {
  const CostTable cost = cost_of(lab());
  REQUIRE(cost.lines.size() == 3);
  CHECK(cost.lines[0].item == "Purchase");
  CHECK(cost.lines[1].item == "Electricity");
  CHECK(cost.lines[2].item == "Support and repair");
  CHECK(cost.capital_lines == 1);
  CHECK(cost.total_by_year.size() == 3);
}

TEST_CASE("Lines sum to the totals of every year and to the total, whatever is charged") {
  Scenario scenario = lab();
  EconomicsSpec& e = scenario.economics;
  e.years = 5;
  e.academic_discount = 0.0713;
  e.delivery = usd(1234.56);
  e.installation = 0.0333;
  e.storage = usd(9999.99);
  e.tax = 0.077;
  e.contingency = 0.0499;
  e.staff = StaffSpec{0.25, usd(87654.32)};
  e.colocation_per_kw_month = usd(163.44);
  e.support = 0.061;
  e.depreciation = DepreciationSpec{7.0, 0.1, {}};
  const CostTable cost = cost_of(scenario);
  REQUIRE(cost.total_by_year.size() == 5);
  CHECK(cost.capital_lines == 7);
  Money all;
  for (std::size_t year = 0; year < 5; ++year) {
    Money sum;
    for (const CostLine& one : cost.lines) {
      CHECK(one.by_year.at(year).count() % 10'000 == 0);  // whole cents
      sum += one.by_year.at(year);
    }
    CHECK(sum == cost.total_by_year[year]);
    all += sum;
  }
  CHECK(all == cost.total);
  Money capital;
  for (std::size_t i = 0; i < cost.capital_lines; ++i) capital += cost.lines[i].by_year[0];
  CHECK(capital == purchase_money(scenario, bill_of_materials(scenario)));
}

TEST_CASE("Staff costs its share of a salary, colocation the power of all nodes at load") {
  Scenario scenario = lab();
  scenario.economics.staff = StaffSpec{0.25, usd(90000L)};
  scenario.economics.colocation_per_kw_month = usd(163.44);
  const CostTable cost = cost_of(scenario);
  // 0.25 x 90,000 = 22,500 a year
  REQUIRE(line(cost, "Staff") != nullptr);
  CHECK(line(cost, "Staff")->by_year[2] == usd(22500L));
  // 13 x (8 x 320 + 550) + 3 x (8 x 350 + 550) = 13 x 3,110 + 3 x 3,350 = 50,480 W;
  // 50.48 kW x 163.44 x 12 = 99,005.41
  REQUIRE(line(cost, "Colocation") != nullptr);
  CHECK(line(cost, "Colocation")->by_year[0] == usd(99005.41));
}

TEST_CASE("Support is the catalogue's estimate until the scenario says its own") {
  Scenario scenario = lab();
  CHECK(line(cost_of(scenario), "Support and repair")->estimate);
  scenario.economics.support = 0.02;
  const CostTable cost = cost_of(scenario);
  CHECK_FALSE(line(cost, "Support and repair")->estimate);
  // 2 % x (13 x 16,062 + 3 x 26,062) = 2 % x 286,992 = 5,739.84
  CHECK(line(cost, "Support and repair")->by_year[0] == usd(5739.84));
}

TEST_CASE("Books go down in a straight line to the salvage value, and a sale brings that or what is listed") {
  const DepreciationSpec straight{5.0, 0.1, {}};
  // max(0.1, 1 - 0.9 x year / 5): 0.82, 0.64, 0.46, 0.28, 0.1, 0.1
  CHECK_THAT(book_share(straight, 1), Catch::WithinAbs(0.82, 1e-12));
  CHECK_THAT(book_share(straight, 3), Catch::WithinAbs(0.46, 1e-12));
  CHECK_THAT(book_share(straight, 6), Catch::WithinAbs(0.10, 1e-12));
  const DepreciationSpec listed{0.0, 0.0, {0.6, 0.4, 0.25}};
  CHECK_THAT(resale_share(listed, 3), Catch::WithinAbs(0.25, 1e-12));

  Scenario scenario = lab();
  scenario.economics.academic_discount = 0.10;
  scenario.economics.depreciation = listed;
  const CostTable cost = cost_of(scenario);
  const CostLine* resale = line(cost, "Resale");
  REQUIRE(resale != nullptr);
  // 25 % of the nodes less 10 %, in the last year, as income; no tax comes back.
  const double nodes = to_usd(bill_of_materials(scenario).node_money);
  CHECK(resale->by_year[0] == Money{});
  CHECK_THAT(to_usd(resale->by_year[2]), Catch::WithinAbs(-0.25 * 0.9 * nodes, 0.01));
}

TEST_CASE("The present cost counts a purchase in full and what year y costs over (1 + r)^y") {
  EconomicsSpec e;
  CostTable cost;
  cost.lines = {{"Purchase", {usd(1000L), Money{}}, "", false},
                {"Electricity", {usd(110L), usd(121L)}, "", false}};
  cost.total_by_year = {usd(1110L), usd(121L)};
  CHECK(present_cost(e, cost) == usd(1231L));
  e.discount_rate = 0.10;
  // 1,000 + 110/1.1 + 121/1.21 = 1,000 + 100 + 100
  CHECK(present_cost(e, cost) == usd(1200L));
}

TEST_CASE("Nodes that are delivered later are paid when they arrive, and charges go with them") {
  Scenario scenario = lab();
  scenario.economics.tax = 0.19;
  scenario.availability.deliveries = {{1, 2, 400 * kDay}, {0, 3, 5000 * kDay}};
  const Bill bill = bill_of_materials(scenario);
  const CostTable cost = cost_of(scenario);
  const Money late = node_price(scenario, PoolId{1}) * 2, last = node_price(scenario, PoolId{0}) * 3;
  CHECK(cost.lines[0].by_year == std::vector<Money>{bill.total - late - last, late, last});
  REQUIRE(cost.lines[1].item == "Tax");
  // 19 % of what each year pays, to a cent of rounding, and all of it together exactly.
  Money tax;
  for (std::size_t y = 0; y < 3; ++y) {
    CHECK_THAT(to_usd(cost.lines[1].by_year[y]),
               Catch::WithinAbs(0.19 * to_usd(cost.lines[0].by_year[y]), 0.011));
    tax += cost.lines[1].by_year[y];
  }
  CHECK(bill.total + tax == purchase_money(scenario, bill));
  CHECK(running_by_year(cost)[1] == cost.lines[2].by_year[1] + cost.lines[3].by_year[1]);
}

TEST_CASE("A year that costs more than its cap is told with the difference") {
  EconomicsSpec e;
  CostTable cost;
  cost.total_by_year = {usd(1110L), usd(121L), usd(121L)};
  CHECK(broken_caps(e, cost).empty());
  e.budget_by_year = {usd(1110L), usd(100L)};
  const std::vector<std::string> told = broken_caps(e, cost);
  REQUIRE(told.size() == 1);
  CHECK(told[0] == "year 2 costs 121 USD, which is 21 USD more than its cap of 100 USD");
}
