// Owning against renting, by numbers that can be worked out by hand.
#include "sim/economics/own_or_rent.hpp"

#include "tests/catch.hpp"
#include "tests/unit/economics/fixture.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;

namespace {

/// The guide's desktop: 2200 USD, 100 W and one GPU of 350 W, off while nobody uses it, in an office.
Scenario desktop() {
  NodeType node = rtx3090_water();
  node.gpus = 1;
  node.base_power_load = node.base_power_idle = sourced(Watts{100.0});
  node.price_parts = {{"desktop", 1, sourced(usd(2200L))}};
  Scenario s = lab();
  s.budget = {};
  s.pools = {{"desktop", node, 1}};
  s.pools[0].off_when_idle = true;
  s.request = {};
  s.request.counts = {1};
  s.fabric.shape = FabricShape::none;
  s.site.facility.room = RoomKind::office;
  s.site.pue = 1.0;
  s.site.electricity = MoneyPerEnergy{120'000};
  s.economics.support = 0.0;
  RentSpec rent;
  rent.title = "V100";
  rent.rate = sourced(usd(2.14));
  rent.terms = RentTerms::spot;
  s.economics.rent = rent;
  return s;
}

}  // namespace

TEST_CASE(
    "The guide's desktop: 591 kWh and 71 USD a year, 2311 USD of rent in 300 days, even after 293 days") {
  const OwnOrRent r = own_or_rent(desktop(), 0.15);
  CHECK(r.capex == usd(2200L));
  // (350 + 100) W x 0.15 x 8760 h
  CHECK(r.kwh_year == Approx(591.3));
  CHECK(r.electricity_year == usd(70.96));
  CHECK(r.opex_year == usd(70.96));
  // 2.14 USD x 0.15 x 24 h x 300
  CHECK(r.rent_300_days == usd(2311.2));
  CHECK(r.rent_day == usd(7.704));
  // 2200 / (7.704 - 70.96 / 365)
  REQUIRE(r.break_even_days);
  CHECK(*r.break_even_days == Approx(2200.0 / (7.704 - 70.96 / 365)));
  CHECK(*r.break_even_days == Approx(293.0).margin(1.0));
  CHECK(r.horizon_years == 3);
  CHECK(r.own_horizon == usd(2200L) + usd(70.96) * 3);
  CHECK(r.rent_horizon == usd(7.704 * 1095));
}

TEST_CASE("The use from which owning pays: purchase a day over rent less electricity of a day of full use") {
  const OwnOrRent r = own_or_rent(desktop(), 0.15);
  REQUIRE(r.break_even_use.size() == 2);
  // C / T / (24 h x 2.14 USD - 24 h x 0.45 kW x 0.12 USD); electricity is rounded to the cent a year
  const double a_day = 24 * 2.14 - 24 * 0.45 * 0.12;
  CHECK(r.break_even_use[0].days == 365);
  CHECK(*r.break_even_use[0].utilisation == Approx(2200.0 / 365 / a_day).epsilon(1e-4));
  CHECK(r.break_even_use[1].days == 1095);
  CHECK(*r.break_even_use[1].utilisation == Approx(2200.0 / 1095 / a_day).epsilon(1e-4));
}

TEST_CASE(
    "Nodes that arrive later are bought before the first hour, as the rest: when they come is no part of "
    "it") {
  Scenario at_once = desktop();
  at_once.pools[0].count = 2;
  at_once.request.counts = {2};
  Scenario later = at_once;
  later.availability.deliveries = {{0, 1, 60 * kWeek}};
  const OwnOrRent r = own_or_rent(later, 0.15), same = own_or_rent(at_once, 0.15);
  CHECK(r.capex == usd(4400L));
  CHECK(r.opex_year == usd(141.91));  // 2 x 591.3 kWh x 0.12 USD
  CHECK(r.own_horizon == same.own_horizon);
  REQUIRE(r.break_even_days);
  CHECK(*r.break_even_days == *same.break_even_days);
}

TEST_CASE("A node that idles costs its idle power, so the break-even comes later") {
  Scenario s = desktop();
  const double off = *own_or_rent(s, 0.15).break_even_days;
  s.pools[0].off_when_idle = false;
  const OwnOrRent idles = own_or_rent(s, 0.15);
  // 128 W + 0.15 x (450 - 128) W
  CHECK(idles.kwh_year == Approx((128.0 + 0.15 * 322.0) * 8.76));
  CHECK(*idles.break_even_days > off);
}

TEST_CASE("Reserved is paid for whether used or not, in whole GPUs; its use decides nothing") {
  Scenario s = desktop();
  s.economics.rent->terms = RentTerms::reserved;
  const OwnOrRent r = own_or_rent(s, 0.15);
  CHECK(r.rent_day == usd(24 * 2.14));
  CHECK_FALSE(r.break_even_use[0].utilisation);
  CHECK(r.break_even_use[0].reason.find("reserved") != std::string::npos);
  // 8 GPUs' work on GPUs 1.5 times as fast: 5.33 of them, so 6
  CHECK(rent_usd_a_day(RentSpec{"", "", "", sourced(usd(1L)), false, RentTerms::reserved, 1.5, {}, {}}, 8,
                       0.1) == Approx(6 * 24.0));
  CHECK(rent_usd_a_day(RentSpec{"", "", "", sourced(usd(1L)), false, RentTerms::reserved, 2.0, {}, {}}, 8,
                       0.1) == Approx(4 * 24.0));
}

TEST_CASE("Interruptions are paid hours without work: two a day that lose an hour each cost 24/22") {
  Scenario s = desktop();
  s.economics.rent->interruptions = PerSecond{2.0 / 86400.0};
  s.economics.rent->lost = kHour;
  CHECK(own_or_rent(s, 0.15).extra_hours == Approx(24.0 / 22.0));
  CHECK(own_or_rent(s, 0.15).rent_day == usd(7.704 * 24.0 / 22.0));
  // on demand nothing is taken away
  s.economics.rent->terms = RentTerms::on_demand;
  CHECK(own_or_rent(s, 0.15).rent_day == usd(7.704));
}

TEST_CASE("A rented GPU that is twice as fast needs half the hours") {
  Scenario s = desktop();
  s.economics.rent->speed = 2.0;
  CHECK(own_or_rent(s, 0.15).rent_day == usd(7.704 / 2));
}

TEST_CASE("Where renting is always cheaper there is no break-even, and a sentence says so") {
  Scenario s = desktop();
  s.economics.rent->rate = sourced(usd(0.05));
  const OwnOrRent r = own_or_rent(s, 0.15);
  CHECK_FALSE(r.break_even_days);
  CHECK(r.break_even_reason.find("at this use renting stays cheaper") != std::string::npos);
  CHECK_FALSE(r.break_even_use[0].utilisation);
}

TEST_CASE("Without anything bought, without rent, or without a price there is no answer, but a reason") {
  Scenario s = desktop();
  CHECK(no_own_or_rent(s).empty());
  s.pools[0].existing = true;
  CHECK(no_own_or_rent(s).find("no node that is bought") != std::string::npos);
  s = desktop();
  s.economics.rent.reset();
  CHECK(no_own_or_rent(s).find("economics: {rent:") != std::string::npos);
  s = desktop();
  s.pools[0].node.price_parts[0].unit_price.value = {};
  CHECK(no_own_or_rent(s).find("has no price") != std::string::npos);
}

TEST_CASE("Nodes that are there already count on neither side") {
  Scenario s = desktop();
  const OwnOrRent alone = own_or_rent(s, 0.15);
  s.pools.push_back({"existing", rtx3080(), 2});
  s.pools.back().existing = true;
  const OwnOrRent beside = own_or_rent(s, 0.15);
  CHECK(beside.gpus == alone.gpus);
  CHECK(beside.capex == alone.capex);
  CHECK(beside.kwh_year == alone.kwh_year);
  CHECK(beside.break_even_days == alone.break_even_days);
}
