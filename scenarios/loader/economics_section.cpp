// The `economics` section: years, charges on a purchase, running costs, exchange rates.
#include <fmt/format.h>

#include "scenarios/loader/figure_reader.hpp"
#include "scenarios/loader/sections.hpp"

namespace fleetsim {

namespace {

bool is_currency(const std::string& name) {
  return name.size() == 3 && name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
}

void read_rate(Reader& entry, Draft& draft) {
  const std::string currency = entry.name();
  if (!is_currency(currency)) {
    entry.error_at_key(fmt::format("'{}' is not a currency", currency),
                       "three capital letters of ISO 4217, e.g. EUR");
    return;
  }
  if (currency == "USD") {
    entry.error_at_key("USD is what all money is counted in; it has no exchange rate");
    return;
  }
  if (!entry.expect_map()) return;
  need(entry, "rate");
  const std::optional<Money> rate = entry.money("rate");
  const Provenance from = read_provenance(entry);
  entry.finish();
  if (!rate) return;
  draft.scenario.economics.exchange.push_back({currency, *rate, from.as_of, from.source});
  draft.exchange[currency] = *rate;
}

void read_charges(Reader& section, EconomicsSpec& e) {
  assign(e.academic_discount, section.ratio("academic_discount"));
  assign(e.delivery, section.money("delivery"));
  assign(e.installation, section.ratio("installation"));
  assign(e.storage, section.money("storage"));
  assign(e.tax, section.ratio("tax"));
  assign(e.contingency, section.ratio("contingency"));
}

void read_staff(Reader& section, EconomicsSpec& e) {
  auto staff = section.find("staff");
  if (!staff || !staff->expect_map()) return;
  need(*staff, "fte");
  need(*staff, "salary");
  StaffSpec made;
  assign(made.fte, staff->number("fte"));
  assign(made.salary, staff->money("salary"));
  staff->finish();
  e.staff = made;
}

void read_colocation(Reader& section, EconomicsSpec& e) {
  auto colocation = section.find("colocation");
  if (!colocation || !colocation->expect_map()) return;
  need(*colocation, "per_kw_month");
  assign(e.colocation_per_kw_month, colocation->money("per_kw_month"));
  colocation->finish();
}

void read_depreciation(Reader& section, EconomicsSpec& e) {
  auto depreciation = section.find("depreciation");
  if (!depreciation || !depreciation->expect_map()) return;
  DepreciationSpec made;
  assign(made.life_years, depreciation->number("life_years"));
  assign(made.salvage, depreciation->ratio("salvage"));
  if (const auto list = depreciation->find("resale_by_year")) {
    for (const Reader& share : list->items()) made.resale_by_year.push_back(share.ratio().value_or(0.0));
    const auto years = static_cast<std::size_t>(e.years);
    if (made.resale_by_year.size() < years)
      list->error_at_key(fmt::format("'resale_by_year' has {} years, but the cost is counted over {}",
                                     made.resale_by_year.size(), years),
                         "give one share for each of economics.years");
  } else if (!depreciation->has("life_years") &&
             !depreciation->misspelled({"life_years", "resale_by_year"})) {
    depreciation->error_at_key("'depreciation' has neither 'life_years' nor 'resale_by_year'",
                               "write e.g. life_years: 5");
  }
  depreciation->finish();
  e.depreciation = made;
}

/// A cap of a year that nobody counts would never be looked at.
void check_caps(Reader& file, const EconomicsSpec& e) {
  if (e.budget_by_year.size() <= static_cast<std::size_t>(e.years)) return;
  auto budget = file.find("budget");
  const auto caps = budget ? budget->find("by_year") : std::nullopt;
  if (caps)
    caps->error_at_key(fmt::format("'by_year' caps {} years, but the cost is counted over {}",
                                   e.budget_by_year.size(), e.years),
                       "raise economics.years, or leave the later caps out");
}

}  // namespace

void read_exchange(Reader& file, Draft& draft) {
  auto section = file.find("economics");
  if (!section || !section->is_map()) return;  // read_economics says so
  auto exchange = section->find("exchange");
  if (!exchange || !exchange->expect_map()) return;
  for (Reader& entry : exchange->entries()) read_rate(entry, draft);
}

void read_economics(Reader& file, Draft& draft) {
  EconomicsSpec& e = draft.scenario.economics;
  auto section = file.find("economics");
  if (section && section->expect_map()) {
    if (const auto years = section->integer("years")) e.years = static_cast<int>(*years);
    assign(e.discount_rate, section->ratio("discount_rate"));
    if (const auto share = section->ratio("utilisation")) e.utilisation = *share;
    read_charges(*section, e);
    read_staff(*section, e);
    read_colocation(*section, e);
    if (const auto share = section->ratio("support")) e.support = *share;
    read_depreciation(*section, e);
    read_rent(*section, draft);
    section->accept("exchange");
    section->finish();
  }
  check_caps(file, e);
}

}  // namespace fleetsim
