#include "scenarios/import/amount.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace fleetsim {
namespace {

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(at, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

UnitError no_amount(std::string_view text) {
  return {fmt::format("'{}' is not an amount", text), "write digits with a decimal point, e.g. 1234.50"};
}

}  // namespace

Parsed<Money> parse_amount(std::string_view text, Decimals decimals) {
  const char group = decimals == Decimals::comma ? '.' : ',';
  const char point = decimals == Decimals::comma ? ',' : '.';
  const std::vector<std::string_view> halves = split(text, point);
  if (halves.size() > 2 || (halves.size() == 2 && !all_digits(halves[1]))) return no_amount(text);
  const std::vector<std::string_view> groups = split(halves[0], group);
  const bool grouped = groups.size() > 1;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (!all_digits(groups[i])) return no_amount(text);
    if (!grouped) continue;
    const bool fits = i == 0 ? groups[i].size() <= 3 : groups[i].size() == 3;
    // `649.00` in a file whose decimals are commas: two digits cannot be a group.
    if (!fits && groups.size() == 2 && halves.size() == 1 && decimals == Decimals::comma && i == 1)
      return parse_money(fmt::format("{} USD", text));
    if (!fits) return no_amount(text);
  }
  if (groups.size() == 2 && halves.size() == 1)
    return UnitError{fmt::format("'{}' can be read two ways", text),
                     fmt::format("write {0}{1} or {0}.{1}", groups[0], groups[1])};
  std::string plain;
  for (const std::string_view part : groups) plain += part;
  if (halves.size() == 2) plain += fmt::format(".{}", halves[1]);
  return parse_money(plain + " USD");
}

}  // namespace fleetsim
