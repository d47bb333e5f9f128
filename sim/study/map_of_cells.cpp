#include "sim/study/map_of_cells.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/study/constraints.hpp"
#include "sim/study/objectives/objective.hpp"
#include "sim/study/verdict.hpp"
#include "sim/study/candidate_list.hpp"

namespace fleetsim {

namespace {

std::vector<std::string> labels_of(const StudyResult& study, const std::vector<int>& candidates) {
  std::vector<std::string> out;
  for (const int c : candidates) out.push_back(studied_candidate(study, c).label);
  return out;
}

MapAnswer answer_of(const StudyResult& study, const BestSet& set) {
  MapAnswer answer;
  answer.sharing = set.sharing;
  answer.k = set.k;
  const RuleJudgement judged = judge_rule(study, set);
  answer.status = study.bought_pools() == 2 ? judged.status : "undecided";
  if (set.best < 0) return answer;
  const CandidateResult& best = studied_candidate(study, set.best);
  answer.best = best.label;
  answer.best_share = best.share;
  answer.figure = objective_named(study.objective).value(best, set.k).mean;
  answer.share_low = judged.share_low;
  answer.share_high = judged.share_high;
  answer.members = labels_of(study, set.members);
  answer.undecided = labels_of(study, set.undecided);
  if (judged.in_band >= 0) answer.loss_percent = judged.loss.percent;
  return answer;
}

/// Consecutive cells along s.
struct Run {
  double low = 0.0, high = 0.0;
  std::size_t cells = 0;
};

std::string percent(double ratio) {
  return fmt::format("{:.3g}", 100.0 * ratio);
}

/// Cells that differ in s alone, by ascending s.
struct Row {
  std::vector<const MapCell*> cells;
  std::vector<Run> runs;  ///< in which the rule holds
  std::size_t undecided = 0;
  double load = 0.0;  ///< mean over its cells
};

std::vector<Row> rows_along_s(const StudyMap& map, int s, SharingRule sharing, double k) {
  const auto axis = static_cast<std::size_t>(s);
  std::vector<Row> rows;
  std::vector<std::vector<std::size_t>> keys;
  for (const MapCell& cell : map.cells) {
    std::vector<std::size_t> key = cell.at;
    key[axis] = 0;
    const auto known = std::find(keys.begin(), keys.end(), key);
    const auto i = static_cast<std::size_t>(known - keys.begin());
    if (known == keys.end()) {
      keys.push_back(std::move(key));
      rows.emplace_back();
    }
    rows[i].cells.push_back(&cell);
  }
  for (Row& row : rows) {
    std::stable_sort(row.cells.begin(), row.cells.end(),
                     [](const MapCell* a, const MapCell* b) { return a->s < b->s; });
    bool open = false;
    for (const MapCell* cell : row.cells) {
      row.load += cell->load / static_cast<double>(row.cells.size());
      const MapAnswer* answer = find_answer(*cell, sharing, k);
      const std::string status = answer == nullptr ? "undecided" : answer->status;
      row.undecided += status == "undecided" ? 1 : 0;
      const bool holds = status == "holds";
      if (holds && !open) row.runs.push_back({cell->s, cell->s, 0});
      if (holds) {
        row.runs.back().high = cell->s;
        ++row.runs.back().cells;
      }
      open = holds;
    }
  }
  return rows;
}

std::string runs_text(const Row& row) {
  std::string text;
  for (const Run& run : row.runs)
    text += (text.empty() ? "" : " and ") +
            (run.cells == 1 ? fmt::format("at {}", percent(run.low))
                            : fmt::format("from {} to {}", percent(run.low), percent(run.high)));
  if (text.empty()) text = "nowhere";
  if (row.undecided > 0) text += fmt::format(" ({} of {} undecided)", row.undecided, row.cells.size());
  return text;
}

/// `load 0.5`, and other axes by their values: where the row lies.
std::string place_of(const StudyMap& map, const Row& row, int s) {
  std::string text = fmt::format("load {:.2f}", row.load);
  for (std::size_t a = 0; a < map.axes.size(); ++a)
    if (static_cast<int>(a) != s && static_cast<int>(a) != load_axis(map) && map.axes[a].values.size() > 1)
      text += fmt::format(", {} {}", map.axes[a].name, map.axes[a].values[row.cells.front()->at[a]]);
  return text;
}

}  // namespace

int s_axis(const StudyMap& map) {
  for (std::size_t i = 0; i < map.axes.size(); ++i)
    if (map.axes[i].path == "workload.demand.scale_share") return static_cast<int>(i);
  return -1;
}

int load_axis(const StudyMap& map) {
  for (std::size_t i = 0; i < map.axes.size(); ++i)
    if (map.axes[i].path == "workload.demand.load") return static_cast<int>(i);
  return -1;
}

std::string point_text(const std::vector<MapAxis>& axes, const std::vector<std::size_t>& at) {
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : ", ", axes[i].name, axes[i].values[at[i]]);
  return text;
}

const MapAnswer* find_answer(const MapCell& cell, SharingRule sharing, double k) {
  for (const MapAnswer& answer : cell.answers)
    if (answer.sharing == sharing && std::abs(answer.k - k) <= 1e-9 * std::max(answer.k, k)) return &answer;
  return nullptr;
}

MapCell cell_of(const StudySpec& spec, const StudyResult& study, std::vector<std::size_t> at_axes) {
  MapCell cell;
  cell.at = std::move(at_axes);
  cell.load = study.demand.load;
  cell.s = study.demand.s;
  cell.first_order_share = study.first_order_share;
  cell.rejected = static_cast<int>(study.rejected.size());
  std::vector<SharingRule> rules;
  for (const CandidateResult& c : study.candidates)
    if (std::find(rules.begin(), rules.end(), c.sharing) == rules.end()) rules.push_back(c.sharing);
  for (const SharingRule rule : rules) {
    std::vector<const CandidateResult*> all;
    for (const CandidateResult& c : study.candidates)
      if (c.sharing == rule) all.push_back(&c);
    std::stable_sort(all.begin(), all.end(),
                     [](const auto* a, const auto* b) { return a->share < b->share; });
    cell.fleets = static_cast<int>(all.size());
    MapMeets& meets = cell.meets.emplace_back();
    meets.sharing = rule;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!keeps_limits(spec, *all[i])) continue;
      meets.fleets.push_back(all[i]->label);
      meets.shares.push_back(all[i]->share);
      meets.places.push_back(static_cast<int>(i));
    }
  }
  for (const BestSet& set : study.best_sets) cell.answers.push_back(answer_of(study, set));
  return cell;
}

std::optional<MapHolds> holds_along_s(const StudyMap& map, SharingRule sharing, double k, double load) {
  const int s = s_axis(map);
  if (s < 0 || map.axes[static_cast<std::size_t>(s)].values.size() < 2) return std::nullopt;
  const std::vector<Row> rows = rows_along_s(map, s, sharing, k);
  const Row& own = *std::min_element(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    return std::abs(a.load - load) < std::abs(b.load - load);
  });
  MapHolds holds;
  holds.load = own.load;
  const auto longest = std::max_element(own.runs.begin(), own.runs.end(),
                                        [](const Run& a, const Run& b) { return a.cells < b.cells; });
  if (longest != own.runs.end()) {
    holds.low = longest->low;
    holds.high = longest->high;
  }
  std::vector<std::string> simulated;
  for (const MapCell* cell : own.cells) simulated.push_back(percent(cell->s));
  const std::string where =
      !holds.low ? std::string("holds at none of the simulated s")
      : *holds.low == *holds.high
          ? fmt::format("holds at s = {} %", percent(*holds.low))
          : fmt::format("holds while s is between {} and {} %", percent(*holds.low), percent(*holds.high));
  holds.sentence = fmt::format(
      "By {} simulated cells, with {} sharing{}, 66-80 / 20-33 {} at {} (s, the scale-up share of "
      "the demand's money, simulated at {} %)",
      map.cells.size(), to_string(sharing), map.of_k ? fmt::format(" and k = {:g}", k) : std::string(), where,
      place_of(map, own, s), fmt::join(simulated, ", "));
  for (const Row& row : rows)
    holds.sentence += fmt::format("; {}: {}", place_of(map, row, s), runs_text(row));
  return holds;
}

void add_map(const Scenario& base, StudyMap map, StudyResult& study) {
  if (study.bought_pools() == 2)
    map.holds =
        holds_along_s(map, base.scheduler.sharing, base.study.prototypes_per_result, study.demand.load);
  if (map.holds) {
    const std::string line = first_order_sentence(study);
    const std::string now =
        fmt::format("{}. The first-order line (share of node money = s) says {:.0f} to {:.0f} %.",
                    map.holds->sentence, 100.0 * study.s_low, 100.0 * study.s_high);
    if (study.verdict.starts_with(line))
      study.verdict.replace(0, line.size(), now);
    else
      study.verdict = now + " " + study.verdict;
  }
  study.map = std::move(map);
}

}  // namespace fleetsim
