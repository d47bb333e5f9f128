// The catalogue: hardware, models and prices by name. Built into the binary from scenarios/catalog/, extended
// by a folder of the user's.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/advice/tree.hpp"
#include "sim/base/diagnostic.hpp"
#include "sim/scenario.hpp"
#include "topology/hardware.hpp"

namespace fleetsim {

/// What a cloud charges for an hour of a GPU on these terms.
struct CloudRate {
  std::string gpu;  ///< catalogue name
  RentTerms terms = RentTerms::on_demand;
  Figure<Money> rate;
};

enum class CatalogKind { gpus, nodes, links, models, prices, systems };
[[nodiscard]] const char* to_string(CatalogKind kind);

/// A whole installation by name: so many nodes of one type, joined by one fabric.
struct SystemType {
  std::string name;  ///< e.g. dgx-superpod
  std::string title;
  std::string node;  ///< NodeType::name
  int nodes = 0;
  FabricSpec fabric;
  Provenance from;
};

/// One YAML file an entry, `KIND/NAME.yaml`. Every figure is `{value, source, as_of}`; an estimate is
/// `{value, low, high, source: estimate, basis, as_of}`. A figure without source or date does not load. An
/// entry with `based_on: NAME` starts from another entry of its kind (catalog_base.hpp).
class Catalog {
 public:
  /// The embedded catalogue, parsed once at first use. Asserts that it is free of faults (a test loads it).
  static const Catalog& builtin();

  /// Built-in entries, then those of `folder` (gpus/, nodes/, links/, models/, prices/, systems/ below it): a
  /// new name adds, a known name replaces (a note says so), and built-in nodes then use the replaced GPU or
  /// link. Faults go to `diagnostics`; a faulty file contributes nothing; what lies in the folder and is not
  /// read is told; a figure dated after `today` (YYYY-MM-DD; empty: any date will do) is warned of. `sources`
  /// (optional) receives the text of every file read, keyed as SourcePos::file, for caret lines. Throws
  /// EnvironmentError when the folder cannot be read.
  static Catalog with_folder(const std::filesystem::path& folder, Diagnostics& diagnostics,
                             std::map<std::string, std::string>* sources = nullptr,
                             const std::string& today = {});

  /// Parses entries from memory: `path` is `KIND/NAME.yaml`. For tests and with_folder. Later files replace
  /// earlier ones of the same name.
  struct File {
    std::string path;   ///< KIND/NAME.yaml
    std::string shown;  ///< what diagnostics call it
    std::string text;
  };
  static Catalog from_files(const std::vector<File>& files, Diagnostics& diagnostics,
                            const std::string& today = {});

  /// nullptr when unknown.
  [[nodiscard]] const GpuType* gpu(std::string_view name) const;
  [[nodiscard]] const LinkType* link(std::string_view name) const;
  [[nodiscard]] const NodeType* node(std::string_view name) const;
  [[nodiscard]] const ModelType* model(std::string_view name) const;
  [[nodiscard]] const SystemType* system(std::string_view name) const;
  [[nodiscard]] const Prices& prices() const { return prices_; }
  /// prices/cloud.yaml, in its order.
  [[nodiscard]] const std::vector<CloudRate>& cloud_rates() const { return cloud_rates_; }
  /// A tree of advice (advice/NAME.yaml), and the names of all of them, sorted.
  [[nodiscard]] const AdviceTree* advice(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> advice_names() const;

  /// A file of this name was there but had faults, which have been reported.
  [[nodiscard]] bool is_faulty(CatalogKind kind, const std::string& name) const;

  /// The entry that this one is based on; empty when it stands alone.
  [[nodiscard]] std::string based_on(CatalogKind kind, const std::string& name) const;

  /// A folder of the user's was added. Asking does not build the built-in catalogue, whose own systems are
  /// read by the readers of scenarios.
  [[nodiscard]] bool extended() const { return extended_; }

  /// Names of one kind, sorted; for listing and "did you mean".
  [[nodiscard]] std::vector<std::string> names(CatalogKind kind) const;

 private:
  struct Builder;
  bool extended_ = false;
  std::map<std::string, GpuType, std::less<>> gpus_;
  std::map<std::string, LinkType, std::less<>> links_;
  std::map<std::string, NodeType, std::less<>> nodes_;
  std::map<std::string, ModelType, std::less<>> models_;
  std::map<std::string, SystemType, std::less<>> systems_;
  std::map<std::string, AdviceTree, std::less<>> advice_;
  std::set<std::string, std::less<>> price_names_;
  std::set<std::string> faulty_;              ///< KIND/NAME
  std::map<std::string, std::string> bases_;  ///< KIND/NAME -> NAME
  Prices prices_;
  std::vector<CloudRate> cloud_rates_;
};

}  // namespace fleetsim
