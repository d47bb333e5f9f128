// A vendor's quote: what becomes a price, and what is refused at its cell.
#include "scenarios/import/quote.hpp"
#include "scenarios/import/amount.hpp"
#include "tests/catch.hpp"
#include "tests/unit/scenarios/edited.hpp"

using namespace fleetsim;
using namespace fleetsim::test;

namespace {

const std::string kHeader = "item,quantity,unit_price,currency,date\n";

QuoteOptions options() {
  return {"", {{"EUR", usd(1.18)}}, "2026-11-30"};
}

struct QuoteRead {
  Quote quote;
  std::vector<Diagnostic> told;
};

QuoteRead read_quote_text(const std::string& text, const QuoteOptions& with = options()) {
  Diagnostics diagnostics;
  Quote quote = read_quote("q.csv", text, Catalog::builtin(), with, diagnostics);
  return {std::move(quote), diagnostics.sorted()};
}

/// One fault, at the '@'.
void check_quote_fault(const std::string& text, const std::string& message,
                       const QuoteOptions& with = options()) {
  INFO(text);
  const Marked marked = test::marked(text);
  const QuoteRead result = read_quote_text(marked.text, with);
  REQUIRE(result.told.size() == 1);
  CHECK(result.told[0].message == message);
  CHECK_FALSE(result.told[0].hint.empty());
  CHECK(std::to_string(result.told[0].pos.line) + ":" + std::to_string(result.told[0].pos.column) ==
        marked.places.at(0));
}

Money amount(const std::string& text, Decimals decimals) {
  const Parsed<Money> parsed = parse_amount(text, decimals);
  const Money* money = std::get_if<Money>(&parsed);
  return money == nullptr ? Money{-1} : *money;
}

}  // namespace

TEST_CASE("Names and titles of the catalogue are known, anything else is a line of its own") {
  const QuoteRead result = read_quote_text(kHeader +
                                           "RTX 3080 10 GB,96,649,USD,2026-11-02\n"
                                           "\"Rack kit, with rails\",2,99.50,USD,2026-11-02\n"
                                           "infiniband-edr switch,1,7000,EUR,2026-11-02\n");
  REQUIRE(result.told.empty());
  REQUIRE(result.quote.lines.size() == 3);
  CHECK(result.quote.lines[0].item == "rtx3080");
  CHECK(result.quote.lines[0].known);
  CHECK_FALSE(result.quote.lines[1].known);
  CHECK(result.quote.lines[1].quantity == 2);
  // 7,000 x 1.18 = 8,260
  CHECK(result.quote.lines[2].unit_price == usd(8260L));
  const std::string yaml = quote_yaml(result.quote, "q.csv");
  CHECK(yaml.find("rtx3080:\n  value: 649 USD\n  source: \"q.csv, line 2\"\n  as_of: 2026-11-02\n") !=
        std::string::npos);
  CHECK(yaml.find("\"Rack kit, with rails\":\n  value: 99.5 USD\n") != std::string::npos);
  CHECK(yaml.find("  quantity: 2\n") != std::string::npos);
  CHECK(yaml.find("7,000 EUR at 1.18 USD") != std::string::npos);
}

TEST_CASE("A quote with semicolons has decimal commas, and its fields may be quoted") {
  const QuoteRead result = read_quote_text(
      "Item;Quantity;Unit price;Currency;Date;Total\n"
      "rtx3080;2;\"1.649,50\";EUR;2026-11-02;3.299,00\n");
  REQUIRE(result.told.empty());
  // 1,649.50 x 1.18 = 1,946.41
  CHECK(result.quote.lines.at(0).unit_price == usd(1946.41));
}

TEST_CASE("Amounts are read as their country writes them, and refused where two would differ") {
  CHECK(amount("1234.50", Decimals::point) == usd(1234.50));
  CHECK(amount("1,234.50", Decimals::point) == usd(1234.50));
  CHECK(amount("1,234,567", Decimals::point) == usd(1234567L));
  CHECK(amount("1234,50", Decimals::comma) == usd(1234.50));
  CHECK(amount("1.234,50", Decimals::comma) == usd(1234.50));
  CHECK(amount("649.00", Decimals::comma) == usd(649L));
  CHECK(amount("1,234", Decimals::point) == Money{-1});
  CHECK(amount("1.234", Decimals::comma) == Money{-1});
  CHECK(amount("12,34.50", Decimals::point) == Money{-1});
  CHECK(amount("", Decimals::point) == Money{-1});
  CHECK(amount("6x9", Decimals::point) == Money{-1});
}

TEST_CASE("What is wrong in a quote is told at its cell") {
  check_quote_fault(kHeader + "rtx3080,1,@-649,USD,2026-11-02\n",
                    "the unit price must not be negative, but is -649");
  check_quote_fault(kHeader + "rtx3080,1,@0,USD,2026-11-02\n", "a price cannot be 0");
  check_quote_fault(kHeader + "rtx3080,1,@abc,USD,2026-11-02\n", "'abc' is not an amount");
  check_quote_fault(kHeader + "rtx3080,1,@0.125,USD,2026-11-02\n",
                    "the unit price has more than two decimals");
  check_quote_fault(kHeader + "rtx3080,@1.5,649,USD,2026-11-02\n", "'1.5' is not a number of pieces");
  check_quote_fault(kHeader + "rtx3080,1,649,@Euro,2026-11-02\n", "'Euro' is not a currency");
  check_quote_fault(kHeader + "rtx3080,1,649,@CHF,2026-11-02\n", "there is no exchange rate for CHF");
  check_quote_fault(kHeader + "rtx3080,1,649,USD,@2026-12-02\n", "'2026-12-02' lies in the future");
  check_quote_fault(kHeader + "rtx3080,1,649,USD,@2.11.2026\n", "'2.11.2026' is not a date");
  check_quote_fault(kHeader + "rtx3080,1,649,USD,2026-11-02\n@RTX 3080 10 GB,1,649,USD,2026-11-02\n",
                    "'rtx3080' is quoted twice, in lines 2 and 3");
  check_quote_fault("item,quantity,unit_price,currency,date,total\nrtx3080,3,649,USD,2026-11-02,@1948\n",
                    "the total is not 3 x the unit price, which is 1,947");
  check_quote_fault("@item,quantity,currency,date\nrtx3080,1,USD,2026-11-02\n",
                    "the header has no column 'unit_price'");
}

TEST_CASE("A cell that a spreadsheet would run is refused, whatever its column") {
  check_quote_fault(kHeader + "@=1+1,1,649,USD,2026-11-02\n",
                    "the cell begins with '=': a spreadsheet runs it as a formula");
  check_quote_fault(kHeader + "rtx3080,1,@+649,USD,2026-11-02\n",
                    "the cell begins with '+': a spreadsheet runs it as a formula");
  check_quote_fault(kHeader + "@-cmd|x,1,649,USD,2026-11-02\n",
                    "the cell begins with '-': a spreadsheet runs it as a formula");
  const QuoteRead result = read_quote_text(kHeader + "rtx3080,1,649,USD,@SUM(A1)\n");
  REQUIRE(result.told.size() == 1);
  CHECK(result.told[0].message == "the cell begins with '@': a spreadsheet runs it as a formula");
}

TEST_CASE("One currency may be demanded, and then needs no column") {
  QuoteOptions euro = options();
  euro.currency = "EUR";
  check_quote_fault(kHeader + "rtx3080,1,649,@USD,2026-11-02\n",
                    "the line is in USD, but --currency says EUR", euro);
  const QuoteRead result = read_quote_text("item,quantity,unit_price,date\nrtx3080,1,100,2026-11-02\n", euro);
  REQUIRE(result.told.empty());
  CHECK(result.quote.lines.at(0).unit_price == usd(118L));
}
