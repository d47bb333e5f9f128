// What the result leaves out, one sentence each.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string>
#include <vector>

#include "sim/economics/carbon.hpp"
#include "sim/economics/economics.hpp"
#include "sim/simulate.hpp"
#include "sim/study/dossier_parts.hpp"
#include "sim/study/objectives/objective.hpp"

namespace fleetsim {

namespace {

/// What the cost table of this scenario holds, and what it does not.
std::string cost_limitation(const Scenario& scenario) {
  const EconomicsSpec& e = scenario.economics;
  std::vector<std::string> in = {"purchase", "electricity", "support and repair"}, out;
  const auto place = [&](bool asked, const char* what) { (asked ? in : out).emplace_back(what); };
  place(e.staff.has_value(), "staff");
  place(e.colocation_per_kw_month > Money{}, "floor space or colocation");
  place(e.discount_rate > 0.0, "interest and discounting");
  place(e.tax > 0.0, "taxes");
  place(e.depreciation.has_value(), "resale value");
  std::string text = fmt::format("Cost covers {} over {}.", fmt::join(in, ", "),
                                 years_text(static_cast<std::size_t>(e.years)));
  if (!out.empty()) text += fmt::format(" Not included: {}.", fmt::join(out, ", "));
  return text;
}

std::string price_limitation(const Scenario& scenario) {
  const EconomicsSpec& e = scenario.economics;
  std::vector<std::string> out;
  if (scenario.prices.given.empty()) out.emplace_back("quote");
  if (e.academic_discount <= 0.0) out.emplace_back("discount");
  if (e.delivery <= Money{}) out.emplace_back("shipping");
  out.emplace_back("spare part");
  return fmt::format("The budget buys {} of the stated dates; no {}.",
                     scenario.prices.given.empty() ? "list or estimated prices"
                                                   : "the scenario's own, list or estimated prices",
                     fmt::join(out, ", no "));
}

/// What the rent of GPUs for jobs that burst leaves out, and which jobs never go.
void burst_limitations(const Scenario& scenario, std::vector<std::string>& all) {
  const auto& burst = scenario.scheduler.burst;
  if (!burst) return;
  all.push_back(fmt::format(
      "Rented GPUs ({}) are there at once and without end: their start takes no time, data and results reach "
      "and leave them in no time and free of charge, nothing is stored there, and no price but that of their "
      "hours is counted; their power and carbon are the cloud's.",
      burst->node.title));
  const auto& failures = scenario.availability.failures;
  if (burst->terms == RentTerms::spot && !(failures && failures->checkpoint_interval > Duration{}))
    all.emplace_back(
        "No checkpoints are written: a job whose rented GPUs are taken away starts again from zero.");
  const auto& classes = scenario.workload.classes;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (const SizeShare& size : classes[c].gpus) {
      const std::string why = burst_obstacle(scenario, {ClassId{static_cast<std::uint16_t>(c)}, size.gpus});
      if (!why.empty())
        all.push_back(fmt::format("Jobs of class {} with {} GPU{} are never sent to rented GPUs: {}.",
                                  classes[c].name, size.gpus, size.gpus == 1 ? "" : "s", why));
    }
  }
}

}  // namespace

std::vector<std::string> limitations_of(const Scenario& scenario, const StudyResult& study) {
  std::vector<std::string> all = {
      "Run times assume a fixed batch per GPU; a larger total batch is taken to converge in as many samples, "
      "without "
      "any penalty.",
      cost_limitation(scenario),
      scenario.availability.failures ? "Switches and links never fail; nodes do, independently of each other."
                                     : "Nodes, switches and links never fail.",
      throttling_limitation(scenario),
      "Jobs do not slow each other down on shared links.",
      "Power between idle and load is linear in the allocated GPUs; an allocated GPU draws its board power.",
      price_limitation(scenario),
      study.prices
          ? "Prices were drawn from their ranges; speeds, demand and all other estimates are used at their "
            "middle value."
          : "Estimates are used at their middle value; their ranges are listed but not yet drawn in "
            "robustness "
            "runs.",
      "The offered load takes every parent job as completed."};
  if (has_closed_loop(scenario))
    all.emplace_back(
        "Users of a closed loop submit a job after the one before has ended, at any hour: offered load and s "
        "hold where nobody waits, at most; who waits asks for less.");
  burst_limitations(scenario, all);
  if (study.candidates.size() > 1) {
    all.emplace_back(
        "The range of s for which the rule holds is the first-order line (share of node money = s); it was "
        "not "
        "simulated for other values of s.");
  }
  if (study.warm_up) all.push_back(study.warm_up->sentence);
  if (study.precision) all.push_back(study.precision->sentence);
  if (study.replications == 1) all.emplace_back("One replication gives no interval.");
  if (scenario.workload.trace) {
    all.emplace_back(
        "Recorded jobs keep their recorded run time on every node unless the scenario names the GPU.");
  }
  std::set<std::string> guessed;
  for (const JobClass& job_class : scenario.workload.classes) {
    if (!job_class.model) {
      all.push_back(
          fmt::format("Class {} names no model: it runs equally fast on every node.", job_class.name));
      continue;
    }
    for (const NodePool& pool : scenario.pools) {
      if (!may_hold(pool.node.gpu, job_class)) continue;
      const RelativeSpeed speed = relative_speed(*job_class.model, pool.node.gpu);
      if (!speed.estimated) continue;
      if (!guessed.insert(job_class.model->name + '/' + pool.node.gpu.name).second) continue;
      all.push_back(
          fmt::format("No measured speed of {} on {} is known; {:.3g} of the speed of {} is taken ({:.3g} to "
                      "{:.3g}), {}.",
                      job_class.model->title, pool.node.gpu.title, speed.value,
                      job_class.model->reference_gpu, speed.low, speed.high, speed.source));
    }
  }
  return all;
}

}  // namespace fleetsim
