// Units: what is read, what is refused and with which words, and that every printed text is read back.
#include "sim/base/units.hpp"

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

template <class T>
T value(const Parsed<T>& parsed) {
  if (const auto* fault = std::get_if<UnitError>(&parsed)) {
    FAIL(fault->message);
  }
  return std::get<0>(parsed);
}

template <class T>
std::string message(const Parsed<T>& parsed) {
  const auto* fault = std::get_if<UnitError>(&parsed);
  return fault != nullptr ? fault->message + " | " + fault->hint : "";
}

std::int64_t us(const char* text) {
  return value(parse_duration(text)).count();
}

}  // namespace

TEST_CASE("A duration is a number and its unit") {
  // 1 s = 10^6 us
  CHECK(us("90 s") == 90'000'000);
  CHECK(us("90s") == 90'000'000);
  CHECK(us("  90 s ") == 90'000'000);
  CHECK(us("500 ms") == 500'000);
  CHECK(us("7 us") == 7);
  CHECK(us("2 h") == 7'200'000'000);
  CHECK(us("1 day") == 86'400'000'000);
  CHECK(us("7 days") == 604'800'000'000);
  CHECK(us("26 weeks") == 26 * 604'800'000'000);
  CHECK(us("1.36 h") == 4'896'000'000);  // 1.36 * 3600 s = 4896 s
  CHECK(us("1_000 s") == 1'000'000'000);
  CHECK(us("1 000 s") == 1'000'000'000);
  CHECK(us("-2 s") == -2'000'000);
  CHECK(us("0") == 0);
  CHECK(us("0.0") == 0);
}

TEST_CASE("Slurm's durations are read as Slurm reads them") {
  CHECK(us("10:00") == 600'000'000);                      // M:S
  CHECK(us("1:30:00") == 5'400'000'000);                  // H:M:S
  CHECK(us("1-12") == 36 * 3'600'000'000LL);              // D-H
  CHECK(us("1-12:30") == (36 * 60 + 30) * 60'000'000LL);  // D-H:M
  CHECK(us("1-12:00:00") == 129'600'000'000);             // D-H:M:S
  CHECK(us("2-00:00:00") == 172'800'000'000);
  CHECK(message(parse_duration("1:2:3:4")) != "");
  CHECK(message(parse_duration("1-2:3:4:5")) != "");
  CHECK(message(parse_duration("1:")) != "");
}

TEST_CASE("A bare number is refused with an example") {
  CHECK(message(parse_duration("90")) == "'90' has no unit | write '90 s', '90 min' or '90 h'");
  CHECK(message(parse_money("300000")) == "'300000' has no unit | write '300000 USD'");
  CHECK(message(parse_power("12")) == "'12' has no unit | write '12 W' or '12 kW'");
  CHECK(message(parse_energy_price("0.12")) == "'0.12' has no unit | write '0.12 USD/kWh'");
  CHECK(message(parse_rate("8.5")) == "'8.5' has no unit | write '8.5 /day' or '8.5 /h'");
}

TEST_CASE("Words, infinities and trailing text are refused") {
  CHECK(message(parse_duration("soon")) == "'soon' is not a duration | write e.g. '12 s'");
  CHECK(message(parse_duration("")) == "a duration is missing | ");
  CHECK(message(parse_power("inf W")) == "'inf W' is not a power | write e.g. '12 W'");
  CHECK(message(parse_power("nan W")) != "");
  CHECK(message(parse_power("1e400 W")) == "'1e400 W' is too large for a power | ");
  CHECK(message(parse_money("12 USD please")) ==
        "unknown unit 'USD please' in '12 USD please' | an amount of "
        "money is written in USD");
  CHECK(message(parse_money("300,000 USD")) ==
        "'300,000 USD' holds a comma | group digits by a blank or '_', decimals by '.'");
  // The same letters in another case come before what is as near: 'mW' is one letter away, too.
  CHECK(message(parse_power("120 KW")) == "unknown unit 'KW' in '120 KW' | did you mean 'kW'?");
  CHECK(message(parse_power("12 kw")) == "unknown unit 'kw' in '12 kw' | did you mean 'kW'?");
  CHECK(message(parse_duration("1e-400 h")) == "'1e-400 h' is too small for a duration | ");
  CHECK(message(parse_rate("1e-400 /day")) == "'1e-400 /day' is too small for a rate | ");
  CHECK(message(parse_duration("0." + std::string(400, '0') + "1 h")).find("too small for a duration") !=
        std::string::npos);
  CHECK(message(parse_duration("1e-99999999999999999999 h")).find("too small") != std::string::npos);
  CHECK(message(parse_duration("1e99999999999999999999 h")).find("too large") != std::string::npos);
  CHECK(message(parse_number("-1e-400")) == "'-1e-400' is too small for a number | ");
  CHECK(message(parse_number("100" + std::string(400, '0'))).find("too large") != std::string::npos);
  CHECK(message(parse_ratio("1e-400 %")) == "'1e-400 %' is too small for a ratio | ");
  CHECK(value(parse_duration("0e-400 h")).count() == 0);
  const std::string comma = " | group digits by a blank or '_', decimals by '.'";
  CHECK(message(parse_number("1,5")) == "'1,5' is not a number" + comma);
  CHECK(message(parse_integer("1,500")) == "'1,500' is not a whole number" + comma);
  CHECK(message(parse_ratio("0,27")) == "'0,27' is not a ratio" + comma);
  CHECK(message(parse_money("1e300 USD")) == "'1e300 USD' is too large for an amount of money | ");
  CHECK(message(parse_duration("99999999 weeks")) == "'99999999 weeks' is too large for a duration | ");
  CHECK(message(parse_duration("0x10 s")) != "");
}

TEST_CASE("Bits are not bytes") {
  // 100 Gbit/s = 100e9 / 8 B/s
  CHECK(value(parse_data_rate("100 Gbit/s")).count() == 12.5e9);
  CHECK(value(parse_data_rate("12.5 GB/s")).count() == 12.5e9);
  CHECK(value(parse_data_rate("31.5 GiB/s")).count() == 31.5 * 1073741824.0);
  CHECK(message(parse_data_rate("100 Gb/s")) ==
        "unknown unit 'Gb/s' in '100 Gb/s' | a data rate is written in Gbit/s or GB/s");
  CHECK(message(parse_bytes("10 Gb")) ==
        "unknown unit 'Gb' in '10 Gb' | an amount of data is written in MB, GB or GiB (b is not B)");
  CHECK(value(parse_bytes("80 GiB")).count() == 85'899'345'920);
  CHECK(value(parse_bytes("10 GB")).count() == 10'000'000'000);
  CHECK(value(parse_bytes("512 MB")).count() == 512'000'000);
  CHECK(value(parse_bytes("1.5 kB")).count() == 1500);
}

TEST_CASE("Money and energy prices are exact integers") {
  CHECK(value(parse_money("300000 USD")).count() == 300'000'000'000);
  CHECK(value(parse_money("300 000 USD")).count() == 300'000'000'000);
  CHECK(value(parse_money("0.1 USD")).count() == 100'000);
  CHECK(value(parse_money("0.0000005 USD")).count() == 1);  // half a micro-unit: away from zero
  CHECK(value(parse_money("-0.0000005 USD")).count() == -1);
  CHECK(value(parse_money("9007199254.740993 USD")).count() == 9'007'199'254'740'993);  // 2^53 + 1
  CHECK(value(parse_energy_price("0.12 USD/kWh")).count() == 120'000);
  CHECK(value(parse_energy_price("-0.12 USD/kWh")).count() == -120'000);
  CHECK(value(parse_carbon_intensity("0.4 kg/kWh")).count() == 0.4);
  CHECK(value(parse_carbon_intensity("400 g/kWh")).count() == Approx(0.4));
  CHECK(to_text(CarbonIntensity{0.4}) == "0.4 kg/kWh");
}

TEST_CASE("Power, temperature, rate and ratio") {
  CHECK(value(parse_power("10.2 kW")).count() == 10200.0);
  CHECK(value(parse_power("350 W")).count() == 350.0);
  CHECK(value(parse_temperature("22 C")).count() == 22.0);
  CHECK(value(parse_temperature("-5 C")).count() == -5.0);
  CHECK(value(parse_rate("8.5 /day")).count() == Approx(8.5 / 86400.0).epsilon(1e-15));
  CHECK(value(parse_rate("3/h")).count() == Approx(3.0 / 3600.0).epsilon(1e-15));
  CHECK(value(parse_ratio("0.27")) == 0.27);
  CHECK(value(parse_ratio("27 %")) == 0.27);
  CHECK(value(parse_ratio("66%")) == 0.66);
  CHECK(value(parse_ratio("0.33 %")) == 0.0033);
  CHECK(message(parse_ratio("much")) == "'much' is not a ratio | write e.g. '0.27' or '27 %'");
  CHECK(message(parse_ratio(".nan")) != "");
}

TEST_CASE("Whole numbers know no octal, exponent or point") {
  CHECK(value(parse_integer("010")) == 10);
  CHECK(value(parse_integer("-8")) == -8);
  CHECK(value(parse_integer("1_000")) == 1000);
  CHECK(message(parse_integer("2.0")) == "'2.0' is not a whole number | ");
  CHECK(message(parse_integer("1e3")) != "");
  CHECK(message(parse_integer("0x10")) != "");
  CHECK(message(parse_integer("two")) == "'two' is not a whole number | ");
  CHECK(message(parse_integer("9223372036854775808")) != "");
  CHECK(value(parse_integer("9223372036854775807")) == 9223372036854775807);
  CHECK(value(parse_unsigned("18446744073709551615")) == 18446744073709551615U);
  CHECK(message(parse_unsigned("-15850")) == "'-15850' is negative | 0 or more");
  CHECK(message(parse_unsigned("18446744073709551616")) != "");
  CHECK(value(parse_number("1.5e3")) == 1500.0);
  CHECK(message(parse_number(".inf")) == "'.inf' is not a number | ");
  CHECK(message(parse_number("inf")) != "");
}

TEST_CASE("Values are printed as a person would write them") {
  CHECK(to_text(26 * kWeek) == "26 weeks");
  CHECK(to_text(12 * kHour) == "12 h");
  CHECK(to_text(Duration{11'340'000'000}) == "189 min");
  CHECK(to_text(Duration{1}) == "1 us");
  CHECK(to_text(Duration{}) == "0 s");
  CHECK(to_text(usd(std::int64_t{300000})) == "300000 USD");
  CHECK(to_text(Money{-1'500'000}) == "-1.5 USD");
  CHECK(to_text(MoneyPerEnergy{120'000}) == "0.12 USD/kWh");
  CHECK(to_text(Bytes{22'000'000'000}) == "22 GB");
  CHECK(to_text(Bytes{85'899'345'920}) == "80 GiB");
  CHECK(to_text(BytesPerSecond{12.5e9}) == "12.5 GB/s");
  CHECK(to_text(Watts{12000.0}) == "12 kW");
  CHECK(to_text(Watts{350.0}) == "350 W");
  CHECK(to_text(Celsius{22.0}) == "22 C");
  CHECK(to_text(value(parse_rate("8.5 /day"))) == "8.5 /day");
}

TEST_CASE("B113: durations over a day are printed whole, never as the hour of a day") {
  CHECK(to_text(30 * kHour) == "30 h");
  CHECK(to_text(24 * kHour) == "1 days");
  CHECK(to_text(25 * kHour + std::chrono::minutes(30)) == "1530 min");  // 25 x 60 + 30
  CHECK(to_text(200 * kHour) == "200 h");
  for (int hours = 1; hours < 400; ++hours)
    CHECK(us(to_text(hours * kHour).c_str()) == hours * 3'600'000'000LL);
}

TEST_CASE("Where a limit is meant, Slurm's words for none are read") {
  CHECK(value(parse_time_limit("UNLIMITED")) == 5200 * kWeek);
  CHECK(value(parse_time_limit(" infinite ")) == 5200 * kWeek);
  CHECK(value(parse_time_limit("1-0")) == kDay);
  CHECK(message(parse_time_limit("none")) == "'none' is not a duration | write e.g. '12 s'");
  CHECK(message(parse_duration("UNLIMITED")) != "");
}

TEST_CASE("Every unit has the size of its name") {
  // 1 min = 60 s, 1 h = 60 min, 1 day = 24 h, 1 week = 7 days
  for (const char* text :
       {"90 min", "90min", "90 minute", "90 minutes", "1.5h", "1.5 hour", "1.5 hours", "5400 s", "5400 sec",
        "5400 second", "5400 seconds", "5400000 ms", "1:30:00", "90:00", "0-1:30"})
    CHECK(us(text) == 5'400'000'000);
  for (const char* text :
       {"0.5 w", "0.5 week", "0.5 weeks", "3.5 d", "3.5 day", "3.5 days", "3-12", "84:00:00"})
    CHECK(us(text) == 84 * 3'600'000'000LL);
  CHECK(value(parse_bytes("1 TB")).count() == 1'000'000'000'000);
  CHECK(value(parse_bytes("1 MiB")).count() == 1'048'576);
  CHECK(value(parse_power("1 MW")).count() == 1e6);
  CHECK(value(parse_power("5 mW")).count() == 5e-3);
  CHECK(value(parse_energy_price("120 USD/MWh")).count() == 120'000);  // 0.12 USD/kWh
  CHECK(value(parse_rate("7 /week")).count() == Approx(1.0 / 86400.0).epsilon(1e-15));
  CHECK(value(parse_temperature("22 \u00B0C")).count() == 22.0);
  for (const char* text :
       {"90 S", "90 Min", "1 month", "1 year", "1 h 30 min", "1h30", "90 s.", "s", "- 5 s"})
    CHECK(message(parse_duration(text)) != "");
}

TEST_CASE("What is printed is read back to the same value") {
  CHECK(rc::check("duration", [](std::int64_t n) {
    const Duration d{n % kForever.count()};
    RC_ASSERT(value(parse_duration(to_text(d))) == d);
  }));
  CHECK(rc::check("money", [](std::int64_t n) {
    RC_PRE(n != std::numeric_limits<std::int64_t>::min());
    RC_ASSERT(value(parse_money(to_text(Money{n}))) == Money{n});
  }));
  CHECK(rc::check("bytes", [](std::int64_t n) {
    RC_PRE(n != std::numeric_limits<std::int64_t>::min());
    RC_ASSERT(value(parse_bytes(to_text(Bytes{n}))) == Bytes{n});
  }));
  CHECK(rc::check("power", [](double w) { RC_ASSERT(value(parse_power(to_text(Watts{w}))) == Watts{w}); }));
  CHECK(rc::check("rate",
                  [](double r) { RC_ASSERT(value(parse_rate(to_text(PerSecond{r}))) == PerSecond{r}); }));
  CHECK(rc::check("data rate", [](double r) {
    RC_ASSERT(value(parse_data_rate(to_text(BytesPerSecond{r}))) == BytesPerSecond{r});
  }));
  CHECK(rc::check("temperature",
                  [](double c) { RC_ASSERT(value(parse_temperature(to_text(Celsius{c}))) == Celsius{c}); }));
}

TEST_CASE("No text makes a parser crash") {
  CHECK(rc::check("any text", [](const std::string& text) {
    static_cast<void>(parse_duration(text));
    static_cast<void>(parse_data_rate(text));
    static_cast<void>(parse_money(text));
    static_cast<void>(parse_ratio(text));
    static_cast<void>(parse_integer(text));
    static_cast<void>(parse_unsigned(text));
  }));
}
