#include "scenarios/loader/figure_reader.hpp"

#include <charconv>

namespace fleetsim {
namespace {

/// YYYY, YYYY-MM or YYYY-MM-DD.
bool is_date(const std::string& text) {
  if (text.size() != 4 && text.size() != 7 && text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? text[i] != '-' : (text[i] < '0' || text[i] > '9')) return false;
  }
  const auto two = [&](std::size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); };
  if (text.size() >= 7 && (two(5) < 1 || two(5) > 12)) return false;
  return text.size() < 10 || (two(8) >= 1 && two(8) <= 31);
}

}  // namespace

Provenance read_provenance(Reader& r) {
  Provenance from;
  need(r, "source");
  need(r, "as_of");
  from.source = r.text("source").value_or("");
  from.estimate = from.source == "estimate";
  if (const auto as_of = r.find("as_of")) {
    from.as_of = as_of->text().value_or("");
    if (!from.as_of.empty() && !is_date(from.as_of))
      as_of->error(fmt::format("'{}' is not a date", from.as_of), "write YYYY, YYYY-MM or YYYY-MM-DD");
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
  if (error != std::errc{} || unit != "TFLOP/s" || !(number > 0.0)) {
    value.error(fmt::format("'{}' is not a computing rate", text), "write '59.5 TFLOP/s'");
    return std::nullopt;
  }
  return number * 1e12;
}

}  // namespace fleetsim
