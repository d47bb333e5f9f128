#include "sim/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/diagnostic.hpp"
#include "sim/base/number_text.hpp"

namespace fleetsim {

namespace {

constexpr std::int64_t kMicro = 1'000'000;

/// One spelling of a unit: how many base units it holds.
struct Unit {
  std::string_view name;
  double factor;
};

/// What the messages of one dimension say.
struct Dimension {
  std::string_view what;           ///< e.g. "a duration"
  std::string_view in_units;       ///< e.g. "s, min, h, days or weeks"
  std::string_view first, second;  ///< units of the example in the hint
  std::string_view third{};
};

constexpr std::array kTimes = {Unit{"us", 1.0},     Unit{"ms", 1e3},        Unit{"s", 1e6},
                               Unit{"sec", 1e6},    Unit{"second", 1e6},    Unit{"seconds", 1e6},
                               Unit{"min", 60e6},   Unit{"minute", 60e6},   Unit{"minutes", 60e6},
                               Unit{"h", 3600e6},   Unit{"hour", 3600e6},   Unit{"hours", 3600e6},
                               Unit{"d", 86400e6},  Unit{"day", 86400e6},   Unit{"days", 86400e6},
                               Unit{"w", 604800e6}, Unit{"week", 604800e6}, Unit{"weeks", 604800e6}};
constexpr std::array kData = {Unit{"B", 1.0},
                              Unit{"kB", 1e3},
                              Unit{"MB", 1e6},
                              Unit{"GB", 1e9},
                              Unit{"TB", 1e12},
                              Unit{"PB", 1e15},
                              Unit{"KiB", 1024.0},
                              Unit{"MiB", 1048576.0},
                              Unit{"GiB", 1073741824.0},
                              Unit{"TiB", 1099511627776.0},
                              Unit{"PiB", 1125899906842624.0}};
constexpr std::array kDataRates = {
    Unit{"B/s", 1.0},         Unit{"kB/s", 1e3},           Unit{"MB/s", 1e6},
    Unit{"GB/s", 1e9},        Unit{"TB/s", 1e12},          Unit{"KiB/s", 1024.0},
    Unit{"MiB/s", 1048576.0}, Unit{"GiB/s", 1073741824.0}, Unit{"TiB/s", 1099511627776.0},
    Unit{"bit/s", 0.125},     Unit{"kbit/s", 125.0},       Unit{"Mbit/s", 125e3},
    Unit{"Gbit/s", 125e6},    Unit{"Tbit/s", 125e9}};
constexpr std::array kPowers = {Unit{"mW", 1e-3}, Unit{"W", 1.0}, Unit{"kW", 1e3}, Unit{"MW", 1e6}};
constexpr std::array kMoneys = {Unit{"USD", 1e6}};
constexpr std::array kEnergyPrices = {Unit{"USD/kWh", 1e6}, Unit{"USD/MWh", 1e3}};
constexpr std::array kIntensities = {Unit{"kg/kWh", 1.0}, Unit{"g/kWh", 1e-3}};
constexpr std::array kTemperatures = {Unit{"C", 1.0}, Unit{"\u00B0C", 1.0}};
constexpr std::array kRates = {Unit{"/s", 1.0},
                               Unit{"/second", 1.0},
                               Unit{"/min", 1.0 / 60.0},
                               Unit{"/minute", 1.0 / 60.0},
                               Unit{"/h", 1.0 / 3600.0},
                               Unit{"/hour", 1.0 / 3600.0},
                               Unit{"/d", 1.0 / 86400.0},
                               Unit{"/day", 1.0 / 86400.0},
                               Unit{"/week", 1.0 / 604800.0}};

constexpr Dimension kTime{"a duration", "s, min, h, days or weeks", "s", "h", "min"};
constexpr Dimension kAmount{"an amount of data", "MB, GB or GiB (b is not B)", "GB", "GiB"};
constexpr Dimension kDataRate{"a data rate", "Gbit/s or GB/s", "Gbit/s", "GB/s"};
constexpr Dimension kPower{"a power", "W, kW or MW", "W", "kW"};
constexpr Dimension kMoney{"an amount of money", "USD", "USD", ""};
constexpr Dimension kEnergyPrice{"a price of energy", "USD/kWh", "USD/kWh", ""};
constexpr Dimension kIntensity{"a carbon intensity", "kg/kWh", "kg/kWh", "g/kWh"};
constexpr Dimension kTemperature{"a temperature", "C", "C", ""};
constexpr Dimension kRate{"a rate", "/week, /day, /h or /s", "/day", "/h"};

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

constexpr const char* kCommaHint = "group digits by a blank or '_', decimals by '.'";

std::string example(std::string_view number, std::string_view unit) {
  return fmt::format("'{} {}'", number, unit);
}

UnitError not_a_number(std::string_view text, const Dimension& d) {
  if (text.empty()) return {fmt::format("{} is missing", d.what), {}};
  return {fmt::format("'{}' is not {}", text, d.what),
          fmt::format("write e.g. {}", example(d.first == "USD/kWh" ? "0.12" : "12", d.first))};
}

UnitError no_unit(std::string_view text, const Dimension& d) {
  std::string hint = "write " + example(text, d.first);
  if (!d.third.empty()) hint += ", " + example(text, d.third);
  if (!d.second.empty()) hint += " or " + example(text, d.second);
  return {fmt::format("'{}' has no unit", text), hint};
}

UnitError unknown_unit(std::string_view text, std::string_view unit, const Dimension& d,
                       std::span<const Unit> units) {
  if (unit.front() == ',') return {fmt::format("'{}' holds a comma", text), kCommaHint};
  std::vector<std::string> names;
  for (const Unit& u : units) names.emplace_back(u.name);
  // Bits and bytes differ by one letter's case, so no spelling is guessed where a 'b' is in doubt.
  const bool doubtful =
      unit.find('b') != std::string_view::npos && unit.find("bit") == std::string_view::npos;
  // Of one letter anything is near: F is no slip for C.
  const std::string near =
      doubtful || unit.size() < 2 ? std::string{} : did_you_mean(std::string(unit), names);
  return {fmt::format("unknown unit '{}' in '{}'", unit, text),
          near.empty() ? fmt::format("{} is written in {}", d.what, d.in_units)
                       : fmt::format("did you mean '{}'?", near)};
}

UnitError too_large(std::string_view text, const Dimension& d) {
  return {fmt::format("'{}' is too large for {}", text, d.what), {}};
}

/// What no number of the dimension's type can be.
UnitError out_of_range(std::string_view text, const std::string& digits, const Dimension& d) {
  if (!is_tiny(digits)) return too_large(text, d);
  return {fmt::format("'{}' is too small for {}", text, d.what), {}};
}

/// Digits, commas and points alone: 1,5 and 1.234,5.
bool holds_comma(std::string_view text) {
  const std::size_t comma = text.find(',');
  return comma != std::string_view::npos && comma > 0 && is_digit(text[comma - 1]) &&
         text.find_first_not_of("-+0123456789,._ %") == std::string_view::npos;
}

UnitError no_number(std::string_view text, const char* what, const char* hint = "") {
  return {fmt::format("'{}' is not {}", text, what), holds_comma(text) ? kCommaHint : hint};
}

/// A number and its unit. Zero needs none.
struct Measured {
  std::string digits;
  double factor = 1.0;
};
std::variant<Measured, UnitError> measured(std::string_view text, const Dimension& d,
                                           std::span<const Unit> units) {
  text = trimmed(text);
  const std::optional<NumberText> number = number_at_start(text);
  if (!number) return not_a_number(text, d);
  std::string_view unit = number->rest;
  if (!unit.empty() && is_blank(unit.front())) unit.remove_prefix(1);
  if (unit.empty()) {
    if (to_double(number->digits) == 0.0) return Measured{number->digits, 1.0};
    return no_unit(text, d);
  }
  for (const Unit& u : units)
    if (u.name == unit) return Measured{number->digits, u.factor};
  return unknown_unit(text, unit, d, units);
}

template <class T>
Parsed<T> whole(std::string_view text, const Dimension& d, std::span<const Unit> units) {
  const auto parts = measured(text, d, units);
  if (const auto* fault = std::get_if<UnitError>(&parts)) return *fault;
  const auto& [digits, factor] = std::get<Measured>(parts);
  const std::optional<std::int64_t> value = to_integer(digits, factor);
  if (!value) return out_of_range(trimmed(text), digits, d);
  return T{*value};
}

template <class T>
Parsed<T> real(std::string_view text, const Dimension& d, std::span<const Unit> units) {
  const auto parts = measured(text, d, units);
  if (const auto* fault = std::get_if<UnitError>(&parts)) return *fault;
  const auto& [digits, factor] = std::get<Measured>(parts);
  const std::optional<double> value = to_double(digits);
  if (!value || !std::isfinite(*value * factor)) return out_of_range(trimmed(text), digits, d);
  return T{*value * factor};
}

/// Slurm's M:S, H:M:S, D-H, D-H:M, D-H:M:S. Nothing when the text has not that shape.
std::optional<Parsed<Duration>> slurm_duration(std::string_view text) {
  const std::size_t dash = text.find('-');
  const bool has_days = dash != std::string_view::npos;
  if (!has_days && text.find(':') == std::string_view::npos) return std::nullopt;
  std::vector<std::int64_t> fields;
  for (std::size_t i = 0; i <= text.size();) {
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(text.data() + i, text.data() + text.size(), value);
    if (fault != std::errc{} || !is_digit(text[i])) return std::nullopt;
    if (value > 1'000'000'000) return too_large(text, kTime);
    fields.push_back(value);
    i = static_cast<std::size_t>(end - text.data());
    if (i == text.size()) break;
    if (text[i] != ((has_days && fields.size() == 1) ? '-' : ':')) return std::nullopt;
    ++i;
  }
  std::int64_t seconds = 0;
  if (has_days) {
    if (fields.size() < 2 || fields.size() > 4) return std::nullopt;
    fields.resize(4);
    seconds = ((fields[0] * 24 + fields[1]) * 60 + fields[2]) * 60 + fields[3];
  } else {
    if (fields.size() > 3) return std::nullopt;
    for (const std::int64_t field : fields) seconds = seconds * 60 + field;
  }
  if (seconds > kForever.count() / kMicro) return too_large(text, kTime);
  return Duration{seconds * kMicro};
}

}  // namespace

Parsed<Duration> parse_duration(std::string_view text) {
  const std::string_view inner = trimmed(text);
  if (!inner.empty() && is_digit(inner.front())) {
    if (auto slurm = slurm_duration(inner)) return *slurm;
  }
  const Parsed<Duration> result = whole<Duration>(text, kTime, kTimes);
  const Duration* value = std::get_if<Duration>(&result);
  if (value != nullptr && (*value > kForever || *value < -kForever)) return too_large(inner, kTime);
  return result;
}

Parsed<BytesPerSecond> parse_data_rate(std::string_view text) {
  return real<BytesPerSecond>(text, kDataRate, kDataRates);
}
Parsed<Bytes> parse_bytes(std::string_view text) {
  return whole<Bytes>(text, kAmount, kData);
}
Parsed<Duration> parse_time_limit(std::string_view text) {
  std::string upper;
  for (const char c : trimmed(text)) upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  if (upper == "UNLIMITED" || upper == "INFINITE") return Duration{5200 * kWeek};
  return parse_duration(text);
}
Parsed<Watts> parse_power(std::string_view text) {
  return real<Watts>(text, kPower, kPowers);
}
Parsed<Money> parse_money(std::string_view text) {
  return whole<Money>(text, kMoney, kMoneys);
}
Parsed<MoneyPerEnergy> parse_energy_price(std::string_view text) {
  return whole<MoneyPerEnergy>(text, kEnergyPrice, kEnergyPrices);
}
Parsed<CarbonIntensity> parse_carbon_intensity(std::string_view text) {
  return real<CarbonIntensity>(text, kIntensity, kIntensities);
}
Parsed<Celsius> parse_temperature(std::string_view text) {
  return real<Celsius>(text, kTemperature, kTemperatures);
}
Parsed<PerSecond> parse_rate(std::string_view text) {
  return real<PerSecond>(text, kRate, kRates);
}

Parsed<double> parse_number(std::string_view text) {
  text = trimmed(text);
  const std::optional<NumberText> number = number_at_start(text);
  if (!number || !number->rest.empty()) return no_number(text, "a number");
  const std::optional<double> value = to_double(number->digits);
  if (!value)
    return UnitError{
        fmt::format("'{}' is too {} for a number", text, is_tiny(number->digits) ? "small" : "large"), {}};
  return *value;
}

Parsed<std::int64_t> parse_integer(std::string_view text) {
  text = trimmed(text);
  const std::optional<NumberText> number = number_at_start(text);
  if (!number || !number->rest.empty() || number->digits.find_first_of(".eE") != std::string::npos)
    return no_number(text, "a whole number");
  const std::optional<std::int64_t> value = to_integer(number->digits, 1.0);
  if (!value) return UnitError{fmt::format("'{}' is too large for a whole number", text), {}};
  return *value;
}

Parsed<std::uint64_t> parse_unsigned(std::string_view text) {
  text = trimmed(text);
  const std::optional<NumberText> number = number_at_start(text);
  if (!number || !number->rest.empty() || number->digits.find_first_of(".eE") != std::string::npos)
    return no_number(text, "a whole number");
  if (number->digits.front() == '-') return UnitError{fmt::format("'{}' is negative", text), "0 or more"};
  std::uint64_t value = 0;
  const char* end = number->digits.data() + number->digits.size();
  if (std::from_chars(number->digits.data(), end, value).ec != std::errc{})
    return UnitError{fmt::format("'{}' is above 18446744073709551615", text), {}};
  return value;
}

Parsed<double> parse_ratio(std::string_view text) {
  text = trimmed(text);
  const std::optional<NumberText> number = number_at_start(text);
  const std::optional<double> value = number ? to_double(number->digits) : std::nullopt;
  if (value && number->rest.empty()) return *value;
  if (value && trimmed(number->rest) == "%") {
    // The text decides, not a division that rounds twice: 0.33 % is the double nearest to 0.0033.
    if (number->digits.find_first_of("eE") == std::string::npos) return *to_double(number->digits + "e-2");
    return *value / 100.0;
  }
  if (number && !value && (number->rest.empty() || trimmed(number->rest) == "%"))
    return UnitError{
        fmt::format("'{}' is too {} for a ratio", text, is_tiny(number->digits) ? "small" : "large"), {}};
  return no_number(text, "a ratio", "write e.g. '0.27' or '27 %'");
}

std::vector<std::string> unit_names(UnitKind kind) {
  const auto names = [](std::span<const Unit> units) {
    std::vector<std::string> all;
    for (const Unit& unit : units) all.emplace_back(unit.name);
    return all;
  };
  switch (kind) {
    case UnitKind::duration:
      return names(kTimes);
    case UnitKind::bytes:
      return names(kData);
    case UnitKind::data_rate:
      return names(kDataRates);
    case UnitKind::power:
      return names(kPowers);
    case UnitKind::money:
      return names(kMoneys);
    case UnitKind::energy_price:
      return names(kEnergyPrices);
    case UnitKind::carbon_intensity:
      return names(kIntensities);
    case UnitKind::temperature:
      return names(kTemperatures);
    case UnitKind::rate:
      return names(kRates);
  }
  return {};
}

}  // namespace fleetsim
