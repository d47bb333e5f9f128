// Candidates of `study.candidates: pool-sizes`: private machines for all users, then shared pools of 1, 2,
// ... up to as many of them. All serve the same users, so one drawn workload serves all candidates.
#include <fmt/format.h>

#include "scenarios/loader/fingerprint.hpp"
#include "scenarios/loader/load.hpp"
#include "scenarios/loader/sections.hpp"
#include "sim/simulate.hpp"

namespace fleetsim {

namespace {

class PoolSizes : public CandidateSource {
 public:
  explicit PoolSizes(Scenario base) : base_(std::move(base)), figures_(figures_text(base_)) {}

  [[nodiscard]] std::size_t size() const override {
    return static_cast<std::size_t>(base_.workload.users) + 1;
  }

  [[nodiscard]] Candidate make(std::size_t i) const override {
    const bool apart = i == 0;
    const int nodes = apart ? base_.workload.users : static_cast<int>(i);
    Candidate made;
    made.scenario = base_;
    made.scenario.scheduler.sharing = apart ? SharingRule::private_machines : SharingRule::one_pool;
    made.scenario.pools.front().count = nodes;
    made.scenario.request.share.clear();
    made.scenario.request.counts = {nodes};
    made.label = fmt::format("{} {}", nodes, to_string(made.scenario.scheduler.sharing));
    Scenario keyed = made.scenario;
    keyed.time.replications = Horizon{}.replications;
    made.key = sha256_hex(dump_scenario(keyed) + figures_);
    return made;
  }

 private:
  Scenario base_;
  std::string figures_;
};

}  // namespace

std::unique_ptr<CandidateSource> make_pool_sizes(const Scenario& base) {
  return std::make_unique<PoolSizes>(base);
}

void check_private_machines(Reader& file, const Scenario& scenario) {
  const bool sizes = scenario.study.candidates == CandidateRule::pool_sizes;
  if (!sizes && scenario.scheduler.sharing != SharingRule::private_machines) return;
  const std::string problem = private_problem(scenario);
  if (problem.empty()) return;
  const auto fleet = file.find("fleet");
  if (!fleet) return;
  fleet->error_at_key(
      fmt::format("{} needs a machine for every user: {}",
                  sizes ? "study.candidates: pool-sizes" : "scheduler.sharing: private", problem),
      "give one pool, 'counts' equal to workload.users, and classes of jobs instead of a trace");
}

}  // namespace fleetsim
