// The study itself: what is missing in the store is simulated, then everything is read back and compared.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "sim/study/alternatives.hpp"
#include "sim/study/completion.hpp"
#include "sim/study/constraints.hpp"
#include "sim/study/front_figures.hpp"
#include "sim/study/judge_prices.hpp"
#include "sim/study/objectives/objective.hpp"
#include "sim/study/price_plan.hpp"
#include "sim/study/run_rounds.hpp"
#include "sim/study/selection.hpp"
#include "sim/study/simulation.hpp"
#include "sim/study/store.hpp"
#include "sim/study/study.hpp"
#include "sim/study/study_rounds.hpp"
#include "sim/study/verdict.hpp"

namespace fleetsim {

namespace {

/// What price draws add: their own fleets, with fewer replications, kept in the store as a study of their
/// own.
struct PriceRound {
  PriceRound(const Scenario& of, const CandidateSource& source)
      : base(of), plan(plan_prices(of, source)), fleets(source, plan, of.scheduler.sharing) {
    base.name += ", drawn prices";
    base.time.replications = draw_replications(of);
  }
  [[nodiscard]] std::int64_t runs(const Shard& shard) const {
    return places_of(shard, static_cast<std::int64_t>(fleets.size()) * base.time.replications).size();
  }
  Scenario base;
  PricePlan plan;
  DrawnFleets fleets;
};

/// Null: no draws are asked for.
std::unique_ptr<PriceRound> price_round(const Scenario& base, const CandidateSource& source) {
  return base.study.price_draws > 0 ? std::make_unique<PriceRound>(base, source) : nullptr;
}

/// By rounds each round has an entry of its own, written when it begins.
void note_all(ResultStore& store, const Scenario& base, const CandidateSource& source,
              const PriceRound* prices, const StudyOptions& options) {
  if (!in_rounds(base)) store.note(describe(base, source, options));
  if (prices != nullptr && prices->fleets.size() > 0)
    store.note(describe(prices->base, prices->fleets, options));
}

/// The study's own fleets under its own sharing rule, in their order.
std::vector<SimulatedFleet> own_fleets(const Scenario& base, const StudyResult& study,
                                       const std::vector<std::vector<std::vector<double>>>& hours) {
  std::vector<SimulatedFleet> fleets;
  const BestSet* own = find_best_set(study, base.scheduler.sharing, base.study.prototypes_per_result);
  const auto k = own == nullptr ? study.ks.end() : std::find(study.ks.begin(), study.ks.end(), own->k);
  for (std::size_t i = 0; i < study.candidates.size(); ++i) {
    const CandidateResult& c = study.candidates[i];
    if (c.sharing != base.scheduler.sharing) continue;
    Scenario scenario = base;
    for (std::size_t p = 0; p < c.counts.size(); ++p) scenario.pools[p].count = c.counts[p];
    const bool ranked = k != study.ks.end();
    fleets.push_back(simulated_fleet(
        scenario, c,
        ranked ? hours[i][static_cast<std::size_t>(k - study.ks.begin())] : std::vector<double>{}));
    if (!ranked) fleets.back().feasible = false;
  }
  return fleets;
}

/// For each sharing rule, in order of appearance, and each k. `scores`: [candidate][k][replication].
void select_all(StudyResult& study, const std::vector<double>& ks,
                const std::vector<std::vector<std::vector<double>>>& scores, double indifference,
                const StudyRounds* rounds) {
  std::vector<SharingRule> rules;
  for (const CandidateResult& c : study.candidates) {
    if (std::find(rules.begin(), rules.end(), c.sharing) == rules.end()) rules.push_back(c.sharing);
  }
  for (const SharingRule rule : rules) {
    for (std::size_t k = 0; k < ks.size(); ++k) {
      std::vector<CandidateValues> ranked, all;
      for (std::size_t i = 0; i < study.candidates.size(); ++i) {
        const CandidateResult& c = study.candidates[i];
        if (c.sharing != rule) continue;
        all.push_back({static_cast<int>(i), scores[i][k]});
        if (c.feasible) ranked.push_back(all.back());
      }
      const double level = rounds == nullptr ? 0.0 : rounds->level(rule);
      study.best_sets.push_back(
          select_best(rule, ks[k], ranked, indifference, level, objective_named(study.objective).money));
      study.best_sets.back().band = judge_band_of(study, rule, all, level);
    }
  }
}

}  // namespace

const std::vector<RejectedFleet>& CandidateSource::rejected() const {
  static const std::vector<RejectedFleet> none;
  return none;
}

StudyPlan plan_study(const Scenario& base, const CandidateSource& source, const StudyOptions& options) {
  StudyPlan plan;
  plan.replications = base.time.replications;
  plan.rejected = source.rejected();
  std::optional<ResultStore> store;
  std::error_code ignored;
  if (!options.store.empty() && std::filesystem::exists(options.store, ignored)) {
    store.emplace(options.store, options.engine, ResultStore::Mode::read_only);
    tell_others(*store, options);
  }
  const auto add = [&](const CandidateSource& from, int replications) {
    const auto n = static_cast<std::int64_t>(from.size());
    const PlaceRange range = places_of(options.shard, n * replications);
    for (std::size_t i = 0; i < from.size(); ++i) {
      const Candidate c = store ? from.make(i) : from.sketch(i);
      StudyPlan::Row row{unique_label(c), 0, 0};
      const std::vector<int> present = store ? store->replications(c.key) : std::vector<int>{};
      for (int r = 0; r < replications; ++r) {
        const std::int64_t place = r * n + static_cast<std::int64_t>(i);
        if (place < range.begin || place >= range.end) continue;
        ++row.wanted;
        row.stored += std::binary_search(present.begin(), present.end(), r) ? 1 : 0;
      }
      plan.rows.push_back(std::move(row));
    }
  };
  if (in_rounds(base)) {
    plan_round(base, source, options.shard, store ? &*store : nullptr, plan);
  } else {
    add(source, plan.replications);
  }
  if (const auto prices = price_round(base, source)) {
    plan.drawn_fleets = static_cast<int>(prices->fleets.size());
    plan.draw_replications = prices->base.time.replications;
    add(prices->fleets, plan.draw_replications);
  }
  return plan;
}

std::optional<ShardResult> run_shard(const Scenario& base, const CandidateSource& source,
                                     const StudyOptions& options) {
  const auto prices = price_round(base, source);
  ResultStore store(options.store, options.engine, ResultStore::Mode::create, options.stop);
  mend(store, options);
  note_all(store, base, source, prices.get(), options);
  tell_others(store, options);
  const auto nothing = [] {};
  const auto ignore = [](std::size_t, const std::vector<RunResult>&) {};
  const std::int64_t after = prices ? prices->runs(options.shard) : 0;
  auto result = in_rounds(base) ? run_shard_of_round(base, source, options, after, store)
                                : complete(base, source, part(options, 0, after), store, nothing, ignore);
  if (!result || !prices) return result;
  const auto more =
      complete(prices->base, prices->fleets, part(options, result->wanted, 0), store, nothing, ignore);
  if (!more) return std::nullopt;
  result->total += more->total;
  result->wanted += more->wanted;
  result->simulated += more->simulated;
  result->drawn_fleets = static_cast<int>(prices->fleets.size());
  result->draw_replications = prices->base.time.replications;
  return result;
}

std::optional<StudyResult> run_study(const Scenario& base, const CandidateSource& source,
                                     const StudyOptions& options) {
  StudyResult study;
  const Objective& objective = objective_of(base.study);
  const std::vector<double> ks = ranking_ks(base);
  study.objective = objective.name;
  study.ks = objective_ks(base);
  study.replications = base.time.replications;
  study.years = base.economics.years;
  for (const NodePool& pool : base.pools) study.pool_names.push_back(pool.name);
  study.existing_pools = static_cast<int>(base.pools.size() - bought_pools(base));
  study.scale_pool = base.pools[index(scale_pool(base))].name;
  study.demand = offered_load(base);
  study.indifference = base.study.indifference;
  study.first_order_share = study.demand.s;
  study.rejected = source.rejected();
  study.credibility = replay_recorded(base);
  if (source.size() == 0) {  // nothing to simulate, so nothing to store
    conclude(base, study);
    return study;
  }
  const auto prices = price_round(base, source);
  ResultStore store(options.store, options.engine, ResultStore::Mode::create, options.stop);
  mend(store, options);
  note_all(store, base, source, prices.get(), options);
  tell_others(store, options);

  // Results always come back from the store, so a resumed study and a fresh one read the same bytes.
  std::vector<std::vector<std::vector<double>>> scores;  // [candidate][k][replication]
  std::vector<std::vector<double>> p95_s;                // [candidate][replication]
  std::vector<FrontSample> front;                        // [candidate]; empty unless a front is asked for
  const auto begin = [&] {
    study.candidates.clear();
    scores.clear();
    p95_s.clear();
    front.clear();
  };
  const auto add = [&](std::size_t i, const std::vector<RunResult>& runs) {
    const Candidate c = candidate_at(base, source, i);
    study.candidates.push_back(summarise_candidate(c.scenario, runs, study.ks));
    // What is not simulated was refused for what is known beforehand.
    CandidateResult& added = study.candidates.back();
    added.keeps = runs.empty() ? Keeps::broken : keeps_constraints(c.scenario, added);
    auto& of_candidate = scores.emplace_back();
    p95_s.emplace_back();
    for (const RunResult& run : runs) p95_s.back().push_back(run.metrics.all.value("wait_s_p95"));
    for (const double k : ks)
      of_candidate.push_back(objective.scores(study.candidates.back(), c.scenario, runs, k));
    if (base.study.front.empty()) return;
    auto& sample = front.emplace_back();
    for (std::size_t q = 0; q < sample.size(); ++q)
      sample[q] = front_values(base.study.front[q], study.candidates.back(), c.scenario, runs);
  };
  StudyOptions all = options;
  all.shard = Shard{};
  const std::int64_t after = prices ? prices->runs(Shard{}) : 0;
  std::optional<StudyRounds> rounds;
  std::int64_t done = 0;
  if (in_rounds(base)) {
    rounds.emplace(base, source);
    const auto runs = run_rounds(*rounds, all, after, store);
    if (!runs) return std::nullopt;
    done = *runs;
    rounds->read(store, add);
    rounds->describe(study);
  } else {
    const auto result = complete(base, source, part(all, 0, after), store, begin, add);
    if (!result) return std::nullopt;
    done = result->wanted;
  }
  select_all(study, ks, scores, base.study.indifference, rounds ? &*rounds : nullptr);
  if (!base.study.front.empty())
    study.front =
        lay_out_front(base, study, front, rounds ? static_cast<int>(looks(rounds->settings()).size()) : 1);
  if (base.study.candidates == CandidateRule::pool_sizes && !study.candidates.empty() &&
      study.candidates.front().sharing == SharingRule::private_machines)
    study.pooling = compare_pools(study, p95_s);
  study.least = least_fleets(base, study);
  conclude(base, study);
  study.alternatives = side_by_side(base, study);
  if (!prices) return study;

  std::vector<SimulatedFleet> fleets;
  const auto begin_drawn = [&] { fleets = own_fleets(base, study, scores); };
  const auto add_drawn = [&](std::size_t i, const std::vector<RunResult>& runs) {
    const Candidate c = candidate_at(prices->base, prices->fleets, i);
    const CandidateResult result = summarise_candidate(c.scenario, runs, study.ks);
    fleets.push_back(simulated_fleet(c.scenario, result,
                                     times_to_result(c.scenario, runs, base.study.prototypes_per_result)));
  };
  if (!complete(prices->base, prices->fleets, part(all, done, 0), store, begin_drawn, add_drawn))
    return std::nullopt;
  study.prices = judge_prices(base, study, prices->plan, fleets);
  study.verdict += price_clause(*study.prices);
  return study;
}

}  // namespace fleetsim
