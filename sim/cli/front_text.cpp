#include "sim/cli/front_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/cli/table.hpp"

namespace fleetsim::cli {

namespace {

/// Seconds are shown as hours, shares as they are.
std::string heading(const FrontAxis& axis) {
  const std::string unit = axis.unit == "s" ? "h" : axis.unit == "ratio" ? "" : axis.unit;
  return axis.name + (unit.empty() ? "" : ", " + unit);
}

std::string figure(const FrontAxis& axis, const FrontValue& v) {
  if (v.n == 0 || !std::isfinite(v.mean)) return "-";
  const double scale = axis.unit == "s" ? 1.0 / 3600.0 : 1.0;
  const int digits = axis.unit == "USD" ? 0 : axis.unit == "ratio" ? 3 : 2;
  const std::string mean = fmt::format("{:.{}f}", v.mean * scale, digits);
  if (axis.exact || !std::isfinite(v.low)) return mean;
  return fmt::format("{} +-{:.{}f}", mean, (v.high - v.low) / 2.0 * scale, digits);
}

std::string remark(const FrontFleet& fleet) {
  switch (fleet.standing) {
    case FrontStanding::on_front:
      return "ON THE FRONT";
    case FrontStanding::dominated:
      return fmt::format("dominated by {}{}", fleet.by,
                         fleet.rivals > 1 ? fmt::format(" and {} more", fleet.rivals - 1) : "");
    case FrontStanding::undecided:
      return fmt::format("undecided: {}{} may dominate it", fleet.by,
                         fleet.rivals > 1 ? fmt::format(" or {} more", fleet.rivals - 1) : "");
    case FrontStanding::left_out:
      return "left out: " + fleet.reason;
  }
  return {};
}

}  // namespace

std::string front_text(const Front& front) {
  std::string text;
  for (const FrontOfRule& rule : front.rules) {
    Rows rows{{"fleet", heading(front.axes[0]), heading(front.axes[1]), "front"}};
    for (const FrontFleet& fleet : rule.fleets)
      rows.push_back({fleet.label, figure(front.axes[0], fleet.values[0]),
                      figure(front.axes[1], fleet.values[1]), remark(fleet)});
    text += fmt::format("\nPareto front of {} and {}, sharing: {}\n{}", front.axes[0].name,
                        front.axes[1].name, to_string(rule.sharing), aligned(rows, 1, true));
  }
  for (const FrontAxis& axis : front.axes)
    if (axis.larger_is_better) text += fmt::format("of {} more is better\n", axis.name);
  return text + front_guarantee(front) + "\n";
}

}  // namespace fleetsim::cli
