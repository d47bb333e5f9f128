// A budget and everything that is charged on a bill.
#include <rapidcheck.h>

#include "sim/economics/charges.hpp"
#include "sim/economics/economics.hpp"
#include "sim/economics/fleet_cost.hpp"
#include "tests/catch.hpp"
#include "tests/unit/economics/fixture.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;

namespace {

double up_to(int thousandths) {
  return *rc::gen::inRange(0, thousandths) / 1000.0;
}

EconomicsSpec any_economics() {
  EconomicsSpec e;
  e.academic_discount = up_to(500);
  e.delivery = Money{*rc::gen::inRange<std::int64_t>(0, 500'000) * 10'000};
  e.installation = up_to(200);
  e.storage = Money{*rc::gen::inRange<std::int64_t>(0, 2'000'000) * 10'000};
  e.tax = up_to(300);
  e.contingency = up_to(200);
  return e;
}

Scenario any_lab() {
  Scenario scenario = lab();
  scenario.economics = any_economics();
  scenario.budget = usd(static_cast<std::int64_t>(*rc::gen::inRange(60000, 400000)));
  const double share = up_to(1001);
  scenario.request.share = {1.0 - share, share};
  scenario.prices.given = {
      {"rack kit", sourced(usd(static_cast<std::int64_t>(*rc::gen::inRange(0, 900)))), 2}};
  return scenario;
}

Scenario with(Scenario scenario, const std::vector<int>& counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) scenario.pools[i].count = counts[i];
  return scenario;
}

}  // namespace

TEST_CASE("the fleet that a budget resolves to is paid by it with everything that is charged") {
  CHECK(rc::check([] {
    const Scenario scenario = any_lab();
    const Resolved resolved = resolve(scenario);
    RC_PRE(resolved.problems.empty());
    const Scenario bought = with(scenario, resolved.counts);
    const Money purchase = purchase_money(bought, bill_of_materials(bought));
    RC_ASSERT(purchase <= scenario.budget);
    RC_ASSERT(resolved.unspent == scenario.budget - purchase);
    for (std::size_t i = 0; i < resolved.counts.size(); ++i) {
      std::vector<int> more = resolved.counts;
      ++more[i];
      const Scenario larger = with(scenario, more);
      RC_ASSERT(purchase_money(larger, bill_of_materials(larger)) > scenario.budget);
    }
  }));
}

TEST_CASE("every maximal fleet is paid by the budget with its charges, and one node more is not") {
  CHECK(rc::check([] {
    const Scenario scenario = any_lab();
    for (const std::vector<int>& counts : maximal_fleets(scenario)) {
      const Scenario bought = with(scenario, counts);
      RC_ASSERT(purchase_money(bought, bill_of_materials(bought)) <= scenario.budget);
      const Scenario larger = with(scenario, {counts[0] + 1, counts[1]});
      RC_ASSERT(purchase_money(larger, bill_of_materials(larger)) > scenario.budget);
    }
  }));
}

TEST_CASE("the largest bill of a budget is exact to the cent") {
  CHECK(rc::check([] {
    const EconomicsSpec e = any_economics();
    const Money budget{*rc::gen::inRange<std::int64_t>(1, 40'000'000) * 10'000};
    const Money most = bill_within(e, budget);
    RC_ASSERT(most == Money{} || purchase_of(e, most) <= budget);
    // Two cents: of one cent a discount of up to a half may round to nothing.
    RC_ASSERT(purchase_of(e, most + Money{20'000}) > budget);
  }));
}
