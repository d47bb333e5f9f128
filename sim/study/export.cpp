#include "sim/study/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/markup.hpp"
#include "sim/metrics/trace_scope.hpp"
#include "sim/study/credibility_json.hpp"
#include "sim/study/front_json.hpp"
#include "sim/study/inverse_json.hpp"
#include "sim/study/map_json.hpp"
#include "sim/study/objectives/objective.hpp"
#include "sim/study/pooling_json.hpp"
#include "sim/study/prices_json.hpp"
#include "sim/study/rounds_json.hpp"
#include "sim/study/run_length_json.hpp"
#include "sim/study/summary_json.hpp"
#include "sim/study/verdict.hpp"
#include "sim/workload/groups.hpp"

namespace fleetsim {

namespace {

using Json = nlohmann::json;

Json labels(const StudyResult& study, const std::vector<int>& candidates) {
  Json j = Json::array();
  for (const int c : candidates) j.push_back(full_label(study.candidates[static_cast<std::size_t>(c)]));
  return j;
}

Json to_json(const AlternativeRow& row) {
  return {{"alternative", row.alternative},
          {"fleet", row.fleet},
          {"fleets", row.fleets},
          {"feasible", row.feasible},
          {"reasons", row.reasons},
          {"hours", row.hours.n > 0 ? summary_json(row.hours) : Json(nullptr)},
          {"results_per_week", row.results_per_week},
          {"cost",
           {{"capex_usd", to_usd(row.purchase)},
            {"sale_usd", to_usd(row.sale)},
            {"three_year_usd", to_usd(row.three_year_cost)}}}};
}

Json to_json(const CandidateResult& c) {
  Json classes = Json::object(), objective = Json::array();
  for (const ClassSummary& s : c.classes) classes[s.name] = summary_json(s.metrics);
  for (const ObjectiveValue& v : c.objective)
    objective.push_back({{"k", v.k}, {"hours", summary_json(v.hours)}});
  Json j = {{"label", full_label(c)},
            {"fleet", c.label},
            {"sharing", to_string(c.sharing)},
            {"counts", c.counts},
            {"share", c.share},
            {"feasible", c.feasible},
            {"reasons", c.reasons},
            {"constraints", to_string(c.keeps)},
            {"end_point", c.end_point},
            {"saturated", c.saturated},
            {"metrics", summary_json(c.metrics)},
            {"classes", std::move(classes)},
            {"objective", std::move(objective)},
            {"results_per_week", c.results_per_week},
            {"states", c.states},
            {"broken_laws", c.broken_laws},
            {"replay_hash", fmt::format("{:016x}", c.replay_hash)},
            {"cost",
             {{"capex_usd", to_usd(c.capex)},
              {"unspent_usd", c.unspent ? Json(to_usd(*c.unspent)) : Json(nullptr)},
              {"three_year_usd", to_usd(c.three_year_cost)},
              {"unpriced", c.unpriced}}}};
  for (const ClassSummary& g : c.groups) j["groups"][g.name] = summary_json(g.metrics);
  return j;
}

Json to_json(const StudyResult& study, const BestSet& set) {
  Json differences = Json::array();
  for (const BestSet::Difference& d : set.differences) {
    differences.push_back({{"label", full_label(study.candidates[static_cast<std::size_t>(d.candidate)])},
                           {"percent", d.percent},
                           {"low", d.low},
                           {"high", d.high}});
  }
  return {{"sharing", to_string(set.sharing)},
          {"k", objective_named(study.objective).of_k ? Json(set.k) : Json()},
          {"best",
           set.best < 0 ? Json() : Json(full_label(study.candidates[static_cast<std::size_t>(set.best)]))},
          {"members", labels(study, set.members)},
          {"undecided", labels(study, set.undecided)},
          {"differences", std::move(differences)}};
}

Json demand_json(const OfferedLoad& demand) {
  Json classes = Json::array();
  std::vector<ClassDemand> all = demand.classes;
  if (demand.trace) all.push_back(*demand.trace);
  for (const ClassDemand& c : all) {
    classes.push_back({{"name", c.name},
                       {"jobs_per_day", c.jobs_per_day},
                       {"busy_nodes", c.busy_nodes},
                       {"cheapest_node", c.cheapest_node},
                       {"money_usd", to_usd(c.money)},
                       {"impossible_share", c.impossible_share}});
  }
  Json j = {{"load", demand.load},
            {"s", demand.s},
            {"node_budget_usd", to_usd(demand.node_budget)},
            {"node_budget_basis", demand.node_budget_basis},
            {"identity", demand.identity},
            {"classes", std::move(classes)}};
  if (demand.closed_loop) j["closed_loop"] = true;
  return j;
}

/// From simulated cells where s is an axis, else the first-order line.
Json holds_for_json(const StudyResult& study) {
  if (study.map && study.map->holds) {
    const MapHolds& holds = *study.map->holds;
    const auto end = [](const std::optional<double>& x) { return x ? Json(*x) : Json(nullptr); };
    return {{"axis", "s"},
            {"low", end(holds.low)},
            {"high", end(holds.high)},
            {"load", holds.load},
            {"basis", "simulated cells: " + holds.sentence}};
  }
  return {{"axis", "s"},
          {"low", study.s_low},
          {"high", study.s_high},
          {"basis", "first-order line: share of node money = s; not yet simulated"}};
}

Json rule_json(const StudyResult& study, const BestSet* own) {
  Json rule = {{"band", {study.band_low, study.band_high}},
               {"status", study.rule_status},
               {"holds_for", holds_for_json(study)},
               {"first_order_share", study.first_order_share},
               {"best_share", {nullptr, nullptr}},
               {"loss_percent",
                {{"mean", study.loss_percent.mean},
                 {"ci95_low", study.loss_percent.ci95_low},
                 {"ci95_high", study.loss_percent.ci95_high}}}};
  if (study.demand.closed_loop)
    rule["holds_for"]["basis"] =
        "first-order line: share of node money = s; s as if nobody waited, a closed loop has no fixed demand";
  rule["open"] = study.rule_open;
  if (own != nullptr) {
    const RuleJudgement judgement = judge_rule(study, *own);
    rule["best_share"] = {judgement.share_low, judgement.share_high};
  }
  return rule;
}

std::string cell(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string{};
}

std::string cells(const Summary* s) {
  return s == nullptr ? ",,,"
                      : fmt::format(",{},{},{}", cell(s->mean), cell(s->ci95_low), cell(s->ci95_high));
}

/// Every metric name of any candidate, so that all rows have the same columns.
struct Columns {
  std::set<std::string> global;
  std::vector<std::set<std::string>> classes, groups;
};
Columns columns_of(const StudyResult& study) {
  Columns columns;
  for (const CandidateResult& c : study.candidates) {
    for (const auto& [name, s] : c.metrics) columns.global.insert(name);
    for (const auto& [sets, names] :
         {std::pair(&c.classes, &columns.classes), std::pair(&c.groups, &columns.groups)}) {
      if (names->size() < sets->size()) names->resize(sets->size());
      for (std::size_t i = 0; i < sets->size(); ++i)
        for (const auto& [name, s] : (*sets)[i].metrics) (*names)[i].insert(name);
    }
  }
  return columns;
}

void add_triple(std::string& line, const std::string& name) {
  line += "," + csv_text(name + "_mean") + "," + csv_text(name + "_ci95_low") + "," +
          csv_text(name + "_ci95_high");
}

std::string header_line(const Scenario& base, const StudyResult& study, const Columns& columns) {
  std::string line = "label,fleet,sharing";
  for (const std::string& pool : study.pool_names) line += "," + csv_text("nodes_" + pool);
  line += ",share,feasible,end_point,saturated,reasons,capex_usd,unspent_usd,three_year_usd,unpriced_items";
  if (study.rounds) line += ",replications,last_round,stopped";
  if (study.front) line += ",front";
  for (const double k : study.ks) {
    const std::string of_k = fmt::format("k{:.4g}", k);
    add_triple(line, "time_to_result_h_" + of_k);
    line += fmt::format(
        ",replications_{0},standing_{0},difference_percent_{0},difference_low_{0},difference_high_{0}", of_k);
  }
  // An objective without k has its figure among the metrics.
  if (!objective_named(study.objective).of_k)
    line += fmt::format(",standing_{0},difference_percent_{0},difference_low_{0},difference_high_{0}",
                        objective_named(study.objective).metric);
  for (const std::string& name : columns.global) add_triple(line, name);
  for (std::size_t i = 0; i < columns.classes.size(); ++i) {
    // The jobs of a trace stand behind the classes.
    const auto& classes = base.workload.classes;
    const std::string job_class = i < classes.size() ? classes[i].name : kTraceScope;
    for (const std::string& name : columns.classes[i])
      add_triple(line, fmt::format("{}({})", name, job_class));
  }
  const std::vector<std::string> groups = group_scopes(base.workload);
  for (std::size_t i = 0; i < std::min(groups.size(), columns.groups.size()); ++i)
    for (const std::string& name : columns.groups[i])
      add_triple(line, fmt::format("{}(group {})", name, groups[i]));
  return line + "\n";
}

/// best | in best set | undecided | worse | not ranked
const char* standing(const BestSet& set, int candidate, bool ranked) {
  const auto in = [&](const std::vector<int>& list) {
    return std::find(list.begin(), list.end(), candidate) != list.end();
  };
  if (candidate == set.best) return "best";
  if (in(set.members)) return "in best set";
  if (in(set.undecided)) return "undecided";
  return ranked ? "worse" : "not ranked";
}

/// Where the fleet stands in a ranking, and its difference to the best.
std::string standing_cells(const BestSet* set, int candidate) {
  const BestSet::Difference* difference = nullptr;
  if (set != nullptr) {
    for (const auto& d : set->differences) {
      if (d.candidate == candidate) difference = &d;
    }
  }
  return fmt::format(",{}", set == nullptr ? "" : standing(*set, candidate, difference != nullptr)) +
         (difference == nullptr ? ",,,"
                                : fmt::format(",{},{},{}", cell(difference->percent), cell(difference->low),
                                              cell(difference->high)));
}

std::string objective_cells(const StudyResult& study, double own_k, int candidate) {
  const CandidateResult& c = study.candidates[static_cast<std::size_t>(candidate)];
  if (!objective_named(study.objective).of_k)
    return standing_cells(find_best_set(study, c.sharing, own_k), candidate);
  std::string line;
  for (const ObjectiveValue& value : c.objective) {
    line += cells(&value.hours) + fmt::format(",{}", value.hours.n);
    line += standing_cells(find_best_set(study, c.sharing, value.k), candidate);
  }
  return line;
}

std::string row(const StudyResult& study, double own_k, const Columns& columns, int candidate) {
  const CandidateResult& c = study.candidates[static_cast<std::size_t>(candidate)];
  std::string line =
      fmt::format("{},{},{}", csv_text(full_label(c)), csv_text(c.label), to_string(c.sharing));
  for (const int count : c.counts) line += fmt::format(",{}", count);
  std::string reasons;
  for (const std::string& reason : c.reasons) reasons += (reasons.empty() ? "" : "; ") + reason;
  line += fmt::format(",{},{},{},{},{},{:.2f},{},{:.2f},{}", cell(c.share), c.feasible, c.end_point,
                      c.saturated, csv_text(reasons), to_usd(c.capex),
                      c.unspent ? fmt::format("{:.2f}", to_usd(*c.unspent)) : std::string(),
                      to_usd(c.three_year_cost), csv_text(fmt::format("{}", fmt::join(c.unpriced, "; "))));
  if (study.rounds) line += fmt::format(",{},{},{}", c.replications, c.last_round, csv_text(c.stopped));
  if (study.front) {
    const FrontFleet* on = find_on_front(*study.front, candidate);
    line += fmt::format(",{}", on == nullptr ? "" : to_string(on->standing));
  }
  line += objective_cells(study, own_k, candidate);
  const auto find = [](const std::map<std::string, Summary>& metrics, const std::string& name) {
    const auto found = metrics.find(name);
    return found == metrics.end() ? nullptr : &found->second;
  };
  for (const std::string& name : columns.global) line += cells(find(c.metrics, name));
  for (std::size_t i = 0; i < columns.classes.size(); ++i) {
    for (const std::string& name : columns.classes[i])
      line += cells(i < c.classes.size() ? find(c.classes[i].metrics, name) : nullptr);
  }
  for (std::size_t i = 0; i < columns.groups.size(); ++i)
    for (const std::string& name : columns.groups[i])
      line += cells(i < c.groups.size() ? find(c.groups[i].metrics, name) : nullptr);
  return line + "\n";
}

/// A fleet that was not simulated: no sharing rule, no figures, `width` commas like every row.
std::string rejected_row(const RejectedFleet& fleet, std::ptrdiff_t width) {
  std::string line = fmt::format("{0},{0},", csv_text(fleet.label));
  for (const int count : fleet.counts) line += fmt::format(",{}", count);
  const auto before = std::count(line.begin(), line.end(), ',');
  line += fmt::format(",{},false,false,false,{}", cell(fleet.share), csv_text("rejected: " + fleet.reason));
  return line + std::string(static_cast<std::size_t>(width - before - 5), ',') + "\n";
}

}  // namespace

std::string study_json(const Scenario& base, const StudyResult& study, const StudyHeader& header) {
  const BestSet* own = find_best_set(study, base.scheduler.sharing, base.study.prototypes_per_result);
  Json candidates = Json::array(), sets = Json::array();
  for (const CandidateResult& c : study.candidates) {
    candidates.push_back(to_json(c));
    if (!study.rounds) continue;
    candidates.back()["replications"] = c.replications;
    candidates.back()["last_round"] = c.last_round;
    candidates.back()["stopped"] = c.stopped;
  }
  for (const BestSet& set : study.best_sets) sets.push_back(to_json(study, set));
  Json rejected = Json::array();
  for (const RejectedFleet& fleet : study.rejected)
    rejected.push_back(
        {{"fleet", fleet.label}, {"counts", fleet.counts}, {"share", fleet.share}, {"reason", fleet.reason}});
  const Recommendation recommended = recommend(base, study);
  const Objective& objective = objective_named(study.objective);
  Json j = {{"fleetsim", header.version},
            {"scenario", {{"name", base.name}, {"sha256", header.scenario_sha256}}},
            {"seed", base.seed},
            {"replications", study.replications},
            {"objective",
             {{"name", objective.metric},
              {"k", objective.of_k ? Json(base.study.prototypes_per_result) : Json()},
              {"ks", study.ks},
              {"sharing", to_string(base.scheduler.sharing)},
              {"indifference", base.study.indifference}}},
            {"best", own == nullptr ? Json::array() : labels(study, own->members)},
            {"undecided", own == nullptr ? Json::array() : labels(study, own->undecided)},
            {"recommended",
             recommended.candidate < 0
                 ? Json()
                 : Json(full_label(study.candidates[static_cast<std::size_t>(recommended.candidate)]))},
            {"recommended_feasible", recommended.feasible},
            {"verdict", study.verdict},
            {"rule", rule_json(study, own)},
            {"demand", demand_json(study.demand)},
            {"best_sets", std::move(sets)},
            {"candidates", std::move(candidates)},
            {"rejected", std::move(rejected)},
            {"pools", study.pool_names}};
  for (const AlternativeRow& row : study.alternatives) j["alternatives"].push_back(to_json(row));
  if (study.rounds) j["search"] = rounds_json(*study.rounds);
  if (study.prices) j["price_robustness"] = prices_json(*study.prices);
  if (objective.larger_is_better) j["objective"]["larger_is_better"] = true;
  if (study.credibility) j["credibility"] = credibility_json(*study.credibility);
  if (study.pooling) j["pooling"] = pooling_json(*study.pooling);
  if (study.front) j["front"] = front_json(*study.front);
  if (study.warm_up) j["warm_up"] = warm_up_json(*study.warm_up);
  if (study.precision) j["precision"] = precision_json(*study.precision);
  if (study.map) j["map"] = map_json(*study.map);
  if (!study.least.empty()) j["least_fleets"] = least_fleets_json(study.least);
  if (study.most_demand) j["most_demand"] = most_demand_json(*study.most_demand);
  if (!header.dossier.empty()) j["dossier"] = Json::parse(header.dossier);
  return j.dump(1) + "\n";
}

std::string candidates_csv(const Scenario& base, const StudyResult& study) {
  const Columns columns = columns_of(study);
  std::string text = header_line(base, study, columns);
  for (std::size_t i = 0; i < study.candidates.size(); ++i)
    text += row(study, base.study.prototypes_per_result, columns, static_cast<int>(i));
  const auto width =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find('\n')), ',');
  for (const RejectedFleet& fleet : study.rejected) text += rejected_row(fleet, width);
  return text;
}

}  // namespace fleetsim
