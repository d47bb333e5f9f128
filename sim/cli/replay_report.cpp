#include "sim/cli/replay_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "sim/cli/table.hpp"

namespace fleetsim::cli {

namespace {

constexpr double kTau_s = 10.0;
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// The ceil(q * n)-th smallest value.
double percentile(std::vector<double>& values, double q) {
  if (values.empty()) return kNothing;
  const double rank = std::ceil(q * static_cast<double>(values.size()));
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

char* put_number(char* at, std::int64_t value) {
  return std::to_chars(at, at + 24, value).ptr;
}

/// Microseconds as seconds; fractions without trailing zeros.
char* put_seconds(char* at, std::int64_t us) {
  if (us < 0) {
    *at++ = '-';
    us = -us;
  }
  at = put_number(at, us / 1'000'000);
  std::int64_t rest = us % 1'000'000;
  if (rest == 0) return at;
  *at++ = '.';
  for (std::int64_t unit = 100'000; rest > 0; unit /= 10) {
    *at++ = static_cast<char>('0' + rest / unit);
    rest %= unit;
  }
  return at;
}

std::string number(double value, const char* unit) {
  return std::isnan(value) ? "none" : fmt::format("{:.4f}{}", value, unit);
}

nlohmann::ordered_json figure(double value) {
  return std::isnan(value) ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(value);
}

/// 3, 17, 25 and 4 more
std::string first_ids(const std::vector<std::int64_t>& ids) {
  constexpr std::size_t kMost = 8;
  const std::size_t shown = std::min(kMost, ids.size());
  const auto last = ids.begin() + static_cast<std::ptrdiff_t>(shown);
  const std::string text = fmt::format("{}", fmt::join(ids.begin(), last, ", "));
  return ids.size() > shown ? fmt::format("{} and {} more", text, ids.size() - shown) : text;
}

}  // namespace

ReplaySummary summarise_replay(const Trace& trace, const EngineResult& result, std::int64_t processors) {
  ReplaySummary summary;
  const JobOutcome& jobs = result.jobs;
  std::vector<double> waits;
  waits.reserve(trace.jobs.size());
  double slowdown = 0.0, work_s = 0.0, sum = 0.0;
  std::int64_t zero = 0;
  Instant last = kStart;
  for (std::size_t j = 0; j < trace.jobs.size(); ++j) {
    const TraceJob& job = trace.jobs[j];
    if (jobs.state[j] != JobState::dormant) ++summary.jobs;
    ++summary.states[static_cast<std::size_t>(jobs.state[j])];
    if (jobs.state[j] == JobState::impossible) summary.impossible.push_back(job.source_id);
    if (jobs.start[j] == kNever || jobs.end[j] == kNever) continue;
    const double wait = to_seconds(jobs.start[j] - jobs.submit[j]);
    const double run = to_seconds(jobs.end[j] - jobs.start[j]);
    waits.push_back(wait);
    sum += wait;
    zero += wait == 0.0 ? 1 : 0;
    slowdown += std::max(1.0, (wait + run) / std::max(run, kTau_s));
    work_s += run * job.processors;
    last = std::max(last, jobs.end[j]);
    if (job.recorded_wait_s < 0.0) continue;
    ++summary.recorded_waits;
    summary.recorded_wait_s += job.recorded_wait_s;
    summary.simulated_wait_s_of_these += wait;
  }
  std::sort(summary.impossible.begin(), summary.impossible.end());
  const auto n = static_cast<double>(waits.size());
  summary.wait_s = sum / n;
  summary.zero_wait_share = static_cast<double>(zero) / n;
  summary.bounded_slowdown = slowdown / n;
  summary.recorded_wait_s /= static_cast<double>(summary.recorded_waits);
  summary.simulated_wait_s_of_these /= static_cast<double>(summary.recorded_waits);
  summary.wait_s_p50 = percentile(waits, 0.5);
  summary.wait_s_p90 = percentile(waits, 0.9);
  summary.makespan_s = waits.empty() ? kNothing : to_seconds(last - trace.jobs.front().submit);
  summary.utilisation = work_s / (static_cast<double>(processors) * summary.makespan_s);
  return summary;
}

std::string schedule_csv(const Trace& trace, const EngineResult& result) {
  const std::size_t n = trace.jobs.size();
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  const auto by_id = [&](std::uint32_t a, std::uint32_t b) {
    return trace.jobs[a].source_id < trace.jobs[b].source_id;
  };
  if (!std::is_sorted(order.begin(), order.end(), by_id)) std::stable_sort(order.begin(), order.end(), by_id);
  const auto origin_us = static_cast<std::int64_t>(std::llround(trace.origin_s * 1e6));
  std::string text = "job_id,submit,start,end\n";
  text.reserve(text.size() + n * 48);
  char line[128];
  for (const std::uint32_t j : order) {
    const JobOutcome& jobs = result.jobs;
    if (jobs.start[j] == kNever || jobs.end[j] == kNever) continue;
    char* at = put_number(line, trace.jobs[j].source_id);
    for (const Instant t : {jobs.submit[j], jobs.start[j], jobs.end[j]}) {
      *at++ = ',';
      at = put_seconds(at, origin_us + t.time_since_epoch().count());
    }
    *at++ = '\n';
    text.append(line, static_cast<std::size_t>(at - line));
  }
  return text;
}

std::string replay_text(const ReplaySetup& setup, const Trace& trace, const ReplaySummary& summary,
                        const EngineResult& result) {
  std::string text;
  const auto row = [&](const char* name, const std::string& value) {
    text += fmt::format("{:<18}{}\n", name, value);
  };
  row("trace", setup.file);
  std::string rows = fmt::format("{}: {} kept, {} repaired, {} dropped", trace.rows, trace.kept,
                                 trace.repaired, trace.dropped);
  for (const auto& [reason, count] : trace.by_reason) rows += fmt::format("; {} {}", reason, count);
  row("records", rows);
  if (setup.outside > 0) row("left out", counted(setup.outside, "job") + " outside --from and --to");
  row("machine", setup.machine);
  row("policy", fmt::format("{}, ties {}, kill at limit {}", setup.policy, setup.ties,
                            setup.kill_at_limit ? "yes" : "no"));
  std::string states = fmt::format("{} submitted", summary.jobs);
  for (int s = 0; s < kJobStates; ++s) {
    if (summary.states[s] > 0) {
      states += fmt::format(", {} {}", summary.states[s], to_string(static_cast<JobState>(s)));
    }
  }
  row("jobs", states);
  if (!summary.impossible.empty()) row("impossible jobs", first_ids(summary.impossible));
  row("mean wait", number(summary.wait_s, " s"));
  row("wait p50, p90", number(summary.wait_s_p50, " s") + ", " + number(summary.wait_s_p90, " s"));
  row("zero wait", number(100.0 * summary.zero_wait_share, " %"));
  if (summary.recorded_waits > 0) {
    row("recorded wait",
        fmt::format("{:.4f} s in {} job{} with a recorded wait, simulated {:.4f} s", summary.recorded_wait_s,
                    summary.recorded_waits, summary.recorded_waits == 1 ? "" : "s",
                    summary.simulated_wait_s_of_these));
  }
  row("bounded slowdown", number(summary.bounded_slowdown, " (tau 10 s)"));
  row("makespan", number(summary.makespan_s, " s"));
  row("utilisation", number(100.0 * summary.utilisation, " %"));
  row("replay hash", fmt::format("{:016x}", result.replay_hash));
  return text;
}

std::string replay_json(const ReplaySetup& setup, const Trace& trace, const ReplaySummary& summary,
                        const EngineResult& result) {
  nlohmann::ordered_json json;
  json["trace"] = setup.file;
  json["rows"] = trace.rows;
  json["kept"] = trace.kept;
  json["repaired"] = trace.repaired;
  json["dropped"] = trace.dropped;
  json["by_reason"] = nlohmann::ordered_json(trace.by_reason);
  json["outside_window"] = setup.outside;
  json["warnings"] = trace.warnings;
  json["time_zone"] =
      trace.time_zone.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(trace.time_zone);
  json["machine"] = setup.machine;
  json["processors"] = setup.processors;
  json["policy"] = setup.policy;
  json["ties"] = setup.ties;
  json["kill_at_limit"] = setup.kill_at_limit;
  json["jobs"] = summary.jobs;
  auto& states = json["states"] = nlohmann::ordered_json::object();
  for (int s = 0; s < kJobStates; ++s) {
    const auto state = static_cast<JobState>(s);
    if (state == JobState::dormant || state == JobState::pending || state == JobState::running) continue;
    states[to_string(state)] = summary.states[s];
  }
  json["impossible_job_ids"] = summary.impossible;
  json["wait_s"] = figure(summary.wait_s);
  json["wait_s_p50"] = figure(summary.wait_s_p50);
  json["wait_s_p90"] = figure(summary.wait_s_p90);
  json["zero_wait_share"] = figure(summary.zero_wait_share);
  json["recorded_waits"] = summary.recorded_waits;
  json["recorded_wait_s"] = figure(summary.recorded_wait_s);
  json["simulated_wait_s_of_recorded"] = figure(summary.simulated_wait_s_of_these);
  json["bounded_slowdown"] = figure(summary.bounded_slowdown);
  json["makespan_s"] = figure(summary.makespan_s);
  json["utilisation"] = figure(summary.utilisation);
  json["events"] = result.events;
  json["replay_hash"] = fmt::format("{:016x}", result.replay_hash);
  return json.dump(2) + "\n";
}

}  // namespace fleetsim::cli
