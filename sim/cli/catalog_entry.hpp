// A catalogue entry as `catalog show` prints it: every figure with unit, range, source and date.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/loader/catalog.hpp"
#include "sim/base/units.hpp"

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
[[nodiscard]] std::string entry_text(const CatalogEntry& entry);
[[nodiscard]] OrderedJson entry_json(const CatalogEntry& entry);

/// 15192 -> "15,192"; cents only where there are any.
[[nodiscard]] std::string usd_text(double amount);
/// Shortest text of a JSON scalar; booleans as yes and no.
[[nodiscard]] std::string digits(const OrderedJson& value);
/// Some part of the node's price is an estimate.
[[nodiscard]] bool price_estimated(const NodeType& node);

/// Values in the units in which the catalogue is shown: GB, MB, GB/s, W, USD.
inline constexpr auto kGb = [](Bytes b) { return OrderedJson(static_cast<double>(b.count()) / 1e9); };
inline constexpr auto kMb = [](Bytes b) { return OrderedJson(static_cast<double>(b.count()) / 1e6); };
inline constexpr auto kGbs = [](BytesPerSecond r) { return OrderedJson(r.count() / 1e9); };
inline constexpr auto kWatts = [](Watts w) { return OrderedJson(w.count()); };
inline constexpr auto kUsd = [](Money m) { return OrderedJson(to_usd(m)); };
inline constexpr auto kPlain = [](auto v) { return OrderedJson(v); };

}  // namespace fleetsim::cli
