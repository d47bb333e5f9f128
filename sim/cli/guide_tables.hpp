// "Guide says / model says / measured": what T. Dettmers's guide of 2020 claims about interconnects, beside
// what step_time says on catalogue hardware and what was published.
#pragma once

#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenarios/loader/catalog.hpp"
#include "sim/study/interconnect_value.hpp"

namespace fleetsim::cli {

/// Source of most measurements: repository and commit.
inline constexpr const char* kLambdaBenchmark = "lambdal/deeplearning-benchmark@aa5addb6";

/// A published figure for one column of a row; low = high where there is one machine.
struct Measured {
  std::size_t column = 0;
  double low = 0.0, high = 0.0;
};

struct GuideRow {
  std::string what;           ///< hardware and model
  std::vector<double> model;  ///< one value a column
  std::vector<Measured> measured;
  std::string source, note;  ///< of the measurements; both empty without one
};

/// What the guide gives for one column.
struct GuideBand {
  std::size_t column = 0;
  double low = 0.0, high = 0.0;
};

struct GuideTable {
  std::string id, title;
  std::string guide;  ///< the claim in our words
  std::string unit;   ///< "%" or "x"
  std::vector<std::string> columns;
  std::vector<GuideRow> rows;
  std::vector<GuideBand> bands;
  std::string verdict;               ///< what the model says to the claim; computed from the rows
  std::string measured_note;         ///< measurements that fit no row, or that there are none
  std::vector<std::string> omitted;  ///< rows that could not be computed, and why
};

/// What of the catalogue the tables use. Throws MissingHardware for a name that the catalogue lacks.
class MissingHardware : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
class Shelf {
 public:
  explicit Shelf(const Catalog& catalog) : catalog_(catalog) {}
  [[nodiscard]] const NodeType& node(const std::string& name) const;
  [[nodiscard]] const LinkType& link(const std::string& name) const;
  [[nodiscard]] const GpuType& gpu(const std::string& name) const;
  /// The models of the tables that the catalogue has, vision first.
  [[nodiscard]] std::vector<const ModelType*> models() const;
  /// Of these the six of the figure: from hardly any to much communication.
  [[nodiscard]] std::vector<const ModelType*> figure_models() const;

 private:
  [[nodiscard]] std::vector<const ModelType*> named(std::initializer_list<const char*> names) const;

  const Catalog& catalog_;
};

/// G6, G7, G7a, G17, G18, G19, G20, G21, G22 in this order. A table without its hardware has no rows and says
/// so in `omitted`. Cost: some hundred step times.
[[nodiscard]] std::vector<GuideTable> guide_tables(const Catalog& catalog);

/// One table each; they throw MissingHardware.
[[nodiscard]] GuideTable guide_g6(const Shelf& shelf);
[[nodiscard]] GuideTable guide_g7(const Shelf& shelf);
[[nodiscard]] GuideTable guide_g7a(const Shelf& shelf);
[[nodiscard]] GuideTable guide_g17(const Shelf& shelf);
[[nodiscard]] GuideTable guide_g18(const Shelf& shelf);
[[nodiscard]] GuideTable guide_g19(const Shelf& shelf);
[[nodiscard]] GuideTable guide_g20(const Shelf& shelf);
[[nodiscard]] GuideTable guide_g21(const Shelf& shelf);
[[nodiscard]] GuideTable guide_g22(const Shelf& shelf);

/// Adds the row that `make` computes; what step_time refuses (a model that does not fit the memory, say) goes
/// to `omitted`.
template <class Make>
void add_row(GuideTable& table, const std::string& what, const Make& make) {
  try {
    table.rows.push_back(make());
    table.rows.back().what = what;
  } catch (const std::invalid_argument& e) {
    table.omitted.push_back(what + ": " + e.what());
  }
}

/// Gains of `with` over `without` at several sizes.
[[nodiscard]] GuideRow gain_row(const ModelType& model, const std::vector<int>& sizes, const Park& with,
                                const Park& without);
/// "the model sees 1.0 to 3.2 % at 4 GPUs; inside the guide's band in 2 of 8 cases, below in 6, above in 0".
[[nodiscard]] std::string band_verdict(const GuideTable& table, const GuideBand& band);
/// Least and greatest model value of a column.
[[nodiscard]] std::string range_of(const GuideTable& table, std::size_t column);

/// Curves of the figure for these models: NVLink, PCIe 4.0, EDR. Technologies whose hardware is missing are
/// left out and named in `missing`.
[[nodiscard]] std::vector<ValueCurve> interconnect_curves(const Catalog& catalog,
                                                          const std::vector<const ModelType*>& models,
                                                          std::vector<std::string>& missing);

/// The same for the models that the scenario's classes train, on the built-in catalogue's hardware.
[[nodiscard]] std::vector<ValueCurve> interconnect_of(const Scenario& scenario);

}  // namespace fleetsim::cli
