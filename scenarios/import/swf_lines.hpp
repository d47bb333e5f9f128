// The lines of an SWF text, one after the other, into a Trace. Knows nothing of files or compression.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/import/swf.hpp"
#include "scenarios/import/swf_header.hpp"
#include "scenarios/import/swf_reasons.hpp"
#include "scenarios/import/swf_record.hpp"
#include "sim/base/diagnostic.hpp"
#include "sim/workload/trace.hpp"

namespace fleetsim {

/// Takes the text in pieces of any size; the pieces need not end at line ends. Lines end with LF, CR LF or
/// CR. Holds the jobs read so far and at most one line.
class SwfLines {
 public:
  /// `excerpt` may be null; see read_swf.
  SwfLines(std::string file, const SwfOptions& options, Diagnostics& diagnostics, Excerpt* excerpt)
      : file_(std::move(file)), options_(options), diagnostics_(diagnostics), excerpt_(excerpt) {}

  /// How much text is to come, as a guess: room for the jobs is made once.
  void expect(std::int64_t bytes) { expected_ = bytes; }
  /// False: the text is no SWF at all, the rest need not be read.
  bool feed(std::string_view piece);
  /// The text ends before its end: `fault` says why.
  void break_off(const std::string& fault);
  void warn(std::string sentence) { trace_.warnings.push_back(std::move(sentence)); }
  /// Checks, sorts and hands over. Call once, after the last piece. No jobs when there are errors.
  [[nodiscard]] Trace finish();

  /// A longer line ends the reading: text of one endless line is no trace.
  static constexpr std::size_t kLongestLine = 65'536;

 private:
  /// How often something happened, and where it did first.
  struct Count {
    std::int64_t times = 0;
    std::int64_t line = 0;
    SwfFault fault;
  };

  void whole_lines(const char* at, const char* end);
  void odd_line(std::string_view text);
  void job();
  void keep(TraceJob& job, bool repaired);
  [[nodiscard]] bool usable(SwfReason& reason);
  void refuse(SwfReason reason, const SwfFault* fault = nullptr);
  void note(SwfReason reason, const SwfFault& fault);
  void count(Count& what) {
    if (what.times++ == 0) what.line = line_;
  }
  void stop(std::int64_t line, const std::string& message, const std::string& hint = {});
  void make_room(std::size_t bytes_read);
  [[nodiscard]] std::int64_t line_of(std::size_t job) const;
  void show(std::int64_t line, std::string_view text);
  [[nodiscard]] SourcePos at(std::int64_t line, int column) const {
    return {file_, static_cast<int>(line), column};
  }
  void warn_of_reasons();
  void warn_of_counts();
  void find_duplicates();
  void sort_by_submit();
  void check_span();
  void refuse_empty();

  std::string file_;
  SwfOptions options_;
  Diagnostics& diagnostics_;
  Excerpt* excerpt_;
  std::string carry_;  ///< a line that the last piece did not end
  bool after_cr_ = false;
  bool stopped_ = false;
  std::int64_t expected_ = 0;
  Trace trace_;
  SwfHeader header_;
  SwfRecord record_;
  std::string_view text_;  ///< the line at hand
  std::int64_t line_ = 0;  ///< its number
  /// Lines of jobs: job and line where the line is not the one behind the line of the job before.
  std::vector<std::pair<std::uint32_t, std::int64_t>> line_runs_;
  std::int64_t last_job_line_ = -1;
  std::int64_t last_id_ = std::numeric_limits<std::int64_t>::min();  ///< of the record before
  std::int64_t largest_id_ = std::numeric_limits<std::int64_t>::min();
  std::int64_t last_submit_ = std::numeric_limits<std::int64_t>::min();
  std::int64_t refused_ = 0;  ///< records with faults under OnError::fail
  std::int64_t semicolon_line_ = 0;
  std::array<Count, kSwfReasons> reasons_{};
  Count long_lines_, no_limit_, preceding_, oversized_, unequal_, no_id_, rounded_, unsorted_,
      zero_cancelled_;
  std::int64_t machine_ = std::numeric_limits<std::int64_t>::max();  ///< processors, as the header says
  const char* machine_key_ = "";
  bool ids_ascend_ = true;
};

}  // namespace fleetsim
