#include "sim/study/carried_demand.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/study/judge_keeping.hpp"
#include "sim/study/study.hpp"

namespace fleetsim {

namespace {

/// Cells that differ in their demand alone: indices of cells, by ascending load.
using DemandRow = std::vector<std::size_t>;

std::vector<DemandRow> rows_along(const StudyMap& map, std::size_t axis) {
  std::vector<DemandRow> rows;
  std::vector<std::vector<std::size_t>> keys;
  for (std::size_t i = 0; i < map.cells.size(); ++i) {
    std::vector<std::size_t> key = map.cells[i].at;
    key[axis] = 0;
    const auto known = static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
    if (known == keys.size()) {
      keys.push_back(std::move(key));
      rows.emplace_back();
    }
    rows[known].push_back(i);
  }
  for (DemandRow& row : rows)
    std::stable_sort(row.begin(), row.end(),
                     [&](std::size_t a, std::size_t b) { return map.cells[a].load < map.cells[b].load; });
  return rows;
}

/// Whether no two cells of a row offer the same load, and the values stand in the same order in all rows.
bool orders_demand(const StudyMap& map, std::size_t axis) {
  const std::vector<DemandRow> rows = rows_along(map, axis);
  for (const DemandRow& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const MapCell& cell = map.cells[row[i]];
      if (cell.at[axis] != map.cells[rows.front()[i]].at[axis]) return false;
      if (i > 0 && !(cell.load > map.cells[row[i - 1]].load * (1.0 + 1e-9))) return false;
    }
  }
  return true;
}

const LimitsJudgement* judged_in(const CellJudgement& cell, const CellJudgement::Of& fleet) {
  for (const CellJudgement::Of& one : cell.fleets)
    if (one.sharing == fleet.sharing && one.fleet == fleet.fleet) return &one.judged;
  return nullptr;
}

std::string place_of_row(const StudyMap& map, std::size_t axis, const MapCell& cell) {
  std::string text;
  for (std::size_t a = 0; a < map.axes.size(); ++a)
    if (a != axis && map.axes[a].values.size() > 1)
      text +=
          fmt::format("{}{}={}", text.empty() ? "" : ", ", map.axes[a].name, map.axes[a].values[cell.at[a]]);
  return text;
}

}  // namespace

CarriedDemand carried_demand(const std::vector<Keeps>& by_demand) {
  CarriedDemand carried;
  const std::size_t n = by_demand.size();
  while (carried.kept < n && by_demand[carried.kept] == Keeps::surely) ++carried.kept;
  while (carried.broken < n && by_demand[n - 1 - carried.broken] == Keeps::broken) ++carried.broken;
  const auto first_broken = std::find(by_demand.begin(), by_demand.end(), Keeps::broken);
  carried.monotone = std::find(first_broken, by_demand.end(), Keeps::surely) == by_demand.end();
  return carried;
}

CellJudgement judge_cell(const Scenario& cell, const StudyResult& study, double confidence) {
  const StudySpec& spec = cell.study;
  const LimitErrors errors{(1.0 - confidence) / 2.0, (1.0 - confidence) / 2.0};
  CellJudgement all;
  for (const CandidateResult& c : study.candidates)
    all.fleets.push_back(
        {c.sharing, c.label,
         judge_of_study(cell, spec.limits.empty() ? spec.constraints : spec.limits, study, c, errors)});
  return all;
}

int demand_axis(const StudyMap& map) {
  const auto rank = [&](std::size_t axis) {
    const std::string& path = map.axes[axis].path;
    return path == "workload.demand.load" ? 0 : path == "workload.users" ? 1 : 2;
  };
  int found = -1;
  for (std::size_t a = 0; a < map.axes.size(); ++a) {
    const MapAxis& axis = map.axes[a];
    if (!axis.path.starts_with("workload.") || static_cast<int>(a) == s_axis(map)) continue;
    if (axis.values.size() < 2 || !orders_demand(map, a)) continue;
    if (found < 0 || rank(a) < rank(static_cast<std::size_t>(found))) found = static_cast<int>(a);
  }
  return found;
}

std::optional<MostDemand> most_demand(const StudyMap& map, const std::vector<CellJudgement>& cells) {
  const int s = s_axis(map), found = demand_axis(map);
  if (found < 0 || (s >= 0 && map.axes[static_cast<std::size_t>(s)].values.size() > 1)) return std::nullopt;
  const auto axis = static_cast<std::size_t>(found);
  MostDemand most;
  most.path = map.axes[axis].path;
  most.name = map.axes[axis].name;
  most.limits = map.limits;
  const std::vector<DemandRow> rows = rows_along(map, axis);
  for (const std::size_t i : rows.front()) {
    most.values.push_back(map.axes[axis].values[map.cells[i].at[axis]]);
    most.loads.push_back(map.cells[i].load);
  }
  for (const DemandRow& row : rows) {
    for (const CellJudgement::Of& one : cells[row.front()].fleets) {
      FleetDemand fleet;
      fleet.sharing = one.sharing;
      fleet.fleet = one.fleet;
      fleet.place = place_of_row(map, axis, map.cells[row.front()]);
      std::vector<Keeps> keeping;
      for (const std::size_t i : row) {
        const LimitsJudgement* judged = judged_in(cells[i], one);
        fleet.judged.push_back(
            judged != nullptr ? *judged : LimitsJudgement{Keeps::open, "no candidate at this demand"});
        keeping.push_back(fleet.judged.back().keeps);
      }
      fleet.carried = carried_demand(keeping);
      most.fleets.push_back(std::move(fleet));
    }
  }
  return most;
}

std::string demand_in_words(const MostDemand& most, std::size_t value) {
  const std::string& text = most.values[value];
  return most.path == "workload.users" ? text + " users" : most.name + " " + text;
}

std::string carried_text(const MostDemand& most, const FleetDemand& fleet) {
  const std::size_t n = most.values.size(), kept = fleet.carried.kept, open = n - fleet.carried.broken;
  const auto words = [&](std::size_t value) { return demand_in_words(most, value); };
  std::string text;
  if (kept == n) {
    text = fmt::format("at least {}, the most that was tried", words(n - 1));
  } else if (open == 0) {
    text = fmt::format("surely less than {}, the least that was tried", words(0));
  } else if (kept > 0 && open < n) {
    text = fmt::format("surely {}, surely not {}", words(kept - 1), words(open));
    if (kept < open)
      text += kept + 1 == open ? fmt::format("; {} is open", words(kept))
                               : fmt::format("; {} to {} are open", words(kept), most.values[open - 1]);
  } else if (kept > 0) {
    text = fmt::format("surely {}; all above is open", words(kept - 1));
  } else if (open < n) {
    text = fmt::format("surely not {}; all below is open", words(open));
  } else {
    text = "open at every demand that was tried";
  }
  if (!fleet.carried.monotone)
    text += "; not monotone: it keeps its limits above a demand at which it does not";
  return text;
}

std::vector<std::string> most_demand_sentences(const MostDemand& most, SharingRule sharing) {
  std::vector<std::string> places, sentences;
  for (const FleetDemand& f : most.fleets)
    if (f.sharing == sharing && std::find(places.begin(), places.end(), f.place) == places.end())
      places.push_back(f.place);
  for (const std::string& place : places) {
    std::vector<const FleetDemand*> all;
    for (const FleetDemand& f : most.fleets)
      if (f.sharing == sharing && f.place == place) all.push_back(&f);
    // First by what is surely carried, then by what is surely too much.
    const auto better = [](const FleetDemand* a, const FleetDemand* b) {
      return std::pair(a->carried.kept, b->carried.broken) > std::pair(b->carried.kept, a->carried.broken);
    };
    std::stable_sort(all.begin(), all.end(), better);
    std::vector<std::string> names;
    for (const FleetDemand* f : all)
      if (!better(all.front(), f)) names.push_back(f->fleet);
    constexpr std::size_t kNamed = 4;
    const std::size_t more = names.size() > kNamed ? names.size() - kNamed : 0;
    names.resize(names.size() - more);
    std::string who = fmt::format("{}", fmt::join(names, ", "));
    if (more > 0) who += fmt::format(" and {} more", more);
    sentences.push_back(fmt::format(
        "With {} sharing{}, {} {}: {}.", to_string(sharing), place.empty() ? "" : " at " + place, who,
        all.size() == 1 ? "carries"
        : all.front()->carried.kept == 0
            ? "may carry most, but no fleet surely carries a demand that was tried"
        : names.size() > 1 || more > 0 ? "carry most"
                                       : "carries most",
        carried_text(most, *all.front())));
  }
  return sentences;
}

std::string most_demand_guarantee(const MostDemand& most) {
  return fmt::format(
      "Of each fleet and sharing rule by itself, with {:.0f} %: every limit is kept at all demands up to the "
      "sure one, and one is broken at all from the other one on. Demands between two that were tried are not "
      "told apart: finer steps of {} narrow the interval, more replications close what is open.",
      100.0 * most.confidence, most.path);
}

}  // namespace fleetsim
