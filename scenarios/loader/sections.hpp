// What the files of this folder share: one function a section of the scenario file, and what they hand on.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/loader/catalog.hpp"
#include "scenarios/loader/reader.hpp"
#include "sim/scenario.hpp"

namespace fleetsim {

class CandidateSource;

/// `workload.demand`, as it was asked for.
struct DemandWish {
  std::optional<double> load, scale_share;
};

/// The scenario so far. Names are collected even where their values are faulty, so that one fault does not
/// cause others.
struct Draft {
  const Catalog& catalog;
  std::filesystem::path folder;  ///< of the scenario file: paths in it are relative to this
  Scenario scenario;
  std::vector<std::string> pools, partitions, classes;
  bool open_files = true;                   ///< false: traces are not looked for
  std::map<std::string, Money> exchange{};  ///< currency -> what a unit of it costs
  DemandWish demand{};
  /// A trace that was read before, and the name that it has in the scenario.
  std::shared_ptr<const Trace> known_trace{};
  std::string known_trace_file{};
  std::optional<Reader> burst{};  ///< scheduler.burst, for when the classes are known

  /// Lists a key as read but not evaluated, with the schema's reason unless another is given.
  void later(const std::string& path, const std::string& reason = {}) {
    scenario.not_evaluated.push_back({path, reason.empty() ? scenario_schema().find(path)->later : reason});
  }
};

/// The schedulers keep the pools of a queue in one machine word.
inline constexpr std::size_t kMostPools = 64;

// Each reads its keys of the top level and reports what is wrong. In this order: later sections refer to
// names of earlier ones.
void read_exchange(Reader& file, Draft& draft);  ///< economics.exchange: before any money is read
void read_head(Reader& file, Draft& draft);      ///< name, seed, time, budget
void read_fleet(Reader& file, Draft& draft);
void read_fabric(Reader& file, Draft& draft);
void read_site(Reader& file, Draft& draft);
void read_facility(Reader& site, Site& s);  ///< its keys of the site section
void read_power_limit(Reader& reader, NodePool& pool);
/// Lines of the canonical text for them; keys that came later only where they say something.
[[nodiscard]] std::string facility_text(const Site& site);
void read_economics(Reader& file, Draft& draft);
void read_prices(Reader& file, Draft& draft);  ///< puts them in place of the catalogue's
void read_carbon(Reader& site, Draft& draft);  ///< `carbon` of the site
void read_scheduler(Reader& file, Draft& draft);
void read_workload(Reader& file, Draft& draft);
void read_demand(Reader& workload, Draft& draft);  ///< workload.demand
/// Once the nodes are counted: sets arrivals and promotion as `workload.demand` wishes; what it set, in
/// words.
[[nodiscard]] std::vector<std::string> fulfil_demand(Reader& file, Draft& draft);
/// Reports when more jobs would arrive than a replication can hold.
void check_jobs(const Reader& workload, const Draft& draft);
void read_failures(Reader& file, Draft& draft);
void read_burst(Draft& draft);  ///< scheduler.burst, behind classes and failures
void read_study(Reader& file, Draft& draft);
void read_advice(Reader& file, Draft& draft);

/// `fleet.deliveries`, once the pools are known; that the fleet has so many nodes, once it is resolved.
void read_deliveries(Reader& fleet, Draft& draft);
void check_deliveries(Reader& file, const Scenario& scenario);
/// Dates of pools that nothing can place in time without `time.starts`.
void tell_dates(Draft& draft);

/// `2018-11` or `2018-11-30`; the text orders dates of one length. Anything else is reported.
[[nodiscard]] std::optional<std::string> read_date(const Reader& reader);
void read_existing(const Reader& list, Draft& draft);  ///< fleet.existing, behind the pools that are bought
void read_alternatives(Reader& study, Draft& draft);   ///< study.alternatives
void read_axes(Reader& study, Draft& draft);           ///< study.axes, whose points are not looked at yet
void read_rent(Reader& economics, Draft& draft);       ///< economics.rent
/// `rate` with its `source` and `as_of`: replaces the figure where it is given.
void read_own_rate(Reader& section, Figure<Money>& figure, bool& own);
void read_objective(Reader& study, Draft& draft);  ///< study.objective
/// What goes with no objective but time to a result, and what a closed loop does to that one.
void check_objective(Reader& study, const Draft& draft);
void read_groups(Reader& workload, Draft& draft);     ///< workload.groups
void read_trace_groups(Reader& trace, Draft& draft);  ///< workload.trace.groups, once the trace is read
void read_front(Reader& study, Draft& draft);         ///< study.front
/// `{results_per_week: {}}`, for the canonical dump.
[[nodiscard]] std::string objective_text(const StudySpec& study);
/// `  rent:` and what stands below it, for the canonical dump.
[[nodiscard]] std::string rent_text(const RentSpec& rent);
/// `  burst:` and what stands below it, for the canonical dump; empty without.
[[nodiscard]] std::string burst_text(const Scenario& scenario);
/// `  existing:` and its entries, for the canonical dump; empty without such nodes.
[[nodiscard]] std::string existing_text(const Scenario& scenario);

/// Leaves the target as it is where there is no value.
template <class T>
void assign(T& target, const std::optional<T>& value) {
  if (value) target = *value;
}

/// Whether `path` is `at` or lies below it.
[[nodiscard]] bool lies_below(const std::string& path, const std::string& at);

/// `2018-11` or `2018-11-30`.
[[nodiscard]] bool is_date(const std::string& text);

/// Their canonical text; empty where nothing but defaults holds.
[[nodiscard]] std::string economics_text(const EconomicsSpec& economics);
[[nodiscard]] std::string prices_text(const Prices& prices);
/// A word that YAML reads as itself, or the text in double quotes.
[[nodiscard]] std::string yaml_word(const std::string& text);

/// Once the nodes are counted: what private machines and `pool-sizes` need of the fleet.
void check_private_machines(Reader& file, const Scenario& scenario);
/// Of `study.candidates: pool-sizes`.
[[nodiscard]] std::unique_ptr<CandidateSource> make_pool_sizes(const Scenario& base);

/// Faults of another file (catalogue, trace) keep its name and line as text: the source at hand is not
/// theirs.
void adopt_faults(const Diagnostics& from, Diagnostics& to);

/// The catalogue's name at `key`; `what` is its kind in a message. Nothing when it is absent or unknown; a
/// name whose catalogue file has faults is not reported a second time.
[[nodiscard]] std::optional<std::string> catalog_name(Reader& section, const std::string& key,
                                                      const Draft& draft, CatalogKind kind,
                                                      const std::string& what);

/// For the hint at an unknown name: that the catalogue can be added to, unless it was.
[[nodiscard]] std::string own_entries(const Draft& draft);

/// `arrivals` of a class.
[[nodiscard]] ArrivalSpec read_arrivals(Reader& arrivals);
/// One class of `workload.classes`, without what refers to other classes.
[[nodiscard]] JobClass read_class(Reader& reader, Draft& draft);

/// What a metric may be asked for: names of classes (and of the trace), and of groups of users.
struct MetricScopes {
  std::vector<std::string> classes, groups;
  bool bursts = false;  ///< jobs may go to rented GPUs
};
[[nodiscard]] MetricScopes metric_scopes(const Draft& draft);
/// Stands before the name of a group, `wait_s_p95(group vision)`: a class may have the same name.
inline constexpr const char* kGroupWord = "group ";
struct NamedMetric {
  std::string metric;
  std::optional<ClassId> job_class{};
  std::optional<std::size_t> group{};
};
/// `wait_s_p95(prototype)`, or one of `also`, which are counted by nothing. Faults are reported at the text.
[[nodiscard]] std::optional<NamedMetric> read_metric(const Reader& reader, const std::string& text,
                                                     const MetricScopes& scopes,
                                                     const std::vector<std::string>& also);

/// `wait_s_p95(prototype) <= 4 h`.
[[nodiscard]] std::optional<Constraint> read_constraint(const Reader& reader, const MetricScopes& scopes);

/// Names of metrics that a constraint may bound.
[[nodiscard]] std::vector<std::string> constraint_metrics();
/// The same with what they mean, for the reference page.
struct MetricMeaning {
  std::string name, bound;  ///< bound: how it is written
  bool of_class = false;    ///< may be asked for a class
  std::string meaning;
};
[[nodiscard]] std::vector<MetricMeaning> metric_meanings();

// Words of the file and what they mean; the dump writes the same words.
[[nodiscard]] const Words<FabricShape>& fabric_words();
[[nodiscard]] const Words<GeforceRule>& geforce_words();
[[nodiscard]] const Words<PolicyKind>& policy_words();
[[nodiscard]] const Words<SharingRule>& sharing_words();
[[nodiscard]] const Words<TieRule>& tie_words();
[[nodiscard]] const Words<PlacementRule>& placement_words();
[[nodiscard]] const Words<ArrivalProfile>& profile_words();
[[nodiscard]] const Words<CandidateRule>& candidate_words();
[[nodiscard]] const Words<SearchKind>& search_words();
[[nodiscard]] const Words<RentTerms>& rent_words();
[[nodiscard]] const Words<bool>& billing_words();  ///< per-gpu, whole-nodes; true: whole nodes
[[nodiscard]] const Words<Alternative>& alternative_words();
[[nodiscard]] const Words<RoomKind>& room_words();
[[nodiscard]] const Words<bool>& idle_words();  ///< idles, switched-off; true: off
[[nodiscard]] const Words<bool>& yes_no_words();
[[nodiscard]] const Words<AxisRole>& role_words();

/// The word of a value.
template <class E>
[[nodiscard]] std::string word_of(const Words<E>& words, E value) {
  for (const auto& [word, meaning] : words)
    if (meaning == value) return word;
  return {};
}

/// Index of a name, or nothing.
[[nodiscard]] inline std::optional<std::size_t> index_of(const std::vector<std::string>& names,
                                                         const std::string& name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return i;
  return std::nullopt;
}

}  // namespace fleetsim
