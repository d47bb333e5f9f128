#include "scenarios/loader/axis_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace fleetsim {

namespace {

using Values = std::variant<std::vector<std::string>, UnitError>;

struct Number {
  double value = 0.0;
  int decimals = 0;  ///< digits behind the point, as written
  std::string unit;  ///< with the blank before it: " USD"
};

/// `100 000 USD` -> 100000, " USD".
std::variant<Number, UnitError> split(const std::string& text) {
  const auto digit = [&](std::size_t i) {
    return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
  };
  std::size_t end = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  std::size_t point = std::string::npos;
  for (; end < text.size(); ++end) {
    const char c = text[end];
    if (c == '.' && point == std::string::npos) {
      point = end;
    } else if (!digit(end) && !((c == ' ' || c == '_') && digit(end + 1))) {
      break;
    }
  }
  Number made;
  made.decimals = point == std::string::npos ? 0 : static_cast<int>(end - point - 1);
  const Parsed<double> number = parse_number(std::string_view(text).substr(0, end));
  if (std::holds_alternative<UnitError>(number))
    return UnitError{fmt::format("'{}' does not begin with a number", text),
                     "write e.g. {from: 10 %, to: 60 %, step: 10 %}"};
  made.value = std::get<double>(number);
  made.unit = text.substr(end);
  return made;
}

/// Without needless zeros at the end.
std::string digits(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 12));
  if (text.find('.') != std::string::npos) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

std::string six_digits(double value) {
  constexpr int kDigits = 6;
  if (value == 0.0) return "0";
  const int before = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  if (before <= kDigits) return digits(value, kDigits - before);
  const double unit = std::pow(10.0, before - kDigits);
  return digits(std::round(value / unit) * unit, 0);
}

UnitError too_many(double n) {
  return {fmt::format("{:.0f} values are too many", n), fmt::format("at most {} are studied", kMostPoints)};
}

/// The unit of all; nothing when they differ. A 0 needs none.
std::optional<std::string> common_unit(const std::vector<Number>& all) {
  std::optional<std::string> unit;
  for (const Number& one : all) {
    if (one.value == 0.0 && one.unit.empty()) continue;
    if (unit && *unit != one.unit) return std::nullopt;
    unit = one.unit;
  }
  return unit.value_or("");
}

/// Values one after the other, a repeated one once.
class List {
 public:
  explicit List(std::string unit) : unit_(std::move(unit)) {}
  void add(const std::string& number) {
    if (values.empty() || values.back() != number + unit_) values.push_back(number + unit_);
  }
  std::vector<std::string> values;

 private:
  std::string unit_;
};

Values by_step(const AxisRange& range, const Number& from, const Number& to, const Number& step, List list) {
  if (!(step.value > 0.0))
    return UnitError{fmt::format("a step of {} never reaches {}", range.step, range.to),
                     "write a step above 0"};
  const double n = std::floor((to.value - from.value) / step.value + 1e-9) + 1.0;
  if (n > static_cast<double>(kMostPoints)) return too_many(n);
  for (int i = 0; i < static_cast<int>(n); ++i)
    list.add(digits(from.value + i * step.value, std::max(from.decimals, step.decimals)));
  return list.values;
}

Values by_count(const AxisRange& range, const Number& from, const Number& to, List list) {
  const std::int64_t n = *range.count;
  if (n > kMostPoints) return too_many(static_cast<double>(n));
  if (n < 2 && from.value < to.value)
    return UnitError{fmt::format("{} value cannot reach from {} to {}", n, range.from, range.to),
                     "write 'count: 2' or more"};
  if (range.log && !(from.value > 0.0))
    return UnitError{fmt::format("'scale: log' begins above 0, not at {}", range.from), "or 'scale: linear'"};
  for (std::int64_t i = 0; i < n; ++i) {
    const double at = n == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(n - 1);
    const double value = range.log ? from.value * std::pow(to.value / from.value, at)
                                   : from.value + at * (to.value - from.value);
    if (i == 0) {
      list.add(digits(from.value, from.decimals));
    } else if (i == n - 1) {
      list.add(digits(to.value, to.decimals));
    } else {
      list.add(range.whole ? digits(std::round(value), 0) : six_digits(value));
    }
  }
  if (static_cast<std::int64_t>(list.values.size()) < n && from.value < to.value)
    return UnitError{
        fmt::format("{} values from {} to {} are not all different when rounded", n, range.from, range.to),
        fmt::format("write 'count: {}' or less, or a list", list.values.size())};
  return list.values;
}

}  // namespace

Values expand(const AxisRange& range) {
  std::vector<Number> ends;
  for (const std::string& text : {range.from, range.to, range.count ? range.to : range.step}) {
    const auto one = split(text);
    if (const auto* fault = std::get_if<UnitError>(&one)) return *fault;
    ends.push_back(std::get<Number>(one));
  }
  const auto unit = common_unit(ends);
  if (!unit)
    return UnitError{fmt::format("'{}', '{}'{} have different units", range.from, range.to,
                                 range.count ? "" : fmt::format(" and '{}'", range.step)),
                     "write all of them in one unit, spelled in the same way"};
  if (ends[0].value > ends[1].value)
    return UnitError{fmt::format("from {} to {} there is no value: the end lies below the beginning",
                                 range.from, range.to),
                     "exchange 'from' and 'to'"};
  return range.count ? by_count(range, ends[0], ends[1], List(*unit))
                     : by_step(range, ends[0], ends[1], ends[2], List(*unit));
}

}  // namespace fleetsim
