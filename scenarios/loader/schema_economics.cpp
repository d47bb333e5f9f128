// Keys of `economics` and `prices`: what a purchase costs beside its bill, what running it costs, and prices
// of the scenario's own.
#include "scenarios/loader/schema_parts.hpp"
#include "scenarios/loader/sections.hpp"

namespace fleetsim::schema_parts {

namespace {

/// Beyond this a discount is a gift.
constexpr double kLargestDiscount = 0.95;

Range<Money> an_amount() {
  return between(Money{}, kDearest);
}

void purchase_keys(Keys& k) {
  k.push_back(key("economics.academic_discount", K::ratio, "taken off the bill of materials", "10 %")
                  .in(between(0.0, kLargestDiscount))
                  .otherwise("0"));
  k.push_back(key("economics.delivery", K::money, "paid once", "1200 USD").in(an_amount()).otherwise("0"));
  k.push_back(key("economics.installation", K::ratio, "of the bill after the discount, paid once", "3 %")
                  .in(between(0.0, 1.0))
                  .otherwise("0"));
  k.push_back(key("economics.storage", K::money, "a file system for the fleet, paid once", "20000 USD")
                  .in(an_amount())
                  .otherwise("0"));
  k.push_back(key("economics.tax", K::ratio,
                  "on the bill, delivery, installation and storage, rounded once of their sum", "19 %")
                  .in(between(0.0, 1.0))
                  .otherwise("0"));
  k.push_back(key("economics.contingency", K::ratio, "kept back of the budget, of all above with tax", "5 %")
                  .in(between(0.0, 1.0))
                  .otherwise("0"));
}

void running_keys(Keys& k) {
  k.push_back(key("economics.staff", K::section, "the administrators' time that the fleet takes"));
  k.push_back(
      key("economics.staff.fte", K::number, "people, full time", "0.25").in(between(0.0, 1000.0)).must());
  k.push_back(key("economics.staff.salary", K::money, "of one a year, with what the employer pays beside it",
                  "90000 USD")
                  .in(an_amount())
                  .must());
  k.push_back(key("economics.colocation", K::section, "rent of a room elsewhere, by contracted power"));
  k.push_back(key("economics.colocation.per_kw_month", K::money,
                  "for a kW of all own nodes at load, a month; electricity is charged beside it",
                  "163.44 USD")
                  .in(an_amount())
                  .must());
  k.push_back(key("economics.support", K::ratio,
                  "support and repair, of the price of the nodes a year; the catalogue's when left out",
                  "5 %")
                  .in(between(0.0, 1.0)));
  k.push_back(
      key("economics.depreciation", K::section, "the nodes are sold at the end, and lose worth till then"));
  k.push_back(key("economics.depreciation.life_years", K::number,
                  "straight line to 'salvage'; needed without 'resale_by_year'", "5")
                  .in(above_to(0.0, 50.0)));
  k.push_back(key("economics.depreciation.salvage", K::ratio,
                  "of the price, left at the end of that life; nothing when left out", "10 %")
                  .in(between(0.0, 1.0)));
  k.push_back(key("economics.depreciation.resale_by_year", K::list,
                  "of the price, what a sale after year 1, 2, ... brings, instead of the book value"));
  k.push_back(key("economics.depreciation.resale_by_year[]", K::ratio, "after one year", "60 %")
                  .in(between(0.0, 1.0)));
}

}  // namespace

void economics_keys(Keys& k) {
  k.push_back(key("economics", K::section, "what is paid beside the bill of materials, and for how long"));
  k.push_back(key("economics.years", K::integer, "years over which cost is counted", "3")
                  .in(between<Count>(1, 30))
                  .otherwise("3"));
  k.push_back(key("economics.discount_rate", K::ratio,
                  "a year: what is paid later is worth less today (present cost)", "4 %")
                  .in(between(0.0, 1.0))
                  .otherwise("0"));
  k.push_back(key("economics.utilisation", K::ratio,
                  "allocated share of GPU time that 'price' assumes; the load of the fleet when left out",
                  "70 %")
                  .in(between(0.0, 1.0)));
  purchase_keys(k);
  running_keys(k);
  k.push_back(
      key("economics.exchange", K::section,
          "other currencies in which the scenario's money is written, by their three capital letters"));
  k.push_back(key("economics.exchange.*", K::section, "one currency, e.g. EUR"));
  k.push_back(key("economics.exchange.*.rate", K::money, "what one unit of it costs", "1.18 USD")
                  .in(above_to(Money{}, Money{1'000'000'000'000}))
                  .must());
  k.push_back(key("economics.exchange.*.as_of", K::date, "day of the rate", "2026-11-02").must());
  k.push_back(key("economics.exchange.*.source", K::text, "who says so", "European Central Bank").must());
}

void price_keys(Keys& k) {
  k.push_back(
      key("prices", K::section,
          "prices instead of the catalogue's, by the name of a GPU, node or price (rtx3080), of a part "
          "(supermicro-8x-rtx3080 two CPUs) or of what a network takes (infiniband-edr adapter, "
          "switch, cable)"));
  k.push_back(
      key("prices.file", K::text, "more of them in a YAML file, relative to the scenario", "prices.yaml"));
  k.push_back(key("prices.*", K::section, "price of one of it"));
  k.push_back(
      key("prices.*.value", K::money, "without tax; rounded to cents", "649 USD").in(an_amount()).must());
  k.push_back(key("prices.*.source", K::text, "who says so, or 'estimate'", "quote of 2 November").must());
  k.push_back(key("prices.*.as_of", K::date, "when; not in the future", "2026-11-02").must());
  k.push_back(key("prices.*.low", K::money, "of an estimate: it may be as low", "600 USD").in(an_amount()));
  k.push_back(key("prices.*.high", K::money, "of an estimate: it may be as high", "700 USD").in(an_amount()));
  k.push_back(key("prices.*.basis", K::text, "of an estimate: what it rests on", "two offers by telephone"));
  k.push_back(key("prices.*.note", K::text, "anything else", "valid for 30 days"));
  k.push_back(key("prices.*.quantity", K::integer,
                  "of what is not in the catalogue: so many are bought, whatever the fleet", "1")
                  .in(between<Count>(1, 1'000'000)));
}

}  // namespace fleetsim::schema_parts
