// `study.axes`: paths of the scenario and the values that they take in turn.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scenarios/loader/axis_values.hpp"
#include "scenarios/loader/flow_text.hpp"
#include "scenarios/loader/sections.hpp"

namespace fleetsim {

namespace {

struct SectionRole {
  const char* section;
  AxisRole role;
};
/// What the lab picks, and what it finds.
constexpr SectionRole kRoles[] = {
    {"fabric", AxisRole::choice},      {"scheduler", AxisRole::choice}, {"fleet", AxisRole::choice},
    {"workload", AxisRole::condition}, {"prices", AxisRole::condition}, {"economics", AxisRole::condition},
    {"budget", AxisRole::condition},   {"site", AxisRole::condition},   {"failures", AxisRole::condition}};

/// Sections that say how the study is done, and why they are no axis.
struct Refused {
  const char* section;
  const char* hint;
};
constexpr Refused kRefused[] = {
    {"study", "how it is compared is one for all; every k is shown anyway"},
    {"time", "all points are simulated over the same time and with the same number of replications"},
    {"seed", "all points face the same random numbers; time.replications repeats with others"},
    {"name", "points are called by their values"},
    {"advice", "advice does not change what is simulated"}};

/// The path as the schema writes it, free names as `*`; empty where no key is legal.
std::string schema_path_of(const std::string& path) {
  const Schema& schema = scenario_schema();
  std::string found;
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    const std::string prefix = found.empty() ? "" : found + ".", word = path.substr(begin, dot - begin);
    if (schema.find(prefix + word) != nullptr) {
      found = prefix + word;
    } else if (!prefix.empty() && schema.find(prefix + "*") != nullptr) {
      found = prefix + "*";
    } else {
      return {};
    }
    begin = dot + 1;
  }
  return found;
}

/// Reports why the path is no axis; else the role that its section has.
std::optional<AxisRole> role_of(const Reader& axis) {
  const std::string path = axis.name(), section = path.substr(0, path.find('.'));
  for (const Refused& refused : kRefused) {
    if (section != refused.section) continue;
    axis.error_at_key(fmt::format("'{}' is no axis", path), refused.hint);
    return std::nullopt;
  }
  if (path == "scheduler.sharing") {
    axis.error_at_key("'scheduler.sharing' is no axis", "every sharing rule is compared anyway");
    return std::nullopt;
  }
  if (path == "workload" || path == "workload.trace" || path == "workload.trace.file") {
    axis.error_at_key(fmt::format("'{}' is no axis: a recorded workload is read once", path),
                      "give each trace a scenario of its own");
    return std::nullopt;
  }
  for (const SectionRole& known : kRoles)
    if (section == known.section) return known.role;
  std::vector<std::string> sections;
  for (const SectionRole& known : kRoles) sections.emplace_back(known.section);
  const std::string near = did_you_mean(section, sections);
  axis.error_at_key(fmt::format("a scenario has no section '{}'", section),
                    near.empty() ? fmt::format("a path begins with {}", fmt::join(sections, ", "))
                                 : fmt::format("did you mean '{}'?", near));
  return std::nullopt;
}

bool takes_whole_numbers(const std::string& path) {
  const SchemaKey* key = scenario_schema().find(schema_path_of(path));
  return key != nullptr && (key->kind == KeyKind::integer || key->kind == KeyKind::seed);
}

/// The values of a list; nothing where there is none.
std::vector<std::string> listed_values(const Reader& list) {
  std::vector<std::string> values;
  const std::vector<Reader> items = list.items();
  if (list.is_sequence() && list.node().items.empty())
    list.error_at_key("the axis has no value", "write e.g. [0.3, 0.5]");
  for (const Reader& item : items) {
    const std::string text = flow_text(item.node());
    if (std::find(values.begin(), values.end(), text) != values.end())
      item.error(fmt::format("the value {} stands twice", text));
    values.push_back(text);
  }
  return values;
}

std::vector<std::string> values_of_range(Reader& axis, const std::string& path) {
  AxisRange range;
  const bool begins = axis.require("from").has_value(), whole = axis.require("to").has_value() && begins;
  range.from = axis.text("from").value_or("");
  range.to = axis.text("to").value_or("");
  range.step = axis.text("step").value_or("");
  range.count = axis.integer("count");
  const auto log = axis.word("scale", Words<bool>{{"linear", false}, {"log", true}});
  range.log = log.value_or(false);
  range.whole = takes_whole_numbers(path);
  if (!whole || range.from.empty() || range.to.empty()) return {};
  if (axis.has("step") == axis.has("count")) {
    axis.error_at_key(axis.has("step") ? "'step' and 'count' both say how far values are apart"
                                       : "nothing says how far values are apart",
                      "write 'step' or 'count'");
    return {};
  }
  if (log && axis.has("step")) {
    axis.find("scale")->error_at_key("'scale' goes with 'count', not with 'step'",
                                     "write 'count' instead of 'step'");
    return {};
  }
  if (range.step.empty() && !range.count) return {};  // faulty, and told
  auto values = expand(range);
  if (const auto* fault = std::get_if<UnitError>(&values)) {
    axis.error_at_key(fault->message, fault->hint);
    return {};
  }
  return std::get<std::vector<std::string>>(std::move(values));
}

std::optional<StudyAxis> read_axis(Reader& axis) {
  const auto standard = role_of(axis);
  StudyAxis made;
  made.path = axis.name();
  made.role = standard.value_or(AxisRole::condition);
  if (axis.is_scalar()) {
    axis.error(fmt::format("an axis has several values, not '{}'", axis.raw()),
               "write a list, or {from: ..., to: ..., step: ...}");
    return std::nullopt;
  }
  if (axis.is_sequence()) {
    made.values = listed_values(axis);
  } else {
    if (const auto role = axis.word("role", role_words())) made.role = *role;
    if (axis.has("values")) {
      if (const auto list = axis.find("values")) made.values = listed_values(*list);
    } else {
      made.values = values_of_range(axis, made.path);
    }
    // Known here, whichever form was taken.
    for (const char* key : {"values", "from", "to", "step", "count", "scale"})
      if (axis.has("values") == (std::string(key) == "values")) axis.accept(key);
    axis.finish();
  }
  if (made.role == AxisRole::choice && made.path.starts_with("workload")) {
    axis.error_at_key("the jobs are no choice: all candidates that are compared face the same",
                      "leave 'role' out, or write 'condition'");
    return std::nullopt;
  }
  if (!standard || made.values.empty()) return std::nullopt;
  return made;
}

/// Whether one path is the other or lies above it.
bool overlaps(const std::string& a, const std::string& b) {
  const std::string& shorter = a.size() < b.size() ? a : b;
  const std::string& longer = a.size() < b.size() ? b : a;
  return longer == shorter || longer.starts_with(shorter + ".");
}

/// A wish that the file makes holds at every point: what no axis varies becomes an axis of one value.
void keep_demand(Draft& draft) {
  auto& axes = draft.scenario.study.axes;
  const auto condition = [](const StudyAxis& axis) { return axis.role == AxisRole::condition; };
  if (std::none_of(axes.begin(), axes.end(), condition)) return;
  const auto keep = [&](const char* path, const std::optional<double>& value) {
    const auto varies = [&](const StudyAxis& axis) { return overlaps(axis.path, path); };
    if (value && std::none_of(axes.begin(), axes.end(), varies))
      axes.push_back({path, {fmt::format("{}", *value)}, AxisRole::condition});
  };
  keep("workload.demand.load", draft.demand.load);
  keep("workload.demand.scale_share", draft.demand.scale_share);
}

}  // namespace

void read_axes(Reader& study, Draft& draft) {
  auto axes = study.find("axes");
  if (!axes || !axes->expect_map()) return;
  std::vector<Reader> all = axes->entries();
  if (axes->node().entries.empty())
    axes->error_at_key("'axes' names no path", "write e.g. {fabric.link: [...]}");
  auto& made = draft.scenario.study.axes;
  for (Reader& reader : all) {
    auto axis = read_axis(reader);
    if (!axis) continue;
    const auto other = std::find_if(made.begin(), made.end(),
                                    [&](const StudyAxis& a) { return overlaps(a.path, axis->path); });
    if (other != made.end()) {
      reader.error_at_key(fmt::format("'{}' and '{}' change the same key", other->path, axis->path),
                          "leave one of them out");
    } else {
      made.push_back(*std::move(axis));
    }
  }
  keep_demand(draft);
  for (const AxisRole role : {AxisRole::choice, AxisRole::condition}) {
    double points = 1.0;
    for (const StudyAxis& axis : made)
      if (axis.role == role) points *= static_cast<double>(axis.values.size());
    if (points > static_cast<double>(kMostPoints))
      axes->error_at_key(
          fmt::format("the axes of {}s have {:.0f} points together", word_of(role_words(), role), points),
          fmt::format("at most {} are studied", kMostPoints));
  }
}

}  // namespace fleetsim
