// A quote as a file for `prices: {file: ...}`.
#include <fmt/format.h>

#include "scenarios/import/quote.hpp"
#include "scenarios/loader/sections.hpp"
#include "sim/base/units.hpp"

namespace fleetsim {

std::string quote_yaml(const Quote& quote, const std::string& file) {
  std::string text = fmt::format(
      "# Prices of {}, by 'fleetsim import quote'. A scenario takes them with prices: {{file: THIS FILE}}.\n"
      "# An entry with a quantity is not in the catalogue: so many are bought, whatever the fleet.\n",
      printable(file));
  for (const QuoteLine& line : quote.lines) {
    text += fmt::format("{}:\n  value: {}\n  source: {}\n  as_of: {}\n", yaml_word(line.item),
                        to_text(line.unit_price), yaml_word(fmt::format("{}, line {}", file, line.line)),
                        line.date);
    if (!line.conversion.empty()) text += fmt::format("  note: {}\n", yaml_word(line.conversion));
    if (!line.known) text += fmt::format("  quantity: {}\n", line.quantity);
  }
  return text;
}

}  // namespace fleetsim
