// What is done and said once the last line of an SWF text is read.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "scenarios/import/swf_lines.hpp"

namespace fleetsim {

namespace {

std::string plural(std::int64_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string place(std::int64_t line, const SwfFault& fault) {
  return fmt::format("line {}, column {}", line, fault.column);
}

/// Puts jobs[order[i]] at i. Needs no second copy of the jobs; `order` is used up.
void arrange(std::vector<TraceJob>& jobs, std::vector<std::uint32_t>& order) {
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    if (order[i] == i) continue;
    const TraceJob first = jobs[i];
    std::uint32_t at = i;
    for (std::uint32_t from = order[at]; from != i; from = order[at]) {
      jobs[at] = jobs[from];
      order[at] = at;
      at = from;
    }
    jobs[at] = first;
    order[at] = at;
  }
}

}  // namespace

std::int64_t SwfLines::line_of(std::size_t job) const {
  const auto behind = std::upper_bound(line_runs_.begin(), line_runs_.end(), job,
                                       [](std::size_t j, const auto& run) { return j < run.first; });
  const auto& run = *(behind - 1);
  return run.second + static_cast<std::int64_t>(job - run.first);
}

void SwfLines::warn_of_reasons() {
  for (const SwfReasonInfo& info : swf_reasons()) {
    const Count& seen = reasons_[static_cast<std::size_t>(info.reason)];
    if (seen.times == 0) continue;
    trace_.by_reason[info.name] = seen.times;
    if (options_.on_error == OnError::fail && info.remedy != SwfRemedy::normal) continue;  // told one by one
    const bool repaired = info.remedy == SwfRemedy::mend && options_.on_error == OnError::repair;
    std::string text = seen.fault.what.empty() ? info.text : seen.fault.what;
    if (!seen.fault.hint.empty()) text += " (" + seen.fault.hint + ")";
    warn(fmt::format("{} {} as {}; the first is {}: {}", plural(seen.times, "record", "records"),
                     repaired ? "repaired" : "dropped", info.name, place(seen.line, seen.fault), text));
  }
}

void SwfLines::warn_of_counts() {
  const auto tell = [&](const Count& seen, const char* one, const char* many, const std::string& rest) {
    if (seen.times > 0)
      warn(fmt::format("{} {}; the first is line {}", plural(seen.times, one, many), rest, seen.line));
  };
  tell(long_lines_, "line has", "lines have", "more than 18 fields; the rest was ignored");
  tell(no_limit_, "job has", "jobs have", "no requested time (field 9), so the run time stands for it");
  tell(preceding_, "job names", "jobs name",
       "a preceding job (field 17); it is not waited for and its think time (field 18) is ignored, since the "
       "recorded submit times hold");
  tell(oversized_, "job has", "jobs have",
       fmt::format("more processors than the header's {} of {}; cores and nodes may be mixed up",
                   machine_key_, machine_));
  tell(unequal_, "job was given", "jobs were given",
       fmt::format("another number of processors than asked for; the {} counts",
                   options_.size_from == SizeFrom::requested ? "requested one (field 8)"
                                                             : "allocated one (field 5)"));
  tell(no_id_, "job has", "jobs have", "no id (field 1) and keeps -1");
  tell(rounded_, "record has", "records have", "digits below a millionth, which were rounded");
  tell(zero_cancelled_, "job was", "jobs were",
       "cancelled (status 5) after 0 s and stays in the trace as a job of 0 s");
  tell(unsorted_, "record is", "records are",
       "not in the order of submission; all were sorted by submit time, then job id");
  for (std::string& warning : header_.warnings()) warn(std::move(warning));
  const char* const key = header_.numbers().count("MaxRecords") != 0 ? "MaxRecords" : "MaxJobs";
  const auto records = header_.numbers().find(key);
  if (records != header_.numbers().end() && records->second != trace_.rows) {
    warn(fmt::format("the header announces {} records ({}), the file has {}", records->second, key,
                     trace_.rows));
  }
}

void SwfLines::find_duplicates() {
  if (ids_ascend_) return;
  const std::vector<TraceJob>& jobs = trace_.jobs;
  std::vector<std::uint32_t> order(jobs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return jobs[a].source_id != jobs[b].source_id ? jobs[a].source_id < jobs[b].source_id : a < b;
  });
  std::int64_t repeated = 0;
  std::uint32_t first = 0, second = 0;  // of the pair whose second line comes first
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::int64_t id = jobs[order[i]].source_id;
    if (jobs[order[i - 1]].source_id != id || id == -1) continue;
    if (repeated++ == 0 || order[i] < second) first = order[i - 1], second = order[i];
  }
  if (repeated == 0) return;
  const std::string which =
      fmt::format("id {} at lines {} and {}", jobs[second].source_id, line_of(first), line_of(second));
  if (options_.on_error == OnError::fail) {
    diagnostics_.error(
        at(line_of(second), 1), "",
        fmt::format("{} repeated; the first: {}", plural(repeated, "job id is", "job ids are"), which));
  } else {
    warn(fmt::format("{} repeated; all such jobs are kept; the first: {}",
                     plural(repeated, "job id is", "job ids are"), which));
  }
}

/// Submit times that never fall keep the order of the file. Otherwise the job id decides between equal
/// times, so that a shuffled trace gives the jobs of the sorted one.
void SwfLines::sort_by_submit() {
  std::vector<TraceJob>& jobs = trace_.jobs;
  if (unsorted_.times > 0) {
    std::vector<std::uint32_t> order(jobs.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (jobs[a].submit != jobs[b].submit) return jobs[a].submit < jobs[b].submit;
      if (jobs[a].source_id != jobs[b].source_id) return jobs[a].source_id < jobs[b].source_id;
      return a < b;
    });
    std::vector<std::int32_t> groups;
    groups.reserve(order.size());
    for (const std::uint32_t from : order) groups.push_back(trace_.groups[from]);
    trace_.groups = std::move(groups);
    arrange(jobs, order);
  }
  const Duration origin = jobs.front().submit.time_since_epoch();
  trace_.origin_s = to_seconds(origin);
  for (TraceJob& job : jobs) job.submit -= origin;
}

/// Even one job after the other must end within simulated time.
void SwfLines::check_span() {
  double span_s = to_seconds(trace_.jobs.back().submit);
  for (const TraceJob& job : trace_.jobs) span_s += to_seconds(job.run);
  if (span_s < 1e12) return;
  diagnostics_.error(
      {file_, 0, 0}, "",
      fmt::format("the run times of all jobs add up to {:.0f} years, more than can be simulated",
                  span_s / 31'557'600.0),
      "times are seconds; are these milliseconds?");
}

/// Every record was dropped.
void SwfLines::refuse_empty() {
  const Count* first = nullptr;
  bool faults = false;
  for (const SwfReasonInfo& info : swf_reasons()) {
    const Count& seen = reasons_[static_cast<std::size_t>(info.reason)];
    if (seen.times == 0 || info.remedy == SwfRemedy::normal) continue;
    if (!faults || seen.line < first->line) first = &seen;
    faults = true;
  }
  if (!faults) return warn("no record is a job that ran");
  if (options_.on_error == OnError::fail) return;  // told one by one
  const auto reason = static_cast<SwfReason>(first - reasons_.data());
  std::string counts;
  for (const auto& [name, n] : trace_.by_reason)
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", n, name);
  diagnostics_.error(
      at(first->line, first->fault.column), "",
      fmt::format("none of the {} can be used ({}): {}", plural(trace_.rows, "record", "records"), counts,
                  first->fault.what.empty() ? about(reason).text : first->fault.what),
      !first->fault.hint.empty()       ? first->fault.hint
      : reason == SwfReason::malformed ? "a job is a line of 18 numbers separated by blanks"
                                       : "",
      first->fault.width);
}

Trace SwfLines::finish() {
  const int before = diagnostics_.errors();
  if (!stopped_ && !carry_.empty()) {
    const std::string last = std::exchange(carry_, {}) + '\n';
    whole_lines(last.data(), last.data() + last.size());
  }
  trace_.header = header_.numbers();
  trace_.time_zone = header_.time_zone();
  if (stopped_) return {};
  if (trace_.rows == 0 && header_.semicolon_records() > 0) {
    diagnostics_.error(at(semicolon_line_, 1), "",
                       fmt::format("this is not SWF: {} of fields separated by ';', and SWF takes lines "
                                   "that begin with ';' for comments",
                                   plural(header_.semicolon_records(), "line is made", "lines are made")),
                       "a job is a line of 18 numbers separated by blanks");
    return {};
  }
  warn_of_reasons();
  warn_of_counts();
  if (trace_.rows == 0) {
    warn("there is no job line in this file");
  } else if (trace_.jobs.empty()) {
    refuse_empty();
  } else {
    find_duplicates();
    sort_by_submit();
    check_span();
  }
  if (refused_ > 20) {
    diagnostics_.error({file_, 0, 0}, "",
                       fmt::format("{} records are refused; the first 20 are shown", refused_));
  }
  if (refused_ > 0 || diagnostics_.errors() > before) trace_.jobs.clear();
  return std::move(trace_);
}

}  // namespace fleetsim
