#include "scenarios/loader/figure_reader.hpp"

#include <charconv>
#include <chrono>
#include <string>

namespace fleetsim {
namespace {

/// Years that a figure of computing hardware can be of: the first GPUs, and a generation ahead.
constexpr int kFirstYear = 1990, kLastYear = 2099;

/// YYYY, YYYY-MM or YYYY-MM-DD, a day of the calendar.
bool is_day_month_or_year(const std::string& text) {
  if (text.size() != 4 && text.size() != 7 && text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? text[i] != '-' : (text[i] < '0' || text[i] > '9')) return false;
  }
  const auto two = [&](std::size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); };
  const std::chrono::year year(100 * two(0) + two(2));
  const std::chrono::month month(text.size() >= 7 ? static_cast<unsigned>(two(5)) : 1U);
  const std::chrono::day day(text.size() == 10 ? static_cast<unsigned>(two(8)) : 1U);
  return (year / month / day).ok();
}

void check_date(const Reader& as_of, const std::string& text) {
  if (text.empty()) return;
  if (!is_day_month_or_year(text)) {
    as_of.error(fmt::format("'{}' is not a date", text), "write YYYY, YYYY-MM or YYYY-MM-DD");
    return;
  }
  int year = 0;
  std::from_chars(text.data(), text.data() + 4, year);
  if (year < kFirstYear || year > kLastYear) {
    as_of.error(fmt::format("no figure can be of the year {}", year),
                fmt::format("'as_of' is when the source said so, {} to {}", kFirstYear, kLastYear));
    return;
  }
  // Dates of one length are ordered as texts.
  const std::string today = as_of.context().today.substr(0, text.size());
  if (today.empty() || text <= today) return;
  const std::string message = fmt::format("'{}' lies in the future", text);
  const std::string hint = "'as_of' is when the source said so";
  if (as_of.context().future_is_wrong) {
    as_of.error(message, fmt::format("{}; today is {}", hint, as_of.context().today));
  } else {
    as_of.context().diagnostics.warning(as_of.position(), as_of.path(), message, hint);
  }
}

}  // namespace

Provenance read_map_provenance(Reader& r) {
  Provenance from = read_provenance(r);
  if (from.estimate) need(r, "basis");
  from.note = r.text(from.estimate ? "basis" : "note").value_or("");
  return from;
}

Provenance read_provenance(Reader& r) {
  Provenance from;
  need(r, "source");
  need(r, "as_of");
  from.source = r.text("source").value_or("");
  from.estimate = from.source == "estimate";
  if (const auto as_of = r.find("as_of")) {
    from.as_of = as_of->text().value_or("");
    check_date(*as_of, from.as_of);
  }
  return from;
}

std::string title_of(Reader& file) {
  need(file, "title");
  return file.text("title").value_or("");
}

std::optional<double> read_flops(const Reader& value) {
  const std::string text = value.text().value_or("");
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit(end, text.data() + text.size());
  unit.erase(0, unit.find_first_not_of(' '));
  if (error != std::errc{} || unit != "TFLOP/s" || !(number >= 1e-3 && number <= 1e6)) {
    value.error(fmt::format("'{}' is not a computing rate from 0.001 to 1000000 TFLOP/s", text),
                "write '59.5 TFLOP/s'");
    return std::nullopt;
  }
  return number * 1e12;
}

std::optional<double> read_kilograms(const Reader& value) {
  const std::string text = value.text().value_or("");
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit(end, text.data() + text.size());
  unit.erase(0, unit.find_first_not_of(' '));
  if (error != std::errc{} || unit != "kg" || !(number >= 0.0 && number <= 1e6)) {
    value.error(fmt::format("'{}' is not a mass from 0 to 1000000 kg", text), "write '150 kg'");
    return std::nullopt;
  }
  return number;
}

std::optional<Latency> read_latency(const Reader& value) {
  const std::string text = value.text().value_or("");
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit(end, text.data() + text.size());
  unit.erase(0, unit.find_first_not_of(' '));
  const double scale = unit == "ns" ? 1e9 : unit == "us" ? 1e6 : unit == "ms" ? 1e3 : 0.0;
  if (error != std::errc{} || scale == 0.0 || !(number >= 0.0 && number / scale <= 1.0)) {
    value.error(fmt::format("'{}' is not a latency of at most a second", text), "write '3.4 us'");
    return std::nullopt;
  }
  return Latency{number / scale};
}

}  // namespace fleetsim
