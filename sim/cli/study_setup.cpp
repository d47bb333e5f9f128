#include "sim/cli/study_setup.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/loader/load.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/study/engine_id.hpp"

namespace fleetsim::cli {

namespace {

/// Each cell with the fleets that its own budget buys and its own room admits.
class StudiedCells : public CellSource {
 public:
  StudiedCells(std::unique_ptr<ScenarioCells> cells, std::string catalog)
      : cells_(std::move(cells)), catalog_(std::move(catalog)) {}

  [[nodiscard]] const std::vector<MapAxis>& axes() const override { return cells_->axes(); }
  [[nodiscard]] std::size_t size() const override { return cells_->size(); }
  [[nodiscard]] std::vector<std::size_t> at(std::size_t i) const override { return cells_->at(i); }
  [[nodiscard]] Cell make(std::size_t i) const override {
    Cell cell;
    try {
      cell.scenario = cells_->make(i);
    } catch (const std::invalid_argument& e) {
      throw UsageError(e.what());
    }
    const Scenario studied = studied_scenario(cell.scenario);
    cell.bought = candidates_of(studied, catalog_);
    cell.candidates = std::make_unique<AdmissibleCandidates>(*cell.bought);
    cell.text = dump_scenario(studied);
    cell.text_sha256 = sha256_hex(cell.text);
    return cell;
  }

 private:
  std::unique_ptr<ScenarioCells> cells_;
  std::string catalog_;
};

}  // namespace

StudySetup study_setup(const Scenario& scenario, const std::filesystem::path& folder, int threads,
                       const std::string& catalog) {
  const Scenario studied = studied_scenario(scenario);
  StudySetup setup;
  setup.bought = candidates_of(studied, catalog);
  if (setup.bought->size() == 0) throw UsageError("the budget pays no fleet at all", "raise budget.capital");
  setup.fleets = std::make_unique<AdmissibleCandidates>(*setup.bought);
  setup.options.threads = threads;
  setup.options.store = (folder / "study.db").string();
  setup.options.engine = engine_id();
  setup.options.scenario = dump_scenario(studied);
  setup.options.scenario_sha256 = sha256_hex(setup.options.scenario);
  setup.options.note = [](const std::string& text) { note("fleetsim: " + text); };
  setup.options.stop = &interrupted();
  if (auto cells = make_cells(scenario, catalog, today()))
    setup.cells = std::make_unique<StudiedCells>(std::move(cells), catalog);
  return setup;
}

void refuse_unstudied(const Scenario& scenario) {
  const std::vector<std::string> unbuilt = unbuilt_features(scenario);
  if (!unbuilt.empty()) {
    std::string all;
    for (const std::string& feature : unbuilt) all += (all.empty() ? "" : "; ") + feature;
    throw UsageError(fmt::format("cannot study this scenario: {}", all),
                     "'fleetsim check' lists what is not built");
  }
  const std::vector<StudyRefusal> refusals = study_refusals(scenario);
  if (refusals.empty()) return;
  std::string reasons, hints;
  for (const StudyRefusal& one : refusals) {
    reasons += (reasons.empty() ? "" : "; ") + one.reason;
    if (hints.find(one.hint) == std::string::npos) hints += (hints.empty() ? "" : "; ") + one.hint;
  }
  throw UsageError(reasons, hints);
}

}  // namespace fleetsim::cli
