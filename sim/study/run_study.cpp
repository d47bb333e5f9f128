// The study itself: what is missing in the store is simulated, then everything is read back and compared.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <mutex>

#include "sim/study/errors.hpp"
#include "sim/study/parallel.hpp"
#include "sim/study/selection.hpp"
#include "sim/study/store.hpp"
#include "sim/study/study.hpp"
#include "sim/study/verdict.hpp"

namespace fleetsim {

namespace {

/// Rows are written in transactions of this many, so that a kill loses little.
constexpr std::size_t kRowsPerWrite = 6;
/// At least this many units of work a thread, so that none stands idle at the end for long.
constexpr int kUnitsPerThread = 4;

Candidate candidate_at(const Scenario& base, const CandidateSource& source, std::size_t i) {
  Candidate c = source.make(i);
  c.scenario.study = base.study;
  c.scenario.time.replications = base.time.replications;
  return c;
}

/// Fleet and sharing rule, e.g. "13+3 overflow", whether the source names the rule or not.
std::string unique_label(const Candidate& c) {
  const std::string rule = to_string(c.scenario.scheduler.sharing);
  return c.label.ends_with(rule) ? c.label : c.label + " " + rule;
}

/// Candidates of one replication, on one drawn workload.
struct Unit {
  int replication = 0;
  std::vector<std::size_t> candidates;
};

/// missing[r]: candidates without a row for replication r, ascending.
std::vector<std::vector<std::size_t>> find_missing(const Scenario& base, const CandidateSource& source,
                                                   const ResultStore& store) {
  const int replications = base.time.replications;
  std::vector<std::vector<std::size_t>> missing(static_cast<std::size_t>(replications));
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::vector<int> present = store.replications(source.make(i).key);
    for (int r = 0; r < replications; ++r) {
      if (!std::binary_search(present.begin(), present.end(), r))
        missing[static_cast<std::size_t>(r)].push_back(i);
    }
  }
  return missing;
}

/// One unit a replication; with few replications for the threads, each is cut into several.
std::vector<Unit> make_units(const std::vector<std::vector<std::size_t>>& missing, int threads) {
  const auto open = std::count_if(missing.begin(), missing.end(), [](const auto& m) { return !m.empty(); });
  if (open == 0) return {};
  const auto pieces = static_cast<std::size_t>(
      std::max<std::ptrdiff_t>(1, threads == 1 ? 1 : (kUnitsPerThread * threads + open - 1) / open));
  std::vector<Unit> units;
  for (std::size_t r = 0; r < missing.size(); ++r) {
    const std::size_t n = missing[r].size();
    const std::size_t cuts = std::min(pieces, n);
    for (std::size_t c = 0; c < cuts; ++c) {
      const auto begin = missing[r].begin() + static_cast<std::ptrdiff_t>(n * c / cuts);
      const auto end = missing[r].begin() + static_cast<std::ptrdiff_t>(n * (c + 1) / cuts);
      units.push_back({static_cast<int>(r), {begin, end}});
    }
  }
  return units;
}

/// Simulates what is missing. Threads share nothing but the store's mutex, taken once per kRowsPerWrite
/// simulations, and a counter.
class Simulation {
 public:
  Simulation(const Scenario& base, const CandidateSource& source, const StudyOptions& options,
             ResultStore& store)
      : base_(base), source_(source), options_(options), store_(store) {}

  /// False when it was stopped.
  bool run() {
    const auto missing = find_missing(base_, source_, store_);
    total_ = static_cast<std::int64_t>(source_.size()) * base_.time.replications;
    std::int64_t open = 0;
    for (const auto& m : missing) open += static_cast<std::int64_t>(m.size());
    done_ = total_ - open;
    if (options_.progress) options_.progress({done_.load(), total_});
    const int threads = thread_count(options_.threads);
    const std::vector<Unit> units = make_units(missing, threads);
    const auto n = static_cast<std::ptrdiff_t>(units.size());
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (std::ptrdiff_t u = 0; u < n; ++u) {
      fault_.guard([&] { simulate_unit(units[static_cast<std::size_t>(u)]); });
    }
    fault_.rethrow();
    if (options_.progress) options_.progress({done_.load(), total_});
    return done_.load() == total_;
  }

 private:
  [[nodiscard]] bool stopped() const {
    return fault_.any() || (options_.stop != nullptr && options_.stop->load());
  }

  void simulate_unit(const Unit& unit) {
    std::optional<Workload> workload;
    std::vector<ResultStore::Row> rows;
    for (const std::size_t i : unit.candidates) {
      if (stopped()) break;
      const Candidate c = source_.make(i);
      if (!workload) workload = generate(c.scenario, static_cast<std::uint32_t>(unit.replication));
      const auto begun = std::chrono::steady_clock::now();
      RunResult result = simulate(c.scenario, *workload);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
      rows.push_back({c.key, unique_label(c), unit.replication, std::move(result), took.count()});
      if (rows.size() == kRowsPerWrite) flush(rows);
    }
    flush(rows);
  }

  void flush(std::vector<ResultStore::Row>& rows) {
    if (rows.empty()) return;
    {
      const std::lock_guard lock(mutex_);
      store_.put(rows);
    }
    const std::int64_t now = done_ += static_cast<std::int64_t>(rows.size());
    rows.clear();
    if (options_.progress && omp_get_thread_num() == 0) options_.progress({now, total_});
  }

  const Scenario& base_;
  const CandidateSource& source_;
  const StudyOptions& options_;
  ResultStore& store_;
  std::mutex mutex_;
  FirstFault fault_;
  std::atomic<std::int64_t> done_{0};
  std::int64_t total_ = 0;
};

std::vector<RunResult> stored_runs(const ResultStore& store, const Candidate& c, int replications) {
  std::vector<RunResult> runs;
  runs.reserve(static_cast<std::size_t>(replications));
  for (int r = 0; r < replications; ++r) {
    auto run = store.get(c.key, r);
    if (!run)
      throw EnvironmentError(
          fmt::format("replication {} of {} has vanished from the results store", r, unique_label(c)));
    runs.push_back(std::move(*run));
  }
  return runs;
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

StudyPlan plan_study(const Scenario& base, const CandidateSource& source, const StudyOptions& options) {
  StudyPlan plan;
  plan.replications = base.time.replications;
  std::optional<ResultStore> store;
  if (!options.store.empty() && std::filesystem::exists(options.store))
    store.emplace(options.store, options.version, ResultStore::Mode::read_only);
  for (std::size_t i = 0; i < source.size(); ++i) {
    const Candidate c = source.make(i);
    int stored = 0;
    if (store) {
      for (const int r : store->replications(c.key)) stored += r < plan.replications ? 1 : 0;
    }
    plan.rows.push_back({unique_label(c), stored});
  }
  return plan;
}

std::optional<StudyResult> run_study(const Scenario& base, const CandidateSource& source,
                                     const StudyOptions& options) {
  ResultStore store(options.store, options.version);
  if (!Simulation(base, source, options, store).run()) return std::nullopt;

  StudyResult study;
  study.ks = objective_ks(base);
  study.replications = base.time.replications;
  for (const NodePool& pool : base.pools) study.pool_names.push_back(pool.name);
  study.scale_pool = base.pools[index(scale_pool(base))].name;
  study.demand = offered_load(base);
  study.indifference = base.study.indifference;
  study.first_order_share = study.demand.s;
  // Results always come back from the store, so a resumed study and a fresh one read the same bytes.
  std::vector<std::vector<std::vector<double>>> hours;  // [candidate][k][replication]
  for (std::size_t i = 0; i < source.size(); ++i) {
    const Candidate c = candidate_at(base, source, i);
    const std::vector<RunResult> runs = stored_runs(store, c, study.replications);
    study.candidates.push_back(summarise_candidate(c.scenario, runs, study.ks));
    auto& of_candidate = hours.emplace_back();
    for (const double k : study.ks) of_candidate.push_back(times_to_result(c.scenario, runs, k));
  }
  select_all(study, hours, base.study.indifference);
  conclude(base, study);
  return study;
}

}  // namespace fleetsim
