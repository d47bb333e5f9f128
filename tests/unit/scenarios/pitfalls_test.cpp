// Known pitfalls of YAML files and of configurations, one test each.
#include <algorithm>

#include "scenarios/loader/catalog.hpp"
#include "tests/catch.hpp"
#include "tests/unit/scenarios/edited.hpp"

using namespace fleetsim;
using namespace fleetsim::test;

namespace {

/// Whether a text has a fault that begins so.
bool says(const std::string& text, const std::string& begin) {
  const Outcome outcome = load_text(text);
  return std::any_of(outcome.messages.begin(), outcome.messages.end(),
                     [&](const std::string& m) { return m.rfind(begin, 0) == 0; });
}

/// The fault of the lab scenario with an edit, as MESSAGE (HINT), at the place of the mark.
std::string fault(const Edit& edit) {
  const Marked text = edited({edit});
  const Outcome outcome = load_text(text.text);
  INFO("edit: " << edit.to);
  for (std::size_t i = 0; i < outcome.messages.size(); ++i)
    UNSCOPED_INFO(outcome.places[i] << ": " << outcome.messages[i]);
  CHECK_FALSE(outcome.loaded.has_value());
  const auto place = std::find(outcome.places.begin(), outcome.places.end(), text.places.front());
  REQUIRE(place != outcome.places.end());
  return outcome.messages[static_cast<std::size_t>(place - outcome.places.begin())];
}

std::string with_line_ends(const std::string& text, const std::string& end) {
  std::string out;
  for (const char c : text) out += c == '\n' ? end : std::string(1, c);
  return out;
}

const char* const kClasses =
    "name: merged\n"
    "fleet: {box: {node: desktop-4x-rtx3090}, counts: {box: 2}}\n"
    "workload:\n"
    "  classes:\n"
    "    a: &a {arrivals: {per_user: 3 /day}, gpus: 1, wall_time: {fixed: 2 h}}\n"
    "    b: &b {arrivals: {per_user: 5 /day}, gpus: 2, wall_time: {fixed: 3 h}, gpu_memory: 8 GB}\n";

}  // namespace

TEST_CASE("B130: merge keys are applied, from one map or from a list of them") {
  const Scenario s =
      loaded(std::string(kClasses) + "    c: {<<: *a, time_limit: {factor: 3}}\n    d: {<<: [*a, *b]}\n")
          .scenario;
  CHECK(std::get<FixedSpec>(s.workload.classes[2].wall_time.law).value == 2 * kHour);
  CHECK(s.workload.classes[2].limit_factor_median == 3.0);
  // The earlier map of the list wins, the later adds what the earlier lacks.
  CHECK(s.workload.classes[3].gpus[0].gpus == 1);
  CHECK(s.workload.classes[3].gpu_memory == Bytes{8'000'000'000});
  // In quotes it is a plain key, and what is not a map cannot be merged.
  CHECK(says(std::string(kClasses) + "    c: {\"<<\": *a}\n", "unknown key '<<'"));
  CHECK(says(std::string(kClasses) + "    c: {<<: 3}\n", "'<<' merges maps only"));
  CHECK(says(std::string(kClasses) + "    c: {<<: [*a, 3]}\n", "'<<' merges maps only"));
}

TEST_CASE("B131: what a map says itself wins over what it merges, wherever it stands") {
  const Scenario s =
      loaded(std::string(kClasses) + "    c: {<<: *a, gpus: 4}\n    d: {gpus: 4, <<: [*a, *b]}\n").scenario;
  CHECK(s.workload.classes[2].gpus[0].gpus == 4);
  CHECK(s.workload.classes[3].gpus[0].gpus == 4);
  // Its own mistakes are reported where they stand, and a key given twice is still a duplicate.
  const Outcome outcome =
      load_text(std::string(kClasses) + "    c: {<<: *a, gpus: 4, gpus: 5, gpu_memory: 8}\n");
  CHECK(outcome.places == std::vector<std::string>{"7:26", "7:47"});
}

TEST_CASE("B132: a duplicate key is an error that names both lines") {
  CHECK(fault({"site:\n", "@fleet: {box: {node: desktop-4x-rtx3090}}\nsite:\n"})
            .find("duplicate key 'fleet' (line 13 gives it first; keep one of lines 13 and ") == 0);
  const Outcome outcome = load_text("name: a\nseed: 1\nname: b\n");
  REQUIRE(outcome.messages.size() >= 1);
  CHECK(std::find(outcome.messages.begin(), outcome.messages.end(),
                  "duplicate key 'name' (line 1 gives it first; keep one of lines 1 and 3)") !=
        outcome.messages.end());
}

TEST_CASE("B134: a negative count is out of range, never a huge one") {
  CHECK(fault({"split: {scale: 27 %}", "counts: {proto: @-1, scale: 3}"})
            .find("'proto' must not be negative, but is -1") == 0);
  CHECK(fault({"gpus: {1: 0.70", "gpus: {@-8: 0.70"}).find("a job has 1 to 1000000 GPUs, not -8") == 0);
  CHECK(fault({"seed: 2020", "seed: @-15850"}).find("'-15850' is negative") == 0);
  CHECK(fault({"hcas_per_node: 1", "hcas_per_node: @-8"}).find("'hcas_per_node' must not be negative") == 0);
}

TEST_CASE("B135: infinity, NaN and overflow are refused by name, and no dump writes them") {
  CHECK(fault({"300000 USD}", "@.nan}"}).find("'.nan' is not an amount of money") == 0);
  CHECK(fault({"pue: 1.5", "pue: @.inf"}).find("'.inf' is not a number") == 0);
  CHECK(fault({"pue: 1.5", "pue: @1e400"}).find("'1e400' is too large for a number") == 0);
  CHECK(fault({"120 kW", "@1e400 W"}).find("'1e400 W' is too large for a power") == 0);
  CHECK(fault({"warm_up: 4 weeks", "warm_up: @.inf"}).find("'.inf' is not a duration") == 0);
  // Where no limit is meant, Slurm's word says so, and survives its own dump.
  const LoadedScenario s = loaded(edited({{"max_time: 7 days", "max_time: UNLIMITED"}}).text);
  CHECK(s.canonical.find("max_time: UNLIMITED") != std::string::npos);
  CHECK(loaded(s.canonical).canonical == s.canonical);
}

TEST_CASE("B136: a byte order mark and any line ends change neither values nor places") {
  const std::string bom = "\xEF\xBB\xBF";
  const LoadedScenario plain = loaded(lab_text());
  for (const char* end : {"\n", "\r\n", "\r"}) {
    for (const std::string& mark : {std::string(), bom}) {
      CHECK(loaded(mark + with_line_ends(lab_text(), end)).sha256 == plain.sha256);
      const Marked wrong = marked("@naem: x\n" + edited({{"pue: 1.5", "pue: @0.9"}}).text);
      const Outcome outcome = load_text(mark + with_line_ends(wrong.text, end));
      REQUIRE(outcome.places.size() >= 2);
      CHECK(outcome.places.front() == "1:1");
      CHECK(outcome.messages.back() == "'pue' must be at least 1, not 0.9");
    }
  }
}

TEST_CASE("B137: a duration is read by the schema, in quotes or not") {
  const auto max_time = [](const std::string& value) {
    return loaded(edited({{"max_time: 7 days", "max_time: " + value}}).text)
        .scenario.scheduler.partitions[1]
        .max_time;
  };
  const Duration minute = std::chrono::minutes(1);
  CHECK(max_time("1:30:00") == 90 * minute);
  CHECK(max_time("'1:30:00'") == 90 * minute);
  CHECK(max_time("\"1:30:00\"") == 90 * minute);
  CHECK(max_time("10:00") == 10 * minute);  // Slurm's M:S, not 600 of anything
  CHECK(max_time("2-00:00:00") == 48 * kHour);
  CHECK(max_time("1.5h") == 90 * minute);
}

TEST_CASE("B139: an unknown key is an error with its line and a suggestion") {
  CHECK(fault({"hcas_per_node: 1", "@hcas_per_nod: 1"})
            .find("unknown key 'hcas_per_nod' (did you mean 'hcas_per_node'?)") == 0);
  CHECK(fault({"gpu_memory: 8 GB", "@gpu_memry: 8 GB"}).find("(did you mean 'gpu_memory'?)") !=
        std::string::npos);
  CHECK(fault({"  pue: 1.5", "  pue: 1.5\n  @gpus: 3"}).find("belongs under 'workload.classes.NAME'") !=
        std::string::npos);
}

TEST_CASE("B142: an alias with its colon glued on is explained") {
  const std::string head = "name: &baz x\n";
  const Outcome outcome = load_text(head + "*baz: 3\n");
  REQUIRE(outcome.messages.size() == 2);
  CHECK(outcome.places.front() == "2:1");
  CHECK(outcome.messages.front() ==
        "nothing above is marked '&baz:', which '*baz:' refers to (the ':' is read as part of the name: "
        "write '*baz :' with a blank)");
  CHECK(outcome.messages.back().find("mend this first") == 0);
  // With the blank it is a key like any other.
  CHECK(says(head + "*baz : 3\n", "unknown key 'x'"));
}

TEST_CASE("B166: every line that is indented with a tab is named") {
  const Outcome outcome = load_text("name: x\nsite:\n\tpue: 1.5\n\tunits: 3\n  # a comment\n\t# another\n");
  REQUIRE(outcome.messages.size() == 3);
  CHECK(outcome.places[0] == "3:1");
  CHECK(outcome.messages[0] == "this line is indented with a tab (indent with blanks, not with a tab)");
  CHECK(outcome.places.back() == "4:1");
}

TEST_CASE("B167: names that YAML 1.1 takes for booleans stay names") {
  const std::string text =
      "name: no\n"
      "fleet: {on: {node: desktop-4x-rtx3090}, counts: {on: 2}}\n"
      "scheduler: {partitions: {yes: {nodes: on}, off: {nodes: [on], default: true}}}\n"
      "workload: {classes: {y: {arrivals: {per_user: 3 /day}, gpus: 1, wall_time: {fixed: 2 h}, partition: "
      "yes}}}\n";
  const LoadedScenario s = loaded(text);
  CHECK(s.scenario.name == "no");
  CHECK(s.scenario.pools[0].name == "on");
  CHECK(s.scenario.scheduler.partitions[1].name == "off");
  CHECK(s.scenario.workload.classes[0].name == "y");
  CHECK(s.scenario.workload.classes[0].partition == QueueId{0});
  CHECK(loaded(s.canonical).canonical == s.canonical);
  CHECK(fault({"provided: true", "provided: @yes"}) == "'yes' is neither true nor false (write true)");
  CHECK(fault({"default: true", "default: @off"}) == "'off' is neither true nor false (write false)");
}

TEST_CASE("B174: a budget, a count or a horizon of zero is defined or refused by name") {
  CHECK(fault({"300000 USD}", "@0}"}).find("'capital' must be more than 0 USD, not 0") == 0);
  CHECK(fault({"measure: 26 weeks", "measure: @0"}).find("'measure' must be more than 0 s, not 0") == 0);
  CHECK(fault({"replications: 20", "replications: @0"}).find("'replications' must be at least 1") == 0);
  CHECK(fault({"users: 30", "users: @0"}).find("'users' must be at least 1") == 0);
  CHECK(fault({"split: {scale: 27 %}", "@counts: {proto: 0, scale: 0}"}) == "the fleet has no node");
  // Nothing of one pool, no warm-up and no drain are what they say.
  const Scenario s = loaded(edited({{"split: {scale: 27 %}", "counts: {proto: 3, scale: 0}"},
                                    {"warm_up: 4 weeks", "warm_up: 0"},
                                    {"drain: 8 weeks", "drain: 0 s"}})
                                .text)
                         .scenario;
  CHECK(s.pools[1].count == 0);
  CHECK(s.time.warm_up == Duration{});
  CHECK(s.time.drain == Duration{});
}

TEST_CASE("B175: a name given twice names both places, a name that nobody defines has a suggestion") {
  CHECK(fault({"  scale: {node:", "  @proto: {node:"})
            .find("duplicate key 'proto' (line 14 gives it first; keep one of lines 14 and 15)") == 0);
  CHECK(fault({"{node: supermicro-8x-rtx3080}", "{node: @supermicro-8x-rtx308}"})
            .find("did you mean 'supermicro-8x-rtx3080'?") != std::string::npos);
  CHECK(fault({"      partition: scale", "      partition: @scal"})
            .find("unknown partition: 'scal' (did you mean 'scale'?)") == 0);
}
