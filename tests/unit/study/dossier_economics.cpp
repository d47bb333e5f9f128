// The economics part of a dossier: written when asked for, read back as it was.
#include "sim/study/dossier.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

TEST_CASE("What the economics section adds survives JSON, and a dossier without it has no such key") {
  Dossier dossier;
  dossier.kind = "run";
  dossier.bill.total = usd(1000L);
  CHECK(to_json(dossier).find("\"economics\"") == std::string::npos);
  const Dossier plain = dossier_from_json(to_json(dossier));
  CHECK_FALSE(plain.economics.asked);
  CHECK(plain.economics.purchase == usd(1000L));
  CHECK(plain.cost.capital_lines == 1);

  EconomicsInfo& e = dossier.economics;
  e.asked = true;
  e.charges = {{"Tax", usd(190.05), "19 % of it"}};
  e.purchase = usd(1190.05);
  e.discount_rate = 0.04;
  e.present_cost = usd(1500.99);
  e.book_value_by_year = {usd(800L), usd(600L)};
  e.cash_flow = {{usd(1300L), usd(1400L)}, {usd(100L), std::nullopt}};
  e.broken_caps = {"year 1 costs too much"};
  e.exchange = {{"EUR", usd(1.18), "2026-11-02", "ECB"}};
  e.cost_per_result = usd(12.34);
  dossier.cost.capital_lines = 2;
  const std::string text = to_json(dossier);
  const Dossier back = dossier_from_json(text);
  CHECK(to_json(back) == text);
  CHECK(back.cost.capital_lines == 2);
  REQUIRE(back.economics.cash_flow.size() == 2);
  CHECK(back.economics.cash_flow[0].cap == usd(1400L));
  CHECK_FALSE(back.economics.cash_flow[1].cap.has_value());
  CHECK(back.economics.exchange.at(0).rate == usd(1.18));
}
