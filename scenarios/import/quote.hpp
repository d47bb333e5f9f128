// A vendor's quote as a table of comma-separated text, read into prices of a scenario.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/loader/catalog.hpp"
#include "sim/base/diagnostic.hpp"
#include "sim/base/quantity.hpp"

namespace fleetsim {

struct QuoteOptions {
  std::string currency{};                   ///< every line must be in it; empty: any that has a rate
  std::map<std::string, Money> exchange{};  ///< what one unit of another currency costs
  std::string today{};                      ///< YYYY-MM-DD: no line may be dated later; empty: any date
};

struct QuoteLine {
  std::string item;    ///< name in the catalogue, or as the quote writes it
  bool known = false;  ///< in the catalogue: then the fleet says how many are bought
  int quantity = 1;
  Money unit_price;        ///< in USD, whole cents
  std::string conversion;  ///< `649 EUR at 1.18 USD`; empty for USD
  std::string date;
  int line = 0;
};

struct Quote {
  std::vector<QuoteLine> lines;
};

/// Columns item, quantity, unit_price, currency, date; currency may be left out when the options name one.
/// A column `total` is checked against quantity x unit price. Fields are separated by `,` or, where the
/// header has one, by `;` (then a comma is a decimal comma) or a tab. Faults with their place: a missing
/// column, a cell that a spreadsheet would run as a formula, a price that is negative, 0, no number or of
/// more than two decimals, a number that can be read two ways, a currency that is unknown, without rate or
/// not the one asked for, a date that is none or lies in the future, a total that is not the product, an item
/// twice. Columns that are not read are warned of. Cost: O(text x catalogue).
[[nodiscard]] Quote read_quote(const std::string& file, const std::string& text, const Catalog& catalog,
                               const QuoteOptions& options, Diagnostics& diagnostics);

/// The quote as YAML that a scenario takes by `prices: {file: ...}`. `file` is named as the source.
[[nodiscard]] std::string quote_yaml(const Quote& quote, const std::string& file);

}  // namespace fleetsim
