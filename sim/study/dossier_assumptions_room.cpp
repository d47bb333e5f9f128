// Figures of heat, power limits and supplies that the findings and the run times rest on.
#include <fmt/format.h>

#include "sim/base/units.hpp"
#include "sim/study/dossier_parts.hpp"
#include "topology/card_limits.hpp"

namespace fleetsim {

namespace {

std::string kelvin(double rise) {
  return fmt::format("{:.3g} K", rise);
}

void supplies(const NodeType& node, std::vector<Assumption>& out) {
  const PowerSupplies& s = node.supplies;
  if (s.count == 0) return;
  Assumption a;
  a.what =
      fmt::format("{}, rating of each of {} power supplies ({} redundant)", node.title, s.count, s.redundant);
  a.value = to_text(s.rating.value);
  if (s.rating.from.estimate && s.rating.low < s.rating.high) {
    a.low = to_text(s.rating.low);
    a.high = to_text(s.rating.high);
  }
  a.source = s.rating.from.source;
  if (s.rating.from.estimate && !s.rating.from.note.empty()) a.source += ": " + s.rating.from.note;
  a.as_of = s.rating.from.as_of;
  a.estimate = s.rating.from.estimate;
  out.push_back(std::move(a));
}

void heat(const NodeType& node, std::vector<Assumption>& out) {
  const auto rise = temperature_rise(node);
  if (!rise) return;
  Assumption a;
  a.what = fmt::format("{}, cards warmer than the air at board power ({})", node.title,
                       to_string(card_cooling(node)));
  a.value = kelvin(rise->value);
  a.low = kelvin(rise->low);
  a.high = kelvin(rise->high);
  a.source =
      "estimate: set by the guide's 10 to 30 C for a gap between cards and 78 C in a well-aired server";
  a.as_of = "2020-09";
  a.estimate = true;
  out.push_back(std::move(a));
}

void limit(const NodePool& pool, std::vector<Assumption>& out) {
  if (!pool.gpu_power_limit) return;
  const Span speed = capped_speed(*pool.gpu_power_limit, pool.node.gpu.board_power.value);
  Assumption a;
  a.what = fmt::format("{} at {}, speed over that at board power", pool.node.gpu.title,
                       to_text(*pool.gpu_power_limit));
  a.value = fmt::format("{:.3g}", speed.value);
  a.low = fmt::format("{:.3g}", speed.low);
  a.high = fmt::format("{:.3g}", speed.high);
  a.source = "estimate: over 0.95 at 280 W of 350 W measured (Puget Systems), the rest own judgement";
  a.as_of = "2020-11-13";
  a.estimate = true;
  out.push_back(std::move(a));
}

}  // namespace

std::vector<Assumption> room_figures(const Scenario& scenario) {
  std::vector<Assumption> all;
  for (const NodePool& pool : scenario.pools) {
    if (pool.node.rented()) continue;
    supplies(pool.node, all);
    heat(pool.node, all);
    limit(pool, all);
  }
  Assumption air;
  air.what = "air at the front of the nodes";
  air.value = to_text(scenario.site.inlet_temperature);
  air.source = "scenario file";
  all.push_back(std::move(air));
  for (Assumption& a : all) a.used_for = "power";
  return all;
}

std::string throttling_limitation(const Scenario& scenario) {
  std::string slowed;
  for (const NodePool& pool : scenario.pools) {
    if (pool.count == 0) continue;
    const double speed = card_speed(pool.node, pool.gpu_power_limit, scenario.site.inlet_temperature);
    if (speed < 1.0)
      slowed += fmt::format("{}the cards of {} run at {:.0f} % of their speed", slowed.empty() ? "" : ", ",
                            pool.name, 100.0 * speed);
  }
  return slowed.empty() ? "No card throttles, by a steady-state model whose figures are estimates."
                        : fmt::format("By power limit and heat {}; both models rest on estimates.", slowed);
}

}  // namespace fleetsim
