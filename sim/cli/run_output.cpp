#include "sim/cli/run_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/cli/availability_text.hpp"
#include "sim/cli/energy_text.hpp"
#include "sim/cli/findings_text.hpp"
#include "sim/cli/table.hpp"
#include "sim/study/constraints.hpp"
#include "sim/study/finding_json.hpp"
#include "sim/study/run_length_json.hpp"
#include "sim/study/summary_json.hpp"

namespace fleetsim::cli {

namespace {

using Json = nlohmann::json;

// ---- result.json -------------------------------------------------------------------------------------

Json metrics_json(const CandidateResult& result) {
  Json metrics = summary_json(result.metrics);
  Json classes = Json::object();
  for (const ClassSummary& of_class : result.classes) classes[of_class.name] = summary_json(of_class.metrics);
  metrics["classes"] = std::move(classes);
  for (const ClassSummary& group : result.groups) metrics["groups"][group.name] = summary_json(group.metrics);
  return metrics;
}

Json cost_json(const RunReport& report) {
  Json years = Json::array();
  for (const Money& year : report.dossier.cost.total_by_year) years.push_back(to_usd(year));
  return {{"capex_usd", to_usd(report.result.capex)},
          {"unspent_usd", report.result.unspent ? Json(to_usd(*report.result.unspent)) : Json(nullptr)},
          {"three_year_usd", to_usd(report.result.three_year_cost)},
          {"by_year_usd", std::move(years)},
          {"unpriced", report.dossier.bill.unpriced}};
}

Json demand_json(const ClassDemand& d) {
  return {{"name", d.name},
          {"jobs_per_day", d.jobs_per_day},
          {"busy_nodes", d.busy_nodes},
          {"cheapest_node", d.cheapest_node},
          {"money_usd", to_usd(d.money)},
          {"impossible_share", d.impossible_share}};
}

Json offered_load_json(const OfferedLoad& demand) {
  Json classes = Json::array();
  for (const ClassDemand& d : demand.classes) classes.push_back(demand_json(d));
  if (demand.trace) classes.push_back(demand_json(*demand.trace));
  Json load = {{"load", demand.load},
               {"s", demand.s},
               {"node_budget_usd", to_usd(demand.node_budget)},
               {"node_budget_basis", demand.node_budget_basis},
               {"fleet_load", demand.fleet_load},
               {"identity", demand.identity},
               {"classes", std::move(classes)}};
  if (demand.closed_loop) load["closed_loop"] = true;
  return load;
}

Json findings_json(const RunReport& report) {
  Json findings = Json::array();
  const auto add = [&](const char* kind, const std::string& text) {
    findings.push_back({{"kind", kind}, {"text", text}});
  };
  for (const facility::Finding& finding : report.dossier.facility) {
    Json j = finding_json(finding);
    j["kind"] = "facility";
    j["text"] = finding.message;
    findings.push_back(std::move(j));
  }
  for (const RunFinding& finding : report.findings) add(finding.kind.c_str(), finding.text);
  for (const std::string& reason : report.result.reasons) add("constraint", reason);
  for (const std::string& law : report.result.broken_laws) add("broken-law", law);
  return findings;
}

// ---- text --------------------------------------------------------------------------------------------

const Summary* find(const std::map<std::string, Summary>& metrics, const std::string& name) {
  const auto found = metrics.find(name);
  return found == metrics.end() ? nullptr : &found->second;
}

/// Mean and half of the interval, both divided by `unit`; "-" alone where nothing is defined.
std::string with_interval(const Summary* s, double unit, int digits, const char* suffix = "") {
  if (s == nullptr || s->n == 0) return "-";
  const std::string mean = fmt::format("{:.{}f}", s->mean / unit, digits);
  if (!std::isfinite(s->ci95_low)) return mean + suffix;
  return fmt::format("{} +- {:.{}f}{}", mean, (s->ci95_high - s->ci95_low) / 2.0 / unit, digits, suffix);
}

std::string fleet_text(const RunReport& report) {
  const Scenario& scenario = report.loaded.scenario;
  Rows rows{{"pool", "nodes", "GPUs", "node", "utilisation"}};
  for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
    const NodePool& pool = scenario.pools[p];
    const Summary* busy =
        p < report.result.pool_utilisation.size() ? &report.result.pool_utilisation[p] : nullptr;
    rows.push_back({pool.name, fmt::format("{}", pool.count), fmt::format("{}", pool.count * pool.node.gpus),
                    pool.node.name, with_interval(busy, 0.01, 1, " %")});
  }
  return aligned(rows);
}

std::string demand_text(const OfferedLoad& demand, const std::string& growth) {
  std::string text = fmt::format("Offered load {:.3f} of {} of nodes; s = {:.1f} % of the demand's money\n",
                                 demand.load, money_text(demand.node_budget), 100.0 * demand.s);
  if (demand.closed_loop)
    text += "  (closed loop: if nobody waited, so at most; users who wait submit less)\n";
  Rows rows{{"class", "jobs/day", "nodes kept busy", "on", "impossible work"}};
  const auto add = [&](const ClassDemand& d) {
    rows.push_back({d.name, fmt::format("{:.2f}", d.jobs_per_day), fmt::format("{:.2f}", d.busy_nodes),
                    d.cheapest_node.empty() ? "no pool" : d.cheapest_node,
                    fmt::format("{:.1f} %", 100.0 * d.impossible_share)});
  };
  for (const ClassDemand& d : demand.classes) add(d);
  if (demand.trace) add(*demand.trace);
  text += aligned(rows) + (growth.empty() ? "" : "  " + growth);
  if (!demand.identity.empty()) text += "  " + demand.identity + "\n";
  return text;
}

std::string states_text(const CandidateResult& result) {
  Rows rows;
  std::int64_t sum = 0;
  for (const auto& [state, jobs] : result.states) {
    if (jobs == 0) continue;
    rows.push_back({state, fmt::format("{}", jobs)});
    sum += jobs;
  }
  rows.push_back({"submitted", fmt::format("{}", sum)});
  return "Jobs by final state, all replications\n" + aligned(rows);
}

std::string waits_text(const CandidateResult& result) {
  Rows rows{{"class", "jobs", "wait h", "median h", "p90 h", "p95 h", "turnaround h", "bounded slowdown"}};
  const auto add = [&](const std::string& name, const std::map<std::string, Summary>& m) {
    const auto hours = [&](const char* metric) { return with_interval(find(m, metric), 3600.0, 2); };
    rows.push_back({name, with_interval(find(m, "tagged_jobs"), 1.0, 0), hours("wait_s"), hours("wait_s_p50"),
                    hours("wait_s_p90"), hours("wait_s_p95"), hours("turnaround_s"),
                    with_interval(find(m, "bounded_slowdown"), 1.0, 2)});
  };
  for (const ClassSummary& of_class : result.classes) add(of_class.name, of_class.metrics);
  for (const ClassSummary& group : result.groups) add("group " + group.name, group.metrics);
  add("all", result.metrics);
  return "Jobs submitted in the measurement window, a replication (mean +- half of the 95 % interval)\n" +
         aligned(rows);
}

/// What groups of users held; nothing without groups.
std::string groups_text(const CandidateResult& result) {
  if (result.groups.empty()) return {};
  Rows rows{{"group", "GPU h held", "share of the use"}};
  for (const ClassSummary& g : result.groups)
    rows.push_back({g.name, with_interval(find(g.metrics, "gpu_hours_held"), 1.0, 1),
                    with_interval(find(g.metrics, "use_share"), 0.01, 1, " %")});
  return "\nGroups of users, in the measurement window\n" + aligned(rows) +
         fmt::format("  Jain's index of GPU time per user over the groups: {}\n",
                     with_interval(find(result.metrics, "group_fairness"), 1.0, 3));
}

std::string whole_run_text(const RunReport& report) {
  const auto& m = report.result.metrics;
  Rows rows;
  const auto add = [&](const char* what, const char* metric, double unit, int digits, const char* suffix) {
    rows.push_back({what, with_interval(find(m, metric), unit, digits, suffix)});
  };
  add("GPUs allocated", "utilisation_allocated", 0.01, 1, " %");
  add("GPUs effective", "utilisation_effective", 0.01, 1, " %");
  add("scaling efficiency", "scaling_efficiency", 0.01, 1, " %");
  add("fragmentation", "fragmentation", 0.01, 1, " %");
  add("unserved work", "unserved_gpu_hours", 1.0, 1, " GPU h");
  add("of it impossible", "impossible_gpu_hours", 1.0, 1, " GPU h");
  add("energy in the window", "energy_kwh", 1.0, 0, " kWh");
  add("cost of a useful GPU hour", "cost_per_useful_gpu_hour", 1.0, 3, " USD");
  if (m.count("node_availability") != 0) {
    add("nodes up", "node_availability", 0.01, 2, " %");
    add("lost to outages", "lost_gpu_hours", 1.0, 1, " GPU h");
    add("spent on checkpoints", "checkpoint_gpu_hours", 1.0, 1, " GPU h");
    add("jobs sent back", "requeued", 1.0, 1, " times");
  }
  if (m.count("preemptions") != 0) {
    add("jobs preempted", "preempted_jobs", 1.0, 1, "");
    add("preemptions", "preemptions", 1.0, 1, " times");
    add("lost to preemption", "preempted_gpu_hours", 1.0, 1, " GPU h");
  }
  if (m.count("burst_jobs") != 0) {
    add("sent to rented GPUs", "burst_jobs", 1.0, 1, " jobs");
    add("rented in the window", "burst_gpu_hours", 1.0, 1, " GPU h");
    add("rent of the window", "burst_cost", 1.0, 2, " USD");
    add("interruptions there", "burst_interruptions", 1.0, 1, " times");
    add("lost to them", "burst_lost_gpu_hours", 1.0, 1, " GPU h");
  }
  if (report.result.objective.empty()) return aligned(rows);
  add("chain slowdown", "chain_slowdown", 1.0, 2, "");
  add("results a week", "results_per_week", 1.0, 2, "");
  for (const ObjectiveValue& value : report.result.objective)
    rows.push_back(
        {fmt::format("time to result, k = {:.4g}", value.k), with_interval(&value.hours, 1.0, 1, " h")});
  return aligned(rows);
}

std::string cost_text(const RunReport& report) {
  const std::string unspent =
      report.result.unspent ? fmt::format(", unspent {}", money_text(*report.result.unspent)) : "";
  const std::size_t years = report.dossier.cost.total_by_year.size();
  std::string text = fmt::format("Cost: purchase {}{}, {} {}\n", money_text(report.result.capex), unspent,
                                 years_text(years), money_text(report.result.three_year_cost));
  for (const CostLine& line : report.dossier.cost.lines)
    if (line.item == kBurstItem)
      text += fmt::format("  of it rent of GPUs for jobs that burst: {} a year\n",
                          money_text(line.by_year.front()));
  for (const std::string& broken : report.dossier.economics.broken_caps)
    text += "  over the cap: " + broken + "\n";
  for (const std::string& item : report.dossier.bill.unpriced) text += "  without a price: " + item + "\n";
  return text;
}

std::string remarks_text(const RunReport& report) {
  std::string text;
  for (const RunFinding& finding : report.findings) text += finding.text + "\n";
  if (const auto& found = report.dossier.study.warm_up) text += found->sentence + "\n";
  if (const auto& reached = report.dossier.study.precision) text += reached->sentence + "\n";
  for (const std::string& reason : report.result.reasons) text += "Constraint broken: " + reason + "\n";
  if (report.from_study && !report.from_study->study_known) {
    text +=
        "The study's constraints and its k are not in the store: neither is checked, k = 30 is the default. "
        "Give the SCENARIO file for them.\n";
  } else if (report.result.reasons.empty()) {
    text += "All constraints hold.\n";
  }
  for (const std::string& law : report.result.broken_laws) text += "BROKEN LAW: " + law + "\n";
  text += findings_text(report.dossier.facility);
  for (const NotEvaluated& key : report.loaded.scenario.not_evaluated)
    text += fmt::format("Not yet evaluated: {} ({})\n", key.path, key.reason);
  return text;
}

std::string row_text(const RunReport& report) {
  if (!report.from_study) return {};
  const ComparedRow& row = *report.from_study;
  return fmt::format(
      "Replication {} of {} in {}: {}\n", row.replication, row.label, row.store,
      row.difference.empty()
          ? fmt::format("equal, bit for bit (its own replay hash, as stored, {:016x})", row.replay_hash)
          : "DIFFERS: " + row.difference);
}

}  // namespace

std::vector<RunFinding> scenario_findings(const Scenario& scenario) {
  constexpr std::size_t kMostNotes = 8;  // a trace may hold hundreds of sizes
  const std::vector<std::string> notes = prepare(scenario, generate(scenario, 0).shapes).notes;
  std::vector<RunFinding> findings;
  for (std::size_t i = 0; i < std::min(notes.size(), kMostNotes); ++i)
    findings.push_back({"impossible", notes[i]});
  if (notes.size() > kMostNotes)
    findings.push_back(
        {"impossible", fmt::format("{} more sizes can run nowhere", notes.size() - kMostNotes)});
  if (scenario.workload.trace != nullptr) {
    const Instant end = kStart + scenario.time.warm_up + scenario.time.measure + scenario.time.drain;
    const auto& jobs = scenario.workload.trace->jobs;
    const auto late =
        std::count_if(jobs.begin(), jobs.end(), [&](const TraceJob& job) { return job.submit >= end; });
    if (late > 0)
      findings.push_back(
          {"left-out", fmt::format("{} of {} trace jobs are submitted after warm_up + measure + "
                                   "drain and were left out",
                                   late, jobs.size())});
  }
  return findings;
}

std::string run_json(const RunReport& report) {
  const Scenario& scenario = report.loaded.scenario;
  Json objective = Json::array(), not_evaluated = Json::array();
  for (const ObjectiveValue& value : report.result.objective)
    objective.push_back({{"k", value.k}, {"hours", summary_json(value.hours)}});
  for (const NotEvaluated& key : scenario.not_evaluated)
    not_evaluated.push_back({{"path", key.path}, {"reason", key.reason}});
  Json j = {{"fleetsim", report.dossier.version},
            {"scenario", {{"name", scenario.name}, {"sha256", report.loaded.sha256}}},
            {"seed", scenario.seed},
            {"replications", scenario.time.replications},
            {"replay_hash", fmt::format("{:016x}", report.result.replay_hash)},
            {"fleet", report.result.label},
            {"sharing", to_string(scenario.scheduler.sharing)},
            {"metrics", metrics_json(report.result)},
            {"objective", std::move(objective)},
            {"states", report.result.states},
            {"cost", cost_json(report)},
            {"feasible", report.result.feasible},
            {"findings", findings_json(report)},
            {"not_evaluated", std::move(not_evaluated)},
            {"offered_load", offered_load_json(report.demand)},
            {"dossier", Json::parse(to_json(report.dossier))}};
  if (const auto checkpoints = checkpoint_json(scenario); !checkpoints.empty())
    j["checkpoints"] = checkpoints;
  if (const auto& found = report.dossier.study.warm_up) j["warm_up"] = warm_up_json(*found);
  if (const auto& reached = report.dossier.study.precision) j["precision"] = precision_json(*reached);
  if (report.from_study) {
    const ComparedRow& row = *report.from_study;
    j["from_study"] = {{"store", row.store},
                       {"candidate", row.label},
                       {"replication", row.replication},
                       {"replay_hash", fmt::format("{:016x}", row.replay_hash)},
                       {"equal", row.difference.empty()},
                       {"study_known", row.study_known},
                       {"difference", row.difference}};
  }
  return j.dump(1) + "\n";
}

std::string run_text(const RunReport& report) {
  const Scenario& scenario = report.loaded.scenario;
  const double weeks = to_hours(scenario.time.measure) / to_hours(kWeek);
  return fmt::format(
      "{}: fleet {}, {} scheduling, {} sharing, {} of {:.4g} week{}, seed {}\n{}\n{}\n{}\n{}\n{}"
      "\n{}\n{}{}replay hash {:016x}{}\n{}",
      scenario.name, report.result.label, to_string(scenario.scheduler.policy),
      to_string(scenario.scheduler.sharing), counted(scenario.time.replications, "replication"), weeks,
      weeks == 1.0 ? "" : "s", scenario.seed, fleet_text(report),
      demand_text(report.demand, growth_text(scenario)), states_text(report.result),
      waits_text(report.result) + groups_text(report.result),
      whole_run_text(report) + checkpoint_text(scenario), energy_text(report.dossier.energy),
      cost_text(report), remarks_text(report), report.result.replay_hash,
      report.from_study ? " (chained over the run's replications, as in result.json)" : "", row_text(report));
}

}  // namespace fleetsim::cli
