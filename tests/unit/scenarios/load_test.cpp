// The lab scenario loads to what it says; defaults, small fleets, --set, the canonical dump.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "scenarios/loader/fingerprint.hpp"
#include "scenarios/loader/reader.hpp"
#include "scenarios/loader/sections.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/unit/scenarios/edited.hpp"

using namespace fleetsim;
using namespace fleetsim::test;

namespace {

const char* const kSmall =
    "name: small\n"
    "fleet: {box: {node: desktop-4x-rtx3090}, counts: {box: 2}}\n"
    "workload: {classes: {job: {arrivals: {per_user: 3 /day}, gpus: 1, wall_time: {fixed: 2 h}}}}\n";

std::vector<std::string> later(const Scenario& s) {
  std::vector<std::string> paths;
  for (const NotEvaluated& n : s.not_evaluated) paths.push_back(n.path);
  return paths;
}

}  // namespace

TEST_CASE("The lab scenario loads to what it says") {
  const Scenario s = loaded(lab_text()).scenario;
  CHECK(s.name == "lab-66-33");
  CHECK(s.seed == 2020);
  CHECK(s.time.warm_up == 4 * kWeek);
  CHECK(s.time.measure == 26 * kWeek);
  CHECK(s.time.drain == 8 * kWeek);
  CHECK(s.time.replications == 20);
  CHECK(s.budget == usd(std::int64_t{300000}));
  REQUIRE(s.pools.size() == 2);
  CHECK(s.pools[0].name == "proto");
  CHECK(s.pools[0].node.name == "supermicro-8x-rtx3080");
  CHECK(s.pools[1].name == "scale");
  CHECK(s.pools[1].node.name == "supermicro-8x-rtx3090-water");
  CHECK(s.request.share == std::vector<double>{1.0 - 0.27, 0.27});
  CHECK(s.pools[0].count == 13);  // as the scenario's own comment says
  CHECK(s.pools[1].count == 3);
  CHECK(s.fabric.shape == FabricShape::leaf_spine);
  CHECK(s.fabric.link.name == "infiniband-edr");
  CHECK(s.fabric.adapters_per_node == 1);
  CHECK(s.site.electricity.count() == 120'000);
  CHECK(s.site.pue == 1.5);
  CHECK(s.site.power_limit == Watts{120e3});
  CHECK(s.site.rack.provided);
  CHECK(s.site.rack.power == Watts{12e3});
  CHECK(s.site.inlet_temperature == Celsius{22});
  CHECK(s.scheduler.policy == PolicyKind::easy);
  CHECK(s.scheduler.sharing == SharingRule::overflow);
  REQUIRE(s.scheduler.partitions.size() == 2);
  CHECK(s.scheduler.partitions[0].is_default);
  CHECK(s.scheduler.partitions[0].max_time == 24 * kHour);
  CHECK_FALSE(s.scheduler.partitions[0].overflow_max_time.has_value());
  CHECK(s.scheduler.partitions[1].pools == std::vector<PoolId>{PoolId{1}});
  CHECK(s.scheduler.partitions[1].overflow_max_time == 24 * kHour);
  CHECK(s.workload.users == 30);
  REQUIRE(s.workload.classes.size() == 2);
  const JobClass& p = s.workload.classes[0];
  CHECK(p.model->name == "resnet50");
  CHECK(p.arrivals->per_user.count() == Approx(8.5 / 86400.0));
  CHECK(p.arrivals->profile == ArrivalProfile::office_hours);
  REQUIRE(p.gpus.size() == 3);
  CHECK(p.gpus[2].gpus == 4);
  CHECK(p.gpus[2].probability == 0.10);
  const auto law = std::get<LognormalSpec>(p.wall_time.law);
  CHECK(to_hours(law.median) == Approx(1.36));
  CHECK(to_hours(law.mean) == Approx(3.15));
  CHECK(law.max == 24 * kHour);
  CHECK(p.wall_time.reference->name == "supermicro-8x-rtx3080");
  CHECK(p.gpu_memory == Bytes{8'000'000'000});
  CHECK(p.limit_factor_median == 2.5);
  REQUIRE(p.promotes_to.has_value());
  CHECK(p.promotes_to->target == ClassId{1});
  CHECK(p.promotes_to->probability == 0.0033);
  CHECK(p.promotes_to->mean_pause == 12 * kHour);
  CHECK_FALSE(s.workload.classes[1].arrivals.has_value());
  CHECK(s.workload.classes[1].partition == QueueId{1});
  CHECK(s.study.prototypes_per_result == 30.0);
  REQUIRE(s.study.constraints.size() == 1);
  CHECK(s.study.constraints[0].metric == "wait_s_p95");
  CHECK(s.study.constraints[0].job_class == ClassId{0});
  CHECK(s.study.constraints[0].at_most);
  CHECK(s.study.constraints[0].bound == 4.0 * 3600.0);
  CHECK(later(s).empty());
  REQUIRE(result_chain(s).has_value());
  CHECK(result_chain(s)->result == ClassId{1});
}

TEST_CASE("A file of three lines is a scenario, and defaults fill the rest") {
  const Scenario s = loaded(kSmall).scenario;
  CHECK(s.seed == 1);
  CHECK(s.pools[0].count == 2);
  CHECK(s.fabric.shape == FabricShape::none);
  REQUIRE(s.scheduler.partitions.size() == 1);
  CHECK(s.scheduler.partitions[0].is_default);
  CHECK(s.scheduler.partitions[0].pools == std::vector<PoolId>{PoolId{0}});
  CHECK(s.scheduler.sharing == SharingRule::overflow);
  CHECK_FALSE(s.workload.classes[0].model.has_value());
  CHECK(s.workload.classes[0].limit_factor_median == 2.5);
  CHECK(s.workload.classes[0].arrivals->profile == ArrivalProfile::office_hours);
  CHECK(s.study.candidates == CandidateRule::maximal_fleets);
  CHECK(later(s).empty());
  CHECK_FALSE(result_chain(s).has_value());
}

TEST_CASE("Values that are not built load, later keys are listed") {
  const Scenario s = loaded(edited({{"type: easy", "type: backfill"},
                                    {"sharing: overflow", "sharing: preempt"},
                                    {"search: exhaustive", "search: rounds"},
                                    {"  # existing:", "  existing:"}})
                                .text)
                         .scenario;
  CHECK(s.scheduler.policy == PolicyKind::backfill);
  CHECK(s.scheduler.sharing == SharingRule::preempt);
  REQUIRE(s.pools.size() == 3);
  CHECK(s.pools[2].existing);
  CHECK(s.pools[2].retires == "2022-11");
  const std::vector<std::string> open = later(s);
  CHECK(s.study.search == SearchKind::rounds);
  CHECK(std::find(open.begin(), open.end(), "study.search") == open.end());
  // Without time.starts no date has a place in the run.
  CHECK(std::find(open.begin(), open.end(), "fleet.existing[].retires") != open.end());
}

TEST_CASE("A cap of replications says something in a search by rounds only") {
  const auto told = [](const std::string& study) {
    const Scenario s = loaded(edited({{"search: exhaustive", study}}).text).scenario;
    CHECK(s.study.max_replications == 60);
    const std::vector<std::string> open = later(s);
    return std::find(open.begin(), open.end(), "study.max_replications") != open.end();
  };
  CHECK(told("search: exhaustive\n  max_replications: 60"));
  CHECK_FALSE(told("search: rounds\n  max_replications: 60"));
}

TEST_CASE("The warm-up is a duration or found by the runs, and the canonical text keeps which") {
  CHECK_FALSE(loaded(lab_text()).scenario.time.warm_up_by_mser);
  const LoadedScenario found = loaded(edited({{"warm_up: 4 weeks", "warm_up: mser-5"}}).text);
  CHECK(found.scenario.time.warm_up_by_mser);
  CHECK(found.scenario.time.warm_up == 4 * kWeek);  // until it is found
  CHECK(found.canonical.find("warm_up: mser-5\n") != std::string::npos);
  CHECK(loaded(found.canonical).scenario.time.warm_up_by_mser);
  for (const char* wrong : {"warm_up: mser-6", "warm_up: MSER-5", "warm_up: [mser-5]"})
    CHECK(load_text(edited({{"warm_up: 4 weeks", wrong}}).text).messages.size() == 1);
}

TEST_CASE("A precision is a part of the mean, and then a run has a cap of replications") {
  CHECK(loaded(lab_text()).scenario.time.precision == 0.0);
  const LoadedScenario asked =
      loaded(edited({{"replications: 20", "replications: 20, precision: 2 %"},
                     {"search: exhaustive", "search: exhaustive\n  max_replications: 60"}})
                 .text);
  CHECK(asked.scenario.time.precision == 0.02);
  CHECK(loaded(asked.canonical).scenario.time.precision == 0.02);
  const std::vector<std::string> open = later(asked.scenario);
  CHECK(std::find(open.begin(), open.end(), "study.max_replications") == open.end());
  for (const char* wrong : {"precision: 0", "precision: 101 %", "precision: -1 %"})
    CHECK(load_text(edited({{"replications: 20", std::string("replications: 20, ") + wrong}}).text)
              .messages.size() == 1);
}

TEST_CASE("Durations, numbers and texts are what the schema says, however YAML would guess") {
  const auto with = [](const std::string& time) {
    return loaded(edited({{"max_time: 24 h, default", "max_time: " + time + ", default"}}).text)
        .scenario.scheduler.partitions[0]
        .max_time;
  };
  CHECK(with("1:30:00") == 90 * std::chrono::minutes(1));
  CHECK(with("'1:30:00'") == 90 * std::chrono::minutes(1));
  CHECK(with("2-00:00:00") == 48 * kHour);
  CHECK(loaded(edited({{"seed: 2020", "seed: 010"}}).text).scenario.seed == 10);
  CHECK(loaded(edited({{"name: lab-66-33", "name: no"}}).text).scenario.name == "no");
  CHECK(loaded(edited({{"name: lab-66-33", "name: \"lab: 'a' \u96c6\u7fa4\""}}).text).scenario.name ==
        "lab: 'a' \u96c6\u7fa4");
}

TEST_CASE("Merge keys are applied and the map's own keys win") {
  const std::string text =
      "name: merged\n"
      "fleet: {box: {node: desktop-4x-rtx3090}, counts: {box: 2}}\n"
      "workload:\n"
      "  classes:\n"
      "    a: &a {arrivals: {per_user: 3 /day}, gpus: 1, wall_time: {fixed: 2 h}}\n"
      "    b: {<<: *a, gpus: 2}\n";
  const Scenario s = loaded(text).scenario;
  CHECK(s.workload.classes[1].gpus[0].gpus == 2);
  CHECK(std::get<FixedSpec>(s.workload.classes[1].wall_time.law).value == 2 * kHour);
}

TEST_CASE("--set puts a value at a path, makes maps on the way and names its faults") {
  const auto with = [](const std::vector<std::string>& set) { return LoadOptions{set, ""}; };
  CHECK(loaded(lab_text(), with({"site.pue=1.2", "scheduler.sharing=one-pool"})).scenario.site.pue == 1.2);
  CHECK(loaded(kSmall, with({"site.rack.provided=true"})).scenario.site.rack.provided);
  CHECK(loaded(lab_text(), with({"fleet.counts={proto: 9, scale: 2}"})).scenario.pools[0].count == 9);
  CHECK(loaded(lab_text(), with({"fleet.counts.proto=9", "fleet.counts.scale=2"})).scenario.pools[1].count ==
        2);
  const auto fault = [&](const std::string& set) {
    const Outcome outcome = load_text(lab_text(), with({set}));
    REQUIRE(outcome.diagnostics.size() == 1);
    CHECK(outcome.diagnostics[0].pos.file == "--set");
    CHECK(outcome.diagnostics[0].pos.line == 0);
    return outcome.diagnostics[0].path + ": " + outcome.messages[0];
  };
  CHECK(fault("site.pue=0.5") == "site.pue: 'pue' must be at least 1, not 0.5");
  CHECK(fault("site.peu=1.5") == "site.peu: unknown key 'peu' (did you mean 'pue'?)");
  CHECK(fault("seed.x=1") == "seed.x: 'seed' is not a map, so it has no key 'x'");
  CHECK(fault("site.pue") == ": 'site.pue' is not PATH=VALUE (write e.g. --set site.pue=1.3)");
  CHECK(fault("site.pue=[1").find("this is not YAML") != std::string::npos);
  CHECK(fault("site.pue=").find("'pue' has no value") != std::string::npos);
}

TEST_CASE("The canonical dump loads to the same scenario and the same text") {
  const std::vector<std::string> texts = {
      lab_text(), kSmall,
      edited({{"  # existing:", "  existing:"},
              {"search: exhaustive", "search: rounds\n  max_replications: 60\n  indifference: 3 %"},
              {"split: {scale: 27 %}", "split: {scale: 33.3 %}"},
              {"type: easy", "type: fifo\n  ties: end-first\n  kill_at_limit: false"},
              {"{lognormal: {median: 27 h, mean: 39.6 h, max: 7 days}", "{exponential: {mean: 39.6 h}"},
              {"8.5 /day", "0.1234567 /h"},
              {"name: lab-66-33", "name: \"a \\\"b\\\" \\\\ \u96c6 #: {\""}})
          .text};
  for (const std::string& text : texts) {
    const LoadedScenario first = loaded(text);
    INFO(first.canonical);
    const LoadedScenario second = loaded(first.canonical);
    CHECK(second.canonical == first.canonical);
    CHECK(dump_scenario(second.scenario) == first.canonical);
    CHECK(second.sha256 == first.sha256);
    CHECK(second.scenario.name == first.scenario.name);
    CHECK(second.scenario.request.share == first.scenario.request.share);
    CHECK(second.scenario.pools[0].count == first.scenario.pools[0].count);
    CHECK(later(second.scenario) == later(first.scenario));
    CHECK(figures_text(second.scenario) == figures_text(first.scenario));
  }
}

TEST_CASE("SHA-256 of the standard's example") {
  // FIPS 180-2, appendix B.1: "abc".
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("What a trace loses is told by reason") {
  const TemporaryFolder made;
  const std::filesystem::path& folder = made.path;
  std::ofstream(folder / "tiny.swf") << "1 0 -1 60 1 -1 -1 1 120 -1 1 1 1 -1 1 -1 -1 -1\ngarbage\n"
                                        "2 9 -1 60 -1 -1 -1 -1 120 -1 1 1 1 -1 1 -1 -1 -1\n";
  std::ofstream(folder / "x.yaml") << "name: t\nfleet: {box: {node: desktop-4x-rtx3090}, counts: {box: 1}}\n"
                                      "workload: {trace: {file: tiny.swf}}\n";
  Diagnostics diagnostics;
  std::string source;
  const auto result = load_scenario(folder / "x.yaml", {}, diagnostics, source);
  REQUIRE(result.has_value());
  std::string told;
  for (const Diagnostic& d : diagnostics.sorted()) {
    CHECK(d.severity == Severity::warning);
    CHECK(d.pos.line == 3);
    told += render(d, "");
  }
  CHECK_THAT(told, Catch::Contains("of 3 records 2 were dropped and 0 repaired"));
}

TEST_CASE("A name with a dot stays whole") {
  std::string text = lab_text();
  for (const std::string from : {"    prototype:", "(prototype)"}) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(text.find("prototype", at), 9, "proto.type");
  }
  CHECK(loaded(text).scenario.workload.classes[0].name == "proto.type");
}

TEST_CASE("Every key that the loader asks for is in the schema, and the other way round") {
  const std::string text =
      edited({{"  # existing:", "  existing:"},
              {"  # trace: {file: jobs.swf}                       a",
               "  trace: {file: x.swf, recorded_on: rtx3080, partition: proto, groups: {g: [3]}}  # a"},
              {"reference: supermicro-8x-rtx3080}",
               "reference: supermicro-8x-rtx3080, exponential: {mean: 3 h}}"},
              {"arrivals: {", "arrivals: {closed_loop: {}, "},
              {"  pue: 1.5",
               "  circuits: {}\n  pue: 1.5\n  carbon: {grid: 0.4 kg/kWh, source: EIA, as_of: 2022}"},
              {"  split: {scale: 27 %}",
               "  split: {scale: 27 %}\n  counts: {proto: 1, scale: 1}\n"
               "  deliveries: [{pool: proto, nodes: 1, at: 2 weeks}]"},
              {"  users: 30\n", "  users: 30\n  demand: {load: 1}\n  groups: {g: 30}\n"},
              {"  partitions:\n", "  burst: {interruptions: {}}\n  partitions:\n"},
              {"  search: exhaustive ",
               "  axes: {site.pue: {values: [1]}, site.x: {from: 1}}\n  search: exhaustive "},
              {"\nstudy:", "\nfailures: {node_mtbf: 6300 h, repair: 24 h}\nstudy:"}})
          .text +
      "advice: {tree: guide-2020, buyer: kaggle, cooling_solved: true, model_parallel: false,\n"
      "  bands: {small: {from: 0, below: 100}}}\n"
      "economics: {staff: {}, colocation: {}, depreciation: {}, exchange: {EUR: {}}, rent: {interruptions: "
      "{}}}\n"
      "prices: {rtx3080: {}}\n";
  Diagnostics diagnostics;
  ReadContext context(diagnostics);
  Reader file(context, parse_yaml("x", text, diagnostics));
  Draft draft{Catalog::builtin(), {}, {}, {}, {}, {}, true};
  read_exchange(file, draft);
  read_head(file, draft);
  read_fleet(file, draft);
  read_fabric(file, draft);
  read_site(file, draft);
  read_economics(file, draft);
  read_prices(file, draft);
  read_scheduler(file, draft);
  read_workload(file, draft);
  read_failures(file, draft);
  read_burst(draft);
  read_study(file, draft);
  read_advice(file, draft);
  std::vector<std::string> schema;  // items of a list are read through their keys or values
  for (const SchemaKey& key : scenario_schema().keys())
    if (!key.path.ends_with("[]")) schema.push_back(key.path);
  for (const std::string& asked : context.asked) {
    INFO(asked);
    const bool pool_share = asked.rfind("fleet.split.", 0) == 0 || asked.rfind("fleet.counts.", 0) == 0;
    CHECK((pool_share || std::find(schema.begin(), schema.end(), asked) != schema.end()));
  }
  for (const std::string& legal : schema) {
    INFO(legal);
    CHECK(context.asked.count(legal) == 1);
  }
}

TEST_CASE("A trace file is found beside the scenario") {
  const TemporaryFolder made;
  const std::filesystem::path& folder = made.path;
  std::ofstream(folder / "tiny.swf") << "; MaxProcs: 4\n1 0 -1 60 1 -1 -1 1 120 -1 1 1 1 -1 1 -1 -1 -1\n";
  std::ofstream(folder / "x.yaml") << "name: t\nfleet: {box: {node: desktop-4x-rtx3090}, counts: {box: 1}}\n"
                                      "workload: {trace: {file: tiny.swf, recorded_on: rtx3090}}\n";
  Diagnostics diagnostics;
  std::string source;
  const auto result = load_scenario(folder / "x.yaml", {}, diagnostics, source);
  REQUIRE(result.has_value());
  REQUIRE(result->scenario.workload.trace != nullptr);
  CHECK(result->scenario.workload.trace->jobs.size() == 1);
  CHECK(later(result->scenario).empty());
  REQUIRE(result->scenario.workload.trace_recorded_on.has_value());
  CHECK(result->scenario.workload.trace_recorded_on->name == "rtx3090");
  // Its only job comes at t = 0, in the four weeks of warm-up.
  CHECK(diagnostics.errors() == 0);
  const auto told = diagnostics.sorted();
  REQUIRE(told.size() == 1);
  CHECK_THAT(told.front().message, Catch::Contains("none of its jobs is measured"));
  CHECK(source.substr(0, 7) == "name: t");
}

TEST_CASE("the carbon of the grid is one value or one for each hour, with its source") {
  const auto with_site = [&](const std::string& site) {
    return load_text(kSmall + ("site: " + site + "\n"));
  };
  const Outcome flat = with_site("{carbon: {grid: 400 g/kWh, source: EIA, as_of: 2022}}");
  REQUIRE(flat.loaded.has_value());
  const CarbonSpec& carbon = flat.loaded->scenario.site.facility.carbon;
  REQUIRE(carbon.grid_kg_per_kwh.size() == 1);
  CHECK(carbon.grid_kg_per_kwh[0] == Approx(0.4));
  CHECK(carbon.source == "EIA");
  // What was read is written, and read back.
  const Outcome again = load_text(flat.loaded->canonical);
  REQUIRE(again.loaded.has_value());
  CHECK(again.loaded->canonical == flat.loaded->canonical);
  std::string hours;
  for (int h = 0; h < 24; ++h) hours += fmt::format("{}0.{} kg/kWh", h == 0 ? "" : ", ", h % 10);
  const Outcome by_hour = with_site("{carbon: {grid: [" + hours + "], source: EIA, as_of: 2022}}");
  REQUIRE(by_hour.loaded.has_value());
  CHECK(by_hour.loaded->scenario.site.facility.carbon.grid_kg_per_kwh.size() == 24);
  CHECK_FALSE(with_site("{carbon: {grid: 0.4 kg/kWh, source: EIA}}").loaded.has_value());
  CHECK_FALSE(with_site("{carbon: {grid: 3 kg/kWh, source: EIA, as_of: 2022}}").loaded.has_value());
}
