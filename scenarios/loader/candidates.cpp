// The candidates of a study, made one at a time.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/loader/fingerprint.hpp"
#include "scenarios/loader/load.hpp"
#include "scenarios/loader/sections.hpp"
#include "sim/economics/economics.hpp"
#include "sim/facility/room_fleets.hpp"

namespace fleetsim {

namespace {

class Fleets : public CandidateSource {
 public:
  Fleets(Scenario base, std::vector<SharingRule> rules) : base_(std::move(base)), rules_(std::move(rules)) {
    if (base_.study.candidates == CandidateRule::maximal_fleets) {
      counts_ = facility::with_fleets_in_room(base_, maximal_fleets(base_));
      by_share();
    } else {
      counts_.emplace_back();
      for (const NodePool& pool : base_.pools) counts_.front().push_back(pool.count);
    }
    figures_ = figures_text(base_);
  }

  [[nodiscard]] std::size_t size() const override { return counts_.size() * rules_.size(); }

  [[nodiscard]] Candidate make(std::size_t i) const override {
    return fleet(counts_[i % counts_.size()], rules_[i / counts_.size()]);
  }

  [[nodiscard]] Candidate fleet(const std::vector<int>& counts, SharingRule sharing) const override {
    Candidate made;
    made.scenario = base_;
    made.scenario.scheduler.sharing = sharing;
    made.scenario.request.share.clear();
    made.scenario.request.counts.assign(counts.begin(),
                                        counts.begin() + static_cast<std::ptrdiff_t>(bought_pools(base_)));
    for (std::size_t pool = 0; pool < counts.size(); ++pool) made.scenario.pools[pool].count = counts[pool];
    made.label = fleet_label(made.scenario);
    // A study that asks for more replications keeps those that it has.
    Scenario keyed = made.scenario;
    keyed.time.replications = Horizon{}.replications;
    made.key = sha256_hex(dump_scenario(keyed) + figures_);
    return made;
  }

 private:
  /// By ascending share of the scale-up pool, wherever it stands in the file.
  void by_share() {
    const PoolId scale = scale_pool(base_);
    std::vector<Money> price;
    for (std::size_t i = 0; i < base_.pools.size(); ++i)
      price.push_back(node_price(base_, PoolId{static_cast<std::uint16_t>(i)}));
    const auto share = [&](const std::vector<int>& counts) {
      Money all;
      for (std::size_t i = 0; i < counts.size(); ++i) all += price[i] * counts[i];
      return all > Money{} ? price[index(scale)] * counts[index(scale)] / all : 0.0;
    };
    std::stable_sort(counts_.begin(), counts_.end(),
                     [&](const auto& a, const auto& b) { return share(a) < share(b); });
  }

  Scenario base_;
  std::vector<SharingRule> rules_;
  std::vector<std::vector<int>> counts_;
  std::string figures_;
};

}  // namespace

std::unique_ptr<CandidateSource> make_candidates(const Scenario& base,
                                                 const std::vector<SharingRule>& rules) {
  if (base.study.candidates == CandidateRule::pool_sizes) return make_pool_sizes(base);
  return std::make_unique<Fleets>(base, rules);
}

}  // namespace fleetsim
