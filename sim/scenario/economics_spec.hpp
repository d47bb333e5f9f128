// What the `economics` section says: years, taxes, staff, rent, existing nodes' worth. Plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/quantity.hpp"
#include "sim/base/time.hpp"
#include "topology/hardware.hpp"

namespace fleetsim {

/// Money of another currency: one unit of it costs `rate` on `as_of`.
struct ExchangeRate {
  std::string currency;  ///< three capital letters, e.g. EUR
  Money rate;
  std::string as_of, source;
};

/// Part of an administrator's time that the fleet takes.
struct StaffSpec {
  double fte = 0.0;
  Money salary;  ///< a year, with what the employer pays beside it
};

/// How fast bought nodes lose their worth.
struct DepreciationSpec {
  double life_years = 0.0;  ///< straight line to `salvage`; 0: not asked for
  double salvage = 0.0;     ///< share of the purchase price left at the end of its life
  std::vector<double>
      resale_by_year;  ///< share of the purchase price that a sale after year 1, 2, ... brings
};

/// What is paid for: hours of use, all hours of a reserved GPU, or hours of use that may be interrupted.
enum class RentTerms { on_demand, reserved, spot };

/// What the same GPUs would cost in a cloud, for the comparison of owning and renting.
struct RentSpec {
  std::string node, gpu;  ///< catalogue name of what is rented, the other one empty
  std::string title;      ///< e.g. V100 SXM2 16 GB
  Figure<Money> rate;     ///< per GPU-hour
  bool own_rate = false;  ///< the rate stands in the scenario and replaces the catalogue's
  RentTerms terms = RentTerms::on_demand;
  double speed = 1.0;         ///< of a rented GPU over an owned one: work of an hour
  PerSecond interruptions{};  ///< of a rented GPU, a mean over its running time
  Duration lost{};            ///< time lost to each: work since the last checkpoint, and the restart
};

/// Everything is optional: a scenario without the section is priced as before.
struct EconomicsSpec {
  int years = 3;
  double discount_rate = 0.0;  ///< a year
  std::vector<ExchangeRate> exchange;
  double tax = 0.0;                ///< of all that is bought; see docs/costs.md for the order
  double academic_discount = 0.0;  ///< of the bill of materials
  Money delivery;                  ///< once
  double installation = 0.0;       ///< share of the bill after the discount
  Money storage;                   ///< once
  double contingency = 0.0;        ///< share of all that is bought, tax included
  std::optional<StaffSpec> staff;
  Money colocation_per_kw_month;  ///< of all nodes at load; 0: no colocation
  std::optional<double> support;  ///< share of the purchase a year, replaces the catalogue's
  std::optional<DepreciationSpec> depreciation;
  std::optional<double> utilisation;  ///< allocated share of GPU time that `price` assumes
  std::vector<Money> budget_by_year;  ///< most that may be paid in year 1, 2, ...; empty: no cap
  std::optional<RentSpec> rent;
};

}  // namespace fleetsim
