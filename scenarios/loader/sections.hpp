// What the files of this folder share: one function a section of the scenario file, and what they hand on.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/loader/catalog.hpp"
#include "scenarios/loader/reader.hpp"
#include "sim/scenario.hpp"

namespace fleetsim {

/// The scenario so far. Names are collected even where their values are faulty, so that one fault does not
/// cause others.
struct Draft {
  const Catalog& catalog;
  std::filesystem::path folder;  ///< of the scenario file: paths in it are relative to this
  Scenario scenario;
  std::vector<std::string> pools, partitions, classes;
  bool open_files = true;  ///< false: traces are not looked for

  /// Lists a key as read but not evaluated, with the schema's reason unless another is given.
  void later(const std::string& path, const std::string& reason = {}) {
    scenario.not_evaluated.push_back({path, reason.empty() ? scenario_schema().find(path)->later : reason});
  }
};

// Each reads its keys of the top level and reports what is wrong. In this order: later sections refer to
// names of earlier ones.
void read_head(Reader& file, Draft& draft);  ///< name, seed, time, budget
void read_fleet(Reader& file, Draft& draft);
void read_fabric(Reader& file, Draft& draft);
void read_site(Reader& file, Draft& draft);
void read_facility(Reader& site, Site& s);  ///< its keys of the site section
void read_power_limit(Reader& reader, NodePool& pool);
/// Lines of the canonical text for them; keys that came later only where they say something.
[[nodiscard]] std::string facility_text(const Site& site);
void read_scheduler(Reader& file, Draft& draft);
void read_workload(Reader& file, Draft& draft);
void read_study(Reader& file, Draft& draft);

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

/// One class of `workload.classes`, without what refers to other classes.
[[nodiscard]] JobClass read_class(Reader& reader, Draft& draft);

/// `wait_s_p95(prototype) <= 4 h`.
[[nodiscard]] std::optional<Constraint> read_constraint(const Reader& reader,
                                                        const std::vector<std::string>& classes);

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
[[nodiscard]] const Words<RoomKind>& room_words();
[[nodiscard]] const Words<PolicyKind>& policy_words();
[[nodiscard]] const Words<SharingRule>& sharing_words();
[[nodiscard]] const Words<TieRule>& tie_words();
[[nodiscard]] const Words<PlacementRule>& placement_words();
[[nodiscard]] const Words<ArrivalProfile>& profile_words();
[[nodiscard]] const Words<CandidateRule>& candidate_words();
[[nodiscard]] const Words<SearchKind>& search_words();

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
