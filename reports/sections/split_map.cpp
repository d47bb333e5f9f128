// The map of a study with axes of conditions: a heat map a sharing rule, and which shares keep the limits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/markdown.hpp"
#include "reports/money.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"
#include "sim/study/map_grid.hpp"
#include "sim/study/objectives/objective.hpp"

namespace fleetsim {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

std::string number_or_none(double share) {
  return std::isfinite(share) ? fmt::format("{:.1f}", 100.0 * share) : std::string("-1");
}

/// The best share.
std::string label_of(const MapAnswer* answer) {
  if (answer == nullptr || answer->best.empty()) return "none";
  return shares_text(answer->best_share, answer->best_share) + " %";
}

/// The shares of the best set, where they say more; ? where further fleets are undecided.
std::string set_of(const MapAnswer* answer) {
  if (answer == nullptr || answer->best.empty()) return {};
  const std::string set = shares_text(answer->share_low, answer->share_high);
  return (set + " %" == label_of(answer) ? "" : "(" + set + ")") + (answer->undecided.empty() ? "" : "?");
}

std::string axis_label(const StudyMap& map, int axis) {
  if (axis < 0) return {};
  const MapAxis& a = map.axes[static_cast<std::size_t>(axis)];
  if (axis == s_axis(map)) return "s, the scale-up share of the demand's money";
  if (axis == load_axis(map)) return "Load: money of the demand over node money";
  return a.path;
}

std::string word_at(const StudyMap& map, int axis, std::size_t value) {
  return axis < 0 ? std::string{} : map.axes[static_cast<std::size_t>(axis)].values[value];
}

struct Counted {
  int holds = 0, refuted = 0, undecided = 0, none = 0;
};

Counted counted(const MapGrid& grid, SharingRule rule, double k) {
  Counted n;
  for (const auto& row : grid.rows) {
    for (const MapCell* cell : row) {
      const MapAnswer* answer = cell == nullptr ? nullptr : find_answer(*cell, rule, k);
      if (answer == nullptr || answer->best.empty()) {
        ++n.none;
      } else {
        (answer->status == "holds" ? n.holds : answer->status == "refuted" ? n.refuted : n.undecided) += 1;
      }
    }
  }
  return n;
}

std::string caption(const Dossier& d, const Counted& n) {
  std::string text =
      d.study.bought_pools() == 2
          ? fmt::format("The guide's {} holds in {} of {} cells (framed) and is refuted in {}",
                        band_text(d.study), n.holds, n.holds + n.refuted + n.undecided + n.none, n.refuted)
          : fmt::format("The best share in {} cells", n.holds + n.refuted + n.undecided + n.none);
  if (n.undecided > 0) text += fmt::format("; {} undecided", n.undecided);
  if (n.none > 0) text += fmt::format("; in {} no fleet meets every requirement", n.none);
  return text +
         ". Colour: share of node money of the best fleet; in brackets the shares of the best set; ?: "
         "further fleets are undecided.";
}

Drawing heat_map(const Dossier& d, const MapGrid& grid, SharingRule rule, std::size_t number) {
  const StudyMap& map = *d.study.map;
  const std::size_t nx = grid.rows.front().size(), ny = grid.rows.size();
  std::string csv = "x,y,share_pct,text,set,holds,x_label,y_label\n", alt;
  for (std::size_t x = 0; x < nx; ++x) {
    const MapCell* cell = grid.rows.front()[x];
    if (cell == nullptr) continue;
    csv += fmt::format("{},0,{},{},-,0,{},-\n", x + 1, number_or_none(cell->first_order_share),
                       csv_cell(fmt::format("{:.0f} %", 100.0 * cell->first_order_share)),
                       csv_cell(word_at(map, grid.x, x)));
  }
  for (std::size_t y = 0; y < ny; ++y) {
    for (std::size_t x = 0; x < nx; ++x) {
      const MapCell* cell = grid.rows[y][x];
      const MapAnswer* answer = cell == nullptr ? nullptr : find_answer(*cell, rule, d.k);
      if (cell == nullptr) continue;
      const std::string set = set_of(answer);
      csv += fmt::format("{},{},{},{},{},{},{},{}\n", x + 1, y + 1,
                         number_or_none(answer == nullptr ? kNothing : answer->best_share),
                         csv_cell(label_of(answer)), csv_cell(set.empty() ? "-" : set),
                         answer != nullptr && answer->status == "holds" ? 1 : 0,
                         csv_cell(word_at(map, grid.x, x)), csv_cell(word_at(map, grid.y, y)));
      alt += fmt::format(" {}: {}{}{}.", point_text(map.axes, cell->at), label_of(answer),
                         set.empty() ? "" : " ", set);
    }
  }
  const auto band = [](double share) { return fmt::format("{:g}", std::round(share * 1000.0) / 10.0); };
  const bool two = d.study.bought_pools() == 2;
  std::string name = fmt::format("split_map_{}", to_string(rule));
  std::replace(name.begin(), name.end(), '-', '_');
  if (number > 0) name += fmt::format("_{}", number + 1);
  return Drawing{
      name,
      "split_map",
      csv,
      {axis_label(map, grid.x), axis_label(map, grid.y), two ? band(d.study.band_low) : "0",
       two ? band(d.study.band_high) : "0", fmt::format("{}", nx), fmt::format("{}", ny)},
      fmt::format("Best share of node money by cell, {}{}.", title_of(rule),
                  map.of_k ? ", k = " + k_text(d.k) : std::string()) +
          alt,
      fmt::format("{}{}. {}", text(title_of(rule)), grid.place.empty() ? "" : text(", " + grid.place),
                  caption(d, counted(grid, rule, d.k)))};
}

Table meets_table(const StudyMap& map, const MapGrid& grid, SharingRule rule) {
  Table table;
  table.columns.push_back({grid.y < 0 ? "" : text(map.axes[static_cast<std::size_t>(grid.y)].name)});
  for (std::size_t x = 0; x < grid.rows.front().size(); ++x)
    table.columns.push_back({text(value_text(map, grid.x, x)), Align::right});
  int cells = 0, empty = 0;
  for (std::size_t y = 0; y < grid.rows.size(); ++y) {
    std::vector<std::string> row{text(word_at(map, grid.y, y))};
    for (const MapCell* cell : grid.rows[y]) {
      const MapMeets* meets = nullptr;
      for (std::size_t m = 0; cell != nullptr && m < cell->meets.size(); ++m)
        if (cell->meets[m].sharing == rule) meets = &cell->meets[m];
      const bool none = meets == nullptr || meets->fleets.empty();
      ++cells;
      empty += none ? 1 : 0;
      row.push_back(none ? std::string("none") : shares_text(*meets));
    }
    table.rows.push_back(std::move(row));
  }
  table.caption = fmt::format(
      "{}{}: shares of node money, in percent, of the fleets that keep every limit; in {} of {} cells there "
      "is none",
      title_of(rule), grid.place.empty() ? "" : text(", " + grid.place), empty, cells);
  return table;
}

void split_map_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  if (!d.study.map || d.study.map->cells.empty()) return;
  const StudyMap& map = *d.study.map;
  out.emplace_back(Heading{1, "The map: when the answer changes"});
  std::vector<std::string> axes;
  for (const MapAxis& axis : map.axes)
    axes.push_back(fmt::format("{} ({} value{})", code(axis.path), axis.values.size(),
                               axis.values.size() == 1 ? "" : "s"));
  out.emplace_back(Paragraph{fmt::format(
      "{} were studied beside the scenario itself, each with every fleet under every "
      "sharing rule and {}: {}. "
      "{}. The first-order line puts the share of node money equal to s.",
      count(static_cast<long long>(map.cells.size()), "cell"), count(d.study.replications, "replication"),
      listed(axes),
      map.of_k ? fmt::format("k = {}, prototypes run in sequence per result", k_text(d.k))
               : fmt::format("Fleets are ranked by {}", objective_named(d.study.objective).ranked))});
  if (map.holds) out.emplace_back(Callout{sentence(map.holds->sentence)});
  const std::vector<MapGrid> grids = grids_of(map);
  const std::vector<SharingRule> rules = rules_of(map, d.sharing);
  for (const SharingRule rule : rules)
    for (std::size_t g = 0; g < grids.size(); ++g) out.emplace_back(heat_map(d, grids[g], rule, g));
  out.emplace_back(Heading{2, "Which shares keep the limits"});
  std::vector<std::string> limits = {"at most 1 % of the work unserved or unfinished", "no growing backlog"};
  for (const std::string& one : map.limits) limits.push_back(code(one));
  out.emplace_back(Paragraph{fmt::format("The same cells by limits instead of a mean: {}.", listed(limits))});
  for (const SharingRule rule : rules)
    for (const MapGrid& grid : grids) out.emplace_back(meets_table(map, grid, rule));
  out.emplace_back(Paragraph{
      fmt::format("The map{}, with labels of the fleets, is in map.csv and under `map` in study.json.",
                  map.of_k ? " for every k" : "")});
}

const RegisterSection kSplitMap{{42, "split_map", split_map_section}};

}  // namespace
}  // namespace fleetsim
