// Lines of the cost table: one function and one file each. Private to the room.
#pragma once

#include <optional>
#include <vector>

#include "sim/economics/economics.hpp"
#include "sim/economics/presence.hpp"
#include "sim/economics/rounding.hpp"

namespace fleetsim {

struct CostInput {
  const Scenario& scenario;
  const Bill& bill;
  Watts mean_it_power;
  double burst_gpu_hours;  ///< a year
  std::size_t years;
  std::vector<std::vector<double>> presence;  ///< presence_by_year()
};

/// A line whose year y is amount(y), in whole cents.
template <class Amount>
std::vector<Money> every_year(const CostInput& in, const Amount& amount) {
  std::vector<Money> by_year;
  for (std::size_t y = 0; y < in.years; ++y) by_year.push_back(to_cents(amount(y)));
  return by_year;
}

/// What is said of a line that counts nodes for as long as they are there; empty where all always are.
[[nodiscard]] inline const char* while_there(const CostInput& in) {
  return nodes_come_or_go(in.scenario)
             ? "; of nodes that come or go, the part of the year in which they are there"
             : "";
}

/// Of the power of all own nodes at load, the part that is there in year `year`: what the fleet draws is
/// taken to come and go with it. 1 for a fleet without own nodes.
[[nodiscard]] double share_of_power_there(const CostInput& in, std::size_t year);

// Nothing where the fleet or the scenario gives no cause for the line.
[[nodiscard]] std::optional<CostLine> sale_line(const CostInput& in);  ///< proceeds()
[[nodiscard]] std::optional<CostLine> electricity_line(const CostInput& in);
[[nodiscard]] std::optional<CostLine> colocation_line(const CostInput& in);
[[nodiscard]] std::optional<CostLine> staff_line(const CostInput& in);
[[nodiscard]] std::optional<CostLine> support_line(const CostInput& in);
[[nodiscard]] std::optional<CostLine> rent_line(const CostInput& in);
[[nodiscard]] std::optional<CostLine> burst_line(const CostInput& in);
[[nodiscard]] std::optional<CostLine> resale_line(const CostInput& in);

}  // namespace fleetsim
