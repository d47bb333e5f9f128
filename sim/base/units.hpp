// Text to quantity and back. One parser for scenario files, catalogue, options and quotes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/base/quantity.hpp"
#include "sim/base/time.hpp"

namespace fleetsim {

/// Why a text is not the quantity that was asked for, e.g. "'90' has no unit" with hint "write '90 s' or '90
/// min'".
struct UnitError {
  std::string message;
  std::string hint;
};
template <class T>
using Parsed = std::variant<T, UnitError>;

/// Every parser: surrounding blanks are ignored, one blank or none between number and unit, '0' needs no
/// unit, digits may be grouped by single blanks or '_' never by ','. Infinity, NaN, overflow and trailing
/// text are errors. Durations: `90 s`, `2 h`, `26 weeks`, `500 ms`, and Slurm's M, M:S, H:M:S, D-H, D-H:M,
/// D-H:M:S (a bare M is refused: a number needs its unit).
[[nodiscard]] Parsed<Duration> parse_duration(std::string_view text);
/// A duration, or Slurm's UNLIMITED or INFINITE (in any case): a century, 5200 weeks.
[[nodiscard]] Parsed<Duration> parse_time_limit(std::string_view text);
/// `100 Gbit/s`, `12.5 GB/s`, `31.5 GiB/s`: bits and bytes are different things.
[[nodiscard]] Parsed<BytesPerSecond> parse_data_rate(std::string_view text);
/// `80 GiB`, `10 GB`, `512 MB`.
[[nodiscard]] Parsed<Bytes> parse_bytes(std::string_view text);
/// `10.2 kW`, `350 W`.
[[nodiscard]] Parsed<Watts> parse_power(std::string_view text);
/// `300000 USD`.
[[nodiscard]] Parsed<Money> parse_money(std::string_view text);
/// `0.12 USD/kWh`.
[[nodiscard]] Parsed<MoneyPerEnergy> parse_energy_price(std::string_view text);
/// `0.4 kg/kWh`, `400 g/kWh`: of CO2 or CO2e.
[[nodiscard]] Parsed<CarbonIntensity> parse_carbon_intensity(std::string_view text);
/// `22 C`.
[[nodiscard]] Parsed<Celsius> parse_temperature(std::string_view text);
/// `8.5 /day`, `3 /h`.
[[nodiscard]] Parsed<PerSecond> parse_rate(std::string_view text);
/// A plain number: decimal, no unit, no octal, no infinity or NaN.
[[nodiscard]] Parsed<double> parse_number(std::string_view text);
/// A whole number; `010` is ten, `1e3` and `2.0` are refused.
[[nodiscard]] Parsed<std::int64_t> parse_integer(std::string_view text);
/// The same from 0 to 2^64 - 1 (seeds).
[[nodiscard]] Parsed<std::uint64_t> parse_unsigned(std::string_view text);
/// `0.27` or `27 %`. No range is imposed.
[[nodiscard]] Parsed<double> parse_ratio(std::string_view text);

/// Shortest text that its parser reads back to the same value; used by the canonical dump.
[[nodiscard]] std::string to_text(Duration value);
[[nodiscard]] std::string to_text(BytesPerSecond value);
[[nodiscard]] std::string to_text(Bytes value);
[[nodiscard]] std::string to_text(Watts value);
[[nodiscard]] std::string to_text(Money value);
[[nodiscard]] std::string to_text(MoneyPerEnergy value);
[[nodiscard]] std::string to_text(CarbonIntensity value);
[[nodiscard]] std::string to_text(Celsius value);
[[nodiscard]] std::string to_text(PerSecond value);

enum class UnitKind {
  duration,
  bytes,
  data_rate,
  power,
  money,
  energy_price,
  carbon_intensity,
  temperature,
  rate
};
/// Every spelling of a unit that the parser of this kind accepts.
[[nodiscard]] std::vector<std::string> unit_names(UnitKind kind);

}  // namespace fleetsim
