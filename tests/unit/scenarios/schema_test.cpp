// The description of scenarios and the loader agree on every key: ranges, words, defaults, examples.
#include "scenarios/loader/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "scenarios/loader/sections.hpp"
#include "sim/base/units.hpp"
#include "tests/catch.hpp"
#include "tests/unit/scenarios/edited.hpp"

using namespace fleetsim;
using namespace fleetsim::test;

namespace {

using K = KeyKind;

/// A path of the lab scenario: names for the stars.
std::string lab_path(std::string path) {
  const auto name = [&](const std::string& star, const std::string& real) {
    if (path.rfind(star, 0) == 0) path.replace(star.size() - 1, 1, real);
  };
  name("fleet.*", "proto");
  name("fleet.split.*", "scale");
  name("fleet.counts.*", "proto");
  name("scheduler.partitions.*", "proto");
  name("workload.classes.*", "prototype");
  name("workload.groups.*", "vision");
  name("workload.trace.groups.*", "vision");
  name("economics.exchange.*", "EUR");
  name("workload.classes.prototype.gpus.*", "1");
  return path;
}

/// The assignment that puts `value` at a key, and where faults of it are reported.
struct Placed {
  std::string assignment, path;
};
/// A key of a price beside all that an estimate needs.
Placed placed_price(const std::string& key, const std::string& value) {
  if (key == "note")
    return {fmt::format("prices={{rack: {{value: 1 USD, source: quote, as_of: 2026-11, note: {}}}}}", value),
            "prices.rack.note"};
  const std::string item = key == "quantity" ? "kit" : "rtx3080";
  std::string map = fmt::format("{}: {}", key, value);
  for (const auto& [other, usual] : {std::pair{"value", "650 USD"},
                                     {"source", "estimate"},
                                     {"as_of", "2026-11"},
                                     {"low", "600 USD"},
                                     {"high", "700 USD"},
                                     {"basis", "a guess"}})
    if (key != other) map += fmt::format(", {}: {}", other, usual);
  return {fmt::format("prices={{{}: {{{}}}}}", item, map), fmt::format("prices.{}.{}", item, key)};
}

/// A key of an axis over site.pue beside those that it needs.
Placed placed_axis(const std::string& key, const std::string& value) {
  std::string map = fmt::format("{}: {}", key, value);
  if (key != "values")
    for (const auto& [other, usual] : {std::pair{"from", "1.2"}, {"to", "1.4"}})
      if (key != other) map += fmt::format(", {}: {}", other, usual);
  if (key == "scale") map += ", count: 2";
  if (key == "from" || key == "to" || key == "role") map += ", step: 0.1";
  return {fmt::format("study.axes={{site.pue: {{{}}}}}", map), "study.axes.site.pue." + key};
}

Placed placed(const std::string& path, const std::string& value) {
  if (path == "study.axes.*")
    return {fmt::format("study.axes={{site.pue: {}}}", value), "study.axes.site.pue"};
  if (path.starts_with("study.axes.*.")) return placed_axis(path.substr(13), value);
  if (path.starts_with("prices.*.")) return placed_price(path.substr(9), value);
  if (path.ends_with("[]") && path != "fleet.existing[]") {
    const std::string list = path.substr(0, path.size() - 2);
    return {fmt::format("{}=[{}]", list, value), list + "[0]"};
  }
  if (path.rfind("fleet.deliveries[].", 0) == 0) {
    const std::string key = path.substr(path.rfind('.') + 1);
    std::string item = fmt::format("{}: {}", key, value);
    if (key != "pool") item += ", pool: proto";
    if (key != "nodes") item += ", nodes: 1";
    if (key != "at") item += ", at: 1 week";
    return {fmt::format("fleet.deliveries=[{{{}}}]", item), "fleet.deliveries[0]." + key};
  }
  if (path.rfind("fleet.existing[].", 0) != 0) return {lab_path(path) + "=" + value, lab_path(path)};
  const std::string key = path.substr(path.rfind('.') + 1);
  std::string item = fmt::format("{}: {}", key, value);
  if (key != "node") item += ", node: supermicro-8x-rtx3080";
  if (key != "count") item += ", count: 2";
  return {fmt::format("fleet.existing=[{{{}}}]", item), "fleet.existing[0]." + key};
}

/// Faults at the key when it has this value.
std::vector<std::string> key_faults(const std::string& path, const std::string& value) {
  const Placed where = placed(path, value);
  LoadOptions options;
  options.set = {where.assignment};
  options.open_files = false;
  std::vector<std::string> messages;
  for (const Diagnostic& d : load_text(lab_text(), options).diagnostics)
    if (d.path.rfind(where.path, 0) == 0 && d.severity == Severity::error) messages.push_back(d.message);
  return messages;
}

bool out_of_range(const std::string& path, const std::string& value) {
  const auto all = key_faults(path, value);
  return std::any_of(all.begin(), all.end(),
                     [](const std::string& m) { return m.find("' must ") != std::string::npos; });
}

/// The next value above or below.
template <class T>
T next(T value, int direction) {
  if constexpr (std::is_same_v<T, double>) {
    return std::nextafter(value, direction * std::numeric_limits<double>::infinity());
  } else if constexpr (std::is_same_v<T, Duration> || std::is_integral_v<T>) {
    return value + T{direction};
  } else {
    return T{next(value.count(), direction)};
  }
}

template <class T>
std::string written(const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return fmt::format("{}", value);
  } else {
    return to_text(value);
  }
}

bool is_leaf(const SchemaKey& key) {
  return key.kind != K::section && key.kind != K::list;
}

}  // namespace

TEST_CASE("The loader refuses what lies outside a described range and accepts both ends") {
  int ranges = 0;
  for (const SchemaKey& key : scenario_schema().keys()) {
    INFO(key.path);
    std::visit(
        [&](const auto& range) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(range)>, std::monostate>) {
            ++ranges;
            if (range.least) {
              CHECK(out_of_range(key.path, written(*range.least)) == range.above);
              CHECK(out_of_range(key.path, written(next(*range.least, -1))));
              CHECK_FALSE(out_of_range(key.path, written(next(*range.least, 1))));
            }
            if (range.most) {
              CHECK_FALSE(out_of_range(key.path, written(*range.most)));
              CHECK(out_of_range(key.path, written(next(*range.most, 1))));
            }
          }
        },
        key.bounds);
  }
  CHECK(ranges > 30);
}

TEST_CASE("The loader accepts every described word and no other") {
  for (const SchemaKey& key : scenario_schema().keys()) {
    if (key.kind != K::word) continue;
    INFO(key.path);
    REQUIRE(key.words.size() > 1);
    for (const std::string& word : key.words) CHECK(key_faults(key.path, word).empty());
    CHECK(key_faults(key.path, key.words.front() + "x").size() == 1);
    CHECK(key_faults(key.path, "[" + key.words.front() + "]").size() == 1);
  }
}

TEST_CASE("No key takes a value of another kind") {
  for (const SchemaKey& key : scenario_schema().keys()) {
    if (!is_leaf(key)) continue;
    INFO(key.path);
    CHECK_FALSE(key_faults(key.path, "[[1]]").empty());
    if (key.kind != K::text) CHECK_FALSE(key_faults(key.path, "no-such-thing").empty());
    if (key.kind != K::text && key.kind != K::name_list) CHECK_FALSE(key_faults(key.path, ".nan").empty());
    if (scenario_schema().below(key.path).empty()) CHECK_FALSE(key_faults(key.path, "{zzz: 1}").empty());
  }
}

TEST_CASE("Every described example is a legal value") {
  for (const SchemaKey& key : scenario_schema().keys()) {
    if (!is_leaf(key)) continue;
    INFO(key.path);
    REQUIRE_FALSE(key.example.empty());
    for (const std::string& message : key_faults(key.path, key.example)) {
      const bool alone = message.find("belongs to a 'rate'") != std::string::npos;  // which is not set here
      CHECK((alone || message == "a second law of the wall time"));  // the lab scenario has one
    }
  }
}

TEST_CASE("A key that is left out has its described default") {
  const std::string text =
      "name: small\n"
      "budget: {capital: 300000 USD}\n"
      "fleet: {box: {node: desktop-4x-rtx3090}, counts: {box: 2}}\n"
      "scheduler: {partitions: {p: {nodes: box}}}\n"
      "fabric: {shape: none}\n"
      "site: {circuits: {volts: 230, amperes: 16}}\n"
      "workload:\n"
      "  classes:\n"
      "    job: {arrivals: {per_user: 3 /day}, gpus: 1, wall_time: {fixed: 2 h}, promotes_to: {class: other, "
      "probability: 1}}\n"
      "    other: {gpus: 1, wall_time: {fixed: 2 h}}\n";
  const Outcome without = load_text(text);
  for (const std::string& message : without.messages) UNSCOPED_INFO(message);
  REQUIRE(without.loaded.has_value());
  int defaults = 0;
  for (const SchemaKey& key : scenario_schema().keys()) {
    // The dump writes keys that nothing evaluates only when the file does. A lone partition is the default
    // one. A rent or burst says first what is rented, a closed loop (closed_loop_test.cpp) how long one
    // thinks.
    if (key.path.starts_with("economics.rent.") || key.path.starts_with("scheduler.burst.") ||
        key.path.find(".closed_loop.") != std::string::npos)
      continue;
    if (key.path.starts_with("study.axes.")) continue;  // the dump writes values, not how they were given
    if (key.standard.empty() || !key.later.empty() || key.path == "scheduler.partitions.*.default") continue;
    std::string path = key.path;
    for (const auto& [star, name] :
         {std::pair{"partitions.*", "partitions.p"}, {"classes.*", "classes.job"}, {"fleet.*", "fleet.box"}})
      if (const std::size_t at = path.find(star); at != std::string::npos)
        path.replace(at, std::string(star).size(), name);
    LoadOptions options;
    options.set = {path + "=" + key.standard};
    INFO(options.set.front());
    const Outcome with = load_text(text, options);
    for (const std::string& message : with.messages) UNSCOPED_INFO(message);
    REQUIRE(with.loaded.has_value());
    CHECK(with.loaded->canonical == without.loaded->canonical);
    ++defaults;
  }
  CHECK(defaults > 20);
}

TEST_CASE("No key and no word of the schema is read as true, false or null by YAML 1.1") {
  const std::vector<std::string> special = {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "~"};
  const auto plain = [&](std::string word) {
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    return std::find(special.begin(), special.end(), word) == special.end();
  };
  for (const SchemaKey& key : scenario_schema().keys()) {
    INFO(key.path);
    CHECK(plain(key.path.substr(key.path.rfind('.') + 1)));
    for (const std::string& word : key.words) CHECK(plain(word));
    CHECK_FALSE(key.meaning.empty());
  }
}
