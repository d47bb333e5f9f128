// Numbers as a reader sees them.
#include "reports/numbers.hpp"

#include <limits>

#include "reports/money.hpp"
#include "reports/pipeline.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

TEST_CASE("money is grouped, rounded to dollars and carries a real minus sign") {
  CHECK(dollars(usd(std::int64_t{258948})) == "$258,948");
  CHECK(dollars(usd(1234567.5)) == "$1,234,568");
  CHECK(dollars(usd(12746.5)) == "$12,747");  // halves away from zero
  CHECK(dollars(usd(-12.0)) == "\xE2\x88\x92$12");
  CHECK(dollars(usd(-0.2)) == "$0");
  CHECK(cents(usd(0.4349)) == "$0.43");
}

TEST_CASE("numbers without a value print a dash, never NaN") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  CHECK(grouped(nan) == kNone);
  CHECK(hours(inf) == kNone);
  CHECK(between(-inf, inf, hours) == kNone);
  CHECK(percent(nan) == kNone);
}

TEST_CASE("thirty hours are printed as hours, not as six") {
  CHECK(hours(30.0) == "30.0\xC2\xA0h");
  CHECK(hours(146.3) == "146\xC2\xA0h");
  CHECK(wait(30.0 * 3600.0) == "30\xC2\xA0h");
  CHECK(wait(0.0) == "0\xC2\xA0min");
  CHECK(wait(10.0) == "<1\xC2\xA0min");
  CHECK(wait(18.0 * 60.0) == "18\xC2\xA0min");
  CHECK(wait(1.75 * 3600.0) == "1.8\xC2\xA0h");
}

TEST_CASE("grouping puts commas at thousands only") {
  CHECK(grouped(999.0) == "999");
  CHECK(grouped(1000.0) == "1,000");
  CHECK(grouped(-1234567.89, 1) ==
        "\xE2\x88\x92"
        "1,234,567.9");
  CHECK(grouped(-0.0001, 1) == "0.0");
}

TEST_CASE("differences carry their sign") {
  CHECK(signed_percent(4.14) == "+4.1\xC2\xA0%");
  CHECK(signed_percent(-2.0) ==
        "\xE2\x88\x92"
        "2.0\xC2\xA0%");
  CHECK(signed_percent(0.01) == "0.0\xC2\xA0%");
}

TEST_CASE("B161: a cell of a chart's data cannot become a formula or a second cell") {
  CHECK(csv_cell("=cmd|x") == "'=cmd|x");
  CHECK(csv_cell("+1") == "'+1");
  CHECK(csv_cell("-1") == "'-1");
  CHECK(csv_cell("-") == "-");
  CHECK(csv_cell("@x") == "'@x");
  CHECK(csv_cell("a, \"b\"\nc") == "a \xC2\xB7  b  c");
}

TEST_CASE("the date of a document comes from its epoch") {
  // 1796083200 s = 20788 days of 86400 s; day 20788 since 1970 is 2026-12-01 (20789 would be the second).
  CHECK(date_in_words(0) == "1 January 1970");
  CHECK(date_iso(951827696) == "2000-02-29T12:34:56Z");
}

TEST_CASE("the total of a bill moves between the ends of its estimates") {
  // low = 2*100 + 3*40, high = 2*100 + 3*70: only the estimate moves.
  Bill bill;
  BillLine sourced{"card", "proto", 2, {}, true}, guessed{"case", "proto", 3, {}, true};
  sourced.unit_price.value = sourced.unit_price.low = sourced.unit_price.high = usd(std::int64_t{100});
  guessed.unit_price.value = usd(std::int64_t{50});
  guessed.unit_price.low = usd(std::int64_t{40});
  guessed.unit_price.high = usd(std::int64_t{70});
  guessed.unit_price.from.estimate = true;
  bill.lines = {sourced, guessed};
  const PriceRange range = price_range(bill);
  CHECK(range.low == usd(std::int64_t{320}));
  CHECK(range.high == usd(std::int64_t{410}));
  CHECK(range.estimated == usd(std::int64_t{150}));
}
