#include "scenarios/loader/price_names.hpp"

#include <fmt/format.h>

#include <cctype>

#include "sim/base/diagnostic.hpp"

namespace fleetsim {

namespace {

constexpr const char* kNetworkParts[] = {"adapter", "switch", "cable"};

/// Small letters, runs of blanks as one.
std::string plain(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    if (blank && (out.empty() || out.back() == ' ')) continue;
    out += blank ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

/// Every name with its title; titles are not names of their own.
struct Named {
  std::string name, title;
};

std::vector<Named> all_names(const Catalog& catalog) {
  std::vector<Named> all = {{"management-switch", "Ethernet management switch"},
                            {"rack", "Rack with power distribution"}};
  for (const std::string& name : catalog.names(CatalogKind::gpus))
    all.push_back({name, catalog.gpu(name)->title});
  for (const std::string& name : catalog.names(CatalogKind::nodes)) {
    const NodeType& node = *catalog.node(name);
    all.push_back({name, node.title});
    for (const PricePart& part : node.price_parts)
      if (part.item != node.gpu.title)
        all.push_back({fmt::format("{} {}", name, part.item), fmt::format("{} {}", node.title, part.item)});
  }
  for (const std::string& name : catalog.names(CatalogKind::links)) {
    const LinkType& link = *catalog.link(name);
    if (link.kind != LinkKind::network) continue;
    for (const char* part : kNetworkParts)
      all.push_back({fmt::format("{} {}", name, part), fmt::format("{} {}", link.title, part)});
  }
  return all;
}

bool lay_over_node(NodeType& node, const GivenPrice& given) {
  if (node.price_parts.empty()) return false;  // rented, or without any price
  if (given.item == node.name) {
    node.price_parts = {{node.title, 1, given.price}};
    return true;
  }
  bool used = false;
  for (PricePart& part : node.price_parts) {
    const bool card = given.item == node.gpu.name && part.item == node.gpu.title;
    if (!card && given.item != fmt::format("{} {}", node.name, part.item)) continue;
    part.unit_price = given.price;
    used = true;
  }
  return used;
}

}  // namespace

std::optional<std::string> known_price_name(const std::string& item, const Catalog& catalog) {
  const std::vector<Named> all = all_names(catalog);
  const std::string wanted = plain(item);
  for (const Named& one : all)
    if (plain(one.name) == wanted) return one.name;
  std::optional<std::string> by_title;
  for (const Named& one : all) {
    if (plain(one.title) != wanted) continue;
    if (by_title) return std::nullopt;  // two things of one title: the name must tell them apart
    by_title = one.name;
  }
  return by_title;
}

std::optional<std::string> resembled_price_name(const std::string& item, const Catalog& catalog) {
  if (known_price_name(item, catalog)) return std::nullopt;
  constexpr std::size_t kTellsLittle = 6;  // letters that many titles share
  const std::string wanted = plain(item);
  if (wanted.size() < kTellsLittle) return std::nullopt;
  for (const Named& one : all_names(catalog)) {
    const std::string name = plain(one.name), title = plain(one.title);
    const bool goes_on = title.size() >= kTellsLittle && wanted.starts_with(title);
    if (title.starts_with(wanted + " ") || goes_on || name.ends_with(" " + wanted)) return one.name;
  }
  return std::nullopt;
}

std::string hint_for_price_name(const std::string& item, const Catalog& catalog) {
  std::vector<std::string> names;
  for (const Named& one : all_names(catalog)) names.push_back(one.name);
  const std::string near = did_you_mean(item, names);
  if (!near.empty()) return fmt::format("did you mean '{}'?", near);
  if (catalog.link(item) != nullptr) return fmt::format("write '{} adapter', 'switch' or 'cable'", item);
  return "see 'fleetsim catalog list'; a thing of your own needs 'quantity'";
}

bool lay_over(Scenario& scenario, const GivenPrice& given) {
  bool used = false;
  for (NodePool& pool : scenario.pools) {
    used = lay_over_node(pool.node, given) || used;
    if (pool.node.gpu.name != given.item) continue;
    pool.node.gpu.price = given.price;
    pool.node.gpu.priced = true;
  }
  LinkType& link = scenario.fabric.link;
  if (scenario.fabric.shape != FabricShape::none) {
    if (given.item == link.name + " adapter") {
      link.adapter_price = given.price;
      link.adapter_priced = used = true;
    } else if (given.item == link.name + " switch") {
      link.switch_price = given.price;
      link.switch_priced = used = true;
    } else if (given.item == link.name + " cable") {
      scenario.prices.cable = given.price;
      used = true;
    }
  }
  if (given.item == "management-switch" || given.item == "rack") {
    (given.item == "rack" ? scenario.prices.rack : scenario.prices.management_switch) = given.price;
    used = true;
  }
  return used;
}

}  // namespace fleetsim
