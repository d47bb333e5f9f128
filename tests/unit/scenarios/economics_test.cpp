// The `economics` and `prices` sections: what they say, and every fault with its place.
#include <fstream>

#include "sim/economics/economics.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/unit/scenarios/edited.hpp"

using namespace fleetsim;
using namespace fleetsim::test;

namespace {

/// The lab with a section before its workload; a '@' marks the fault.
Marked with_section(const std::string& section) {
  return edited({{"workload:\n", section + "\nworkload:\n"}});
}

Outcome of_section(const std::string& section) {
  LoadOptions options;
  options.today = "2026-11-30";
  return load_text(with_section(section).text, options);
}

/// The only fault, its place, its message with the hint.
void check_economics_fault(const std::string& section, const std::string& message) {
  INFO(section);
  LoadOptions options;
  options.today = "2026-11-30";
  const Marked marked = with_section(section);
  const Outcome outcome = load_text(marked.text, options);
  CHECK_FALSE(outcome.loaded.has_value());
  REQUIRE(outcome.messages.size() == 1);
  CHECK(outcome.messages[0] == message);
  CHECK(outcome.places == marked.places);
}

const std::string kEuro = "economics: {exchange: {EUR: {rate: 1.18 USD, as_of: 2026-11-02, source: ECB}}}\n";

}  // namespace

TEST_CASE("A scenario without the sections keeps its canonical text") {
  const Outcome plain = load_text(lab_text());
  REQUIRE(plain.loaded);
  CHECK(plain.loaded->canonical.find("economics") == std::string::npos);
  CHECK(plain.loaded->canonical.find("prices") == std::string::npos);
}

TEST_CASE("The canonical text of economics and prices loads to itself") {
  const Outcome first = of_section(
      "economics:\n  years: 5\n  discount_rate: 4 %\n  tax: 19 %\n  academic_discount: 10 %\n  delivery: "
      "1200 EUR\n"
      "  installation: 3 %\n  storage: 20000 USD\n  contingency: 5 %\n  staff: {fte: 0.25, salary: 90000 "
      "USD}\n"
      "  colocation: {per_kw_month: 163.44 USD}\n  support: 6 %\n  utilisation: 70 %\n"
      "  depreciation: {life_years: 5, salvage: 10 %}\n"
      "  exchange: {EUR: {rate: 1.18 USD, as_of: 2026-11-02, source: ECB}}\n"
      "prices:\n  rtx3080: {value: 649 EUR, source: quote, as_of: 2026-11-02}\n"
      "  rack kit: {value: 99.5 USD, source: estimate, low: 90 USD, high: 120 USD, basis: guess, as_of: "
      "2026-11, "
      "quantity: 2}\n");
  REQUIRE(first.messages.empty());
  REQUIRE(first.loaded);
  const Outcome second = load_text(first.loaded->canonical);
  REQUIRE(second.loaded);
  CHECK(second.loaded->canonical == first.loaded->canonical);
  const Scenario& s = second.loaded->scenario;
  CHECK(s.economics.years == 5);
  CHECK(s.economics.delivery == usd(1416L));  // 1,200 x 1.18
  CHECK(s.economics.staff->salary == usd(90000L));
  CHECK(*s.economics.utilisation == 0.7);
  // 649 x 1.18 = 765.82
  CHECK(s.pools[0].node.gpu.price.value == usd(765.82));
  CHECK(s.pools[0].node.price_parts[0].unit_price.value == usd(765.82));
  REQUIRE(s.prices.given.size() == 2);
  CHECK(s.prices.given[1].quantity == 2);
}

TEST_CASE("Money may be written in a currency that has a rate, wherever money is written") {
  const Outcome outcome = load_text(edited({{"capital: 300000 USD", "capital: 254237.29 EUR"},
                                            {"electricity: 0.12 USD/kWh", "electricity: 0.30 EUR/kWh"},
                                            {"workload:\n", kEuro + "workload:\n"}})
                                        .text);
  REQUIRE(outcome.loaded);
  // 254,237.29 x 1.18 = 300,000.0022
  CHECK(outcome.loaded->scenario.budget == usd(300000.0022));
  CHECK(outcome.loaded->scenario.site.electricity == MoneyPerEnergy{354'000});
}

TEST_CASE("A missing exchange rate is a fault at the amount") {
  const Marked marked = edited({{"capital: 300000 USD", "capital: @250000 EUR"}});
  const Outcome outcome = load_text(marked.text);
  CHECK_FALSE(outcome.loaded);
  REQUIRE(outcome.messages.size() == 1);
  CHECK(
      outcome.messages[0] ==
      "there is no exchange rate for EUR (give economics: {exchange: {EUR: {rate: 1.18 USD, as_of: 2026-11, "
      "source: ...}}}, or write USD)");
  CHECK(outcome.places == marked.places);
}

TEST_CASE("Wrong money has a place and a hint: negative, future, above 1, 0, no currency") {
  check_economics_fault("prices: {rtx3080: {value: @-649 USD, source: quote, as_of: 2026-11-02}}",
                        "'value' must not be negative, but is -649 USD (at least 0 USD)");
  check_economics_fault("prices: {rtx3080: {value: @0 USD, source: quote, as_of: 2026-11-02}}",
                        "a price cannot be 0 USD (leave the price out where none is known)");
  check_economics_fault(
      "prices: {rtx3080: {value: 649 USD, source: quote, as_of: @2026-12-01}}",
      "'2026-12-01' lies in the future ('as_of' is when the source said so; today is 2026-11-30)");
  check_economics_fault("economics: {utilisation: @120 %}",
                        "'utilisation' must be at most 1, not 120 % (write e.g. '70 %')");
  check_economics_fault("economics: {tax: @-19 %}", "'tax' must not be negative, but is -19 % (at least 0)");
  check_economics_fault("economics: {exchange: {@Euro: {rate: 1.18 USD, as_of: 2026-11, source: ECB}}}",
                        "'Euro' is not a currency (three capital letters of ISO 4217, e.g. EUR)");
  check_economics_fault("prices: {@rtx3081: {value: 649 USD, source: quote, as_of: 2026-11-02}}",
                        "'rtx3081' is no price of the catalogue (did you mean 'rtx3080'?)");
  check_economics_fault(
      "prices: {rtx3080: @649 USD}",
      "'rtx3080' needs a source and a date (write {value: ..., source: ..., as_of: YYYY-MM-DD})");
  check_economics_fault(
      "economics: {@depreciation: {salvage: 10 %}}",
      "'depreciation' has neither 'life_years' nor 'resale_by_year' (write e.g. life_years: 5)");
}

TEST_CASE("A budget of 0 is a fault at its amount") {
  const Marked marked = edited({{"capital: 300000 USD", "capital: @0 USD"}});
  const Outcome outcome = load_text(marked.text);
  REQUIRE(outcome.messages.size() == 1);
  CHECK(outcome.messages[0] == "'capital' must be more than 0 USD, not 0 USD (write e.g. '300000 USD')");
  CHECK(outcome.places == marked.places);
}

TEST_CASE("More caps than years are a fault") {
  const Marked marked = edited(
      {{"{capital: 300000 USD}", "{capital: 300000 USD, @by_year: [300000 USD, 1 USD, 1 USD, 1 USD]}"}});
  const Outcome outcome = load_text(marked.text);
  REQUIRE(outcome.messages.size() == 1);
  CHECK(outcome.places == marked.places);
}

TEST_CASE("A given price changes what the fleet costs, and one that nothing is bought at is told") {
  // 8 cards at 100 USD less: 13 nodes would cost 16,062 - 800 each.
  const Outcome cheaper = of_section("prices: {rtx3080: {value: 599 USD, source: quote, as_of: 2026-11-02}}");
  REQUIRE(cheaper.loaded);
  CHECK(node_price(cheaper.loaded->scenario, PoolId{0}) ==
        node_price(load_text(lab_text()).loaded->scenario, PoolId{0}) - usd(800L));
  const Outcome whole = of_section(
      "prices: {supermicro-8x-rtx3080: {value: 12000 USD, source: quote, as_of: 2026-11-02},\n"
      "         infiniband-edr adapter: {value: 500 USD, source: quote, as_of: 2026-11-02}}");
  REQUIRE(whole.loaded);
  CHECK(node_price(whole.loaded->scenario, PoolId{0}) == usd(12500L));
  const Outcome unused =
      of_section("prices: {rtx2080ti: {value: 599 USD, source: quote, as_of: 2026-11-02}}");
  REQUIRE(unused.loaded);
  REQUIRE(unused.messages.size() == 1);
  CHECK(unused.messages[0] ==
        "nothing of this scenario is bought at the price of 'rtx2080ti' (it changes nothing here)");
}

TEST_CASE("Prices of a file are those of the scenario, and its faults have its own place and line") {
  const TemporaryFolder folder;
  const auto load = [&](const std::string& prices) {
    std::ofstream(folder.path / "p.yaml") << prices;
    Diagnostics diagnostics;
    LoadOptions options;
    options.today = "2026-11-30";
    auto loaded = load_scenario_text((folder.path / "x.yaml").string(),
                                     with_section("prices: {file: p.yaml}").text, options, diagnostics);
    return std::pair{std::move(loaded), diagnostics.sorted()};
  };
  const auto [good, nothing] = load("rtx3080:\n  value: 599 USD\n  source: quote\n  as_of: 2026-11-02\n");
  REQUIRE(good);
  CHECK(nothing.empty());
  CHECK(good->scenario.pools[0].node.gpu.price.value == usd(599L));
  CHECK(good->canonical.find("p.yaml") == std::string::npos);  // the prices themselves are the scenario

  const auto [bad, told] = load("rtx3080:\n  value: 599 USD\n  source: quote\n  as_of: 2027-11-02\n");
  CHECK_FALSE(bad);
  REQUIRE(told.size() == 1);
  CHECK(told[0].pos.file == (folder.path / "p.yaml").string());
  CHECK(told[0].pos.line == 4);
  CHECK(told[0].pos.column == 10);
  CHECK(told[0].line == "  as_of: 2027-11-02");
}
