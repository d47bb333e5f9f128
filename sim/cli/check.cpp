// fleetsim check: every problem of a scenario, then what it asks for: fleet, offered load, impossible work.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "scenarios/loader/load.hpp"
#include "sim/base/units.hpp"
#include "sim/cli/availability_text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/findings_text.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/table.hpp"
#include "sim/economics/economics.hpp"
#include "sim/simulate.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/finding_json.hpp"

namespace fleetsim::cli {

namespace {

namespace po = boost::program_options;
using nlohmann::ordered_json;

/// What is known about one file.
struct Checked {
  std::string file;
  Diagnostics diagnostics;
  std::optional<LoadedScenario> loaded;
  Resolved resolved;
  OfferedLoad demand;
  std::vector<std::string> unbuilt;
  std::vector<facility::Finding> findings;
};

Checked check_one(const std::string& file, const LoadOptions& options) {
  Checked result;
  result.file = file;
  std::string source;
  result.loaded = load_scenario(file, options, result.diagnostics, source);
  report(result.diagnostics, source);
  if (!result.loaded) return result;
  const Scenario& scenario = result.loaded->scenario;
  result.resolved = resolve(scenario);
  result.demand = offered_load(scenario);
  result.unbuilt = unbuilt_features(scenario);
  result.findings = facility::check(scenario);
  return result;
}

std::vector<ClassDemand> all_demand(const OfferedLoad& demand) {
  std::vector<ClassDemand> all = demand.classes;
  if (demand.trace) all.push_back(*demand.trace);
  return all;
}

std::string fleet_text(const Checked& c) {
  const Scenario& s = c.loaded->scenario;
  std::string text;
  for (std::size_t i = 0; i < s.pools.size(); ++i) {
    const NodePool& pool = s.pools[i];
    text += fmt::format("{:<14}{} x {} as '{}', {:.1f} % of node money\n", i == 0 ? "fleet" : "", pool.count,
                        pool.node.name, pool.name, 100.0 * c.resolved.realised_share[i]);
  }
  if (s.budget > Money{})
    text += fmt::format("{:<14}{} of {}\n", "unspent", money_text(c.resolved.unspent), money_text(s.budget));
  return text;
}

/// Partitions that their own classes keep busier than they can be.
std::string overload_text(const Checked& c) {
  std::string text;
  const auto& partitions = c.loaded->scenario.scheduler.partitions;
  for (std::size_t p = 0; p < c.demand.partition_load.size(); ++p) {
    const double load = c.demand.partition_load[p];
    if (!(load > 1.0)) continue;
    if (std::isfinite(load) && c.demand.closed_loop) {
      text +=
          fmt::format("partition {}: its classes would ask for {:.0f} % of its GPU time if nobody waited\n",
                      partitions[p].name, 100.0 * load);
      continue;
    }
    text += std::isfinite(load)
                ? fmt::format(
                      "partition {}: its classes ask for {:.0f} % of its GPU time: OVERLOADED, its "
                      "queue grows without end\n",
                      partitions[p].name, 100.0 * load)
                : fmt::format("partition {}: its classes ask for GPU time, and it has no nodes\n",
                              partitions[p].name);
  }
  return text;
}

/// How a closed loop is to be read in the figures above it, and how many jobs are drawn for it.
std::string closed_loop_text(const Scenario& s) {
  if (!has_closed_loop(s)) return {};
  std::string text =
      fmt::format("{:<14}the figures above and below hold where nobody waits: at most\n", "closed loop");
  const double span_s = to_seconds(s.time.warm_up + s.time.measure + s.time.drain);
  for (const JobClass& job_class : s.workload.classes) {
    if (!job_class.arrivals || !job_class.arrivals->closed_loop) continue;
    const ClosedLoop& loop = *job_class.arrivals->closed_loop;
    text += fmt::format(
        "{:<14}{}: {} x {} in flight, think time {}; about {:.0f} jobs are drawn a replication, more than "
        "any "
        "fleet can end\n",
        "", job_class.name, counted(s.workload.users, "user"), counted(loop.jobs_in_flight, "job"),
        to_text(loop.mean_think),
        s.workload.users * loop.jobs_in_flight * (span_s / to_seconds(loop.mean_think)));
  }
  return text;
}

std::string demand_text(const Checked& c) {
  const OfferedLoad& d = c.demand;
  const std::vector<ClassDemand> all = all_demand(d);
  std::size_t width = 5;
  for (const ClassDemand& one : all) width = std::max(width, one.name.size());
  std::string text =
      fmt::format("{:<14}{:.3f} of the node money of {}; s = {:.3f}\n{:<14}({})\n", "offered load", d.load,
                  money_text(d.node_budget), d.s, "", d.node_budget_basis);
  text +=
      fmt::format("{:<14}{:.1f} % of the GPU time of this fleet{}\n", "fleet load", 100.0 * d.fleet_load,
                  d.fleet_load > 1.0 && !d.closed_loop ? ": OVERLOADED, its queue grows without end" : "");
  text += closed_loop_text(c.loaded->scenario);
  if (const std::string growth = growth_text(c.loaded->scenario); !growth.empty())
    text += fmt::format("{:<14}{}", "", growth);
  text += fmt::format("  {:<{}}  {:>9}  {:>10}  {:>14}  {:>10}  {}\n", "class", width, "jobs/day",
                      "busy nodes", "money", "impossible", "cheapest pool");
  for (const ClassDemand& one : all) {
    text += fmt::format("  {:<{}}  {:>9.2f}  {:>10.2f}  {:>14}  {:>8.2f} %  {}\n", one.name, width,
                        one.jobs_per_day, one.busy_nodes, money_text(usd(std::round(to_usd(one.money)))),
                        100.0 * one.impossible_share, one.cheapest_node.empty() ? "none" : one.cheapest_node);
  }
  for (const ClassDemand& one : all) {
    if (one.cut_off_share < 1e-4) continue;
    text += fmt::format(
        "{}: {:.1f} % of its jobs run longer on {} than the partition's max_time and are killed there\n",
        one.name, 100.0 * one.cut_off_share, one.cheapest_node);
  }
  text += overload_text(c);
  for (const std::string& line : c.loaded->demand_set)
    text += fmt::format("{:<14}{}\n", &line == &c.loaded->demand_set.front() ? "demand set" : "", line);
  if (!d.identity.empty()) text += d.identity + "\n";
  return text;
}

std::string open_ends_text(const Checked& c) {
  std::string text;
  if (!c.loaded->scenario.not_evaluated.empty()) text += "not yet evaluated\n";
  for (const NotEvaluated& key : c.loaded->scenario.not_evaluated)
    text += fmt::format("  {}: {}\n", key.path, key.reason);
  if (!c.unbuilt.empty()) text += "not built yet: 'run' and 'study' refuse this scenario\n";
  for (const std::string& feature : c.unbuilt) text += fmt::format("  {}\n", feature);
  for (const StudyRefusal& one : study_refusals(c.loaded->scenario))
    text += fmt::format("'study' refuses this scenario: {}\n  {}\n", one.reason, one.hint);
  return text;
}

std::string text_of(const Checked& c) {
  return fmt::format("{:<14}{} ({})\n", "scenario", c.loaded->scenario.name, c.file) + fleet_text(c) +
         demand_text(c) + checkpoint_text(c.loaded->scenario) + findings_text(c.findings) + open_ends_text(c);
}

ordered_json demand_json(const Checked& c) {
  ordered_json classes = ordered_json::array();
  for (const ClassDemand& one : all_demand(c.demand)) {
    classes.push_back({{"name", one.name},
                       {"jobs_per_day", one.jobs_per_day},
                       {"busy_nodes", one.busy_nodes},
                       {"cheapest_pool", one.cheapest_node},
                       {"money_usd", to_usd(one.money)},
                       {"impossible_share", one.impossible_share},
                       {"cut_off_share", one.cut_off_share}});
  }
  ordered_json partitions = ordered_json::array();
  for (const double load : c.demand.partition_load)
    partitions.push_back(std::isfinite(load) ? ordered_json(load) : ordered_json(nullptr));
  return {{"load", c.demand.load},
          {"s", c.demand.s},
          {"node_budget_usd", to_usd(c.demand.node_budget)},
          {"node_budget_basis", c.demand.node_budget_basis},
          {"fleet_load", c.demand.fleet_load},
          {"partition_load", partitions},
          {"identity", c.demand.identity},
          {"classes", classes}};
}

ordered_json json_of(const Checked& c) {
  ordered_json problems = ordered_json::array();
  for (const Diagnostic& d : c.diagnostics.sorted()) {
    problems.push_back({{"severity", to_string(d.severity)},
                        {"file", d.pos.file},
                        {"line", d.pos.line},
                        {"column", d.pos.column},
                        {"path", d.path},
                        {"message", d.message},
                        {"hint", d.hint}});
  }
  ordered_json out = {{"file", c.file}, {"valid", c.loaded.has_value()}, {"problems", problems}};
  if (!c.loaded) return out;
  const Scenario& s = c.loaded->scenario;
  out["scenario"] = {{"name", s.name}, {"sha256", c.loaded->sha256}};
  ordered_json fleet = ordered_json::array();
  for (std::size_t i = 0; i < s.pools.size(); ++i) {
    fleet.push_back({{"pool", s.pools[i].name},
                     {"node", s.pools[i].node.name},
                     {"count", s.pools[i].count},
                     {"share", c.resolved.realised_share[i]}});
  }
  out["fleet"] = fleet;
  out["unspent_usd"] = s.budget > Money{} ? ordered_json(to_usd(c.resolved.unspent)) : ordered_json(nullptr);
  out["offered_load"] = demand_json(c);
  if (c.demand.closed_loop) out["offered_load"]["closed_loop"] = true;
  if (!c.loaded->demand_set.empty()) out["demand_set"] = c.loaded->demand_set;
  out["findings"] = findings_json(c.findings);
  if (const double growth = s.availability.demand_growth; growth != 0.0)
    out["offered_load"]["growth_a_year_from_t0"] = growth;
  if (auto checkpoints = checkpoint_json(s); !checkpoints.empty()) out["checkpoints"] = checkpoints;
  ordered_json later = ordered_json::array();
  for (const NotEvaluated& key : s.not_evaluated)
    later.push_back({{"path", key.path}, {"reason", key.reason}});
  out["not_evaluated"] = later;
  out["not_built"] = c.unbuilt;
  ordered_json refusals = ordered_json::array();
  for (const StudyRefusal& one : study_refusals(s))
    refusals.push_back({{"reason", one.reason}, {"hint", one.hint}});
  out["can_study"] = c.unbuilt.empty() && refusals.empty();
  out["study_refusals"] = refusals;
  return out;
}

int check(const Arguments& arguments) {
  CommandLine line(
      "check", "FILE... [options]",
      "Reads scenarios and prints every problem with its place, all at once. A sound scenario is\n"
      "then summed up: the fleet in whole nodes, the offered load, work that no node can do, what the\n"
      "room and the rules say, and keys that nothing evaluates yet. Exit code 1 when the fleet cannot\n"
      "stand in the room (a hard finding).",
      "fleetsim check scenarios/lab-66-33.yaml");
  std::vector<std::string> files, assignments;
  std::string format, catalog;
  line.options.add_options()("file", po::value(&files)->composing(), "")(
      "set", po::value(&assignments)->composing()->value_name("PATH=VALUE"),
      "changes a key of the scenario; repeatable")("catalog", po::value(&catalog)->value_name("DIR"),
                                                   "added to the built-in catalogue")(
      "format", po::value(&format)->default_value("text")->value_name("text|json"), "what is printed");
  line.positional.add("file", -1);
  po::variables_map values;
  if (!line.parse(arguments, values)) return kFine;
  if (files.empty()) throw UsageError("which file?", "see 'fleetsim check --help'");
  if (format != "text" && format != "json")
    throw UsageError(fmt::format("--format '{}' is neither text nor json", format),
                     "see 'fleetsim check --help'");

  int worst = kFine;
  std::string text;
  ordered_json all = ordered_json::array();
  for (const std::string& file : files) {
    try {
      const Checked checked = check_one(file, {assignments, catalog, true, today()});
      all.push_back(json_of(checked));
      if (!checked.loaded) {
        worst = std::max<int>(worst, kWrongInput);
      } else {
        text += (text.empty() ? "" : "\n") + text_of(checked);
        if (any_hard(checked.findings)) worst = std::max<int>(worst, kAnsweredNo);
      }
    } catch (const EnvironmentError& e) {
      note(fmt::format("fleetsim: {}", e.what()));
      worst = kEnvironment;
    }
  }
  // Names of files are bytes, JSON is UTF-8.
  const auto escaped = [](const ordered_json& json) {
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  };
  print(format == "json" ? escaped({{"files", all}}) : text);
  return worst;
}

const RegisterCommand kCheck{
    {"check", "validates scenarios and prints every problem with its place", 10, check}};

}  // namespace

}  // namespace fleetsim::cli
