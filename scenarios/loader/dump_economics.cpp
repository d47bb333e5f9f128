// Canonical text of `economics` and `prices`. Only what differs from the defaults: scenarios without these
// sections keep their text, and so their hash.
#include <fmt/format.h>

#include "scenarios/loader/sections.hpp"
#include "sim/base/units.hpp"

namespace fleetsim {

namespace {

std::string depreciation_text(const DepreciationSpec& d) {
  std::string text;
  if (d.life_years > 0.0) text += fmt::format("    life_years: {}\n", d.life_years);
  text += fmt::format("    salvage: {}\n", d.salvage);
  if (!d.resale_by_year.empty())
    text += fmt::format("    resale_by_year: [{}]\n", fmt::join(d.resale_by_year, ", "));
  return "  depreciation:\n" + text;
}

std::string exchange_text(const std::vector<ExchangeRate>& rates) {
  std::string text = "  exchange:\n";
  for (const ExchangeRate& r : rates)
    text += fmt::format("    {}: {{rate: {}, as_of: {}, source: {}}}\n", r.currency, to_text(r.rate), r.as_of,
                        yaml_word(r.source));
  return text;
}

}  // namespace

std::string economics_text(const EconomicsSpec& e) {
  const EconomicsSpec standard;
  std::string text;
  const auto line = [&](const char* key, const std::string& value) {
    text += fmt::format("  {}: {}\n", key, value);
  };
  const auto ratio = [&](const char* key, double value) {
    if (value != 0.0) line(key, fmt::format("{}", value));
  };
  const auto money = [&](const char* key, Money value) {
    if (value != Money{}) line(key, to_text(value));
  };
  if (e.years != standard.years) line("years", fmt::format("{}", e.years));
  ratio("discount_rate", e.discount_rate);
  if (e.utilisation) line("utilisation", fmt::format("{}", *e.utilisation));
  ratio("academic_discount", e.academic_discount);
  money("delivery", e.delivery);
  ratio("installation", e.installation);
  money("storage", e.storage);
  ratio("tax", e.tax);
  ratio("contingency", e.contingency);
  if (e.staff) line("staff", fmt::format("{{fte: {}, salary: {}}}", e.staff->fte, to_text(e.staff->salary)));
  if (e.colocation_per_kw_month != Money{})
    line("colocation", fmt::format("{{per_kw_month: {}}}", to_text(e.colocation_per_kw_month)));
  if (e.support) line("support", fmt::format("{}", *e.support));
  if (e.depreciation) text += depreciation_text(*e.depreciation);
  if (!e.exchange.empty()) text += exchange_text(e.exchange);
  if (e.rent) text += rent_text(*e.rent);
  return text.empty() ? text : "economics:\n" + text;
}

std::string prices_text(const Prices& prices) {
  if (prices.given.empty()) return {};
  std::string text = "prices:\n";
  for (const GivenPrice& given : prices.given) {
    const Provenance& from = given.price.from;
    text += fmt::format("  {}:\n    value: {}\n    source: {}\n    as_of: {}\n", yaml_word(given.item),
                        to_text(given.price.value), yaml_word(from.source), from.as_of);
    if (from.estimate)
      text += fmt::format("    low: {}\n    high: {}\n", to_text(given.price.low), to_text(given.price.high));
    if (!from.note.empty())
      text += fmt::format("    {}: {}\n", from.estimate ? "basis" : "note", yaml_word(from.note));
    if (given.quantity > 0) text += fmt::format("    quantity: {}\n", given.quantity);
  }
  return text;
}

}  // namespace fleetsim
