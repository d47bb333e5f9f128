// Candidates, replications, statistics, selection.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/economics/economics.hpp"
#include "sim/scenario.hpp"
#include "sim/simulate.hpp"
#include "sim/study/band_rule.hpp"
#include "sim/study/carried_demand.hpp"
#include "sim/study/credibility.hpp"
#include "sim/study/front.hpp"
#include "sim/study/least_fleet.hpp"
#include "sim/study/pooling.hpp"
#include "sim/study/price_robustness.hpp"
#include "sim/study/rounds_summary.hpp"
#include "sim/study/run_length.hpp"
#include "sim/study/shard.hpp"
#include "sim/study/study_map.hpp"

namespace fleetsim {

struct Candidate {
  std::string label;  ///< e.g. "13+3 overflow"
  Scenario scenario;  ///< counts set, sharing set
  std::string key;    ///< content hash (hex SHA-256) of the canonical scenario of this candidate
};

/// A fleet that is not simulated, because the room or the rules refuse it.
struct RejectedFleet {
  std::string label;        ///< "13+3"
  std::vector<int> counts;  ///< by pool
  double share = 0.0;       ///< of the scale-up pool in node money
  std::string reason;       ///< its hard findings
};

/// Owned by the study, implemented by the loader; candidates are made one at a time. All candidates of a
/// source share seed, horizon and workload section, so one drawn workload serves all. `make` is pure and is
/// called by several threads at once. The base scenario's `study` section and number of replications hold for
/// all of them, whatever the candidate's own say.
class CandidateSource {
 public:
  virtual ~CandidateSource() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual Candidate make(std::size_t i) const = 0;
  /// As make(), but the key may be missing: for who asks 10^5 candidates what they are.
  [[nodiscard]] virtual Candidate sketch(std::size_t i) const { return make(i); }
  /// Candidates i, i + fleets(), i + 2 fleets(), ... differ in their sharing rule alone.
  [[nodiscard]] virtual std::size_t fleets() const { return size(); }
  /// Fleets that are left out of it; none by default.
  [[nodiscard]] virtual const std::vector<RejectedFleet>& rejected() const;
  /// A fleet that the source does not list (`counts` by pool), made as `make` makes its own: equal fleets
  /// have equal keys. Throws std::logic_error where the source cannot.
  [[nodiscard]] virtual Candidate fleet(const std::vector<int>& counts, SharingRule sharing) const;
};

/// Mean with a 95 % t interval over replications.
struct Summary {
  double mean = 0.0, ci95_low = 0.0, ci95_high = 0.0;
  int n = 0;  ///< replications in which the value was defined
  std::string unit;
};
/// Student t interval; n = 1 gives an infinite interval (low = -inf, high = inf), n = 0 NaN.
[[nodiscard]] Summary summarise(const std::vector<double>& values, const std::string& unit);

struct ClassSummary {
  std::string name;
  std::map<std::string, Summary> metrics;
};

/// time_to_result(k) = k * mean turnaround of prototypes + mean turnaround of results.
struct ObjectiveValue {
  double k = 30.0;
  Summary hours;
};

struct CandidateResult {
  std::string label;  ///< "13+3"
  SharingRule sharing{};
  std::vector<int> counts;
  double share = 0.0;  ///< of the scale-up pool in node money, see scale_pool()
  bool feasible = true;
  std::vector<std::string> reasons;  ///< constraints it breaks
  Keeps keeps = Keeps::open;         ///< as far as it is sure; set by run_study()
  bool end_point = false;  ///< strict with an empty pool: some class can run nowhere by construction
  bool saturated = false;
  std::map<std::string, Summary> metrics;
  std::vector<ClassSummary> classes;
  std::vector<ClassSummary> groups;  ///< of users, where the scenario names some
  std::vector<Summary> pool_utilisation;
  std::vector<ObjectiveValue> objective;  ///< for each k of StudyResult::ks
  double results_per_week = 0.0;
  Money capex;                        ///< the bill with all that is charged on it
  Money three_year_cost;              ///< over economics.years, three by default
  std::optional<Money> unspent;       ///< empty without a budget
  std::vector<std::string> unpriced;  ///< items of its bill without a price: then capex is a lower bound
  std::vector<double> utilisation_by_hour;
  std::map<std::string, std::int64_t> states;  ///< over all replications
  std::uint64_t replay_hash = 0;               ///< over all replications in order
  std::vector<std::string> over_caps;          ///< caps of a year that its mean cost breaks; also a reason
  std::vector<std::string> broken_laws;        ///< conservation laws that failed, each with its replication
  std::optional<Alternative> alternative;      ///< of a study of alternatives
  Money sale;                                  ///< what replaced nodes brought
  // Of a study by rounds:
  int replications = 0;  ///< that it was simulated with
  int last_round = 0;    ///< the last that it was in; 0: it was not simulated
  std::string stopped;   ///< why it was not simulated (further); empty: it was, to the end
};

/// One alternative for the nodes that are there: the fleet that stands for it, see side_by_side().
struct AlternativeRow {
  std::string alternative;  ///< keep, add, replace
  std::string fleet;        ///< label of the fleet; empty: the money buys none
  int candidate = -1;       ///< index into candidates, or -1
  int fleets = 0;           ///< that the alternative has
  bool feasible = false;
  std::vector<std::string> reasons;
  Summary hours;  ///< time to a result at the scenario's k; n = 0: none can be given
  double results_per_week = 0.0;
  Money purchase, sale, three_year_cost;  ///< the last less the sale
};

/// Candidates whose adjusted interval of the paired difference to the best lies below the indifference zone,
/// for one sharing rule and one k.
struct BestSet {
  SharingRule sharing{};
  double k = 30.0;
  int best = -1;               ///< index into candidates; -1: no feasible candidate
  std::vector<int> members;    ///< best included
  std::vector<int> undecided;  ///< interval of the paired difference too wide to say
  /// Paired difference to the best, relative, with its interval adjusted for multiple comparison with the
  /// best.
  struct Difference {
    int candidate = 0;
    double percent = 0.0, low = 0.0, high = 0.0;
  };
  std::vector<Difference> differences;
  std::optional<BandJudgement> band{};  ///< of the 66/33 rule; empty: it was not judged
};

struct StudyResult {
  /// Name of what fleets are ranked by, see objectives/. Where it has no k, `ks` is empty, and the k of a
  /// best set is the scenario's, which then says nothing.
  std::string objective = StudySpec{}.objective;
  std::vector<double> ks;  ///< 1, k of the scenario, 1/p
  std::vector<std::string> pool_names;
  std::string scale_pool;                   ///< the pool that shares speak of
  std::vector<CandidateResult> candidates;  ///< by sharing rule, then share
  std::vector<BestSet> best_sets;
  OfferedLoad demand;
  int replications = 0;                      ///< by rounds: the most that a candidate had
  int years = 3;                             ///< that costs are counted over
  double indifference = 0.02;                ///< so much slower than the best is as good
  double band_low = 0.20, band_high = 0.34;  ///< the rule's band of the scale share
  double first_order_share = 0.0;            ///< share = s
  std::string rule_status;  ///< holds | refuted | undecided, for the scenario's own sharing rule and k
  std::vector<std::string> rule_open;     ///< of an undecided rule the fleets that keep it open
  double s_low = 0.0, s_high = 0.0;       ///< s for which the first-order line lies in the band
  Summary loss_percent;                   ///< of the best fleet inside the band against the best fleet
  std::string verdict;                    ///< one sentence
  std::vector<RejectedFleet> rejected;    ///< fleets that were not simulated, with the reason
  std::optional<PriceRobustness> prices;  ///< empty: no price draws were asked for
  std::optional<Pooling> pooling;         ///< of `study.candidates: pool-sizes` alone
  /// The recorded trace on the nodes that are there; empty without either.
  std::optional<Credibility> credibility;
  std::optional<RoundsSummary> rounds;        ///< of `study.search: rounds` alone
  int existing_pools = 0;                     ///< the last of the pools: nodes that are there already
  std::vector<AlternativeRow> alternatives;   ///< empty where the scenario names none
  std::optional<StudyMap> map;                ///< of a study with axes of conditions, see cells.hpp
  std::optional<Front> front;                 ///< of `study.front` alone
  std::optional<WarmUpFound> warm_up;         ///< of `time.warm_up: mser-5` alone
  std::optional<PrecisionReached> precision;  ///< of `time.precision` alone
  std::vector<LeastFleet> least;              ///< of `study.objective: capex` alone
  std::optional<MostDemand> most_demand;      ///< of a map along an axis of demand
  [[nodiscard]] std::size_t bought_pools() const {
    return pool_names.size() - static_cast<std::size_t>(existing_pools);
  }
};

struct StudyProgress {
  std::int64_t done = 0, total = 0;
};
struct StudyOptions {
  int threads = 0;                        ///< 0: all cores
  std::string store;                      ///< SQLite file; created when absent, resumed when present
  std::string engine;                     ///< engine_id(): rows of other builds are not seen
  std::string scenario, scenario_sha256;  ///< canonical text of what is studied, kept in the store
  Shard shard;                            ///< only this part is simulated
  std::function<void(const StudyProgress&)> progress;
  const std::atomic<bool>* stop =
      nullptr;  ///< set by a signal handler: finish running replications, flush, return
  std::function<void(const std::string&)> note;  ///< receives what the user should know of the store
};

/// Replications first .. first+count-1 of one scenario, spread over `threads` (0: all cores); the order and
/// the bytes of the result do not depend on the thread count. Stops early when `stop` is set: then fewer
/// results than asked for.
[[nodiscard]] std::vector<RunResult> replicate(const Scenario& scenario, int first, int count, int threads,
                                               const std::function<void(const StudyProgress&)>& progress = {},
                                               const std::atomic<bool>* stop = nullptr);

/// Summaries, constraints, capex and three-year cost of one fleet from its replications.
[[nodiscard]] CandidateResult summarise_candidate(const Scenario& scenario,
                                                  const std::vector<RunResult>& runs,
                                                  const std::vector<double>& ks);
/// 1, the scenario's k and 1/p, ascending, without repeats; empty when no class promotes, or where fleets are
/// ranked by what has no k.
[[nodiscard]] std::vector<double> objective_ks(const Scenario& scenario);

/// k * mean turnaround of the prototypes + mean turnaround of the results, in hours, per replication; NaN
/// where one of the two is undefined, and everywhere without a result chain.
[[nodiscard]] std::vector<double> times_to_result(const Scenario& scenario,
                                                  const std::vector<RunResult>& runs, double k);

/// What a study would run. A store that does not exist yet counts as empty and is not made.
struct StudyPlan {
  struct Row {
    std::string label;
    int stored = 0;  ///< replications present, of `wanted`
    int wanted = 0;  ///< replications that this shard has of the candidate
  };
  std::vector<Row> rows;                ///< in the order of the source, then the fleets of drawn prices
  std::vector<RejectedFleet> rejected;  ///< would not be run
  int replications = 0;
  int drawn_fleets = 0, draw_replications = 0;  ///< fleets that only drawn prices make, the last of the rows
  // By rounds: the rows are those of the round that the store leads to, and only these are counted.
  int round = 0;                ///< 0: the study is exhaustive
  bool complete = false;        ///< no further round follows from the store
  std::int64_t round_runs = 0;  ///< simulations of the round, whatever the shard
  int cap = 0;                  ///< most replications of a candidate
  struct NotSimulated {
    std::string label, reason;
  };
  std::vector<NotSimulated> not_simulated;  ///< candidates of which the reason is known beforehand
  /// Simulations of the whole study (by rounds: of the round), whatever the shard.
  [[nodiscard]] std::int64_t total() const {
    if (round > 0) return round_runs + std::int64_t{drawn_fleets} * draw_replications;
    const auto all = static_cast<std::int64_t>(rows.size());
    return (all - drawn_fleets) * replications + std::int64_t{drawn_fleets} * draw_replications;
  }
};
/// Of the shard of `options` only.
[[nodiscard]] StudyPlan plan_study(const Scenario& base, const CandidateSource& candidates,
                                   const StudyOptions& options);

/// Interrupted runs return nothing; all finished replications are in the store. Throws EnvironmentError
/// (sim/study/errors.hpp) when the store cannot be used.
[[nodiscard]] std::optional<StudyResult> run_study(const Scenario& base, const CandidateSource& candidates,
                                                   const StudyOptions& options);

/// What one shard did; its rows are in the store.
struct ShardResult {
  std::int64_t total = 0;                       ///< simulations of the whole study
  std::int64_t wanted = 0;                      ///< of this shard
  std::int64_t simulated = 0;                   ///< now; the rest was stored before
  int drawn_fleets = 0, draw_replications = 0;  ///< in `total`: fleets that only drawn prices make
  // By rounds: the sums above are those of one round.
  int round = 0;             ///< that was run; 0: the study is exhaustive
  int candidates = 0;        ///< in that round
  bool round_whole = false;  ///< the store now holds all of it, so that the next one can be computed
  bool complete = false;     ///< and no further round follows
};
/// As run_study, without a verdict.
[[nodiscard]] std::optional<ShardResult> run_shard(const Scenario& base, const CandidateSource& candidates,
                                                   const StudyOptions& options);

}  // namespace fleetsim
