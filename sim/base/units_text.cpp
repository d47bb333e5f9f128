// Quantity to text: the shortest that its parser reads back.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

#include "sim/base/units.hpp"

namespace fleetsim {

namespace {

constexpr std::uint64_t kMicrosPerUnit = 1'000'000;

struct WrittenUnit {
  std::string_view name;
  double factor;
};

/// Shortest text for which back(text) == value, over the units given; the last unit must have factor 1.
template <class T, class Parse>
std::string shortest(T value, std::span<const WrittenUnit> units, const Parse& parse) {
  std::string best;
  const auto accept = [&](const std::string& text) {
    const Parsed<T> back = parse(text);
    const T* same = std::get_if<T>(&back);
    if (same == nullptr || *same != value || (!best.empty() && text.size() >= best.size())) return false;
    best = text;
    return true;
  };
  for (const WrittenUnit& unit : units) {
    const double scaled = static_cast<double>(value.count()) / unit.factor;
    for (int precision = 1; precision <= 17; ++precision) {
      // No exponents: a purchase order does not write them.
      if (std::abs(scaled) >= 1e15 || (scaled != 0.0 && std::abs(scaled) < 1e-3)) break;
      const double rounded = std::get<double>(parse_number(fmt::format("{:.{}e}", scaled, precision - 1)));
      if (accept(fmt::format("{} {}", rounded, unit.name))) break;
    }
  }
  return best.empty() ? fmt::format("{} {}", value.count(), units.back().name) : best;
}

/// Money is exact: whole units and, where needed, its decimals.
std::string micro_text(std::int64_t micro, std::string_view unit) {
  const std::uint64_t size =
      micro < 0 ? ~static_cast<std::uint64_t>(micro) + 1 : static_cast<std::uint64_t>(micro);
  std::string text = fmt::format("{}{}", micro < 0 ? "-" : "", size / kMicrosPerUnit);
  if (size % kMicrosPerUnit != 0) {
    text += fmt::format(".{:06}", size % kMicrosPerUnit);
    while (text.back() == '0') text.pop_back();
  }
  return fmt::format("{} {}", text, unit);
}

}  // namespace

std::string to_text(Duration value) {
  static constexpr std::array kNames = {WrittenUnit{"weeks", 604800e6}, WrittenUnit{"days", 86400e6}, WrittenUnit{"h", 3600e6},
                                        WrittenUnit{"min", 60e6},       WrittenUnit{"s", 1e6},        WrittenUnit{"ms", 1e3}};
  if (value.count() == 0) return "0 s";
  for (const WrittenUnit& unit : kNames) {
    const auto factor = static_cast<std::int64_t>(unit.factor);
    if (value.count() % factor == 0) return fmt::format("{} {}", value.count() / factor, unit.name);
  }
  return fmt::format("{} us", value.count());
}

std::string to_text(BytesPerSecond value) {
  static constexpr std::array kNames = {WrittenUnit{"GB/s", 1e9}, WrittenUnit{"MB/s", 1e6}, WrittenUnit{"B/s", 1.0}};
  return shortest(value, kNames, parse_data_rate);
}

std::string to_text(Bytes value) {
  static constexpr std::array kNames = {WrittenUnit{"GB", 1e9}, WrittenUnit{"GiB", 1073741824.0}, WrittenUnit{"MB", 1e6},
                                        WrittenUnit{"MiB", 1048576.0}, WrittenUnit{"B", 1.0}};
  return shortest(value, kNames, parse_bytes);
}

std::string to_text(Watts value) {
  static constexpr std::array kNames = {WrittenUnit{"kW", 1e3}, WrittenUnit{"W", 1.0}};
  return shortest(value, kNames, parse_power);
}

std::string to_text(Money value) {
  return micro_text(value.count(), "USD");
}

std::string to_text(MoneyPerEnergy value) {
  return micro_text(value.count(), "USD/kWh");
}

std::string to_text(CarbonIntensity value) {
  return fmt::format("{} kg/kWh", value.count());
}

std::string to_text(Celsius value) {
  return fmt::format("{} C", value.count());
}

std::string to_text(PerSecond value) {
  static constexpr std::array kNames = {WrittenUnit{"/day", 1.0 / 86400.0}, WrittenUnit{"/h", 1.0 / 3600.0},
                                        WrittenUnit{"/s", 1.0}};
  return shortest(value, kNames, parse_rate);
}

}  // namespace fleetsim
