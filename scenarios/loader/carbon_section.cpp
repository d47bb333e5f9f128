// `site.carbon`: what the grid emits, the same all day or hour by hour.
#include <fmt/format.h>

#include "scenarios/loader/figure_reader.hpp"
#include "scenarios/loader/schema_parts.hpp"
#include "scenarios/loader/sections.hpp"
#include "sim/metrics/gpu_time.hpp"

namespace fleetsim {

namespace {

/// Coal burnt badly emits about 1.1 kg/kWh; twice that is a slip of the pen.
constexpr CarbonIntensity kDirtiest{2.0};

}  // namespace

void schema_parts::carbon_keys(Keys& k) {
  const Range<CarbonIntensity> range = between(CarbonIntensity{0.0}, kDirtiest);
  k.push_back(key("site.carbon", KeyKind::section,
                  "what energy at the meter emits; nothing is said of carbon "
                  "when left out"));
  k.push_back(key("site.carbon.grid", KeyKind::carbon_intensity,
                  "CO2e of a kWh: one value, or a list of 24 by hour of the day from midnight", "0.4 kg/kWh")
                  .in(range)
                  .must());
  k.push_back(
      key("site.carbon.grid[]", KeyKind::carbon_intensity, "in one hour of the day", "0.4 kg/kWh").in(range));
  k.push_back(key("site.carbon.source", KeyKind::text, "who says so", "EIA US average").must());
  k.push_back(key("site.carbon.as_of", KeyKind::text, "year, month or day of that figure", "2022").must());
}

void read_carbon(Reader& site, Draft& draft) {
  auto section = site.find("carbon");
  if (!section || !section->expect_map()) return;
  CarbonSpec& carbon = draft.scenario.site.facility.carbon;
  if (const auto grid = section->require("grid")) {
    for (const Reader& hour : grid->one_or_many())
      if (const auto kg = hour.carbon_intensity()) carbon.grid_kg_per_kwh.push_back(kg->count());
    const std::size_t written = grid->is_sequence() ? grid->items().size() : 1;
    if (grid->is_sequence() && written != kHoursPerDay)
      grid->error_at_key(fmt::format("a grid by hour has {} values, not {}", kHoursPerDay, written),
                         "write one value, or 24 from midnight on");
  }
  const Provenance from = read_provenance(*section);
  carbon.source = from.source;
  carbon.as_of = from.as_of;
  section->finish();
}

}  // namespace fleetsim
