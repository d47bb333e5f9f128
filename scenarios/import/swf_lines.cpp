#include "scenarios/import/swf_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace fleetsim {

namespace {

constexpr int kFirstPart = 2, kLastPart = 4, kCancelled = 5;
/// 285 years. Times up to here are exact in microseconds, also as doubles (2^53).
constexpr std::int64_t kLongest_s = 9'000'000'000;
constexpr std::int64_t kMostProcessors = 1'000'000'000;
constexpr std::int32_t kLargestUser = (1 << 29) - 1;
constexpr std::size_t kMostJobs = 2'000'000'000;
/// Faults told one by one; the rest are counted.
constexpr std::int64_t kMostShown = 20;

/// What the first bytes of a text say it is instead, or null.
const char* other_format(std::string_view head) {
  struct Magic {
    std::string_view bytes;
    const char* what;
  };
  using namespace std::string_view_literals;
  static constexpr Magic kAll[] = {
      {"\xFF\xFE"sv, "UTF-16 text; convert it: iconv -f UTF-16 -t UTF-8"},
      {"\xFE\xFF"sv, "UTF-16 text; convert it: iconv -f UTF-16 -t UTF-8"},
      {"\x1F\x8B"sv, "gzip inside gzip; unpack it once: gunzip"},
      {"PK\x03\x04"sv, "a zip archive; unpack it first: unzip"},
      {"\xFD"
       "7zXZ"sv,
       "xz data; unpack them first: xz -d"},
      {"BZh"sv, "bzip2 data; unpack them first: bzip2 -d"},
      {"\x28\xB5\x2F\xFD"sv, "zstd data; unpack them first: zstd -d"},
  };
  for (const Magic& magic : kAll)
    if (head.substr(0, magic.bytes.size()) == magic.bytes) return magic.what;
  return nullptr;
}

}  // namespace

bool SwfLines::feed(std::string_view piece) {
  if (stopped_ || piece.empty()) return !stopped_;
  const std::size_t size = piece.size();
  if (std::exchange(after_cr_, false) && piece.front() == '\n') piece.remove_prefix(1);
  if (!carry_.empty()) {
    const std::size_t found = piece.find_first_of("\r\n");
    carry_.append(piece.substr(0, found == std::string_view::npos ? found : found + 1));
    piece.remove_prefix(found == std::string_view::npos ? piece.size() : found + 1);
    if (found != std::string_view::npos) {
      after_cr_ = carry_.back() == '\r' && piece.empty();
      if (carry_.back() == '\r' && !piece.empty() && piece.front() == '\n') piece.remove_prefix(1);
      const std::string whole = std::exchange(carry_, {});
      whole_lines(whole.data(), whole.data() + whole.size());
    }
  }
  if (const std::size_t last = piece.find_last_of("\r\n"); last != std::string_view::npos) {
    whole_lines(piece.data(), piece.data() + last + 1);
    after_cr_ = piece[last] == '\r' && last + 1 == piece.size();
    piece.remove_prefix(last + 1);
  }
  carry_.append(piece);
  if (carry_.size() > kLongestLine && !stopped_) {
    text_ = carry_;
    stop(line_ + 1, fmt::format("the line is longer than {} bytes: this is no SWF text", kLongestLine));
  }
  make_room(size);
  return !stopped_;
}

void SwfLines::whole_lines(const char* at, const char* const end) {
  while (at < end && !stopped_) {
    const char* const begin = at;
    const char* stop_at = read_plain_record(at, record_);
    const bool plain = stop_at != nullptr;
    if (!plain)
      for (stop_at = at; *stop_at != '\n' && *stop_at != '\r';) ++stop_at;
    at = stop_at + 1;
    if (*stop_at == '\r' && at < end && *at == '\n') ++at;
    ++line_;
    text_ = {begin, static_cast<std::size_t>(stop_at - begin)};
    if (text_.size() > kLongestLine) {
      stop(line_, fmt::format("the line is longer than {} bytes: this is no SWF text", kLongestLine));
    } else if (plain) {
      ++trace_.rows;
      job();
    } else {
      odd_line(text_);
    }
  }
}

/// A comment, an empty line, a record with fractions or anything else.
void SwfLines::odd_line(std::string_view text) {
  if (line_ == 1) {
    if (const char* what = other_format(text)) return stop(1, fmt::format("this is {}", what));
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
    text_ = text;
  }
  while (!text.empty() && swf_blank(text.front())) text.remove_prefix(1);
  if (text.empty()) return;
  if (text.front() == ';') {
    const bool first = header_.semicolon_records() == 0;
    header_.line(text, line_);
    if (first && header_.semicolon_records() != 0) {
      semicolon_line_ = line_;
      show(line_, text_);
    }
    for (const char* key : {"MaxNodes", "MaxProcs"}) {
      if (header_.number(key) <= 0) continue;
      machine_ = header_.number(key);
      machine_key_ = key;
    }
    return;
  }
  ++trace_.rows;
  bool more = false;
  const SwfFault fault = read_record(text_, record_, more);
  if (!fault.what.empty()) return refuse(SwfReason::malformed, &fault);
  if (more) count(long_lines_);
  if (record_.rounded != 0) count(rounded_);
  job();
}

/// False: the record is no job for `reason`, whatever its size.
bool SwfLines::usable(SwfReason& reason) {
  using R = SwfReason;
  const SwfRecord& r = record_;
  const auto no = [&](R why) {
    reason = why;
    return false;
  };
  const std::int64_t status = r.whole[kSwfStatus], id = r.whole[kSwfId];
  // A job that was swapped out has a line for the whole and then one for each part, of statuses 2 to 4.
  const bool part = status >= kFirstPart && status <= kLastPart && id == last_id_;
  last_id_ = id;
  if ((r.huge & SwfRecord::bit(kSwfId)) != 0) return no(R::job_id_out_of_range);
  if (part) return no(R::partial_execution);
  if (r.missing(kSwfSubmit)) return no(R::no_submit_time);
  if (r.negative(kSwfSubmit)) return no(R::negative_submit_time);
  if (r.whole[kSwfSubmit] > kLongest_s) return no(R::submit_time_out_of_range);
  if (r.missing(kSwfRun)) return no(status == kCancelled ? R::cancelled_before_start : R::no_run_time);
  if (r.negative(kSwfRun)) return no(R::negative_run_time);
  if (r.whole[kSwfRun] > kLongest_s) return no(R::run_time_out_of_range);
  return true;
}

void SwfLines::job() {
  using R = SwfReason;
  const SwfRecord& r = record_;
  R reason{};
  if (!usable(reason)) return refuse(reason);
  const bool by_request = options_.size_from == SizeFrom::requested;
  const std::int64_t given = r.whole[kSwfAllocated], asked = r.whole[kSwfRequested];
  const std::int64_t preferred = by_request ? asked : given;
  const std::int64_t processors = preferred > 0 ? preferred : by_request ? given : asked;
  TraceJob job;
  job.run = Duration(r.microseconds(kSwfRun));
  const bool cancelled = r.whole[kSwfStatus] == kCancelled && job.run == Duration::zero();
  if (processors <= 0) return refuse(cancelled ? R::cancelled_before_start : R::no_processors);
  if (processors > kMostProcessors) return refuse(R::processors_out_of_range);

  bool faulty = preferred <= 0;
  if (faulty) reason = by_request ? R::processors_from_allocation : R::processors_from_request;
  const auto mend = [&](R why) {
    if (!faulty) reason = why;
    faulty = true;
  };
  const bool long_wait = r.whole[kSwfWait] > kLongest_s;
  if (!r.negative(kSwfWait) && !long_wait) {
    job.recorded_wait_s = static_cast<double>(r.microseconds(kSwfWait)) / 1e6;
  } else if (!r.missing(kSwfWait)) {
    mend(R::wait_ignored);
  }
  if (r.whole[kSwfTime] > kLongest_s) {
    mend(R::limit_out_of_range);
    job.limit = Duration(kLongest_s * 1'000'000);
  } else if (!r.negative(kSwfTime)) {
    job.limit = Duration(r.microseconds(kSwfTime));
  }
  // A request of no time at all is as good as none.
  job.has_limit = job.limit > Duration::zero();
  if (faulty && options_.on_error != OnError::repair) return refuse(reason);
  job.processors =
      static_cast<std::int32_t>(processors) & 0x3FFFFFFF;  // in range, as checked above: GCC wants to see it
  job.cancelled_before_start = cancelled;
  if (faulty) note(reason, place_of_field(text_, about(reason).field));
  keep(job, faulty);
}

void SwfLines::keep(TraceJob& job, bool repaired) {
  const SwfRecord& r = record_;
  ++(repaired ? trace_.repaired : trace_.kept);
  job.source_id = r.whole[kSwfId];
  const std::int64_t user = r.whole[kSwfUser];
  if (user >= 0 && user <= kLargestUser) job.user = static_cast<std::int32_t>(user) & kLargestUser;
  if (!job.has_limit) count(no_limit_);
  if (job.cancelled_before_start) count(zero_cancelled_);
  if (r.whole[kSwfPreceding] > 0) count(preceding_);
  if (job.processors > machine_) count(oversized_);
  const std::int64_t given = r.whole[kSwfAllocated], asked = r.whole[kSwfRequested];
  if (given != asked && given > 0 && asked > 0) count(unequal_);
  if (r.missing(kSwfId)) count(no_id_);
  constexpr std::uint32_t kTimes =
      SwfRecord::bit(kSwfSubmit) | SwfRecord::bit(kSwfRun) | SwfRecord::bit(kSwfTime);
  trace_.whole_seconds = trace_.whole_seconds && (r.fractions & kTimes) == 0;

  const std::int64_t submit_us = r.microseconds(kSwfSubmit);
  if (submit_us < last_submit_) count(unsorted_);
  last_submit_ = submit_us;
  job.submit = Instant(Duration(submit_us));
  ids_ascend_ = ids_ascend_ && job.source_id > largest_id_;
  largest_id_ = std::max(largest_id_, job.source_id);
  if (line_ != last_job_line_ + 1)
    line_runs_.emplace_back(static_cast<std::uint32_t>(trace_.jobs.size()), line_);
  last_job_line_ = line_;
  trace_.jobs.push_back(job);
  const std::int64_t group = r.whole[kSwfGroup];
  constexpr std::int64_t kLargestGroup = std::numeric_limits<std::int32_t>::max();
  trace_.groups.push_back(group >= 0 && group <= kLargestGroup ? static_cast<std::int32_t>(group) : -1);
}

void SwfLines::note(SwfReason reason, const SwfFault& fault) {
  Count& seen = reasons_[static_cast<std::size_t>(reason)];
  if (seen.times++ > 0) return;
  seen.line = line_;
  seen.fault = fault;
  show(line_, text_);
}

void SwfLines::refuse(SwfReason reason, const SwfFault* fault) {
  ++trace_.dropped;
  const bool first = reasons_[static_cast<std::size_t>(reason)].times == 0;
  const bool told = options_.on_error == OnError::fail && about(reason).remedy != SwfRemedy::normal;
  if (!first && !told) {
    ++reasons_[static_cast<std::size_t>(reason)].times;
    return;
  }
  const SwfFault place = fault != nullptr ? *fault : place_of_field(text_, about(reason).field);
  note(reason, place);
  if (!told || ++refused_ > kMostShown) return;
  show(line_, text_);
  diagnostics_.error(at(line_, place.column), "", place.what.empty() ? about(reason).text : place.what,
                     place.hint, place.width);
}

void SwfLines::show(std::int64_t line, std::string_view text) {
  if (excerpt_ != nullptr) excerpt_->insert_or_assign(static_cast<int>(line), std::string(text));
}

void SwfLines::stop(std::int64_t line, const std::string& message, const std::string& hint) {
  stopped_ = true;
  const char* const other = line == 1 ? other_format(text_) : nullptr;
  diagnostics_.error(at(line, 1), "", other != nullptr ? fmt::format("this is {}", other) : message, hint);
}

void SwfLines::break_off(const std::string& fault) {
  if (!stopped_) stop(line_ + 1, fault, "nothing of it was used; get the file again");
}

/// Once, when the first piece has shown how long the records are: growing would copy all jobs repeatedly.
void SwfLines::make_room(std::size_t bytes_read) {
  if (trace_.jobs.size() > kMostJobs) stop(line_, fmt::format("more than {} jobs", kMostJobs));
  if (expected_ <= 0 || trace_.jobs.empty()) return;
  const double jobs_per_byte = static_cast<double>(trace_.jobs.size()) / static_cast<double>(bytes_read);
  const double jobs = static_cast<double>(std::exchange(expected_, 0)) * jobs_per_byte * 1.04 + 64.0;
  trace_.jobs.reserve(static_cast<std::size_t>(jobs));
}

}  // namespace fleetsim
