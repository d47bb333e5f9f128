// The points of a study's axes, made once while the scenario is read: what a key refuses is told at its axis.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scenarios/loader/document_load.hpp"
#include "scenarios/loader/sections.hpp"
#include "scenarios/loader/variants.hpp"

namespace fleetsim {

namespace {

/// The reader of an axis, and of its value where that stands in the file.
class Places {
 public:
  explicit Places(Reader& axes) : axes_(axes), all_(axes.entries()) {}

  [[nodiscard]] Reader* axis(const std::string& path) {
    for (Reader& reader : all_)
      if (reader.name() == path) return &reader;
    return nullptr;
  }
  void error(const StudyAxis& axis, std::size_t value, const std::string& message, const std::string& hint) {
    Reader* reader = this->axis(axis.path);
    if (reader == nullptr) return axes_.error_at_key(message, hint);  // a wish of workload.demand
    auto list = reader->is_map() && reader->has("values") ? reader->find("values") : std::optional(*reader);
    if (!list->is_sequence()) return reader->error_at_key(message, hint);
    const std::vector<Reader> items = list->items();
    items.at(value).error(message, hint);
  }
  void error(const std::string& message, const std::string& hint) { axes_.error_at_key(message, hint); }

 private:
  Reader& axes_;
  std::vector<Reader> all_;
};

/// The axis that a fault at `path` belongs to; -1: none alone.
int axis_of(const std::vector<StudyAxis>& axes, const std::string& path) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (lies_below(path, axes[i].path)) return static_cast<int>(i);
  // A missing or clashing key is told at the map around it; with one axis it is that axis' doing anyway.
  return axes.size() == 1 ? 0 : -1;
}

/// More than these are not told.
constexpr std::size_t kMostFaults = 20;

std::string whole_point(const std::vector<StudyAxis>& axes, const std::vector<std::size_t>& at) {
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : ", ", axes[i].path, axes[i].values[at[i]]);
  return text;
}

class Check {
 public:
  Check(Places& places, const Variants& variants) : places_(places), variants_(variants) {}

  void all(const std::vector<StudyAxis>& axes, AxisRole role) {
    if (axes.empty()) return;
    for (std::size_t i = 0; i < points_of(axes) && told_.size() < kMostFaults; ++i) {
      const std::vector<std::size_t> at = point_at(axes, i);
      Diagnostics faults;
      const auto made = variants_.make(axes, at, faults);
      if (!made) {
        tell(axes, at, faults);
      } else if (role == AxisRole::choice && !same_pools(*made)) {
        tell_once(axes, at, axes.size() == 1 ? 0 : -1,
                  "the pools of the fleet differ from those of the scenario",
                  "candidates that are compared have the same pools; vary their nodes instead");
      }
    }
  }

 private:
  void tell(const std::vector<StudyAxis>& axes, const std::vector<std::size_t>& at,
            const Diagnostics& faults) {
    for (const Diagnostic& d : faults.sorted())
      if (d.severity == Severity::error) tell_once(axes, at, axis_of(axes, d.path), d.message, d.hint);
  }

  void tell_once(const std::vector<StudyAxis>& axes, const std::vector<std::size_t>& at, int axis,
                 const std::string& message, const std::string& hint) {
    const std::string what =
        axis < 0
            ? whole_point(axes, at)
            : fmt::format("{}={}", axes[static_cast<std::size_t>(axis)].path,
                          axes[static_cast<std::size_t>(axis)].values[at[static_cast<std::size_t>(axis)]]);
    if (told_.size() >= kMostFaults || !told_.insert(what + message).second) return;
    if (axis < 0) return places_.error(fmt::format("the point {} is refused: {}", what, message), hint);
    const auto i = static_cast<std::size_t>(axis);
    places_.error(axes[i], at[i],
                  fmt::format("{} refuses the value {}: {}", axes[i].path, axes[i].values[at[i]], message),
                  hint);
  }

  [[nodiscard]] bool same_pools(const Scenario& made) const {
    const auto& pools = variants_.base().pools;
    return std::equal(
        pools.begin(), pools.end(), made.pools.begin(), made.pools.end(),
        [](const NodePool& a, const NodePool& b) { return a.name == b.name && a.existing == b.existing; });
  }

  Places& places_;
  const Variants& variants_;
  std::set<std::string> told_;
};

/// Free names on the way must be names that the scenario has: a new one would be a new class, not an axis.
bool names_are_known(Places& places, const StudyAxis& axis, const YamlNode& document) {
  const YamlNode* here = &document;
  std::string schema_path, walked;
  for (std::size_t begin = 0; begin < axis.path.size();) {
    const std::size_t dot = std::min(axis.path.find('.', begin), axis.path.size());
    const std::string word = axis.path.substr(begin, dot - begin);
    const std::string prefix = schema_path.empty() ? "" : schema_path + ".";
    const bool named =
        scenario_schema().find(prefix + word) == nullptr && scenario_schema().find(prefix + "*") != nullptr;
    std::vector<std::string> known;
    const YamlNode* next = nullptr;
    for (const auto& [key, value] : here->entries) {
      known.push_back(key->text);
      if (key->text == word) next = value.get();
    }
    if (named && next == nullptr && dot < axis.path.size()) {
      const std::string near = did_you_mean(word, known);
      if (Reader* reader = places.axis(axis.path))
        reader->error_at_key(fmt::format("'{}' has no '{}'", walked, word),
                             near.empty() ? "" : fmt::format("did you mean '{}'?", near));
      return false;
    }
    static const YamlNode nothing;
    here = next == nullptr ? &nothing : next;
    schema_path = prefix + (named ? "*" : word);
    walked += (walked.empty() ? "" : ".") + word;
    begin = dot + 1;
  }
  return true;
}

}  // namespace

void check_axes(Reader& file, const Scenario& scenario, const std::shared_ptr<const Catalog>& catalog,
                const std::string& today) {
  if (scenario.study.axes.empty()) return;
  auto study = file.find("study");
  auto axes = study->find("axes");
  Places places(*axes);
  const auto choices = axes_of(scenario, AxisRole::choice),
             conditions = axes_of(scenario, AxisRole::condition);
  if (scenario.study.candidates == CandidateRule::pool_sizes)
    return places.error("'axes' go with fleets of a budget, not with pool-sizes", "leave them out");
  if (!choices.empty() && scenario.study.price_draws > 0)
    return places.error(
        fmt::format("prices are not drawn for candidates of several choices ('{}')", choices.front().path),
        "write study.price_draws: 0, or make the axis a condition");
  const Variants variants(scenario, catalog, today);
  Diagnostics none;
  const YamlPtr document = parse_yaml("scenario", dump_scenario(variants.base()), none);
  bool known = true;
  for (const StudyAxis& axis : scenario.study.axes) known = names_are_known(places, axis, *document) && known;
  if (!known) return;
  Check check(places, variants);
  check.all(choices, AxisRole::choice);
  check.all(conditions, AxisRole::condition);
}

}  // namespace fleetsim
