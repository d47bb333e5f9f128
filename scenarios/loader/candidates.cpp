// The candidates of a study, made one at a time.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "scenarios/loader/fingerprint.hpp"
#include "scenarios/loader/load.hpp"
#include "scenarios/loader/sections.hpp"
#include "scenarios/loader/variants.hpp"
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

/// A point of the choices: what is bought under it, and where its candidates stand.
struct Variant {
  Scenario base;
  std::string figures;
};

/// The base at every point of its axes of choices; itself without any.
std::vector<Variant> variants_of(const Scenario& base, const std::string& catalog_folder) {
  const std::vector<StudyAxis> axes = axes_of(base, AxisRole::choice);
  std::vector<Variant> all;
  if (axes.empty()) {
    all.push_back({base, figures_text(base)});
    all.back().base.study.axes.clear();
    return all;
  }
  Diagnostics faults;
  const Variants variants(base, catalog_with(catalog_folder, {}, faults));
  for (std::size_t i = 0; i < points_of(axes); ++i) {
    const std::vector<std::size_t> at = point_at(axes, i);
    auto made = variants.make(axes, at, faults);
    if (!made) {
      const std::vector<Diagnostic> told = faults.sorted();
      throw std::invalid_argument(fmt::format("the choice {} is refused: {}", choice_text(axes, at),
                                              told.empty() ? "" : told.front().message));
    }
    made->choice = choice_text(axes, at);
    std::string figures = figures_text(*made);
    all.push_back({*std::move(made), std::move(figures)});
  }
  return all;
}

class Fleets : public CandidateSource {
 public:
  Fleets(const Scenario& base, std::vector<SharingRule> rules, const std::string& catalog_folder)
      : rules_(std::move(rules)), variants_(variants_of(base, catalog_folder)) {
    std::map<std::string, std::size_t> texts;  // what candidates have in common, numbered
    std::set<std::tuple<std::size_t, std::optional<Alternative>, std::vector<int>>> known;
    for (std::size_t v = 0; v < variants_.size(); ++v) {
      const Variant& variant = variants_[v];
      const std::size_t text = texts.emplace(common_text(variant), texts.size()).first->second;
      for (const auto alternative : alternatives_of(variant.base)) {
        for (auto& counts : counts_of(prepared(variant.base, alternative))) {
          const auto bought = static_cast<std::ptrdiff_t>(bought_pools(variant.base));
          const bool buys = std::any_of(counts.begin(), counts.begin() + bought, [](int n) { return n > 0; });
          // Adding nothing is keeping.
          if (alternative == Alternative::add && !buys) continue;
          if (known.emplace(text, alternative, counts).second)
            fleets_.push_back({v, alternative, std::move(counts)});
        }
      }
    }
  }

  [[nodiscard]] std::size_t size() const override { return fleets_.size() * rules_.size(); }

  [[nodiscard]] std::size_t fleets() const override { return fleets_.size(); }

  [[nodiscard]] Candidate make(std::size_t i) const override {
    const auto& [variant, alternative, counts] = fleets_[i % fleets_.size()];
    return made(variants_[variant], alternative, counts, rules_[i / fleets_.size()]);
  }

  [[nodiscard]] Candidate sketch(std::size_t i) const override {
    const auto& [variant, alternative, counts] = fleets_[i % fleets_.size()];
    return sketched(variants_[variant], alternative, counts, rules_[i / fleets_.size()]);
  }

  /// Of a study of alternatives: a fleet beside the existing nodes.
  [[nodiscard]] Candidate fleet(const std::vector<int>& counts, SharingRule sharing) const override {
    if (variants_.size() != 1) throw std::logic_error("a fleet of several choices is not one candidate");
    const bool none = variants_.front().base.study.alternatives.empty();
    return made(variants_.front(), none ? std::nullopt : std::optional(Alternative::add), counts, sharing);
  }

 private:
  [[nodiscard]] static Scenario with_counts(Scenario s, const std::vector<int>& counts) {
    s.request.share.clear();
    s.request.counts.assign(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(bought_pools(s)));
    for (std::size_t pool = 0; pool < counts.size(); ++pool) s.pools[pool].count = counts[pool];
    return s;
  }

  /// Equal for variants whose candidates are equal wherever their counts are.
  [[nodiscard]] static std::string common_text(const Variant& variant) {
    Scenario s = with_counts(variant.base, std::vector<int>(variant.base.pools.size(), 0));
    s.scheduler.sharing = SharingRule::strict;
    return dump_scenario(s) + variant.figures;
  }

  [[nodiscard]] static Candidate sketched(const Variant& variant, std::optional<Alternative> alternative,
                                          const std::vector<int>& counts, SharingRule sharing) {
    Candidate made;
    made.scenario = with_counts(prepared(variant.base, alternative), counts);
    made.scenario.scheduler.sharing = sharing;
    made.label = fleet_label(made.scenario);
    return made;
  }

  [[nodiscard]] static Candidate made(const Variant& variant, std::optional<Alternative> alternative,
                                      const std::vector<int>& counts, SharingRule sharing) {
    Candidate made = sketched(variant, alternative, counts, sharing);
    // A study that asks for more replications keeps those that it has.
    const int replications = std::exchange(made.scenario.time.replications, Horizon{}.replications);
    made.key = sha256_hex(dump_scenario(made.scenario) + variant.figures +
                          (alternative ? std::string("\nalternative ") + to_string(*alternative) : ""));
    made.scenario.time.replications = replications;
    return made;
  }

  struct Fleet {
    std::size_t variant = 0;
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
    if (s.study.candidates == CandidateRule::affordable_fleets) return by_share(s, affordable_fleets(s));
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

  std::vector<SharingRule> rules_;
  std::vector<Variant> variants_;
  std::vector<Fleet> fleets_;
};

}  // namespace

std::unique_ptr<CandidateSource> make_candidates(const Scenario& base, const std::vector<SharingRule>& rules,
                                                 const std::string& catalog_folder) {
  if (base.study.candidates == CandidateRule::pool_sizes) return make_pool_sizes(base);
  return std::make_unique<Fleets>(base, rules, catalog_folder);
}

}  // namespace fleetsim
