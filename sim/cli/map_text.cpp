#include "sim/cli/map_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/cli/table.hpp"
#include "sim/study/map_grid.hpp"

namespace fleetsim::cli {

namespace {

using Row = std::vector<std::string>;

std::string best_text(const MapCell* cell, SharingRule rule, double k) {
  if (cell == nullptr) return "-";
  const MapAnswer* answer = find_answer(*cell, rule, k);
  if (answer == nullptr || answer->best.empty()) return "none";
  const std::string best = shares_text(answer->best_share, answer->best_share);
  const std::string set = shares_text(answer->share_low, answer->share_high);
  return fmt::format("{}{}{}{}", best, set == best ? "" : fmt::format(" ({})", set),
                     answer->undecided.empty() ? "" : "?",
                     answer->status == "holds"       ? " *"
                     : answer->status == "undecided" ? " ~"
                                                     : "");
}

std::string meets_text(const MapCell* cell, SharingRule rule) {
  if (cell == nullptr) return "-";
  for (const MapMeets& m : cell->meets)
    if (m.sharing == rule) return m.shares.empty() ? "none" : shares_text(m);
  return "-";
}

template <class Text>
std::string table(const StudyMap& map, const MapGrid& grid, const Text& text) {
  std::vector<Row> rows{{grid.y < 0 ? "" : map.axes[static_cast<std::size_t>(grid.y)].name}};
  for (std::size_t x = 0; x < grid.rows.front().size(); ++x)
    rows.front().push_back(value_text(map, grid.x, x));
  for (std::size_t y = 0; y < grid.rows.size(); ++y) {
    Row row{grid.y < 0 ? "" : map.axes[static_cast<std::size_t>(grid.y)].values[y]};
    for (const MapCell* cell : grid.rows[y]) row.push_back(text(cell));
    rows.push_back(std::move(row));
  }
  return aligned(rows, 1);
}

}  // namespace

std::string map_text(const Scenario& base, const StudyMap& map) {
  const double k = base.study.prototypes_per_result;
  std::string text = fmt::format("\nMap: {}\n", counted(static_cast<long long>(map.cells.size()), "cell"));
  for (const MapGrid& grid : grids_of(map)) {
    const std::string place = grid.place.empty() ? "" : ", " + grid.place;
    for (const SharingRule rule : rules_of(map, base.scheduler.sharing))
      text += fmt::format("\nBest share %, {}{}{}\n{}",
                          map.of_k ? fmt::format("k={:.4g}, ", k) : std::string(), to_string(rule), place,
                          table(map, grid, [&](const MapCell* c) { return best_text(c, rule, k); }));
    for (const SharingRule rule : rules_of(map, base.scheduler.sharing))
      text += fmt::format("\nShares % that keep the limits, {}{}\n{}", to_string(rule), place,
                          table(map, grid, [&](const MapCell* c) { return meets_text(c, rule); }));
  }
  text +=
      "\nbest share (shares of the best set); ?: more fleets are undecided; *: 66-80 / 20-33 holds, ~: it is "
      "undecided there\n";
  std::string list;
  for (const std::string& one : map.limits) list += ", " + one;
  return text + fmt::format("limits: unserved and unfinished work at most 1 %, no growing backlog{}\n", list);
}

std::string cells_text(const CellsPlan& plan) {
  std::string text;
  for (const MapAxis& axis : plan.axes)
    text += fmt::format("axis {} ({}): {}\n", axis.path, axis.name, fmt::join(axis.values, ", "));
  std::vector<Row> rows{{"cell", "load", "s %", "candidates", "rejected", "runs", "stored"}};
  for (const CellPlan& cell : plan.cells)
    rows.push_back({point_text(plan.axes, cell.at), fmt::format("{:.3f}", cell.demand.load),
                    fmt::format("{:.1f}", 100.0 * cell.demand.s), fmt::format("{}", cell.candidates),
                    fmt::format("{}", cell.rejected), fmt::format("{}", cell.runs),
                    fmt::format("{}", cell.stored)});
  return text + aligned(rows, 1, true);
}

}  // namespace fleetsim::cli
