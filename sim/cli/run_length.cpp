#include "sim/cli/run_length.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <utility>

#include "scenarios/loader/load.hpp"
#include "sim/base/units.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/study/admissible.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/precision.hpp"
#include "sim/study/warm_up.hpp"

namespace fleetsim::cli {

namespace {

std::optional<WarmUpFound> settle_with(Scenario& scenario, std::size_t fleets,
                                       const std::function<Candidate(std::size_t)>& fleet, int threads) {
  Progress progress("warm-up");
  auto found = find_warm_up(
      fleets, fleet, scenario.time.warm_up, threads,
      [&](const StudyProgress& p) { progress.update(p.done, p.total); }, &interrupted());
  if (!found) throw Interrupted("interrupted in the pilot runs of the warm-up; nothing was written");
  scenario.time.warm_up = std::llround(found->hours) * kHour;
  scenario.time.warm_up_by_mser = false;
  return found;
}

/// The fleets of a study and of all its cells, one after the other.
struct PilotFleets {
  std::vector<std::unique_ptr<CandidateSource>> bought;
  std::vector<std::unique_ptr<AdmissibleCandidates>> admitted;
  void add(const Scenario& scenario, const std::string& catalog) {
    bought.push_back(candidates_of(studied_scenario(scenario), catalog));
    admitted.push_back(std::make_unique<AdmissibleCandidates>(*bought.back()));
  }
  [[nodiscard]] std::size_t size() const {
    std::size_t all = 0;
    for (const auto& source : admitted) all += source->size();
    return all;
  }
  [[nodiscard]] Candidate make(std::size_t i) const {
    std::size_t source = 0;
    while (i >= admitted[source]->size()) i -= admitted[source++]->size();
    return admitted[source]->make(i);
  }
};

}  // namespace

std::optional<WarmUpFound> settle_warm_up(Scenario& scenario, const std::string& catalog, int threads) {
  if (!scenario.time.warm_up_by_mser) return std::nullopt;
  PilotFleets fleets;
  fleets.add(scenario, catalog);
  if (const auto cells = make_cells(scenario, catalog, today()))
    for (std::size_t i = 0; i < cells->size(); ++i) fleets.add(cells->make(i), catalog);
  return settle_with(
      scenario, fleets.size(), [&](std::size_t i) { return fleets.make(i); }, threads);
}

std::optional<WarmUpFound> settle_warm_up_of_run(Scenario& scenario) {
  if (!scenario.time.warm_up_by_mser) return std::nullopt;
  return settle_with(
      scenario, 1,
      [&](std::size_t) {
        return Candidate{fleet_label(scenario), scenario, {}};
      },
      1);
}

MeasuredRuns measured_runs(Scenario& scenario, const Scenario& simulated, int first, int threads,
                           const std::function<void(const StudyProgress&)>& progress) {
  MeasuredRuns out;
  out.runs = replicate(simulated, first, scenario.time.replications, threads, progress, &interrupted());
  if (scenario.time.precision <= 0.0) return out;
  const int most = std::max(scenario.time.replications, most_replications(scenario));
  while (static_cast<int>(out.runs.size()) == scenario.time.replications) {
    const CandidateResult result = summarise_candidate(scenario, out.runs, objective_ks(scenario));
    out.precision = judge_precision(figure_of_precision(scenario, result), scenario.time.precision,
                                    scenario.time.replications, most);
    out.precision->sentence = precision_sentence(*out.precision, name_of_precision(scenario, result));
    if (out.precision->met || scenario.time.replications >= most) break;
    const int so_far = scenario.time.replications;
    scenario.time.replications = next_replications(so_far, most);
    std::vector<RunResult> more = replicate(simulated, first + so_far, scenario.time.replications - so_far,
                                            threads, progress, &interrupted());
    for (RunResult& run : more) out.runs.push_back(std::move(run));
  }
  return out;
}

}  // namespace fleetsim::cli
