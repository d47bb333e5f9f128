// The part of an administrator's time that the fleet takes.
#include <fmt/format.h>

#include "sim/economics/cost_lines.hpp"
#include "sim/economics/rounding.hpp"

namespace fleetsim {

std::optional<CostLine> staff_line(const CostInput& in) {
  const std::optional<StaffSpec>& staff = in.scenario.economics.staff;
  if (!staff) return std::nullopt;
  return CostLine{"Staff", std::vector<Money>(in.years, share_of(staff->salary, staff->fte)),
                  fmt::format("{:.4g} of full time x {} a year, as the scenario says", staff->fte,
                              money_text(staff->salary)),
                  false};
}

}  // namespace fleetsim
