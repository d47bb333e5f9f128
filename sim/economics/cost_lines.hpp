// Lines of the cost table: one function and one file each. Private to the room.
#pragma once

#include <optional>

#include "sim/economics/economics.hpp"

namespace fleetsim {

struct CostInput {
  const Scenario& scenario;
  const Bill& bill;
  Watts mean_it_power;
  double burst_gpu_hours;  ///< a year
  std::size_t years;
};

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
