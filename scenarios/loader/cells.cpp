// The cells of a study with axes of conditions.
#include <fmt/format.h>

#include <stdexcept>

#include "scenarios/loader/load.hpp"
#include "scenarios/loader/variants.hpp"

namespace fleetsim {

namespace {

class Cells : public ScenarioCells {
 public:
  Cells(const Scenario& base, std::vector<StudyAxis> axes, std::shared_ptr<const Catalog> catalog,
        std::string today)
      : axes_(std::move(axes)),
        study_(without_axes(base, AxisRole::condition).study),
        variants_(base, std::move(catalog), std::move(today)) {
    study_.price_draws = 0;
    const std::vector<std::string> names = axis_names(axes_);
    for (std::size_t i = 0; i < axes_.size(); ++i)
      shown_.push_back({axes_[i].path, names[i], axes_[i].values});
  }

  [[nodiscard]] const std::vector<MapAxis>& axes() const override { return shown_; }
  [[nodiscard]] std::size_t size() const override { return points_of(axes_); }
  [[nodiscard]] std::vector<std::size_t> at(std::size_t i) const override { return point_at(axes_, i); }
  [[nodiscard]] Scenario make(std::size_t i) const override {
    Diagnostics faults;
    auto made = variants_.make(axes_, point_at(axes_, i), faults);
    if (!made) {
      const std::vector<Diagnostic> told = faults.sorted();
      throw std::invalid_argument(fmt::format("the cell {} is refused: {}", point_text(shown_, at(i)),
                                              told.empty() ? "" : told.front().message));
    }
    made->study = study_;
    return *std::move(made);
  }

 private:
  std::vector<StudyAxis> axes_;
  StudySpec study_;
  Variants variants_;
  std::vector<MapAxis> shown_;
};

}  // namespace

std::unique_ptr<ScenarioCells> make_cells(const Scenario& base, const std::string& catalog_folder,
                                          const std::string& today) {
  std::vector<StudyAxis> axes = axes_of(base, AxisRole::condition);
  if (axes.empty()) return nullptr;
  Diagnostics faults;
  return std::make_unique<Cells>(base, std::move(axes), catalog_with(catalog_folder, today, faults), today);
}

}  // namespace fleetsim
