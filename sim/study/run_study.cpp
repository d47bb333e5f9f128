// The study itself: what is missing in the store is simulated, then everything is read back and compared.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "sim/study/alternatives.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/judge_prices.hpp"
#include "sim/study/price_plan.hpp"
#include "sim/study/selection.hpp"
#include "sim/study/simulation.hpp"
#include "sim/study/store.hpp"
#include "sim/study/study.hpp"
#include "sim/study/verdict.hpp"

namespace fleetsim {

namespace {

Candidate candidate_at(const Scenario& base, const CandidateSource& source, std::size_t i) {
  Candidate c = source.make(i);
  c.scenario.study = base.study;
  c.scenario.time.replications = base.time.replications;
  return c;
}

StoredStudy describe(const Scenario& base, const CandidateSource& source, const StudyOptions& options) {
  StoredStudy study{options.engine,         base.name, options.scenario, options.scenario_sha256, base.seed,
                    base.time.replications, {}};
  for (std::size_t i = 0; i < source.size(); ++i) {
    const Candidate c = source.make(i);
    study.candidates.push_back({c.key, unique_label(c)});
  }
  return study;
}

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

void note_all(ResultStore& store, const Scenario& base, const CandidateSource& source,
              const PriceRound* prices, const StudyOptions& options) {
  store.note(describe(base, source, options));
  if (prices != nullptr && prices->fleets.size() > 0)
    store.note(describe(prices->base, prices->fleets, options));
}

/// One part of a study, whose progress is told as that of the whole: `before` simulations went before it,
/// `after` follow.
StudyOptions part(const StudyOptions& options, std::int64_t before, std::int64_t after) {
  StudyOptions made = options;
  if (options.progress)
    made.progress = [tell = options.progress, before, after](const StudyProgress& p) {
      tell({before + p.done, before + p.total + after});
    };
  return made;
}

using Visit = std::function<void(std::size_t candidate, std::vector<RunResult> runs)>;

/// Hands over the runs of each candidate that the shard has any of, in order. Returns how many rows are
/// damaged or gone; damaged ones are removed from the store.
int read_back(const Scenario& base, const CandidateSource& source, const StudyOptions& options,
              ResultStore& store, const Visit& visit) {
  const auto n = static_cast<std::int64_t>(source.size());
  const PlaceRange range = places_of(options.shard, n * base.time.replications);
  int faults = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::string key = source.make(i).key;
    std::vector<RunResult> runs;
    for (int r = 0; r < base.time.replications; ++r) {
      const std::int64_t place = r * n + static_cast<std::int64_t>(i);
      if (place < range.begin || place >= range.end) continue;
      try {
        auto run = store.get(key, r);
        if (run) runs.push_back(std::move(*run));
        faults += run ? 0 : 1;
      } catch (const DamagedRow&) {
        store.erase(key, r);
        ++faults;
      }
    }
    if (faults == 0) visit(i, std::move(runs));
  }
  return faults;
}

/// Simulates until the store holds all that is wanted, whole. `begin` is called before each round of reading.
/// Empty: stopped.
std::optional<ShardResult> complete(const Scenario& base, const CandidateSource& source,
                                    const StudyOptions& options, ResultStore& store,
                                    const std::function<void()>& begin, const Visit& visit) {
  constexpr int kRounds = 3;  // a disk that damages what is written again and again is no disk
  ShardResult result;
  result.total = static_cast<std::int64_t>(source.size()) * base.time.replications;
  for (int round = 0; round < kRounds; ++round) {
    Simulation simulation(base, source, options, store);
    const bool all = simulation.run();
    result.wanted = simulation.wanted();
    result.simulated += simulation.simulated();
    if (!all) return std::nullopt;
    begin();
    const int faults = read_back(base, source, options, store, visit);
    if (faults == 0) return result;
    if (options.note)
      options.note(fmt::format("{}: {} damaged run{} removed and simulated again", options.store, faults,
                               faults == 1 ? " was" : "s were"));
  }
  throw EnvironmentError(fmt::format(
      "cannot use the results store {}: rows are damaged as soon as they are written", options.store));
}

/// Damage is told before the work that it causes, also in rows that this study does not ask for.
void mend(ResultStore& store, const StudyOptions& options) {
  const ResultStore::Removed removed = store.remove_damaged();
  if (!options.note) return;
  if (removed.runs > 0)
    options.note(fmt::format("{}: {} damaged run{} removed and simulated again where this study needs {}",
                             options.store, removed.runs, removed.runs == 1 ? " was" : "s were",
                             removed.runs == 1 ? "it" : "them"));
  if (removed.studies > 0)
    options.note(
        fmt::format("{}: {} removed: damaged; the command of that study writes it again", options.store,
                    removed.studies == 1 ? "the entry of 1 study was"
                                         : fmt::format("the entries of {} studies were", removed.studies)));
}

void tell_others(const ResultStore& store, const StudyOptions& options) {
  const std::int64_t others = store.rows_of_other_engines();
  if (others > 0 && options.note) {
    options.note(fmt::format("{}: {} run{} of another build of fleetsim {} not used (this is engine {})",
                             options.store, others, others == 1 ? "" : "s", others == 1 ? "is" : "are",
                             options.engine));
  }
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
    fleets.push_back({c.label, c.feasible && k != study.ks.end(), {}});
    if (k != study.ks.end()) fleets.back().hours = hours[i][static_cast<std::size_t>(k - study.ks.begin())];
  }
  return fleets;
}

/// For each sharing rule, in order of appearance, and each k.
void select_all(StudyResult& study, const std::vector<std::vector<std::vector<double>>>& hours,
                double indifference) {
  std::vector<SharingRule> rules;
  for (const CandidateResult& c : study.candidates) {
    if (std::find(rules.begin(), rules.end(), c.sharing) == rules.end()) rules.push_back(c.sharing);
  }
  for (const SharingRule rule : rules) {
    for (std::size_t k = 0; k < study.ks.size(); ++k) {
      std::vector<CandidateValues> ranked;
      for (std::size_t i = 0; i < study.candidates.size(); ++i) {
        const CandidateResult& c = study.candidates[i];
        if (c.sharing == rule && c.feasible) ranked.push_back({static_cast<int>(i), hours[i][k]});
      }
      study.best_sets.push_back(select_best(rule, study.ks[k], ranked, indifference));
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
      const Candidate c = from.make(i);
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
  add(source, plan.replications);
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
  auto result = complete(base, source, part(options, 0, after), store, nothing, ignore);
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
  std::vector<std::vector<std::vector<double>>> hours;  // [candidate][k][replication]
  std::vector<std::vector<double>> p95_s;               // [candidate][replication]
  const auto begin = [&] {
    study.candidates.clear();
    hours.clear();
    p95_s.clear();
  };
  const auto add = [&](std::size_t i, const std::vector<RunResult>& runs) {
    const Candidate c = candidate_at(base, source, i);
    study.candidates.push_back(summarise_candidate(c.scenario, runs, study.ks));
    auto& of_candidate = hours.emplace_back();
    p95_s.emplace_back();
    for (const RunResult& run : runs) p95_s.back().push_back(run.metrics.all.value("wait_s_p95"));
    for (const double k : study.ks) of_candidate.push_back(times_to_result(c.scenario, runs, k));
  };
  StudyOptions all = options;
  all.shard = Shard{};
  const auto done =
      complete(base, source, part(all, 0, prices ? prices->runs(Shard{}) : 0), store, begin, add);
  if (!done) return std::nullopt;
  select_all(study, hours, base.study.indifference);
  if (base.study.candidates == CandidateRule::pool_sizes && !study.candidates.empty() &&
      study.candidates.front().sharing == SharingRule::private_machines)
    study.pooling = compare_pools(study, p95_s);
  conclude(base, study);
  study.alternatives = side_by_side(base, study);
  if (!prices) return study;

  std::vector<SimulatedFleet> fleets;
  const auto begin_drawn = [&] { fleets = own_fleets(base, study, hours); };
  const auto add_drawn = [&](std::size_t i, const std::vector<RunResult>& runs) {
    const Candidate c = candidate_at(prices->base, prices->fleets, i);
    const CandidateResult result = summarise_candidate(c.scenario, runs, study.ks);
    fleets.push_back(
        {result.label, result.feasible, times_to_result(c.scenario, runs, base.study.prototypes_per_result)});
  };
  if (!complete(prices->base, prices->fleets, part(all, done->wanted, 0), store, begin_drawn, add_drawn))
    return std::nullopt;
  study.prices = judge_prices(base, study, prices->plan, fleets);
  study.verdict += price_clause(*study.prices);
  return study;
}

}  // namespace fleetsim
