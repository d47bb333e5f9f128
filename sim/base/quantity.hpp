// Physical and monetary quantities with their dimension in the type. Storage is always the base unit named
// below.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>

namespace fleetsim {

template <class Dim, class Rep>
class Quantity {
 public:
  using rep = Rep;
  constexpr Quantity() = default;
  constexpr explicit Quantity(Rep value) : value_(value) {}
  /// The bare number, in the base unit of the dimension.
  [[nodiscard]] constexpr Rep count() const { return value_; }

  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value_ + b.value_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value_ - b.value_); }
  friend constexpr Quantity operator-(Quantity a) { return Quantity(-a.value_); }
  friend constexpr Quantity operator*(Quantity a, Rep k) { return Quantity(a.value_ * k); }
  friend constexpr Quantity operator*(Rep k, Quantity a) { return Quantity(a.value_ * k); }
  friend constexpr double operator/(Quantity a, Quantity b) {
    return static_cast<double>(a.value_) / static_cast<double>(b.value_);
  }
  constexpr Quantity& operator+=(Quantity b) { return *this = *this + b; }
  constexpr Quantity& operator-=(Quantity b) { return *this = *this - b; }

 private:
  Rep value_{};
};

using Watts = Quantity<struct PowerDim, double>;                       ///< W
using Joules = Quantity<struct EnergyDim, double>;                     ///< J
using Bytes = Quantity<struct DataDim, std::int64_t>;                  ///< B (GB = 10^9, GiB = 2^30)
using BytesPerSecond = Quantity<struct DataRateDim, double>;           ///< B/s
using Money = Quantity<struct MoneyDim, std::int64_t>;                 ///< micro-USD
using MoneyPerEnergy = Quantity<struct EnergyPriceDim, std::int64_t>;  ///< micro-USD per kWh
using CarbonIntensity = Quantity<struct CarbonIntensityDim, double>;   ///< kg CO2e per kWh
using Celsius = Quantity<struct TemperatureDim, double>;               ///< degrees Celsius
using Latency = Quantity<struct LatencyDim, double>;  ///< s; finer than the clock's microsecond
using PerSecond = Quantity<struct RateDim, double>;   ///< 1/s

[[nodiscard]] constexpr Money usd(std::int64_t whole) {
  return Money{whole * 1'000'000};
}
/// USD to the nearest micro-unit, halves away from zero.
[[nodiscard]] inline Money usd(double amount) {
  return Money{static_cast<std::int64_t>(std::llround(amount * 1e6))};
}
[[nodiscard]] constexpr double to_usd(Money m) {
  return static_cast<double>(m.count()) / 1e6;
}
/// `m` times a real factor, to the nearest micro-unit, halves away from zero.
[[nodiscard]] inline Money scaled(Money m, double factor) {
  return Money{static_cast<std::int64_t>(std::llround(static_cast<double>(m.count()) * factor))};
}
[[nodiscard]] constexpr double to_kwh(Joules e) {
  return e.count() / 3.6e6;
}

}  // namespace fleetsim
