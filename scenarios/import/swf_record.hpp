// One record of an SWF file: 18 numbers separated by blanks.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace fleetsim {

inline constexpr int kSwfFields = 18;

/// Places in a record: the numbers of the format's definition, less one.
enum SwfField : int {
  kSwfId = 0,
  kSwfSubmit = 1,
  kSwfWait = 2,
  kSwfRun = 3,
  kSwfAllocated = 4,
  kSwfRequested = 7,
  kSwfTime = 8,
  kSwfStatus = 10,
  kSwfUser = 11,
  kSwfGroup = 12,
  kSwfPreceding = 16
};

/// Whole parts and, where a record has fractions, millionths of the same sign.
struct SwfRecord {
  std::array<std::int64_t, kSwfFields> whole;
  std::array<std::int32_t, kSwfFields> micro;  ///< meaningful where `fractions` has the field's bit
  std::uint32_t fractions = 0;
  std::uint32_t rounded = 0;  ///< fields with digits below a millionth that were lost
  std::uint32_t huge = 0;     ///< fields beyond 64 bits; `whole` holds the sign and a huge value

  [[nodiscard]] static constexpr std::uint32_t bit(int field) { return std::uint32_t{1} << field; }
  [[nodiscard]] bool missing(int field) const { return whole[at(field)] == -1 && !has_fraction(field); }
  [[nodiscard]] bool negative(int field) const {
    return whole[at(field)] < 0 || (has_fraction(field) && micro[at(field)] < 0);
  }
  /// Only for values within +-9e12.
  [[nodiscard]] std::int64_t microseconds(int field) const {
    return whole[at(field)] * 1'000'000 + (has_fraction(field) ? micro[at(field)] : 0);
  }

 private:
  [[nodiscard]] static constexpr std::size_t at(int field) { return static_cast<std::size_t>(field); }
  [[nodiscard]] bool has_fraction(int field) const { return (fractions & bit(field)) != 0; }
};

/// The usual record: 18 plain whole numbers and nothing else. `at` is the begin of a line; a line end must
/// follow somewhere. Returns the place of the line end, or null when the line is anything else (then `record`
/// is undefined). No bounds are checked: the line end stops every loop.
[[nodiscard]] const char* read_plain_record(const char* at, SwfRecord& record);

/// What is wrong with a line, and where: columns from 1.
struct SwfFault {
  std::string what;  ///< empty: nothing
  std::string hint;
  int column = 1;
  int width = 1;
};

/// Any record: fractions, exponents, more fields than 18 (`more` is set), other blanks.
[[nodiscard]] SwfFault read_record(std::string_view line, SwfRecord& record, bool& more);

/// Where field `number` (from 1) stands in the line, for messages. Behind the line when it has fewer.
[[nodiscard]] SwfFault place_of_field(std::string_view line, int number);

/// One number in any legal spelling, exact to a millionth. False: `token` is none.
[[nodiscard]] bool read_number(std::string_view token, int field, SwfRecord& record);

/// Blanks between fields; CR and LF end lines and never come here.
[[nodiscard]] constexpr bool swf_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

/// `text` in quotes with bytes that are not printable as \xNN, cut after 24 characters.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace fleetsim
