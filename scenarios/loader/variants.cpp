#include "scenarios/loader/variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "scenarios/loader/document_load.hpp"

namespace fleetsim {

Variants::Variants(Scenario base, std::shared_ptr<const Catalog> catalog, std::string today)
    : base_(std::move(base)), catalog_(std::move(catalog)), today_(std::move(today)) {
  base_.study.axes.clear();
  Diagnostics none;
  root_ = parse_yaml("scenario", dump_scenario(base_), none);
  if (root_ == nullptr) throw std::logic_error("the canonical text of a scenario is not YAML");
}

std::optional<Scenario> Variants::make(const std::vector<StudyAxis>& axes, const std::vector<std::size_t>& at,
                                       Diagnostics& diagnostics) const {
  YamlPtr root = root_;  // what is set copies the maps on the way, so the base's tree stays
  const int before = diagnostics.errors();
  for (std::size_t i = 0; i < axes.size(); ++i)
    set_in_document(root, fmt::format("{}={}", axes[i].path, axes[i].values.at(at.at(i))), diagnostics);
  if (diagnostics.errors() > before) return std::nullopt;
  DocumentOptions options{*catalog_};
  options.today = today_;
  options.known_trace = base_.workload.trace;
  options.known_trace_file = base_.workload.trace_file;
  options.open_files = false;  // the trace is at hand, or the base was read without it
  auto loaded = load_document(root, options, diagnostics);
  if (!loaded) return std::nullopt;
  return std::move(loaded->scenario);
}

std::shared_ptr<const Catalog> catalog_with(const std::string& folder, const std::string& today,
                                            Diagnostics& diagnostics) {
  if (folder.empty()) return {std::shared_ptr<const Catalog>{}, &Catalog::builtin()};
  Diagnostics faults;
  auto made = std::make_shared<const Catalog>(Catalog::with_folder(folder, faults, nullptr, today));
  adopt_faults(faults, diagnostics);
  return made;
}

std::vector<StudyAxis> axes_of(const Scenario& scenario, AxisRole role) {
  std::vector<StudyAxis> axes;
  for (const StudyAxis& axis : scenario.study.axes)
    if (axis.role == role) axes.push_back(axis);
  return axes;
}

Scenario without_axes(Scenario scenario, AxisRole role) {
  std::erase_if(scenario.study.axes, [&](const StudyAxis& axis) { return axis.role == role; });
  return scenario;
}

std::size_t points_of(const std::vector<StudyAxis>& axes) {
  std::size_t points = 1;
  for (const StudyAxis& axis : axes) points *= axis.values.size();
  return points;
}

std::vector<std::size_t> point_at(const std::vector<StudyAxis>& axes, std::size_t i) {
  std::vector<std::size_t> at(axes.size(), 0);
  for (std::size_t a = axes.size(); a-- > 0;) {
    at[a] = i % axes[a].values.size();
    i /= axes[a].values.size();
  }
  return at;
}

std::vector<std::string> axis_names(const std::vector<StudyAxis>& axes) {
  std::vector<std::string> names;
  for (const StudyAxis& axis : axes) {
    if (axis.path == "workload.demand.load") {
      names.emplace_back("load");
      continue;
    }
    if (axis.path == "workload.demand.scale_share") {
      names.emplace_back("s");
      continue;
    }
    std::size_t begin = axis.path.size();
    const auto ambiguous = [&](const std::string& end) {
      return end == "s" || end == "load" ||
             std::any_of(axes.begin(), axes.end(), [&](const StudyAxis& other) {
               return &other != &axis && (other.path == end || other.path.ends_with("." + end));
             });
    };
    do {
      begin = begin == 0 ? 0 : axis.path.rfind('.', begin - 1);
      begin = begin == std::string::npos ? 0 : begin;
    } while (begin > 0 && ambiguous(axis.path.substr(begin + 1)));
    names.push_back(axis.path.substr(begin == 0 ? 0 : begin + 1));
  }
  return names;
}

std::string choice_text(const std::vector<StudyAxis>& axes, const std::vector<std::size_t>& at) {
  const std::vector<std::string> names = axis_names(axes);
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].values.size() < 2) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", names[i], axes[i].values[at[i]]);
  }
  return text;
}

}  // namespace fleetsim
