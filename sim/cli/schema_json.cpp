// JSON Schema from the description of scenarios. What a pattern cannot say (the range of `90 min`) stands in
// the description of the key; the loader checks it.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "scenarios/loader/sections.hpp"
#include "sim/base/units.hpp"
#include "sim/cli/schema_text.hpp"

namespace fleetsim::cli {

namespace {

using nlohmann::ordered_json;
using K = KeyKind;

/// Ends of a range as numbers, for kinds that are plain numbers.
struct Ends {
  bool negative = true;   ///< values below 0 are legal
  bool zero = true;       ///< 0 is legal
  ordered_json keywords;  ///< minimum, maximum
};

Ends ends_of(const Bounds& bounds) {
  Ends ends;
  ends.keywords = ordered_json::object();
  std::visit(
      [&](const auto& range) {
        using R = std::decay_t<decltype(range)>;
        if constexpr (!std::is_same_v<R, std::monostate>) {
          using T = typename std::decay_t<decltype(range.least)>::value_type;
          ends.negative = !range.least || *range.least < T{};
          ends.zero = ends.negative || (*range.least == T{} && !range.above);
          if constexpr (std::is_arithmetic_v<T>) {
            if (range.least) ends.keywords[range.above ? "exclusiveMinimum" : "minimum"] = *range.least;
            if (range.most) ends.keywords["maximum"] = *range.most;
          }
        }
      },
      bounds);
  return ends;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("/.%()[]").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

constexpr const char* kDigits = "[0-9]+([ _][0-9]{3}(?![0-9]))*";

/// A number as the parsers of units read it: digits may be grouped.
std::string number_pattern(const Ends& ends) {
  const std::string some = ends.zero ? "" : "(?=[0-9 _.]*[1-9])";
  return fmt::format("{}{}({}(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?", ends.negative ? "-?" : "", some,
                     kDigits);
}

ordered_json string_of(const std::string& pattern) {
  return {{"type", "string"}, {"pattern", fmt::format("^[ \\t]*({})[ \\t]*$", pattern)}};
}

/// UNLIMITED in any case: a pattern has no flags.
std::string any_case(std::string_view word) {
  std::string out;
  for (const char c : word)
    out += fmt::format("[{}{}]", c, static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  return out;
}

ordered_json quantity(const SchemaKey& key, UnitKind kind) {
  const Ends ends = ends_of(key.bounds);
  std::vector<std::string> units;
  for (const std::string& unit : unit_names(kind)) units.push_back(escaped(unit));
  // Other currencies, for which the scenario gives a rate.
  if (kind == UnitKind::money) units.emplace_back("[A-Z]{3}");
  if (kind == UnitKind::energy_price) units.emplace_back("[A-Z]{3}\\/[kM]Wh");
  std::string pattern = fmt::format("{}[ \\t]?({})", number_pattern(ends), fmt::join(units, "|"));
  if (kind == UnitKind::duration) pattern += "|[0-9]+:[0-9]+(:[0-9]+)?|[0-9]+-[0-9]+(:[0-9]+){0,2}";
  for (const std::string& word : key.words) pattern += "|" + escaped(word);
  if (key.kind == K::limit) pattern += "|" + any_case("UNLIMITED") + "|" + any_case("INFINITE");
  if (!ends.zero) return string_of(pattern);
  return {{"anyOf", {string_of(pattern + "|0+(\\.0*)?"), {{"type", "number"}, {"const", 0}}}}};
}

ordered_json plain_number(const SchemaKey& key) {
  const Ends ends = ends_of(key.bounds);
  ordered_json number = {{"type", key.kind == K::integer || key.kind == K::seed ? "integer" : "number"}};
  number.update(ends.keywords);
  const std::string sign = ends.negative ? "-?" : "";
  switch (key.kind) {
    case K::seed:
      number["minimum"] = 0;
      number["maximum"] = std::uint64_t{18446744073709551615U};
      return {{"anyOf", {number, string_of(kDigits)}}};
    case K::integer:
      return {{"anyOf", {number, string_of(sign + kDigits)}}};
    case K::ratio:
      return {
          {"anyOf", {number, string_of(number_pattern(ends) + "[ \\t]*%"), string_of(number_pattern(ends))}}};
    default:
      return {{"anyOf", {number, string_of(number_pattern(ends))}}};
  }
}

/// Names and texts may look like numbers: `name: 2020`.
ordered_json any_text() {
  return {{"type", {"string", "number", "boolean"}}, {"minLength", 1}};
}

ordered_json constraint() {
  return {{"type", "string"},
          {"pattern", fmt::format("^[ \\t]*({})[ \\t]*(\\([^()]*\\))?[ \\t]*[<>]=.*[^ \\t].*$",
                                  fmt::join(constraint_metrics(), "|"))}};
}

ordered_json value_schema(const SchemaKey& key) {
  switch (key.kind) {
    case K::text:
    case K::name:
      return any_text();
    case K::name_list:
      return {{"anyOf", {any_text(), {{"type", "array"}, {"items", any_text()}, {"minItems", 1}}}}};
    case K::integer:
    case K::seed:
    case K::number:
    case K::ratio:
      return plain_number(key);
    case K::boolean:
      return {{"enum", {true, false, "true", "false"}}};
    case K::duration:
    case K::limit:
      return quantity(key, UnitKind::duration);
    case K::bytes:
      return quantity(key, UnitKind::bytes);
    case K::power:
      return quantity(key, UnitKind::power);
    case K::money:
      return quantity(key, UnitKind::money);
    case K::energy_price:
      return quantity(key, UnitKind::energy_price);
    case K::carbon_intensity:
      return quantity(key, UnitKind::carbon_intensity);
    case K::temperature:
      return quantity(key, UnitKind::temperature);
    case K::rate:
      return quantity(key, UnitKind::rate);
    case K::word:
      return {{"enum", key.words}};
    case K::date:
      return {{"type", "string"}, {"pattern", "^[0-9]{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?$"}};
    case K::constraint:
      return constraint();
    case K::values:
      return {{"type", "array"}, {"minItems", 1}};
    case K::section:
    case K::list:
      break;
  }
  return ordered_json::object();
}

/// A value as it is written in the file, as JSON.
ordered_json literal(const SchemaKey& key, const std::string& text) {
  if (key.kind == K::boolean) return text == "true";
  if (key.kind == K::list) return ordered_json::array();
  const Parsed<double> number = parse_number(text);
  if (const double* value = std::get_if<double>(&number)) {
    if (key.kind == K::integer || key.kind == K::seed) return static_cast<std::int64_t>(*value);
    return *value;
  }
  return text;
}

/// What no single key can say.
void add_rules(const std::string& path, ordered_json& object) {
  if (path == "fleet") {
    object["not"] = {{"required", {"split", "counts"}}};
  } else if (path == "workload") {
    object["anyOf"] = {{{"required", {"classes"}}}, {{"required", {"trace"}}}};
  } else if (path == "workload.classes.*.wall_time") {
    object["oneOf"] = {
        {{"required", {"lognormal"}}}, {{"required", {"exponential"}}}, {{"required", {"fixed"}}}};
  } else if (path == "fabric") {
    object["if"] = {{"properties", {{"shape", {{"const", "none"}}}}}};
    object["else"] = {{"required", {"link"}}};
  } else if (path == "workload.classes" || path == "scheduler.partitions") {
    object["minProperties"] = 1;
  } else if (path == "workload.classes.*.gpus") {
    object["propertyNames"] = {{"pattern", "^[0-9 _]*[1-9][0-9 _]*$"}};
  }
}

ordered_json schema_of(const Schema& schema, const std::string& path);

ordered_json object_of(const Schema& schema, const std::string& path) {
  ordered_json object = {
      {"type", "object"}, {"properties", ordered_json::object()}, {"additionalProperties", false}};
  std::vector<std::string> required;
  for (const SchemaKey* key : schema.below(path)) {
    const std::size_t dot = key->path.rfind('.');
    const std::string name = dot == std::string::npos ? key->path : key->path.substr(dot + 1);
    if (name == "*") {
      object["additionalProperties"] = schema_of(schema, key->path);
    } else {
      object["properties"][name] = schema_of(schema, key->path);
      if (key->required) required.push_back(name);
    }
  }
  if (!required.empty()) object["required"] = required;
  add_rules(path, object);
  return object;
}

ordered_json schema_of(const Schema& schema, const std::string& path) {
  const SchemaKey& key = *schema.find(path);
  ordered_json value = value_schema(key);
  if (key.kind == K::list) {
    value = {{"type", "array"}, {"items", schema_of(schema, path + "[]")}};
  } else if (key.kind == K::section) {
    value = object_of(schema, path);
  } else if (!schema.below(path).empty()) {
    value = {{"anyOf", {value, object_of(schema, path)}}};
  }
  ordered_json out = ordered_json::object();
  const std::string range = bounds_text(key.bounds);
  out["description"] = fmt::format("{}{}{}", key.meaning, range.empty() ? "" : "; " + range,
                                   key.later.empty() ? "" : "; not yet evaluated: " + key.later);
  if (!key.standard.empty()) out["default"] = literal(key, key.standard);
  if (!key.example.empty()) out["examples"] = {literal(key, key.example)};
  out.update(value);
  return out;
}

}  // namespace

std::string schema_json() {
  ordered_json out = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                      {"title", "fleetsim scenario"},
                      {"description", "Values as YAML 1.2 reads them: yes, on and 1:30:00 are texts."}};
  out.update(object_of(scenario_schema(), ""));
  return out.dump(2) + "\n";
}

}  // namespace fleetsim::cli
