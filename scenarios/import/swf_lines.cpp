#include "scenarios/import/swf_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace fleetsim {

namespace {

// Field numbers of the format's definition, less one.
enum Field {
  kId = 0,
  kSubmit = 1,
  kWait = 2,
  kRun = 3,
  kAllocated = 4,
  kRequested = 7,
  kTime = 8,
  kStatus = 10,
  kUser = 11,
  kPreceding = 16
};
constexpr int kCancelled = 5;
/// Seconds that stay well inside the range of simulated time.
constexpr std::int64_t kLongest = std::int64_t{1} << 40;

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}
bool digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string plural(std::int64_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

}  // namespace

void SwfLines::feed(std::string_view piece) {
  while (!piece.empty()) {
    const void* found = std::memchr(piece.data(), '\n', piece.size());
    if (found == nullptr) {
      carry_.append(piece);
      return;
    }
    const auto length = static_cast<std::size_t>(static_cast<const char*>(found) - piece.data());
    if (carry_.empty()) {
      line(piece.substr(0, length));
    } else {
      carry_.append(piece.substr(0, length));
      line(carry_);
      carry_.clear();
    }
    piece.remove_prefix(length + 1);
  }
}

void SwfLines::line(std::string_view text) {
  if (++line_ == 1 && text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end && blank(*at)) ++at;
  if (at == end) return;
  if (*at == ';') {
    header(std::string_view(at, static_cast<std::size_t>(end - at)));
    return;
  }
  ++trace_.rows;
  std::array<Number, kFields> field;
  for (std::size_t f = 0; f < kFields; ++f) {
    while (at < end && blank(*at)) ++at;
    const char* const after = at < end ? parse_number(at, end, field[f]) : nullptr;
    if (after == nullptr) {
      if (malformed_.times == 0) {
        malformed_.what = at < end ? fmt::format("field {} is not a number", f + 1)
                                   : fmt::format("{} instead of 18",
                                                 plural(static_cast<std::int64_t>(f), "field", "fields"));
      }
      malformed_.add(line_);
      drop("malformed");
      return;
    }
    at = after;
  }
  while (at < end && blank(*at)) ++at;
  if (at < end) long_lines_.add(line_);
  job(field);
}

/// Returns the place behind the number, or null when there is none or something sticks to it.
const char* SwfLines::parse_number(const char* at, const char* end, Number& number) {
  const char* const begin = at;
  number.negative = *at == '-';
  if (*at == '-' || *at == '+') ++at;
  const char* const digits = at;
  std::int64_t whole = 0;
  for (; at < end && digit(*at); ++at) {
    if (at - digits < 18) whole = whole * 10 + (*at - '0');  // longer numbers take the slow way below
  }
  if ((at < end && !blank(*at)) || at == digits || at - digits > 18) {
    while (at < end && !blank(*at)) ++at;
    return parse_slowly({begin, static_cast<std::size_t>(at - begin)}, number) ? at : nullptr;
  }
  number.whole = whole;
  return at;
}

/// Fractions and exponents.
bool SwfLines::parse_slowly(std::string_view token, Number& number) {
  if (!token.empty() && token.front() == '+') token.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error != std::errc{} || end != token.data() + token.size() || !(std::abs(value) < 9e15)) return false;
  number.negative = value < 0.0;
  const double whole = std::floor(std::abs(value));
  number.whole = static_cast<std::int64_t>(whole);
  number.micro = static_cast<std::int32_t>(std::lround((std::abs(value) - whole) * 1e6));
  if (number.micro == 1'000'000) {
    ++number.whole;
    number.micro = 0;
  }
  return true;
}

void SwfLines::header(std::string_view text) {
  if (std::count(text.begin(), text.end(), ';') >= 5) ++semicolon_records_;
  while (!text.empty() && (text.front() == ';' || blank(text.front()))) text.remove_prefix(1);
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view key = trimmed(text.substr(0, colon));
  const std::string_view value = trimmed(text.substr(colon + 1));
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool ends = end == value.data() + value.size() || blank(*end);
  if (key.empty() || key.find(' ') != std::string_view::npos || error != std::errc{} || !ends) return;
  if (trace_.header.emplace(key, number).second && key == "MaxProcs" && number > 0) max_procs_ = number;
}

void SwfLines::job(const std::array<Number, kFields>& field) {
  TraceJob job;
  const bool cancelled = field[kStatus].integer() == kCancelled;
  if (field[kSubmit].below_zero()) return drop("no_submit_time");
  if (field[kRun].below_zero()) return drop(cancelled ? "cancelled_before_start" : "no_run_time");
  for (const Field time : {kSubmit, kRun, kTime}) {
    if (field[time].whole > kLongest) return drop("time_out_of_range");
  }
  std::int64_t processors = field[kAllocated].integer();
  const bool repaired = processors <= 0;
  if (repaired) processors = field[kRequested].integer();
  if (processors <= 0) return drop("no_processors");
  if (processors > 1'000'000'000) return drop("processors_out_of_range");

  job.source_id = field[kId].integer();
  job.run = Duration(field[kRun].microseconds());
  job.has_limit = !field[kTime].below_zero() && field[kTime].microseconds() > 0;
  if (job.has_limit) job.limit = Duration(field[kTime].microseconds());
  if (!job.has_limit) no_limit_.add(line_);
  job.processors = static_cast<std::int32_t>(processors);
  const std::int64_t user = field[kUser].integer();
  if (user >= 0 && user <= std::numeric_limits<std::int32_t>::max())
    job.user = static_cast<std::int32_t>(user);
  if (!field[kWait].negative) {
    job.recorded_wait_s = static_cast<double>(field[kWait].whole) + field[kWait].micro / 1e6;
  }
  job.cancelled_before_start = cancelled && job.run == Duration::zero();
  if (field[kPreceding].integer() > 0) preceding_.add(line_);
  if (processors > max_procs_) oversized_.add(line_);
  if (repaired) {
    ++trace_.repaired;
    ++trace_.by_reason["processors_from_request"];
  } else {
    ++trace_.kept;
  }
  if (field[kSubmit].micro != 0 || field[kRun].micro != 0 || field[kTime].micro != 0) {
    trace_.whole_seconds = false;
  }
  const std::int64_t submit = field[kSubmit].microseconds();
  sorted_ = sorted_ && (submit_us_.empty() || submit_us_.back() <= submit);
  ids_ascend_ = ids_ascend_ && (trace_.jobs.empty() || trace_.jobs.back().source_id < job.source_id);
  submit_us_.push_back(submit);
  line_of_.push_back(line_);
  trace_.jobs.push_back(job);
}

void SwfLines::warn_of_counts() {
  auto& warnings = trace_.warnings;
  if (malformed_.times > 0) {
    warnings.push_back(fmt::format("{} dropped: not an SWF record; the first is line {}: {}",
                                   plural(malformed_.times, "line", "lines"), malformed_.first_line,
                                   malformed_.what));
  }
  if (long_lines_.times > 0) {
    warnings.push_back(fmt::format("{} more than 18 fields; the rest was ignored; the first is line {}",
                                   plural(long_lines_.times, "line has", "lines have"),
                                   long_lines_.first_line));
  }
  if (no_limit_.times > 0) {
    warnings.push_back(
        fmt::format("{} no requested time (field 9), so the run time stands for it; the first is line {}",
                    plural(no_limit_.times, "job has", "jobs have"), no_limit_.first_line));
  }
  if (preceding_.times > 0) {
    warnings.push_back(fmt::format(
        "{} a preceding job (field 17); it is not waited for, since the recorded submit times hold",
        plural(preceding_.times, "job names", "jobs name")));
  }
  if (oversized_.times > 0) {
    warnings.push_back(
        fmt::format("{} more processors than the header's MaxProcs of {}; the first is line {}",
                    plural(oversized_.times, "job has", "jobs have"), max_procs_, oversized_.first_line));
  }
  const auto records = trace_.header.find(trace_.header.count("MaxRecords") != 0 ? "MaxRecords" : "MaxJobs");
  if (records != trace_.header.end() && records->second != trace_.rows) {
    warnings.push_back(fmt::format("the header announces {} records ({}), the file has {}", records->second,
                                   records->first, trace_.rows));
  }
}

void SwfLines::warn_of_duplicates() {
  if (ids_ascend_) return;
  std::vector<std::size_t> order(trace_.jobs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return trace_.jobs[a].source_id < trace_.jobs[b].source_id;
  });
  std::int64_t repeated = 0;
  std::string first;
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (trace_.jobs[order[i - 1]].source_id != trace_.jobs[order[i]].source_id) continue;
    if (repeated++ > 0) continue;
    first = fmt::format("id {} at lines {} and {}", trace_.jobs[order[i]].source_id, line_of_[order[i - 1]],
                        line_of_[order[i]]);
  }
  if (repeated > 0) {
    trace_.warnings.push_back(
        fmt::format("{} repeated; the first: {}", plural(repeated, "job id is", "job ids are"), first));
  }
}

void SwfLines::sort_by_submit() {
  const std::size_t n = trace_.jobs.size();
  if (!sorted_) {
    trace_.warnings.emplace_back("the records were not in the order of submission and were sorted");
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return submit_us_[a] < submit_us_[b]; });
    std::vector<TraceJob> jobs;
    std::vector<std::int64_t> submits;
    jobs.reserve(n);
    submits.reserve(n);
    for (const std::size_t i : order) {
      jobs.push_back(trace_.jobs[i]);
      submits.push_back(submit_us_[i]);
    }
    trace_.jobs = std::move(jobs);
    submit_us_ = std::move(submits);
  }
  const std::int64_t origin = submit_us_.front();
  trace_.origin_s = static_cast<double>(origin) / 1e6;
  for (std::size_t j = 0; j < n; ++j) trace_.jobs[j].submit = Instant(Duration(submit_us_[j] - origin));
}

Trace SwfLines::finish(Diagnostics& diagnostics) {
  if (!carry_.empty()) {
    line(carry_);
    carry_.clear();
  }
  if (trace_.rows == 0) {
    const bool other = semicolon_records_ > 0;
    diagnostics.error(at(0), "", "there is no job line in this SWF file",
                      other ? "its lines are fields separated by ';', which SWF reads as comments"
                            : "a job is a line of 18 numbers separated by blanks");
    return std::move(trace_);
  }
  warn_of_counts();
  if (trace_.jobs.empty()) {
    const bool malformed = malformed_.times > 0;
    diagnostics.error(at(malformed ? malformed_.first_line : 0), "",
                      malformed ? fmt::format("none of the {} can be used: {}",
                                              plural(trace_.rows, "line", "lines"), malformed_.what)
                                : "every record lacks its processors or its run time",
                      malformed ? "a job is a line of 18 numbers separated by blanks" : "");
    return std::move(trace_);
  }
  warn_of_duplicates();
  sort_by_submit();
  return std::move(trace_);
}

}  // namespace fleetsim
