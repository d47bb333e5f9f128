// Scenarios that differ from one in the values of some keys: the points of a study's axes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/loader/catalog.hpp"
#include "scenarios/loader/document.hpp"
#include "scenarios/loader/load.hpp"

namespace fleetsim {

/// Makes points of axes. They are made from the canonical text of the base, so that they are the same for
/// equal scenarios, however these were written. Cost of a point: about that of reading a scenario.
class Variants {
 public:
  /// Of the base without its axes. `today`: as in LoadOptions.
  Variants(Scenario base, std::shared_ptr<const Catalog> catalog, std::string today = {});

  /// The base with each axis at the value of the given index. Empty where a value is refused, with the
  /// reasons in `diagnostics` (paths are those of the scenario, places are without meaning). Safe to call
  /// from several threads.
  [[nodiscard]] std::optional<Scenario> make(const std::vector<StudyAxis>& axes,
                                             const std::vector<std::size_t>& at,
                                             Diagnostics& diagnostics) const;
  [[nodiscard]] const Scenario& base() const { return base_; }

 private:
  Scenario base_;
  std::shared_ptr<const Catalog> catalog_;
  std::string today_;
  YamlPtr root_;
};

/// The built-in catalogue, with the folder's entries where one is named. Faults of the folder go to
/// `diagnostics`.
[[nodiscard]] std::shared_ptr<const Catalog> catalog_with(const std::string& folder, const std::string& today,
                                                          Diagnostics& diagnostics);

/// Axes of one role, in the order of the scenario.
[[nodiscard]] std::vector<StudyAxis> axes_of(const Scenario& scenario, AxisRole role);
/// The same scenario without axes of the role.
[[nodiscard]] Scenario without_axes(Scenario scenario, AxisRole role);
/// How many points they have together: 1 without axes.
[[nodiscard]] std::size_t points_of(const std::vector<StudyAxis>& axes);
/// Point `i`: an index on each axis, the last axis fastest.
[[nodiscard]] std::vector<std::size_t> point_at(const std::vector<StudyAxis>& axes, std::size_t i);
/// The shortest end of each path, from a dot on, that no other axis has; `s` and `load` for those of
/// workload.demand.
[[nodiscard]] std::vector<std::string> axis_names(const std::vector<StudyAxis>& axes);
/// `link=infiniband-hdr,type=fifo`, of the axes with more than one value.
[[nodiscard]] std::string choice_text(const std::vector<StudyAxis>& axes, const std::vector<std::size_t>& at);

}  // namespace fleetsim
