// Rent of GPUs for jobs that burst, as a line of the cost table.
#include "sim/economics/economics.hpp"
#include "tests/catch.hpp"
#include "tests/unit/economics/fixture.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;

namespace {

Scenario bursting_lab() {
  Scenario s = lab();
  BurstSpec burst;
  burst.above_wait = 4 * kHour;
  burst.node = rtx3080();
  burst.rate = sourced(usd(2.14));
  s.scheduler.burst = burst;
  return s;
}

const CostLine* rent_of(const CostTable& table) {
  for (const CostLine& line : table.lines)
    if (line.item == kBurstItem) return &line;
  return nullptr;
}

}  // namespace

TEST_CASE(
    "Rent of bursted jobs: GPU-hours a year x rate, every year, to the cent, in total and present cost") {
  const Scenario s = bursting_lab();
  const Bill bill = bill_of_materials(s);
  const CostTable without = cost_by_year(s, bill, Watts{1000.0});
  const CostTable with = cost_by_year(s, bill, {Watts{1000.0}, 1000.502});
  CHECK(rent_of(without) == nullptr);
  const CostLine* line = rent_of(with);
  REQUIRE(line != nullptr);
  // 1000.502 h x 2.14 USD = 2141.07428 USD
  CHECK(line->by_year == std::vector<Money>(3, usd(2141.07)));
  CHECK(with.total == without.total + usd(3 * 2141.07));
  CHECK(with.capital_lines == without.capital_lines);
  CHECK(line->basis.starts_with("1000.502 GPU-hours a year, as simulated, x 2.14 USD on-demand"));
}

TEST_CASE("Hours of a year from those of the window: x 8760 h / window") {
  Scenario s = bursting_lab();
  s.time.measure = 2 * kWeek;
  // 21 GPU-hours in 336 h
  CHECK(burst_hours_a_year(s, 21.0) == Approx(21.0 * 8760.0 / 336.0));
  CHECK(burst_hours_a_year(s, std::numeric_limits<double>::quiet_NaN()) == 0.0);
}

TEST_CASE("Without burst no hours are charged") {
  const Scenario s = lab();
  CHECK(rent_of(cost_by_year(s, bill_of_materials(s), {Watts{}, 1000.0})) == nullptr);
}
