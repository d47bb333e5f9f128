// Owning against renting: what the bought nodes cost, what the same work costs in a cloud, and from which day
// or which use on owning is cheaper. Pure functions; docs/own-or-rent.md has the formulas.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/economics/economics.hpp"

namespace fleetsim {

/// From which use on owning is cheaper than renting over so many days.
struct BreakEvenUse {
  int days = 0;
  std::optional<double> utilisation;  ///< 0 to 1; none: `reason` says why
  std::string reason;
};

struct OwnOrRent {
  // Owning
  int gpus = 0;              ///< of the nodes that are bought
  double utilisation = 0.0;  ///< allocated share of their time
  Money capex;               ///< all that is paid before the first hour
  double kwh_year = 0.0;     ///< at the meter
  Money electricity_year, opex_year;
  // Renting the same work
  RentSpec rent;
  double extra_hours = 1.0;    ///< hours paid for an hour of work, by interruptions
  double gpu_hours_day = 0.0;  ///< paid for
  Money rent_day, rent_300_days, rent_year;
  // Which is cheaper
  std::optional<double> break_even_days;  ///< none: `break_even_reason` says why
  std::string break_even_reason;
  std::vector<BreakEvenUse> break_even_use;  ///< over one year, then over the horizon where it is another
  int horizon_years = 0;
  Money own_horizon, rent_horizon;
};

/// Days over which the rent is printed beside the guide's figure.
inline constexpr int kRentDays = 300;
inline constexpr int kDaysPerYear = 365;

/// Why the question has no answer for this scenario, with what to write; empty when it has one.
[[nodiscard]] std::string no_own_or_rent(const Scenario& scenario);

/// Shape: the nodes that are bought against as many GPU-hours of a rented GPU; existing and rented nodes are
/// there either way and count on neither side.
/// Units: `utilisation` is the allocated share of the GPUs' time, 0 to 1.
/// Errors: none; precondition no_own_or_rent(scenario) is empty.
/// Cost: prices the fleet three times.
[[nodiscard]] OwnOrRent own_or_rent(const Scenario& scenario, double utilisation);

/// Rent of a day, unrounded, in USD: GPUs x 24 h x use / speed x extra hours x rate; a reserved GPU is paid
/// for all 24 h, whole GPUs of it.
[[nodiscard]] double rent_usd_a_day(const RentSpec& rent, int gpus, double utilisation);

/// Hours paid for one hour of work: every paid hour loses `interruptions` x `lost` of it, so
/// 1 / (1 - interruptions x lost). 1 for anything but spot.
[[nodiscard]] double extra_hours(const RentSpec& rent);

}  // namespace fleetsim
