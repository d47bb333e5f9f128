// The reference page of scenario files from their description.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/loader/sections.hpp"
#include "sim/cli/schema_text.hpp"
#include "sim/simulate.hpp"

namespace fleetsim::cli {

namespace {

using K = KeyKind;

constexpr const char* kHead = R"(# The scenario file

Printed by `fleetsim schema --format markdown` from the description that the reader of scenarios uses.
`fleetsim schema` prints the same as JSON Schema for editors.

## How values are written

| value | written |
|---|---|
| duration | number and unit: `90 s`, `45 min`, `1.5 h`, `7 days`, `26 weeks`; or as in Slurm: `M:S`, `H:M:S`, `D-H`, `D-H:M`, `D-H:M:S` (`1-12:00:00`). A bare number of minutes is refused. Where a limit is meant also `UNLIMITED` or `INFINITE`, read as 5200 weeks |
| amount of data | `8 GB` = 8 x 10^9 bytes, `8 GiB` = 8 x 2^30 bytes; `Gb` is refused |
| power | `350 W`, `12 kW`, `1 MW` |
| money | `300000 USD`, `300 000 USD`, `300_000 USD`; no comma. `250000 EUR` where `economics.exchange` gives a rate |
| price of energy | `0.12 USD/kWh`, `120 USD/MWh` |
| carbon intensity | kg CO2e per kWh: `0.4 kg/kWh`, `400 g/kWh` |
| temperature | `22 C` |
| rate | `8.5 /day`, `3 /h`, `20 /week` |
| ratio | `0.27` or `27 %` |
| whole number | decimal: `010` is ten, `0x10` and `1e3` are refused |
| true or false | `true`, `false` and nothing else |
| date | `2018-11` or `2018-11-30` |

`0` needs no unit. Quotes change nothing: `1:30:00` and `'1:30:00'` are the same duration. A name is a text whatever it
looks like: a partition may be called `on`, a class `1`.

The file is one YAML document in UTF-8, with or without byte order mark, with any line ends. Tabs may not indent.
Anchors and aliases work; `<<: *base` and `<<: [*a, *b]` take over the keys of other maps: a map's own keys win, then
those of the earlier base. Tags (`!!str`) are refused. Unknown and duplicate keys are errors.

The smallest file:

```yaml
name: small
fleet: {box: {node: desktop-4x-rtx3090}, counts: {box: 2}}
workload: {classes: {job: {arrivals: {per_user: 3 /day}, gpus: 1, wall_time: {fixed: 2 h}}}}
```

`NAME` stands for a name of your choice. A key in **bold** must be there whenever the map around it is;
its default is what holds where the whole map is left out.
)";

const char* kind_word(const SchemaKey& key) {
  switch (key.kind) {
    case K::section:
      return "keys";
    case K::list:
      return "list";
    case K::text:
      return "text";
    case K::integer:
    case K::seed:
      return "whole number";
    case K::number:
      return "number";
    case K::ratio:
      return "ratio";
    case K::boolean:
      return "true or false";
    case K::duration:
      return "duration";
    case K::limit:
      return "duration or `UNLIMITED`";
    case K::bytes:
      return "amount of data";
    case K::power:
      return "power";
    case K::money:
      return "money";
    case K::energy_price:
      return "price of energy";
    case K::carbon_intensity:
      return "carbon intensity";
    case K::temperature:
      return "temperature";
    case K::rate:
      return "rate";
    case K::word:
      return "word";
    case K::name:
      return "name";
    case K::name_list:
      return "name or list of names";
    case K::date:
      return "date";
    case K::constraint:
      return "constraint";
    case K::values:
      return "list of values";
  }
  return "";
}

/// Words of the policy and the sharing rule that load but do not run yet.
bool is_built(const SchemaKey& key, const std::string& word) {
  Scenario scenario;
  for (const auto& [name, value] : policy_words())
    if (key.path == "scheduler.type" && name == word) scenario.scheduler.policy = value;
  for (const auto& [name, value] : sharing_words())
    if (key.path == "scheduler.sharing" && name == word) scenario.scheduler.sharing = value;
  return unbuilt_features(scenario).empty();
}

std::string whose_name(const std::string& names) {
  for (const char* kind : {"nodes", "links", "models", "gpus"})
    if (names == kind) return fmt::format("of `fleetsim catalog list {}`", names);
  return fmt::format("of a {}", names);
}

std::string value_text(const Schema& schema, const SchemaKey& key) {
  std::string text = kind_word(key);
  if (key.kind == K::duration)
    for (const std::string& word : key.words) text += fmt::format(" or `{}`", word);
  if (key.kind == K::word) {
    std::vector<std::string> words;
    for (const std::string& word : key.words)
      words.push_back(fmt::format("`{}`{}", word, is_built(key, word) ? "" : " (not built yet)"));
    return fmt::format("{}", fmt::join(words, ", "));
  }
  if (!key.names.empty()) text += " " + whose_name(key.names);
  const std::string range = bounds_text(key.bounds);
  if (!range.empty()) text += ", " + range;
  if (key.kind == K::seed) text += ", 0 to 18446744073709551615";
  if (key.kind != K::section && key.kind != K::list && !schema.below(key.path).empty()) text += "; or keys";
  return text;
}

std::string shown_path(std::string path) {
  for (std::size_t at; (at = path.find('*')) != std::string::npos;) path.replace(at, 1, "NAME");
  return path;
}

std::string cell(const std::string& text) {
  return text.empty() ? "" : "`" + text + "`";
}

std::string row(const Schema& schema, const SchemaKey& key) {
  const std::string path = cell(shown_path(key.path));
  return fmt::format("| {} | {} | {} | {}{} | {} |\n", key.required ? "**" + path + "**" : path,
                     value_text(schema, key), cell(key.standard), key.meaning,
                     key.later.empty() ? "" : fmt::format(". *Not yet evaluated: {}*", key.later),
                     cell(key.example));
}

}  // namespace

std::string schema_page() {
  const Schema& schema = scenario_schema();
  std::string text = kHead;
  std::string section;
  for (const SchemaKey& key : schema.keys()) {
    const std::string top = key.path.substr(0, key.path.find('.'));
    const bool alone = schema.below(top).empty();
    const std::string title = alone ? "The head" : top;
    if (title != section) {
      text += fmt::format("\n## {}\n\n| key | value | default | meaning | example |\n|---|---|---|---|---|\n",
                          title);
      section = title;
    }
    text += row(schema, key);
  }
  text +=
      "\n## Metrics of constraints\n\nWaits, turnarounds and unserved work are of jobs submitted in the "
      "measurement window; utilisation, energy and results of the window itself. `metric(class)` where it is "
      "counted by class.\n\n| metric | bound | by class | meaning |\n|---|---|---|---|\n";
  for (const MetricMeaning& m : metric_meanings())
    text += fmt::format("| `{}` | {} | {} | {} |\n", m.name, m.bound, m.of_class ? "yes" : "", m.meaning);
  return text;
}

}  // namespace fleetsim::cli
