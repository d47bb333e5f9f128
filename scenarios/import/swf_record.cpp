#include "scenarios/import/swf_record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/diagnostic.hpp"

namespace fleetsim {

namespace {

constexpr std::int64_t kHuge = std::int64_t{1} << 62;
/// Fields that count or name something, so that a fraction is a mistake: id, processors, status, user, group,
/// executable, queue, partition, preceding job.
constexpr std::uint32_t kWholeFields =
    SwfRecord::bit(0) | SwfRecord::bit(4) | SwfRecord::bit(7) | 0b1'1111'1100'0000'0000U;

bool digit(char c) {
  return c >= '0' && c <= '9';
}

/// 10^n for n of 0 to 18.
std::uint64_t power_of_ten(int n) {
  std::uint64_t power = 1;
  for (; n > 0; --n) power *= 10;
  return power;
}

/// A number as read: digits * 10^exponent; `lost`: digits that are not zero did not fit.
struct Decimal {
  bool minus = false, lost = false;
  std::uint64_t digits = 0;
  int exponent = 0;
};

/// Reads sign, digits, point, digits, exponent; false when the token is anything else.
bool read_decimal(std::string_view token, Decimal& d) {
  std::size_t i = 0;
  const auto at_digit = [&] { return i < token.size() && digit(token[i]); };
  if (!token.empty() && (token[0] == '-' || token[0] == '+')) d.minus = token[i++] == '-';
  bool any = false, point = false;
  int kept = 0;
  for (; at_digit() || (i < token.size() && token[i] == '.' && !point); ++i) {
    if (token[i] == '.') {
      point = true;
      continue;
    }
    any = true;
    const auto value = static_cast<unsigned>(token[i] - '0');
    if (kept < 18) {
      d.digits = d.digits * 10 + value;
      kept += d.digits != 0 ? 1 : 0;
      d.exponent -= point ? 1 : 0;
    } else {
      d.lost = d.lost || value != 0;
      d.exponent += point ? 0 : 1;
    }
  }
  if (!any) return false;
  if (i == token.size()) return true;
  if (token[i] != 'e' && token[i] != 'E') return false;
  ++i;
  const bool down = i < token.size() && token[i] == '-';
  if (i < token.size() && (token[i] == '-' || token[i] == '+')) ++i;
  if (!at_digit()) return false;
  int power = 0;
  for (; at_digit(); ++i) power = std::min(power * 10 + (token[i] - '0'), 1'000'000);
  d.exponent += down ? -power : power;
  return i == token.size();
}

}  // namespace

bool read_number(std::string_view token, int field, SwfRecord& record) {
  Decimal d;
  if (!read_decimal(token, d)) return false;
  std::uint64_t whole = 0, micro = 0;
  bool rounded = d.lost && d.exponent < 0, huge = false;
  if (d.digits == 0) {
  } else if (d.exponent >= 0) {
    huge = d.exponent > 18 || __builtin_mul_overflow(d.digits, power_of_ten(d.exponent), &whole);
  } else {
    const int places = -d.exponent;
    const std::uint64_t unit = places <= 18 ? power_of_ten(places) : 0;  // 0: the whole part is 0
    whole = unit != 0 ? d.digits / unit : 0;
    const std::uint64_t rest = unit != 0 ? d.digits % unit : d.digits;
    if (places <= 6) {
      micro = rest * power_of_ten(6 - places);
    } else if (places - 6 <= 18) {
      const std::uint64_t step = power_of_ten(places - 6);
      micro = rest / step + (rest % step >= step - step / 2 ? 1 : 0);
      rounded = rounded || rest % step != 0;
    } else {
      rounded = true;
    }
    if (micro == 1'000'000) {
      micro = 0;
      ++whole;
    }
  }
  huge = huge || whole > static_cast<std::uint64_t>(kHuge);
  if (huge) whole = static_cast<std::uint64_t>(kHuge), micro = 0;
  const auto f = static_cast<std::size_t>(field);
  const std::uint32_t bit = SwfRecord::bit(field);
  record.whole[f] = d.minus ? -static_cast<std::int64_t>(whole) : static_cast<std::int64_t>(whole);
  record.micro[f] = d.minus ? -static_cast<std::int32_t>(micro) : static_cast<std::int32_t>(micro);
  if (micro != 0) record.fractions |= bit;
  if (rounded) record.rounded |= bit;
  if (huge) record.huge |= bit;
  return true;
}

const char* read_plain_record(const char* at, SwfRecord& record) {
  record.fractions = record.rounded = record.huge = 0;
  for (std::int64_t& field : record.whole) {
    while (*at == ' ' || *at == '\t') ++at;
    // Most fields of most logs are missing.
    if (*at == '-' && at[1] == '1' && at[2] == ' ') {
      field = -1;
      at += 3;
      continue;
    }
    const bool minus = *at == '-';
    at += minus ? 1 : 0;
    auto value = static_cast<unsigned>(static_cast<unsigned char>(*at)) - '0';
    if (value > 9) return nullptr;
    const char* const begin = at;
    std::uint64_t number = 0;
    do {
      number = number * 10 + value;
      value = static_cast<unsigned>(static_cast<unsigned char>(*++at)) - '0';
    } while (value <= 9);
    // 18 digits fit; longer ones, and what sticks to a number, take the slow way.
    if (at - begin > 18) return nullptr;
    field = minus ? -static_cast<std::int64_t>(number) : static_cast<std::int64_t>(number);
    if (*at != ' ' && *at != '\t' && *at != '\n' && *at != '\r') return nullptr;
  }
  while (*at == ' ' || *at == '\t') ++at;
  return *at == '\n' || *at == '\r' ? at : nullptr;
}

namespace {

/// Columns count characters, as everywhere in messages: UTF-8 bytes inside a character do not count.
int column_of(std::string_view line, std::size_t offset) {
  const std::string_view before = line.substr(0, offset);
  return 1 + static_cast<int>(std::count_if(before.begin(), before.end(), [](char c) {
           return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
         }));
}

/// The next field of `line` at or behind `at`; empty at the end. `at` is moved behind it, `begin` to it.
std::string_view next_field(std::string_view line, std::size_t& at, std::size_t& begin) {
  while (at < line.size() && swf_blank(line[at])) ++at;
  begin = at;
  while (at < line.size() && !swf_blank(line[at])) ++at;
  return line.substr(begin, at - begin);
}

SwfFault fault_at(std::string_view line, std::size_t begin, std::size_t width, std::string what,
                  std::string hint) {
  return {std::move(what), std::move(hint), column_of(line, begin),
          static_cast<int>(std::clamp<std::size_t>(width, 1, 60))};
}

std::string hint_for(std::string_view token) {
  if (token.find('\0') != std::string_view::npos) return "NUL bytes: is the file UTF-16 or binary?";
  std::string point(token);
  const std::size_t comma = point.find(',');
  SwfRecord scratch;
  if (comma != std::string::npos) {
    point[comma] = '.';
    if (read_number(point, 0, scratch)) return fmt::format("a decimal comma? write {}", point);
  }
  for (const char separator : {';', ',', '|'}) {
    if (std::count(token.begin(), token.end(), separator) >= 3)
      return fmt::format("the fields seem to be separated by '{}'; SWF separates them by blanks", separator);
  }
  return {};
}

}  // namespace

std::string quoted(std::string_view text) {
  return "'" + printable(text.substr(0, 24)) + (text.size() > 24 ? "...'" : "'");
}

SwfFault read_record(std::string_view line, SwfRecord& record, bool& more) {
  record.fractions = record.rounded = record.huge = 0;
  std::size_t at = 0, begin = 0;
  for (int f = 0; f < kSwfFields; ++f) {
    const std::string_view token = next_field(line, at, begin);
    if (token.empty()) {
      return fault_at(line, begin, 1, fmt::format("{} field{} instead of 18", f, f == 1 ? "" : "s"), "");
    }
    if (!read_number(token, f, record)) {
      return fault_at(line, begin, token.size(),
                      fmt::format("field {}, {}, is not a number", f + 1, quoted(token)), hint_for(token));
    }
    const std::uint32_t bit = SwfRecord::bit(f);
    if ((kWholeFields & bit & (record.fractions | record.rounded)) != 0) {
      return fault_at(line, begin, token.size(),
                      fmt::format("field {}, {}, is not a whole number", f + 1, quoted(token)), "");
    }
  }
  more = !next_field(line, at, begin).empty();
  return {};
}

SwfFault place_of_field(std::string_view line, int number) {
  std::size_t at = 0, begin = 0, width = 1;
  for (int f = 0; f < number; ++f) width = next_field(line, at, begin).size();
  return fault_at(line, begin, width, "", "");
}

}  // namespace fleetsim
