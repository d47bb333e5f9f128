// The candidates of a study, made one at a time.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/loader/fingerprint.hpp"
#include "scenarios/loader/load.hpp"
#include "scenarios/loader/sections.hpp"
#include "sim/economics/economics.hpp"
#include "sim/facility/room_fleets.hpp"

namespace fleetsim {

namespace {

/// The scenario of an alternative, before anything is bought: its existing nodes and its money.
Scenario prepared(const Scenario& base, std::optional<Alternative> alternative) {
  Scenario s = base;
  s.alternative = alternative;
  if (alternative == Alternative::keep) {
    // Lines of a quote are bought with a purchase, and there is none.
    std::erase_if(s.prices.given, [](const GivenPrice& given) { return given.quantity > 0; });
  }
  if (alternative == Alternative::replace) {
    for (NodePool& pool : s.pools)
      if (pool.existing) pool.sold = std::exchange(pool.count, 0);
    s.budget += proceeds(s);
  }
  return s;
}

std::vector<std::optional<Alternative>> alternatives_of(const Scenario& base) {
  if (base.study.alternatives.empty()) return {std::nullopt};
  return {base.study.alternatives.begin(), base.study.alternatives.end()};
}

class Fleets : public CandidateSource {
 public:
  Fleets(Scenario base, std::vector<SharingRule> rules) : base_(std::move(base)), rules_(std::move(rules)) {
    for (const auto alternative : alternatives_of(base_)) {
      const Scenario prepared_base = prepared(base_, alternative);
      for (auto& counts : counts_of(prepared_base)) {
        const auto bought = static_cast<std::ptrdiff_t>(bought_pools(base_));
        const bool buys = std::any_of(counts.begin(), counts.begin() + bought, [](int n) { return n > 0; });
        // Adding nothing is keeping.
        if (alternative == Alternative::add && !buys) continue;
        fleets_.push_back({alternative, std::move(counts)});
      }
    }
    figures_ = figures_text(base_);
  }

  [[nodiscard]] std::size_t size() const override { return fleets_.size() * rules_.size(); }

  [[nodiscard]] Candidate make(std::size_t i) const override {
    const auto& [alternative, counts] = fleets_[i % fleets_.size()];
    return made(alternative, counts, rules_[i / fleets_.size()]);
  }

  /// Of a study of alternatives: a fleet beside the existing nodes.
  [[nodiscard]] Candidate fleet(const std::vector<int>& counts, SharingRule sharing) const override {
    const auto none = base_.study.alternatives.empty();
    return made(none ? std::nullopt : std::optional(Alternative::add), counts, sharing);
  }

 private:
  [[nodiscard]] Candidate made(std::optional<Alternative> alternative, const std::vector<int>& counts,
                               SharingRule sharing) const {
    Candidate made;
    made.scenario = prepared(base_, alternative);
    made.scenario.scheduler.sharing = sharing;
    made.scenario.request.share.clear();
    made.scenario.request.counts.assign(counts.begin(),
                                        counts.begin() + static_cast<std::ptrdiff_t>(bought_pools(base_)));
    for (std::size_t pool = 0; pool < counts.size(); ++pool) made.scenario.pools[pool].count = counts[pool];
    made.label = fleet_label(made.scenario);
    // A study that asks for more replications keeps those that it has.
    Scenario keyed = made.scenario;
    keyed.time.replications = Horizon{}.replications;
    made.key = sha256_hex(dump_scenario(keyed) + figures_ +
                          (alternative ? std::string("\nalternative ") + to_string(*alternative) : ""));
    return made;
  }

  struct Fleet {
    std::optional<Alternative> alternative;
    std::vector<int> counts;
  };

  static std::vector<std::vector<int>> counts_of(const Scenario& s) {
    std::vector<int> as_they_are;
    for (std::size_t i = 0; i < s.pools.size(); ++i)
      as_they_are.push_back(s.alternative == Alternative::keep && !s.pools[i].existing ? 0
                                                                                       : s.pools[i].count);
    if (s.alternative == Alternative::keep || bought_pools(s) == 0) return {as_they_are};
    if (s.study.candidates == CandidateRule::maximal_fleets)
      return by_share(s, facility::with_fleets_in_room(s, maximal_fleets(s)));
    // One fleet as given: with the proceeds a split buys more, counts stay.
    if (s.alternative == Alternative::replace) return {resolve(s).counts};
    return {as_they_are};
  }

  /// By ascending share of the scale-up pool, wherever it stands in the file.
  static std::vector<std::vector<int>> by_share(const Scenario& s, std::vector<std::vector<int>> fleets) {
    const PoolId scale = scale_pool(s);
    std::vector<Money> price;
    for (std::size_t i = 0; i < s.pools.size(); ++i)
      price.push_back(node_price(s, PoolId{static_cast<std::uint16_t>(i)}));
    const auto share = [&](const std::vector<int>& counts) {
      Money all;
      for (std::size_t i = 0; i < counts.size(); ++i) all += price[i] * counts[i];
      return all > Money{} ? price[index(scale)] * counts[index(scale)] / all : 0.0;
    };
    std::stable_sort(fleets.begin(), fleets.end(),
                     [&](const auto& a, const auto& b) { return share(a) < share(b); });
    return fleets;
  }

  Scenario base_;
  std::vector<SharingRule> rules_;
  std::vector<Fleet> fleets_;
  std::string figures_;
};

}  // namespace

std::unique_ptr<CandidateSource> make_candidates(const Scenario& base,
                                                 const std::vector<SharingRule>& rules) {
  if (base.study.candidates == CandidateRule::pool_sizes) return make_pool_sizes(base);
  return std::make_unique<Fleets>(base, rules);
}

}  // namespace fleetsim
