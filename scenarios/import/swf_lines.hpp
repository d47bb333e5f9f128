// The lines of an SWF text, one after the other, into a Trace. Knows nothing of files or compression.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostic.hpp"
#include "sim/workload/trace.hpp"

namespace fleetsim {

/// Takes the text in pieces of any size; the pieces need not end at line ends.
class SwfLines {
 public:
  explicit SwfLines(std::string file) : file_(std::move(file)) {}

  void feed(std::string_view piece);
  /// Sorts, checks and hands over. Call once, after the last piece.
  [[nodiscard]] Trace finish(Diagnostics& diagnostics);

 private:
  /// One number of a job line. SWF counts in whole seconds, but logs with fractions exist.
  struct Number {
    std::int64_t whole = 0;
    std::int32_t micro = 0;
    bool negative = false;
    [[nodiscard]] bool below_zero() const { return negative && (whole != 0 || micro != 0); }
    [[nodiscard]] std::int64_t integer() const { return negative ? -whole : whole; }
    [[nodiscard]] std::int64_t microseconds() const {
      return (whole * 1'000'000 + micro) * (negative ? -1 : 1);
    }
  };
  /// How often something happened, and the first line where it did.
  struct Count {
    std::int64_t times = 0;
    std::int64_t first_line = 0;
    std::string what;  ///< about the first line
    void add(std::int64_t line) {
      if (times++ == 0) first_line = line;
    }
  };
  static constexpr std::size_t kFields = 18;

  void line(std::string_view text);
  void header(std::string_view text);
  void job(const std::array<Number, kFields>& field);
  void drop(const char* reason) {
    ++trace_.dropped;
    ++trace_.by_reason[reason];
  }
  static const char* parse_number(const char* at, const char* end, Number& number);
  static bool parse_slowly(std::string_view token, Number& number);
  void warn_of_counts();
  void warn_of_duplicates();
  void sort_by_submit();
  [[nodiscard]] SourcePos at(std::int64_t number) const { return {file_, static_cast<int>(number), 1}; }

  std::string file_;
  std::string carry_;  ///< a line that the last piece did not end
  Trace trace_;
  std::vector<std::int64_t> submit_us_;
  std::vector<std::int64_t> line_of_;
  std::int64_t line_ = 0;
  std::int64_t semicolon_records_ = 0;  ///< comment lines that look like records of another format
  std::int64_t max_procs_ = std::numeric_limits<std::int64_t>::max();  ///< as the header says
  Count malformed_, long_lines_, no_limit_, preceding_, oversized_;
  bool sorted_ = true;
  bool ids_ascend_ = true;
};

}  // namespace fleetsim
