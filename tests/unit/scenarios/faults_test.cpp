// One fault each: an edit of the lab scenario, the place of the report, and what it says.
#include <algorithm>

#include "tests/catch.hpp"
#include "tests/unit/scenarios/edited.hpp"

using namespace fleetsim;
using namespace fleetsim::test;

namespace {

struct Fault {
  std::vector<Edit> edits;
  std::vector<std::string> said;  ///< one per mark, in the order of the text: part of message and hint
};

void check_faults(const std::vector<Fault>& faults) {
  for (const Fault& fault : faults) {
    const Marked text = edited(fault.edits);
    const Outcome outcome = load_text(text.text);
    INFO("edit: " << fault.edits.back().to);
    for (std::size_t i = 0; i < outcome.messages.size(); ++i)
      UNSCOPED_INFO(outcome.places[i] << ": " << outcome.messages[i]);
    CHECK_FALSE(outcome.loaded.has_value());
    CHECK(outcome.places == text.places);
    REQUIRE(outcome.messages.size() == fault.said.size());
    for (std::size_t i = 0; i < fault.said.size(); ++i)
      CHECK(outcome.messages[i].find(fault.said[i]) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("Unknown, misplaced and missing keys are named with a way out") {
  check_faults({
      {{{"  pue: 1.5", "  @peu: 1.5"}}, {"unknown key 'peu' (did you mean 'pue'?)"}},
      {{{"  pue: 1.5", "  pue: 1.5\n  @nonsense: 3"}}, {"unknown key 'nonsense' (known here: "}},
      {{{"measure: 26 weeks", "@measur: 26 weeks"}}, {"unknown key 'measur' (did you mean 'measure'?)"}},
      {{{"seed: 2020", "seed: 2020\n@pue: 1.3"}}, {"unknown key 'pue' (misplaced: it belongs under 'site')"}},
      {{{"users: 30", "users: 30\n  @max_time: 3 h"}},
       {"misplaced: it belongs under 'scheduler.partitions.NAME'"}},
      {{{"proto: {node:", "@pue: 1.5\n  proto: {node:"}}, {"misplaced: it belongs under 'site'"}},
      {{{"{node: supermicro-8x-rtx3080}", "{@nod: supermicro-8x-rtx3080}"}}, {"did you mean 'node'?"}},
      {{{"split: {scale", "@splti: {scale"}}, {"unknown key 'splti' (did you mean 'split'?)"}},
      {{{"      gpus: {8: 0.8", "      @gpu: {8: 0.8"}}, {"unknown key 'gpu' (did you mean 'gpus'?)"}},
      {{{"name: lab-66-33\n", ""}, {"seed:", "@seed:"}}, {"the document lacks the key 'name'"}},
      {{{"budget: {capital: 300000 USD}", "@budget: {}"}}, {"'budget' lacks the key 'capital'"}},
      {{{"{nodes: scale, max_time", "{max_time"}, {"    scale: {max", "    @scale: {max"}},
       {"'scheduler.partitions.scale' lacks the key 'nodes'"}},
      {{{"median: 27 h, ", ""}, {"{lognormal: {mean: 39.6 h", "{@lognormal: {mean: 39.6 h"}},
       {"lacks the key 'median'"}},
      {{{"  split: {scale: 27 %}", ""}, {"fleet:", "@fleet:"}}, {"neither 'split' nor 'counts'"}},
      {{{"  split: {scale: 27 %}", "  split: {scale: 27 %}\n  @counts: {proto: 13, scale: 3}"}},
       {"both 'split' and 'counts'"}},
      {{{"pue: 1.5", "@pue:"}}, {"'pue' has no value"}},
      {{{"pue: 1.5", "pue: @\"\""}}, {"'pue' has no value"}},
  });
}

TEST_CASE("Dates that no calendar has, control characters and more than 64 pools are refused") {
  const std::string existing =
      "  # existing: [{node: supermicro-8x-rtx2080ti, count: 2, bought: 2018-11, retires: 2022-11}]";
  for (const char* date : {"2025-02-29", "2024-02-30", "2024-04-31", "2100-02-29", "2024-13", "2024-00-01"}) {
    const std::string line =
        std::string("  existing: [{node: supermicro-8x-rtx2080ti, count: 1, retires: @") + date + "}]";
    check_faults({{{{existing, line}}, {"is not a date"}}});
  }
  CHECK(load_text(edited({{existing,
                           "  existing: [{node: supermicro-8x-rtx2080ti, count: 1, retires: 2024-02-29}]"}})
                      .text)
            .loaded.has_value());
  check_faults({{{{"name: lab-66-33", "name: @\"a\\e[31mb\""}}, {"control character"}}});
  std::string pools = "fleet:\n";
  for (int p = 0; p < 64; ++p) pools += "  p" + std::to_string(p) + ": {node: desktop-4x-rtx3090}\n";
  const Outcome outcome = load_text(
      "name: many\n" + pools + "  one_too_many: {node: desktop-4x-rtx3090}\n" +
      "workload: {classes: {a: {arrivals: {per_user: 1 /day}, gpus: 1, wall_time: {fixed: 1 h}}}}\n");
  CHECK(std::count_if(outcome.messages.begin(), outcome.messages.end(), [](const std::string& message) {
          return message.find("at most 64 pools") != std::string::npos;
        }) == 1);
}

TEST_CASE("A decimal comma is told as such, also where it ends a value in braces") {
  const char* hint = "(group digits by a blank or '_', decimals by '.')";
  check_faults({
      {{{"lognormal: {median: 1.36 h, mean: 3.15 h, max: 24 h}", "fixed: @1,5 h"}},
       {std::string("'1,5 h' holds a comma ") + hint}},
      {{{"{lognormal: {median: 1.36 h, mean: 3.15 h, max: 24 h}, reference: supermicro-8x-rtx3080}",
         "{fixed: @1,5 h }"}},
       {std::string("'1,5 h' holds a comma ") + hint}},
      {{{"  pue: 1.5", "  pue: @1,5"}}, {std::string("'1,5' is not a number ") + hint}},
      {{{"lognormal: {median: 1.36 h, mean: 3.15 h, max: 24 h}", "fixed: 15 min, @5 h"}},
       {"unknown key '5 h'"}},  // a blank: two entries
  });
  // No comma of a number: entries of a map, one of them without a value.
  check_faults({{{{"8: 0.8, 16: 0.2", "8: 0.8,@16: "}, {"gpus: {8: 0.8", "@gpus: {8: 0.8"}},
                 {"sum to 0.8, not 1", "'16' has no value"}}});
}

TEST_CASE("A missing value shows what could be written, be it null, empty or nothing") {
  check_faults({
      {{{"lognormal: {median: 1.36 h, mean: 3.15 h, max: 24 h}", "@fixed: ~"}},
       {"'fixed' has no value (write e.g. '2 h')"}},
      {{{"{lognormal: {median: 1.36 h, mean: 3.15 h, max: 24 h}, reference: supermicro-8x-rtx3080}",
         "{@fixed: }"}},
       {"'fixed' has no value (write e.g. '2 h')"}},
      {{{"lognormal: {median: 1.36 h, mean: 3.15 h, max: 24 h}", "fixed: @\"\""}},
       {"'fixed' has no value (write a duration)"}},
  });
}

TEST_CASE("Names that would break a table are refused") {
  check_faults({
      {{{"name: lab-66-33", "name: @\"a\\nb\""}}, {"'name' holds a line end"}},
      {{{"name: lab-66-33", "name: @\"a\\tb\""}}, {"'name' holds a tab"}},
      {{{"name: lab-66-33", "name: @\"a\\u2028b\""}}, {"'name' holds a line end"}},
      {{{"name: lab-66-33", "name: @a\u202Eb"}}, {"'name' holds a character that turns the direction"}},
      {{{"name: lab-66-33", "name: @\"a\\x7fb\""}}, {"'name' holds a control character"}},
      {{{"name: lab-66-33", "name: @|\n  two\n  lines"}}, {"'name' holds a line end"}},
  });
  // Names of pools, classes and partitions are keys.
  const auto with_name = [](const std::string& key, const std::string& section) {
    const std::string pool = section == "fleet" ? key : "p", part = section == "partitions" ? key : "q";
    const std::string job = section == "classes" ? key : "c";
    return "name: n\nfleet: {" + pool + ": {node: desktop-4x-rtx3090}, counts: {" + pool +
           ": 1}}\nscheduler: {partitions: {" + part + ": {nodes: " + pool + "}}}\nworkload: {classes: {" +
           job + ": {arrivals: {per_user: 1 /day}, gpus: 1, wall_time: {fixed: 1 h}}}}\n";
  };
  for (const char* section : {"fleet", "partitions", "classes"}) {
    for (const char* key : {"\"a\\nb\"", "\"a\\e[31m\"", "\"a\\u202eb\"", "\"a\\u2066b\"", "\"a\\tb\""}) {
      INFO(section << " " << key);
      const Outcome outcome = load_text(with_name(key, section));
      CHECK_FALSE(outcome.loaded.has_value());
      CHECK(std::any_of(outcome.messages.begin(), outcome.messages.end(), [](const std::string& message) {
        return message.find("the key holds a") != std::string::npos;
      }));
    }
    CHECK(load_text(with_name("\"\u05D0\u05D1 \u96C6\u7FA4\"", section)).loaded.has_value());
  }
  LoadOptions options;
  options.set = {"workload.classes.a\nb={arrivals: {per_user: 1 /day}, gpus: 1, wall_time: {fixed: 1 h}}"};
  CHECK_FALSE(load_text(lab_text(), options).loaded.has_value());
}

TEST_CASE("An unknown name of the catalogue says how own entries come") {
  check_faults({
      {{{"{node: supermicro-8x-rtx3080}", "{node: @supermicro-8x-rtx3081}"}},
       {"unknown node: 'supermicro-8x-rtx3081' (did you mean 'supermicro-8x-rtx3080'? own entries come with "
        "--catalog DIR)"}},
      {{{"{node: supermicro-8x-rtx3080}", "{node: @zzz}"}}, {"; own entries come with --catalog DIR)"}},
  });
}

TEST_CASE("An option --set loses nothing unseen: no comments, no path twice") {
  const auto said = [](const std::vector<std::string>& set) {
    LoadOptions options;
    options.set = set;
    const Outcome outcome = load_text(lab_text(), options);
    std::string all;
    for (const std::string& message : outcome.messages) all += message + "\n";
    return outcome.loaded ? "loaded " + outcome.loaded->scenario.name : all;
  };
  CHECK_THAT(said({"name=lab #2"}), Catch::Contains("'#2' would be a comment, not part of the value"));
  CHECK_THAT(said({"name=#2"}), Catch::Contains("'#2' would be a comment"));
  CHECK_THAT(said({"name=it's #2"}), Catch::Contains("'#2' would be a comment"));
  CHECK_THAT(said({"site={pue: 1.2} # why"}), Catch::Contains("'# why' would be a comment"));
  CHECK(said({"name=\"lab #2\""}) == "loaded lab #2");
  CHECK(said({"name='it''s #2'"}) == "loaded it's #2");
  CHECK(said({"name=lab#2"}) == "loaded lab#2");

  CHECK_THAT(said({"seed=1", "seed=2"}), Catch::Contains("'seed' is set twice, by 'seed=1' and 'seed=2'"));
  CHECK_THAT(said({"site.pue=1.2", "name=x", "site={inlet_temperature: 20 C}"}),
             Catch::Contains("'site={inlet_temperature: 20 C}' replaces what 'site.pue=1.2' set before"));
  CHECK(said({"site={inlet_temperature: 20 C}", "site.pue=1.2", "name=x"}) == "loaded x");
}

TEST_CASE("A duplicate key names both lines, and what stands in the copy is checked too") {
  check_faults({
      {{{"seed: 2020", "seed: 2020\n@seed: 2021"}}, {"duplicate key 'seed' (line "}},
      {{{"  pue: 1.5", "  pue: 1.5\n  @pue: @0.5"}},
       {"duplicate key 'pue'", "'pue' must be at least 1, not 0.5"}},
      {{{"scheduler:", "@site: {pue: @0.9, @elektricity: 0.1 USD/kWh}\nscheduler:"}},
       {"duplicate key 'site'", "'pue' must be at least 1, not 0.9", "did you mean 'electricity'?"}},
      {{{"8: 0.8, 16: 0.2", "8: 0.8, @8: 0.2"}, {"gpus: {8: 0.8", "@gpus: {8: 0.8"}},
       {"sum to 0.8, not 1", "duplicate key '8'"}},
      {{{"warm_up: 4 weeks, measure", "warm_up: 4 weeks, @warm_up: 5 weeks, measure"}},
       {"duplicate key 'warm_up' (line 10 gives it first at column 8)"}},
      {{{"    scale: {nodes: scale", "    @proto: {nodes: scale}\n    scale: {nodes: scale"}},
       {"duplicate key 'proto'"}},
  });
}

TEST_CASE("Quantities need their unit and their range") {
  check_faults({
      {{{"300000 USD}", "@300000}"}}, {"'300000' has no unit (write '300000 USD')"}},
      {{{"300000 USD}", "@-300000 USD}"}}, {"'capital' must not be negative, but is -300000 USD"}},
      {{{"300000 USD}", "@0 USD}"}}, {"'capital' must be more than 0 USD, not 0 USD"}},
      {{{"300000 USD}", "@plenty}"}}, {"'plenty' is not an amount of money"}},
      {{{"300000 USD}", "@300000 EUR}"}}, {"there is no exchange rate for EUR"}},
      {{{"0.12 USD/kWh", "@-0.12 USD/kWh"}}, {"'electricity' must not be negative"}},
      {{{"0.12 USD/kWh", "@cheap"}}, {"'cheap' is not a price of energy (write e.g. '0.12 USD/kWh')"}},
      {{{"0.12 USD/kWh", "@0.12"}}, {"'0.12' has no unit (write '0.12 USD/kWh')"}},
      {{{"0.12 USD/kWh", "@0.12 USD"}}, {"unknown unit 'USD'"}},
      {{{"0.12 USD/kWh", "@11 USD/kWh"}}, {"'electricity' must be at most 10 USD/kWh"}},
      {{{"300000 USD}", "@1e11 USD}"}}, {"'capital' must be at most 10000000000 USD"}},
      {{{"8.5 /day", "@1e9 /day"}}, {"'per_user' must be at most"}},
      {{{"pue: 1.5", "pue: @0.9"}}, {"'pue' must be at least 1, not 0.9"}},
      {{{"pue: 1.5", "pue: @-1.5"}}, {"'pue' must not be negative"}},
      {{{"pue: 1.5", "pue: @good"}}, {"'good' is not a number"}},
      {{{"pue: 1.5", "pue: @.nan"}}, {"'.nan' is not a number"}},
      {{{"pue: 1.5", "pue: @[1.5]"}}, {"'pue' must be a number, not a list"}},
      {{{"power_limit: 120 kW", "power_limit: @120"}}, {"has no unit"}},
      {{{"120 kW", "@120 kw"}}, {"did you mean 'kW'?"}},
      {{{"22 C", "@300 C"}}, {"'inlet_temperature' must be at most 60 C"}},
      {{{"warm_up: 4 weeks", "warm_up: @4"}}, {"'4' has no unit"}},
      {{{"measure: 26 weeks", "measure: @0 s"}}, {"'measure' must be more than 0 s"}},
      {{{"replications: 20", "replications: @twenty"}}, {"'twenty' is not a whole number"}},
      {{{"replications: 20", "replications: @2.5"}}, {"'2.5' is not a whole number"}},
      {{{"replications: 20", "replications: @0"}}, {"must be at least 1"}},
      {{{"seed: 2020", "seed: @-1"}}, {"'-1' is negative"}},
      {{{"users: 30", "users: @thirty"}}, {"'thirty' is not a whole number"}},
      {{{"users: 30", "users: @-3"}}, {"must not be negative"}},
      {{{"8.5 /day", "@8.5"}}, {"'8.5' has no unit (write '8.5 /day'"}},
      {{{"gpu_memory: 8 GB", "gpu_memory: @8 Gb"}}, {"unknown unit 'Gb'"}},
      {{{"factor: 2.5", "factor: @0.5"}}, {"'factor' must be at least 1"}},
      {{{"0.33 %", "@133 %"}}, {"'probability' must be at most 1"}},
      {{{"provided: true", "provided: @yes"}}, {"'yes' is neither true nor false"}},
      {{{"default: true", "default: @on"}}, {"'on' is neither true nor false"}},
      {{{"oversubscription: 1}", "oversubscription: @0.5}"}}, {"must be at least 1"}},
  });
}

TEST_CASE("A key with a dot is read whole") {
  check_faults({
      {{{"gpus: {1: 0.70", "gpus: {@1.5: 0.70"}}, {"'1.5' is not a number of GPUs"}},
  });
}

TEST_CASE("A partition needs a pool, and a replication must fit into memory") {
  check_faults({
      {{{"{nodes: proto,", "{nodes: @[],"}}, {"partition 'proto' has no pool of nodes"}},
      {{{"users: 30", "users: 1000000"}, {"workload:", "@workload:"}},
       {"jobs would arrive in one replication"}},
  });
}

TEST_CASE("Names that nobody knows are reported where they stand") {
  check_faults({
      {{{"{node: supermicro-8x-rtx3080}", "{node: @supermicro-8x-rtx3081}"}},
       {"unknown node: 'supermicro-8x-rtx3081' (did you mean 'supermicro-8x-rtx3080'? "}},
      {{{"link: infiniband-edr", "link: @infiniband-edx"}}, {"did you mean 'infiniband-edr'?"}},
      {{{"link: infiniband-edr", "link: @pcie3-x16"}}, {"'pcie3-x16' does not join nodes"}},
      {{{"shape: leaf-spine", "shape: @leaf_spine"}}, {"did you mean 'leaf-spine'?"}},
      {{{"model: resnet50", "model: @resnet5O"}}, {"unknown model: 'resnet5O'"}},
      {{{"reference: supermicro-8x-rtx3080}", "reference: @nothing}"}}, {"unknown node: 'nothing' (known: "}},
      {{{"type: easy", "type: @eazy"}}, {"unknown value of 'type': 'eazy' (did you mean 'easy'?)"}},
      {{{"sharing: overflow", "sharing: @overfow"}}, {"did you mean 'overflow'?"}},
      {{{"waived  ", "@waved  "}}, {"did you mean 'waived'?"}},
      {{{"profile: office-hours", "profile: @office"}}, {"unknown value of 'profile'"}},
      {{{"{nodes: proto,", "{nodes: @porto,"}}, {"unknown pool of nodes: 'porto' (did you mean 'proto'?)"}},
      {{{"partition: proto", "partition: @protos"}}, {"unknown partition: 'protos' (did you mean 'proto'?)"}},
      {{{"class: scale_up", "class: @scaleup"}}, {"unknown class: 'scaleup' (did you mean 'scale_up'?)"}},
      {{{"split: {scale", "split: {@scal"}}, {"unknown key 'scal' (did you mean 'scale'?)"}},
      {{{"wait_s_p95(", "@wait_s_q95("}}, {"unknown metric: 'wait_s_q95' (did you mean 'wait_s_p95'?)"}},
      {{{"(prototype) <=", "(@prototyp) <="}}, {"unknown class: 'prototyp' (did you mean 'prototype'?)"}},
      {{{"<= 4 h", "<= @4"}}, {"'4' has no unit"}},
      {{{"[wait_s_p95(prototype) <= 4 h]", "[@wait_s_p95(prototype) = 4 h]"}}, {"is not a constraint"}},
      {{{"search: exhaustive", "search: @exhaustiv"}}, {"did you mean 'exhaustive'?"}},
  });
}

TEST_CASE("Shares, probabilities and laws must be possible") {
  check_faults({
      {{{"split: {scale: 27 %}", "split: {scale: @127 %}"}}, {"'scale' must be at most 1, not 127 %"}},
      {{{"split: {scale: 27 %}", "@split: {proto: 80 %, scale: 27 %}"}}, {"sum to 107 %, more than 100 %"}},
      {{{"split: {scale: 27 %}", "@split: {proto: 60 %, scale: 27 %}"}}, {"sum to 87 %, not 100 %"}},
      {{{"split: {scale: 27 %}", "@counts: {proto: 3}"}}, {"'counts' lacks pool 'scale'"}},
      {{{"split: {scale: 27 %}", "@counts: {proto: 0, scale: 0}"}}, {"the fleet has no node"}},
      {{{"split: {scale: 27 %}", "counts: {proto: @-13, scale: 3}"}}, {"must not be negative"}},
      {{{"gpus: {1: 0.70", "@gpus: {1: 0.60"}}, {"sum to 0.9, not 1"}},
      {{{"gpus: {1: 0.70", "gpus: {@one: 0.70"}}, {"'one' is not a number of GPUs"}},
      {{{"gpus: {1: 0.70", "gpus: {@0: 0.70"}}, {"a job has 1 to 1000000 GPUs, not 0"}},
      {{{"gpus: {1: 0.70", "gpus: {1: @most"}}, {"'most' is not a ratio"}},
      {{{"median: 1.36 h", "median: @25 h"}}, {"the median must lie below the maximum of 1 days"}},
      {{{"mean: 3.15 h", "mean: @20 h"}}, {"has the mean 20 h (the largest mean is "}},
      {{{"wall_time: {lognormal: {median: 27 h, mean: 39.6 h, max: 7 days}, ", "@wall_time: {"}},
       {"'wall_time' names no law"}},
      {{{"reference: supermicro-8x-rtx3080}", "reference: supermicro-8x-rtx3080, @fixed: 3 h}"}},
       {"a second law"}},
      {{{"      partition: scale\n",
         "      partition: scale\n      promotes_to: {class: prototype, probability: 1 %}\n"},
        {"      promotes_to: {class: scale_up", "      @promotes_to: {class: scale_up"}},
       {"promotions run in a circle: prototype -> scale_up -> prototype"}},
      {{{"class: scale_up", "class: prototype"},
        {"      promotes_to", "      @promotes_to"},
        {"    scale_up:", "    scale_up:"}},
       {"promotions run in a circle: prototype -> prototype"}},
      {{{"      promotes_to: {class: scale_up, probability: 0.33 %, pause: 12 h}", ""},
        {"    scale_up:", "    @scale_up:"}},
       {"class 'scale_up' has no jobs"}},
      {{{"max_time: 24 h, default: true", "max_time: 24 h"},
        {"      partition: proto\n", ""},
        {"    prototype:", "    @prototype:"}},
       {"class 'prototype' names no partition, and no partition is the default"}},
      {{{"overflow_max_time: 24 h}", "overflow_max_time: 24 h, default: @true}"}}, {"a second default"}},
      {{{"capital: 300000 USD", "capital: @3000 USD"}}, {"the budget of 3,000 USD does not cover one node"}},
      {{{"split: {scale: 27 %}", "counts: {proto: 130, scale: 3}"}, {"capital: ", "capital: @"}},
       {"more than the budget"}},
      {{{"  # existing: [{node: supermicro-8x-rtx2080ti, count: 2, bought: 2018-11, retires: 2022-11}]",
         "  existing: [{node: @supermicro-8x-rtx2080tx, count: @0, bought: @2018-13, retires: 2022-11}]"}},
       {"unknown node", "must be at least 1", "'2018-13' is not a date"}},
      {{{"  # trace: {file: jobs.swf}                       a", "  trace: {file: @absent.swf}  # a"}},
       {"there is no file"}},
      {{{"site:\n", "site: @warm\nunused:\n"}, {"unused:", "@unused:"}},
       {"'site' must be a map of keys, not 'warm'", "unknown key 'unused'"}},
  });
}

TEST_CASE("Many faults at once hide none of each other") {
  check_faults({
      {{{"measure: 26 weeks", "@mesure: 26 weeks"},
        {"capital: 300000 USD", "capital: @300000"},
        {"proto: {node: supermicro-8x-rtx3080}", "proto: {node: @supermicro-8x-rtx308O}"},
        {"electricity: 0.12 USD/kWh", "electricity: @-0.12 USD/kWh"},
        {"  pue: 1.5", "  pue: @0.8"},
        {"  users: 30", "  users: @thirty"},
        {"  type: easy", "  type: easy\n  @type: fifo"}},
       {"did you mean 'measure'?", "has no unit", "did you mean 'supermicro-8x-rtx3080'?", "negative",
        "'pue' must be at least 1", "duplicate key 'type'", "'thirty' is not a whole number"}},
      // Sections that are at fault as a whole do not make their names unknown elsewhere.
      {{{"scheduler:", "@schedular:"}}, {"did you mean 'scheduler'?"}},
      {{{"  partitions:", "  @partition:"}}, {"did you mean 'partitions'?"}},
      {{{"  proto: {node: supermicro-8x-rtx3080}", "  proto: @supermicro-8x-rtx3080"}},
       {"'proto' must be a map of keys, not 'supermicro-8x-rtx3080'"}},
      {{{"  classes:", "  @clases:"}}, {"did you mean 'classes'?"}},
      {{{"{node: supermicro-8x-rtx3080}", "{node: @supermicro-8x, @node: @nonsense}"}},
       {"unknown node: 'supermicro-8x'", "duplicate key 'node'", "unknown node: 'nonsense'"}},
      {{{"median: 1.36 h, mean: 3.15 h, max: 24 h", "median: @36 h, mean: @40 h, max: 24 h"}},
       {"the median must lie below", "the mean must lie below"}},
      // All in one line.
      {{{"  rack: {units: 42, power: 12 kW, provided: true}",
         "  rack: {units: @many, power: @12, provided: @maybe, @unit: 3, @power: @-1 kW}"}},
       {"'many'", "'12' has no unit", "'maybe'", "unknown key 'unit'", "duplicate key 'power'", "negative"}},
  });
}

TEST_CASE("Tags, unknown directives and empty names are refused, not ignored") {
  check_faults({
      {{{"pue: 1.5", "pue: @!!str 1.5"}}, {"a tag ('!!str') has no meaning here"}},
      {{{"site:\n", "site: @!room\n"}}, {"a tag ('!room') has no meaning here"}},
      {{{"    proto: {nodes", "    @\"\": {nodes: proto}\n    proto: {nodes"}}, {"a name must not be empty"}},
      {{{"<= 4 h", "<= @-4 h"}}, {"wait_s_p95 is never negative"}},
      {{{"wait_s_p95(prototype) <= 4 h", "@energy_kwh(prototype) <= 4"}},
       {"energy_kwh is not counted by class (leave the class out)"}},
      {{{"provided: true", "provided: @True"}}, {"'True' is neither true nor false (write true)"}},
  });
  CHECK(load_text("%YAML 1.2\n---\n" + lab_text()).loaded.has_value());
  const Outcome outcome = load_text("%FOO bar\n---\n" + lab_text());
  REQUIRE(outcome.messages.size() == 1);
  CHECK(outcome.places[0] + outcome.messages[0] == "1:1this directive is not known (leave the line out)");
}
