// What must hold of owning and renting for every rate, use and fleet.
#include <rapidcheck.h>

#include <cmath>

#include "sim/economics/own_or_rent.hpp"
#include "tests/catch.hpp"
#include "tests/unit/economics/fixture.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;

namespace {

Scenario any_rented_lab() {
  Scenario s = with_counts(lab(), {*rc::gen::inRange(0, 10), *rc::gen::inRange(1, 5)});
  s.pools[0].off_when_idle = *rc::gen::arbitrary<bool>();
  s.site.pue = *rc::gen::inRange(10, 20) / 10.0;
  s.economics.support = *rc::gen::inRange(0, 10) / 100.0;
  RentSpec rent;
  rent.rate = sourced(Money{*rc::gen::inRange(100'000, 5'000'000)});
  rent.terms = *rc::gen::element(RentTerms::on_demand, RentTerms::reserved, RentTerms::spot);
  rent.speed = *rc::gen::inRange(5, 30) / 10.0;
  rent.interruptions = PerSecond{*rc::gen::inRange(0, 20) / 86400.0};
  rent.lost = kHour / 2;
  s.economics.rent = rent;
  return s;
}

}  // namespace

TEST_CASE("on the break-even day both have cost the same: C + r d = R d") {
  CHECK(rc::check([] {
    const Scenario s = any_rented_lab();
    const double use = *rc::gen::inRange(1, 101) / 100.0;
    const OwnOrRent r = own_or_rent(s, use);
    const double rent = rent_usd_a_day(r.rent, r.gpus, use), run = to_usd(r.opex_year) / 365;
    if (!r.break_even_days) {
      RC_ASSERT(rent <= run);
      RC_ASSERT(!r.break_even_reason.empty());
      return;
    }
    const double own = to_usd(r.capex) + run * *r.break_even_days;
    RC_ASSERT(std::abs(own - rent * *r.break_even_days) < 1e-9 * own);
  }));
}

TEST_CASE("the dearer the rent, the earlier owning pays") {
  CHECK(rc::check([] {
    Scenario s = any_rented_lab();
    const double use = *rc::gen::inRange(1, 101) / 100.0;
    const auto before = own_or_rent(s, use).break_even_days;
    s.economics.rent->rate.value += Money{*rc::gen::inRange(1, 3'000'000)};
    const auto after = own_or_rent(s, use).break_even_days;
    RC_ASSERT(!before || (after && *after < *before));
  }));
}

TEST_CASE("at the break-even use owning and renting cost the same over the days") {
  CHECK(rc::check([] {
    const Scenario s = any_rented_lab();
    for (const BreakEvenUse& even : own_or_rent(s, 0.5).break_even_use) {
      if (!even.utilisation) {
        RC_ASSERT(!even.reason.empty());
        continue;
      }
      const OwnOrRent there = own_or_rent(s, *even.utilisation);
      const double own = to_usd(there.capex) + to_usd(there.opex_year) / 365 * even.days;
      const double rent = rent_usd_a_day(there.rent, there.gpus, *even.utilisation) * even.days;
      RC_ASSERT(std::abs(own - rent) < 0.1);  // lines of the cost table are rounded to cents
    }
  }));
}

TEST_CASE("nodes that are there already never change what a fleet costs to buy, and are in every fleet") {
  CHECK(rc::check([] {
    Scenario s = lab();
    s.budget = usd(static_cast<std::int64_t>(*rc::gen::inRange(40'000, 120'000)));
    s.fabric.shape = *rc::gen::element(FabricShape::none, FabricShape::leaf_spine);
    s.site.rack.provided = *rc::gen::arbitrary<bool>();
    const auto alone = maximal_fleets(s);
    const int owned = *rc::gen::inRange(1, 4);
    s.pools.push_back({"existing", rtx3080(), owned});
    s.pools.back().existing = true;
    const auto beside = maximal_fleets(s);
    RC_ASSERT(alone.size() == beside.size());
    for (std::size_t i = 0; i < alone.size(); ++i) {
      std::vector<int> counts = alone[i];
      Scenario without = with_counts(lab(), counts);
      without.fabric = s.fabric;
      without.site = s.site;
      counts.push_back(owned);
      RC_ASSERT(beside[i] == counts);
      Scenario with = s;
      for (std::size_t p = 0; p < counts.size(); ++p) with.pools[p].count = counts[p];
      const Bill a = bill_of_materials(without), b = bill_of_materials(with);
      RC_ASSERT(a.total == b.total);
      RC_ASSERT(a.node_money == b.node_money);
    }
    s.request.share = {0.5, 0.5};
    RC_ASSERT(resolve(s).counts.back() == owned);
  }));
}
