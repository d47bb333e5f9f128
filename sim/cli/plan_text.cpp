#include "sim/cli/plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/cli/map_text.hpp"
#include "sim/cli/study_text.hpp"
#include "sim/cli/table.hpp"

namespace fleetsim::cli {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// More lines are read by no one; --format json has them all.
constexpr std::size_t kMostRows = 400;

struct Sums {
  long long wanted = 0, stored = 0;
};

Sums sums_of(const StudyPlan& plan) {
  Sums sums;
  for (const StudyPlan::Row& row : plan.rows) {
    sums.wanted += row.wanted;
    sums.stored += row.stored;
  }
  return sums;
}

std::string candidates_text(const StudyPlan& plan) {
  std::vector<std::vector<std::string>> rows{{"candidate", "replications", "stored", "to run"}};
  const std::size_t shown = std::min(plan.rows.size(), kMostRows);
  for (std::size_t i = 0; i < shown; ++i) {
    const StudyPlan::Row& row = plan.rows[i];
    rows.push_back({row.label, fmt::format("{}", row.wanted), fmt::format("{}", row.stored),
                    fmt::format("{}", row.wanted - row.stored)});
  }
  std::string text = aligned(rows, 1, true);
  if (shown < plan.rows.size())
    text += fmt::format("and {} more; --format json lists all\n", plan.rows.size() - shown);
  return text;
}

std::string round_text(const WholePlan& whole) {
  const StudyPlan& plan = whole.study;
  const Sums sums = sums_of(plan);
  std::string text;
  if (plan.complete && plan.rows.empty()) {
    text = fmt::format("The study is complete after {}; nothing to run\n", counted(plan.round, "round"));
  } else {
    const long long total = plan.total();
    text = candidates_text(plan) +
           fmt::format("Round {}: {}{} = {}{}; {} stored in {}, {} to run\n", plan.round,
                       counted(static_cast<long long>(plan.rows.size()) - plan.drawn_fleets, "candidate"),
                       drawn_text(plan.drawn_fleets, plan.draw_replications), counted(total, "run"),
                       sums.wanted < total ? fmt::format(", {} in this shard", sums.wanted) : "", sums.stored,
                       whole.store, sums.wanted - sums.stored) +
           (plan.complete
                ? std::string()
                : fmt::format("Further rounds follow from its results; no candidate gets more than {}\n",
                              counted(plan.cap, "replication")));
  }
  for (const StudyPlan::NotSimulated& one : plan.not_simulated)
    text += fmt::format("not simulated: {}: {}\n", one.label, one.reason);
  return text;
}

std::string exhaustive_text(const WholePlan& whole) {
  const StudyPlan& plan = whole.study;
  const Sums sums = sums_of(plan);
  const long long total = plan.total();
  return candidates_text(plan) +
         fmt::format("{} x {}{} = {}{}; {} stored in {}, {} to run\n",
                     counted(static_cast<long long>(plan.rows.size()) - plan.drawn_fleets, "candidate"),
                     counted(plan.replications, "replication"),
                     drawn_text(plan.drawn_fleets, plan.draw_replications), counted(total, "run"),
                     sums.wanted < total ? fmt::format(", {} in this shard", sums.wanted) : "", sums.stored,
                     whole.store, sums.wanted - sums.stored);
}

std::string cells_sums(const WholePlan& plan) {
  const CellsPlan& cells = *plan.cells;
  return cells_text(cells) + fmt::format("{} with {}; {} stored, {} to run\n",
                                         counted(static_cast<long long>(cells.cells.size()), "cell"),
                                         counted(cells.runs(), "run"), cells.stored(),
                                         cells.runs() - cells.stored());
}

OrderedJson cells_json(const CellsPlan& plan) {
  OrderedJson axes = OrderedJson::array(), cells = OrderedJson::array();
  for (const MapAxis& axis : plan.axes)
    axes.push_back({{"path", axis.path}, {"name", axis.name}, {"values", axis.values}});
  for (const CellPlan& cell : plan.cells) {
    OrderedJson values = OrderedJson::array();
    for (std::size_t i = 0; i < cell.at.size(); ++i) values.push_back(plan.axes[i].values[cell.at[i]]);
    cells.push_back({{"values", values},
                     {"load", cell.demand.load},
                     {"s", cell.demand.s},
                     {"candidates", cell.candidates},
                     {"rejected", cell.rejected},
                     {"runs", cell.runs},
                     {"stored", cell.stored}});
  }
  return {{"axes", axes}, {"cells", cells}, {"runs", plan.runs()}, {"stored", plan.stored()}};
}

}  // namespace

std::int64_t WholePlan::to_run() const {
  const Sums sums = sums_of(study);
  return sums.wanted - sums.stored + (cells ? cells->runs() - cells->stored() : 0);
}

std::string plan_text(const WholePlan& whole) {
  std::string text = (whole.study.round > 0 ? round_text(whole) : exhaustive_text(whole)) +
                     rejected_text(whole.study.rejected);
  if (whole.cells) text += cells_sums(whole);
  if (whole.time)
    text += fmt::format("expected time: {} on {} ({:.2g} s a run, from {}{})\n",
                        about(whole.time->total_s(whole.to_run())), counted(whole.time->threads, "core"),
                        whole.time->run_s, whole.time->basis,
                        whole.cells ? "; cells of a higher load take longer" : "");
  return text;
}

std::string plan_json(const WholePlan& whole) {
  const StudyPlan& plan = whole.study;
  const Sums sums = sums_of(plan);
  OrderedJson rows = OrderedJson::array();
  for (const StudyPlan::Row& row : plan.rows)
    rows.push_back({{"label", row.label},
                    {"replications", row.wanted},
                    {"stored", row.stored},
                    {"to_run", row.wanted - row.stored}});
  OrderedJson rejected = OrderedJson::array();
  for (const RejectedFleet& fleet : plan.rejected)
    rejected.push_back({{"fleet", fleet.label}, {"reason", fleet.reason}});
  OrderedJson json = {{"store", whole.store},  {"replications", plan.replications},
               {"rows", rows},          {"rejected", rejected},
               {"total", plan.total()}, {"runs", sums.wanted},
               {"stored", sums.stored}, {"to_run", sums.wanted - sums.stored}};
  if (plan.round > 0) {
    json["round"] = plan.round;
    json["complete"] = plan.complete;
    json["max_replications"] = plan.cap;
    OrderedJson known = OrderedJson::array();
    for (const StudyPlan::NotSimulated& one : plan.not_simulated)
      known.push_back({{"label", one.label}, {"reason", one.reason}});
    json["not_simulated"] = std::move(known);
  }
  if (plan.drawn_fleets > 0) {
    json["drawn_fleets"] = plan.drawn_fleets;
    json["draw_replications"] = plan.draw_replications;
  }
  if (whole.cells) json["map"] = cells_json(*whole.cells);
  if (whole.time)
    json["expected_time"] = {{"seconds", whole.time->total_s(whole.to_run())},
                             {"run_seconds", whole.time->run_s},
                             {"threads", whole.time->threads},
                             {"from", whole.time->basis}};
  // Names of files are bytes, JSON is UTF-8.
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace fleetsim::cli
