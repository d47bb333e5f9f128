// Numbers as people and spreadsheets of several countries write them.
#pragma once

#include <string>
#include <string_view>

#include "sim/base/units.hpp"

namespace fleetsim {

/// Which sign may stand before the decimals.
enum class Decimals { point, comma };

/// An amount without its currency, in micro-units: `1234.50`, `1,234.50`; with Decimals::comma also `1234,50`
/// and `1.234,50`. A lone group of three (`1,234`) can be read two ways and is refused. Not negative.
[[nodiscard]] Parsed<Money> parse_amount(std::string_view text, Decimals decimals);

}  // namespace fleetsim
