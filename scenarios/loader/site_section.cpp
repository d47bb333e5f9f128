// The head of a scenario file (name, seed, time, budget), the fabric and the site.
#include <fmt/format.h>

#include <limits>

#include "scenarios/loader/sections.hpp"

namespace fleetsim {

namespace {

/// A century: longer horizons are slips of the pen.
constexpr Duration kLongest = 5200 * kWeek;
/// Far above any real purchase or tariff, and together far below what 64-bit micro-USD hold.
constexpr Money kDearest{10'000'000'000LL * 1'000'000};
constexpr MoneyPerEnergy kDearestEnergy{10'000'000};

template <class T>
void assign(T& target, const std::optional<T>& value) {
  if (value) target = *value;
}

void read_rack(Reader& site, RackSpec& rack) {
  auto section = site.find("rack");
  if (!section || !section->expect_map()) return;
  if (const auto units = section->integer("units", between<std::int64_t>(1, 100)))
    rack.units = static_cast<int>(*units);
  assign(rack.power, section->power("power", more_than(Watts{0.0})));
  assign(rack.provided, section->boolean("provided"));
  section->finish();
}

}  // namespace

void read_head(Reader& file, Draft& draft) {
  Scenario& s = draft.scenario;
  if (file.require("name")) assign(s.name, file.text("name"));
  assign(s.seed, file.unsigned_integer("seed"));
  if (auto time = file.find("time"); time && time->expect_map()) {
    assign(s.time.warm_up, time->duration("warm_up", between(Duration{}, kLongest)));
    if (const auto measure = time->duration("measure", Range<Duration>{Duration{}, kLongest, true}))
      s.time.measure = *measure;
    assign(s.time.drain, time->duration("drain", between(Duration{}, kLongest)));
    if (const auto n = time->integer("replications", between<std::int64_t>(1, 1'000'000)))
      s.time.replications = static_cast<int>(*n);
    time->finish();
  }
  if (auto budget = file.find("budget"); budget && budget->expect_map()) {
    if (budget->require("capital"))
      assign(s.budget, budget->money("capital", Range<Money>{Money{}, kDearest, true}));
    budget->finish();
  }
}

void read_fabric(Reader& file, Draft& draft) {
  auto fabric = file.find("fabric");
  if (!fabric || !fabric->expect_map()) return;
  FabricSpec& spec = draft.scenario.fabric;
  const bool shaped = fabric->require("shape").has_value();
  const auto shape = fabric->word("shape", fabric_words());
  assign(spec.shape, shape);
  const bool wants_link = shaped && shape.value_or(FabricShape::none) != FabricShape::none;
  if (auto link = wants_link ? fabric->require("link") : fabric->find("link")) {
    std::vector<std::string> networks;
    for (const std::string& name : draft.catalog.names(CatalogKind::links))
      if (draft.catalog.link(name)->kind == LinkKind::network) networks.push_back(name);
    if (link->is_scalar() && draft.catalog.link(link->raw()) != nullptr && !index_of(networks, link->raw())) {
      link->error(fmt::format("'{}' does not join nodes", link->raw()),
                  fmt::format("networks: {}", fmt::join(networks, ", ")));
    } else if (const auto chosen = link->choose(networks, "network link")) {
      spec.link = *draft.catalog.link(networks[*chosen]);
    }
  }
  if (const auto n = fabric->integer("hcas_per_node", between<std::int64_t>(1, 16)))
    spec.adapters_per_node = static_cast<int>(*n);
  assign(spec.oversubscription, fabric->number("oversubscription", between(1.0, 64.0)));
  fabric->finish();
}

void read_site(Reader& file, Draft& draft) {
  auto site = file.find("site");
  if (!site || !site->expect_map()) return;
  Site& s = draft.scenario.site;
  assign(s.electricity, site->energy_price("electricity", between(MoneyPerEnergy{0}, kDearestEnergy)));
  assign(s.pue, site->number("pue", between(1.0, 10.0)));
  if (const auto limit = site->power("power_limit", more_than(Watts{0.0}))) s.power_limit = *limit;
  read_rack(*site, s.rack);
  assign(s.inlet_temperature, site->temperature("inlet_temperature", between(Celsius{-20}, Celsius{60})));
  assign(s.geforce_in_datacentre, site->word("geforce_in_datacentre", geforce_words()));
  if (site->has("power_limit"))
    draft.later("site.power_limit", "no fleet is refused yet for the power that it draws");
  if (site->has("inlet_temperature"))
    draft.later("site.inlet_temperature", "throttling by warm air is not modelled yet");
  if (site->has("geforce_in_datacentre"))
    draft.later("site.geforce_in_datacentre", "no fleet is refused yet for the driver's licence");
  site->finish();
}

}  // namespace fleetsim
