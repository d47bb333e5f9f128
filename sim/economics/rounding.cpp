#include "sim/economics/rounding.hpp"

#include <cmath>

namespace fleetsim {
namespace {

/// Products of money and a rate of nine digits leave 64 bits.
__extension__ using Wide = __int128;

/// a / b to the nearest whole number, halves away from zero; b > 0.
std::int64_t nearest(Wide a, std::int64_t b) {
  const Wide half = b / 2;
  return static_cast<std::int64_t>(a < 0 ? -((-a + half) / b) : (a + half) / b);
}

constexpr std::int64_t kRateDigits = 1'000'000'000;
constexpr std::int64_t kMicrosPerUnit = 1'000'000;

}  // namespace

Money to_cents(Money money) {
  return Money{nearest(money.count(), kMicrosPerCent) * kMicrosPerCent};
}

Money share_of(Money money, double rate) {
  const Wide product = static_cast<Wide>(money.count()) * std::llround(rate * kRateDigits);
  return Money{nearest(product, kRateDigits * kMicrosPerCent) * kMicrosPerCent};
}

Money exchanged(Money units, Money rate) {
  return Money{nearest(static_cast<Wide>(units.count()) * rate.count(), kMicrosPerUnit)};
}

}  // namespace fleetsim
