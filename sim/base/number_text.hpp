// Numbers as text, exact as long as they stay text: found, judged and rounded without a detour over binary
// fractions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fleetsim {

[[nodiscard]] constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The number at the start of a text, grouping removed.
struct NumberText {
  std::string digits;  ///< what from_chars reads
  std::string_view rest;
};

/// -12.5e3, with digits before the point grouped by single blanks or '_' (300 000, 300_000).
[[nodiscard]] std::optional<NumberText> number_at_start(std::string_view text);

/// Nothing where the text is more than a number, or the number no finite double.
[[nodiscard]] std::optional<double> to_double(const std::string& digits);

/// Of a number other than 0 that a double cannot hold: whether it is too near to 0, not too far from it.
[[nodiscard]] bool is_tiny(const std::string& digits);

/// digits * factor to the nearest integer, halves away from zero: exact for up to 18 digits without exponent
/// when the factor is whole, else by double. Nothing beyond 64 bits.
[[nodiscard]] std::optional<std::int64_t> to_integer(const std::string& digits, double factor);

}  // namespace fleetsim
