// From `{from, to, step}` and `{from, to, count, scale}` to values in the form of the key that takes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/units.hpp"

namespace fleetsim {

struct AxisRange {
  std::string from, to, step;         ///< numbers, all with one unit or with none
  std::optional<std::int64_t> count;  ///< instead of `step`
  bool log = false;                   ///< `count` values with equal ratios
  bool whole = false;                 ///< the key takes whole numbers: values are rounded, repeats left out
};

/// Values of one axis, and points of all choices or of all conditions together.
inline constexpr std::int64_t kMostPoints = 4096;

/// `from` and, where a step reaches it, `to` included; with `count` both as they are written, and between
/// them six significant digits. Errors: no number, different units, from > to, step <= 0, a count that does
/// not fit, too many.
[[nodiscard]] std::variant<std::vector<std::string>, UnitError> expand(const AxisRange& range);

}  // namespace fleetsim
