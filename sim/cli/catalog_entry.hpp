// A catalogue entry as `catalog show` prints it: every figure with unit, range, source and date.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/loader/catalog.hpp"

namespace fleetsim::cli {

using OrderedJson = nlohmann::ordered_json;

/// One figure, ready to print: numbers in `unit`.
struct ShownFigure {
  std::string what;
  OrderedJson value, low, high;  ///< low and high are null where there is no range
  std::string unit;
  Provenance from;
};

struct CatalogEntry {
  CatalogKind kind{};
  std::string name, title;
  OrderedJson facts = OrderedJson::object();  ///< words without a source of their own
  std::vector<ShownFigure> figures;
  std::optional<double> price_usd;  ///< GPUs and nodes
  std::optional<double> rate_usd;   ///< of a rented node, per GPU-hour
  bool price_estimated = false;
  bool adapters_included = false;  ///< in the price of a node
};

/// `name` must be in the catalogue.
[[nodiscard]] CatalogEntry catalog_entry(const Catalog& catalog, CatalogKind kind, const std::string& name);
[[nodiscard]] std::string to_text(const CatalogEntry& entry);
[[nodiscard]] OrderedJson to_json(const CatalogEntry& entry);

/// 15192 -> "15,192"; cents only where there are any.
[[nodiscard]] std::string usd_text(double amount);
/// Shortest text of a JSON scalar; booleans as yes and no.
[[nodiscard]] std::string digits(const OrderedJson& value);
/// Some part of the node's price is an estimate.
[[nodiscard]] bool price_estimated(const NodeType& node);

}  // namespace fleetsim::cli
