// The head of a scenario file (name, seed, time, budget), the fabric and the site.
#include <fmt/format.h>

#include "scenarios/loader/sections.hpp"

namespace fleetsim {

namespace {

void read_rack(Reader& site, RackSpec& rack, FacilitySpec& facility) {
  auto section = site.find("rack");
  if (!section || !section->expect_map()) return;
  if (const auto units = section->integer("units")) rack.units = static_cast<int>(*units);
  assign(rack.power, section->power("power"));
  assign(rack.provided, section->boolean("provided"));
  if (const auto racks = section->integer("count")) facility.racks = static_cast<int>(*racks);
  section->finish();
}

/// Keys that one shape alone understands.
void read_shape_keys(Reader& fabric, std::optional<FabricShape> shape, FabricSpec& spec) {
  const auto belongs = [&](const std::string& key, FabricShape to) {
    const auto value = fabric.find(key);
    if (value && shape && *shape != to) {
      fabric.context().diagnostics.warning(value->key_position(), value->path(),
                                           fmt::format("'{}' belongs to shape {} and changes nothing for {}",
                                                       key, to_string(to), to_string(*shape)),
                                           fmt::format("shape: {}, or without '{}'", to_string(to), key));
    }
    return value;
  };
  belongs("levels", FabricShape::fat_tree);
  if (const auto n = fabric.integer("levels")) spec.levels = static_cast<int>(*n);
  belongs("su_nodes", FabricShape::superpod);
  if (const auto n = fabric.integer("su_nodes")) spec.su_nodes = static_cast<int>(*n);
  if (const auto sides = belongs("dimensions", FabricShape::torus)) {
    for (const Reader& side : sides->items())
      if (const auto n = side.integer()) spec.dimensions.push_back(static_cast<int>(*n));
  }
}

}  // namespace

void read_head(Reader& file, Draft& draft) {
  Scenario& s = draft.scenario;
  if (file.require("name")) assign(s.name, file.text("name"));
  assign(s.seed, file.unsigned_integer("seed"));
  if (auto time = file.find("time"); time && time->expect_map()) {
    if (const auto warm_up = time->find("warm_up")) {
      s.time.warm_up_by_mser = warm_up->is_scalar() && warm_up->raw() == "mser-5";
      if (!s.time.warm_up_by_mser) assign(s.time.warm_up, warm_up->duration());
    }
    assign(s.time.measure, time->duration("measure"));
    assign(s.time.drain, time->duration("drain"));
    if (const auto starts = time->find("starts")) assign(s.availability.starts, read_date(*starts));
    if (const auto n = time->integer("replications")) s.time.replications = static_cast<int>(*n);
    assign(s.time.precision, time->ratio("precision"));
    time->finish();
  }
  if (auto budget = file.find("budget"); budget && budget->expect_map()) {
    if (budget->require("capital")) assign(s.budget, budget->money("capital"));
    if (const auto caps = budget->find("by_year")) {
      for (const Reader& cap : caps->items())
        s.economics.budget_by_year.push_back(cap.money().value_or(Money{}));
    }
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
    if (link->is_scalar() && draft.catalog.is_faulty(CatalogKind::links, link->raw())) {
      // has been reported
    } else if (link->is_scalar() && draft.catalog.link(link->raw()) != nullptr &&
               !index_of(networks, link->raw())) {
      link->error(fmt::format("'{}' does not join nodes", link->raw()),
                  fmt::format("networks: {}", fmt::join(networks, ", ")));
    } else if (const auto chosen = link->choose(networks, "network link", own_entries(draft))) {
      spec.link = *draft.catalog.link(networks[*chosen]);
    }
  }
  if (const auto n = fabric->integer("hcas_per_node")) spec.adapters_per_node = static_cast<int>(*n);
  assign(spec.oversubscription, fabric->number("oversubscription"));
  read_shape_keys(*fabric, shape, spec);
  fabric->finish();
}

void read_site(Reader& file, Draft& draft) {
  auto site = file.find("site");
  if (!site || !site->expect_map()) return;
  Site& s = draft.scenario.site;
  assign(s.electricity, site->energy_price("electricity"));
  assign(s.pue, site->number("pue"));
  if (const auto limit = site->power("power_limit")) s.power_limit = *limit;
  read_rack(*site, s.rack, s.facility);
  assign(s.inlet_temperature, site->temperature("inlet_temperature"));
  assign(s.geforce_in_datacentre, site->word("geforce_in_datacentre", geforce_words()));
  read_facility(*site, s);
  read_carbon(*site, draft);
  site->finish();
}

}  // namespace fleetsim
