// fleetsim replay TRACE: a recorded workload on a plain machine, without a scenario.
#include <fmt/format.h>

#include <algorithm>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/import/swf.hpp"
#include "sim/base/units.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/replay_report.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/table.hpp"
#include "sim/policies/policy.hpp"
#include "sim/study/files.hpp"
#include "sim/workload/from_trace.hpp"

namespace fleetsim::cli {
namespace {

namespace po = boost::program_options;

constexpr PolicyKind kPolicies[] = {PolicyKind::fifo, PolicyKind::easy, PolicyKind::conservative,
                                    PolicyKind::builtin, PolicyKind::backfill};
constexpr OnError kOnError[] = {OnError::skip, OnError::repair, OnError::fail};
constexpr SizeFrom kSizeFrom[] = {SizeFrom::allocated, SizeFrom::requested};
constexpr TieRule kTies[] = {TieRule::batch, TieRule::end_first, TieRule::submit_first};

/// The value whose name is `word`; a UsageError that lists the names otherwise.
template <class Value, std::size_t N>
Value named(const std::string& option, const std::string& word, const Value (&values)[N]) {
  std::vector<std::string> names;
  for (const Value value : values) {
    if (word == to_string(value)) return value;
    names.emplace_back(to_string(value));
  }
  const std::string near = did_you_mean(word, names);
  throw UsageError(fmt::format("'{}' is no value of --{}", word, option),
                   near.empty() ? fmt::format("write one of: {}", fmt::join(names, ", "))
                                : fmt::format("did you mean '{}'?", near));
}

PolicyKind policy_of(const po::variables_map& values) {
  const auto kind = named("policy", values["policy"].as<std::string>(), kPolicies);
  if (has_policy(kind)) return kind;
  std::vector<std::string> built;
  for (const PolicyKind other : kPolicies) {
    if (has_policy(other)) built.emplace_back(to_string(other));
  }
  throw UsageError(fmt::format("the policy '{}' is not built in this version", to_string(kind)),
                   fmt::format("built are: {}", fmt::join(built, ", ")));
}

std::int64_t count_of(const po::variables_map& values, const char* option, std::int64_t most) {
  const auto value = values[option].as<std::int64_t>();
  if (value < 1 || value > most) {
    throw UsageError(fmt::format("--{} must lie between 1 and {}, not {}", option, most, value));
  }
  return value;
}

EnginePool machine_of(const po::variables_map& values) {
  const bool nodes = values.count("nodes") != 0, per_node = values.count("gpus-per-node") != 0;
  const bool processors = values.count("processors") != 0;
  const char* const either = "give either --nodes N --gpus-per-node G, or --processors P";
  if (processors && (nodes || per_node)) throw UsageError("the machine is described twice", either);
  if (!processors && (!nodes || !per_node)) throw UsageError("the machine is not described", either);
  EnginePool pool;
  pool.name = "machine";
  // Processors without node boundaries are one node of all of them.
  pool.nodes = processors ? 1 : static_cast<std::int32_t>(count_of(values, "nodes", 100'000));
  pool.gpus_per_node = static_cast<std::int32_t>(processors ? count_of(values, "processors", 1'000'000'000)
                                                            : count_of(values, "gpus-per-node", 4096));
  return pool;
}

std::string machine_text(const EnginePool& pool, bool processors) {
  if (processors) return counted(pool.gpus_per_node, "processor");
  return counted(pool.nodes, "node") + " of " + counted(pool.gpus_per_node, "GPU");
}

bool yes(const std::string& option, const std::string& word) {
  if (word == "yes") return true;
  if (word == "no") return false;
  throw UsageError(fmt::format("'{}' is no value of --{}", word, option), "write yes or no");
}

/// Reads the trace and says all that its reader has to say. Empty: it cannot be used, exit kWrongInput.
std::optional<Trace> open_trace(const po::variables_map& values) {
  const std::string file = values["trace"].as<std::string>();
  SwfOptions options;
  options.on_error = named("on-error", values["on-error"].as<std::string>(), kOnError);
  options.size_from = named("size-from", values["size-from"].as<std::string>(), kSizeFrom);
  Diagnostics diagnostics;
  Excerpt excerpt;
  Trace trace = read_swf(file, diagnostics, options, &excerpt);
  for (const std::string& warning : trace.warnings) note(fmt::format("{}: warning: {}", file, warning));
  for (const Diagnostic& d : diagnostics.sorted()) {
    const auto line = excerpt.find(d.pos.line);
    std::fputs(render_line(d, line == excerpt.end() ? std::string_view{} : line->second).c_str(), stderr);
  }
  if (diagnostics.has_errors()) return std::nullopt;
  return trace;
}

/// --from or --to; nothing where it is not given.
std::optional<Duration> since_first(const po::variables_map& values, const char* option) {
  if (values.count(option) == 0) return std::nullopt;
  const std::string text = values[option].as<std::string>();
  const Parsed<Duration> parsed = parse_duration(text);
  if (const auto* fault = std::get_if<UnitError>(&parsed))
    throw UsageError(fmt::format("--{} '{}': {}", option, text, fault->message), fault->hint);
  const Duration since = std::get<Duration>(parsed);
  if (since < Duration::zero())
    throw UsageError(fmt::format("--{} '{}' lies before the trace's first job", option, text),
                     "write e.g. '4 weeks'");
  return since;
}

int replay(const Arguments& arguments) {
  CommandLine line(
      "replay", "TRACE (--processors P | --nodes N --gpus-per-node G) [OPTIONS]",
      "Runs a recorded workload (SWF, plain or gzip) on a plain machine and prints waits, slowdown and use.\n"
      "Jobs larger than the machine are not shrunk: they are 'impossible', and their ids are printed.",
      "fleetsim replay kth.swf.gz --processors 100 --policy easy --schedule kth.csv");
  const auto text = [](const char* preset) { return po::value<std::string>()->default_value(preset); };
  line.options.add_options()("trace", po::value<std::string>()->value_name("TRACE"), "the recorded workload")(
      "processors", po::value<std::int64_t>()->value_name("P"), "processors without node boundaries")(
      "nodes", po::value<std::int64_t>()->value_name("N"), "nodes of the machine")(
      "gpus-per-node", po::value<std::int64_t>()->value_name("G"),
      "GPUs a node: a job of at most G sits on one node, a larger one on whole nodes and a part of one")(
      "policy", text("easy")->value_name("NAME"),
      "fifo, easy or conservative (builtin and backfill are not built yet)")(
      "ties", text("batch")->value_name("RULE"), "events of one instant: batch, end-first or submit-first")(
      "kill-at-limit", text("yes")->value_name("yes|no"), "end jobs at their requested time")(
      "on-error", text("repair")->value_name("skip|repair|fail"),
      "records that cannot be taken as they are: drop them, mend what can be mended, or refuse the trace")(
      "size-from", text("allocated")->value_name("allocated|requested"),
      "the size of a job: SWF field 5 or field 8; where it is missing the other one counts")(
      "from", po::value<std::string>()->value_name("TIME"),
      "leaves out jobs submitted earlier than so long after the trace's first one, e.g. '4 weeks'")(
      "to", po::value<std::string>()->value_name("TIME"), "leaves out jobs submitted then or later")(
      "schedule", po::value<std::string>()->value_name("FILE.csv"), "writes job_id,submit,start,end")(
      "format", text("text")->value_name("text|json"), "of what is printed");
  line.positional.add("trace", 1);
  po::variables_map values;
  if (!line.parse(arguments, values)) return kFine;
  if (values.count("trace") == 0) throw UsageError("no trace was given", "see 'fleetsim replay --help'");

  EngineInput input;
  input.policy = policy_of(values);
  input.ties = named("ties", values["ties"].as<std::string>(), kTies);
  input.kill_at_limit = yes("kill-at-limit", values["kill-at-limit"].as<std::string>());
  input.pools.push_back(machine_of(values));
  input.queues.push_back({"all", {PoolId{0}}, {}});
  input.run_time = {1, {1.0}, {}};
  const std::string format = values["format"].as<std::string>();
  if (format != "text" && format != "json") {
    throw UsageError(fmt::format("'{}' is no value of --format", format), "write text or json");
  }

  const std::optional<Duration> from = since_first(values, "from"), to = since_first(values, "to");
  if (to && *to <= from.value_or(Duration::zero()))
    throw UsageError("--to must lie behind --from", "both count from the trace's first job");

  const std::string file = values["trace"].as<std::string>();
  if (values.count("schedule") != 0) {
    refuse_same_file({{"the trace", file}, {"--schedule", values["schedule"].as<std::string>()}});
    expect_writable(values["schedule"].as<std::string>());
  }
  std::optional<Trace> read = open_trace(values);
  if (!read) return kWrongInput;
  const std::int64_t outside = cut_to_window(*read, from, to);
  const Trace& trace = *read;
  if (outside > 0 && trace.jobs.empty())
    note(fmt::format("{}: warning: no job was submitted in the time of --from and --to", file));

  const Workload workload = workload_from_trace(trace, QueueId{0});
  input.requests = &workload.requests;
  input.truth = &workload.truth;
  const EngineResult result = run_engine(input);

  if (values.count("schedule") != 0) {
    write_file(values["schedule"].as<std::string>(), schedule_csv(trace, result));
    const auto& starts = result.jobs.start;
    const auto absent = std::count(starts.begin(), starts.end(), kNever);
    if (absent > 0)
      note(fmt::format("fleetsim: {} never started and {} not in {}", counted(absent, "job"),
                       absent == 1 ? "is" : "are", values["schedule"].as<std::string>()));
  }
  const EnginePool& pool = input.pools.front();
  ReplaySetup setup{file,
                    machine_text(pool, values.count("processors") != 0),
                    to_string(input.policy),
                    to_string(input.ties),
                    input.kill_at_limit,
                    std::int64_t{pool.nodes} * pool.gpus_per_node,
                    outside};
  const ReplaySummary summary = summarise_replay(trace, result, setup.processors);
  print(format == "json" ? replay_json(setup, trace, summary, result)
                         : replay_text(setup, trace, summary, result));
  return kFine;
}

const RegisterCommand kReplay{{"replay", "runs a recorded trace on a plain machine", 30, replay}};

}  // namespace
}  // namespace fleetsim::cli
