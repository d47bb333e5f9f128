// The one rounding rule of money: whole cents, halves away from zero, once a line. Totals are sums of rounded
// lines, so what is printed adds up.
#pragma once

#include "sim/base/quantity.hpp"

namespace fleetsim {

inline constexpr std::int64_t kMicrosPerCent = 10'000;

/// To the nearest cent, halves away from zero.
[[nodiscard]] Money to_cents(Money money);

/// `rate` of the money, to the nearest cent, halves away from zero. The rate counts as the decimal number it
/// was written as, to nine digits behind the point: 20 % of 302.00 USD is 60.40 USD, never 60.39.
[[nodiscard]] Money share_of(Money money, double rate);

/// `units` of another currency at `rate` a unit, to the nearest micro-USD, halves away from zero.
[[nodiscard]] Money exchanged(Money units, Money rate);

}  // namespace fleetsim
