#include "sim/base/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace fleetsim {

namespace {

__extension__ typedef __int128 Wide;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

}  // namespace

std::optional<NumberText> number_at_start(std::string_view text) {
  NumberText n;
  std::size_t i = 0;
  if (i < text.size() && text[i] == '-') n.digits += text[i++];
  const std::size_t whole = i;
  while (i < text.size()) {
    const bool groups = i > whole && (text[i] == '_' || text[i] == ' ') && i + 3 < text.size() &&
                        is_digit(text[i + 1]) && is_digit(text[i + 2]) && is_digit(text[i + 3]) &&
                        (i + 4 == text.size() || !is_digit(text[i + 4]));
    if (groups) {
      ++i;
    } else if (is_digit(text[i])) {
      n.digits += text[i++];
    } else {
      break;
    }
  }
  std::size_t digits = i - whole;
  if (i < text.size() && text[i] == '.') {
    const std::size_t point = i;
    n.digits += text[i++];
    while (i < text.size() && is_digit(text[i])) n.digits += text[i++];
    digits += i - point - 1;
  }
  if (digits == 0) return std::nullopt;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    std::size_t j = i + 1;
    if (j < text.size() && (text[j] == '+' || text[j] == '-')) ++j;
    if (j < text.size() && is_digit(text[j])) {
      while (j < text.size() && is_digit(text[j])) ++j;
      n.digits += text.substr(i, j - i);
      i = j;
    }
  }
  n.rest = text.substr(i);
  return n;
}

std::optional<double> to_double(const std::string& digits) {
  double value = 0.0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (fault != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

bool is_tiny(const std::string& digits) {
  const std::size_t e = std::min(digits.find_first_of("eE"), digits.size());
  const std::size_t point = std::min(digits.find('.'), e), first = digits.find_first_of("123456789");
  if (first >= e) return false;
  std::int64_t exponent = 0;
  if (e < digits.size()) {
    const char* begin = digits.data() + e + (digits[e + 1] == '+' ? 2 : 1);
    const bool fits = std::from_chars(begin, digits.data() + digits.size(), exponent).ec == std::errc{};
    if (!fits) return digits[e + 1] == '-';
  }
  const auto order = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  return exponent < -order;
}

std::optional<std::int64_t> to_integer(const std::string& digits, double factor) {
  const std::size_t count = static_cast<std::size_t>(std::count_if(digits.begin(), digits.end(), is_digit));
  const bool plain = digits.find_first_of("eE") == std::string::npos;
  if (plain && count <= 19 && factor == std::floor(factor) && factor < 1e17) {
    Wide mantissa = 0, scale = 1;
    bool behind_point = false;
    for (const char c : digits) {
      if (is_digit(c)) {
        mantissa = mantissa * 10 + (c - '0');
        if (behind_point) scale *= 10;
      }
      behind_point = behind_point || c == '.';
    }
    const Wide product = mantissa * static_cast<Wide>(factor);
    const Wide rounded = (product + scale / 2) / scale;
    if (rounded > kMost) return std::nullopt;
    const auto value = static_cast<std::int64_t>(rounded);
    return digits.front() == '-' ? -value : value;
  }
  const std::optional<double> number = to_double(digits);
  if (!number || std::abs(*number * factor) >= 9.2e18) return std::nullopt;
  return static_cast<std::int64_t>(std::llround(*number * factor));
}

}  // namespace fleetsim
