// Names under which a price of the catalogue may be replaced, and the replacing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/loader/catalog.hpp"
#include "sim/scenario.hpp"

namespace fleetsim {

/// The name of a price of the catalogue: `GPU`, `NODE`, `NODE PART`, `NETWORK adapter|switch|cable`,
/// `management-switch`, `rack`. Titles (RTX 3080 10 GB) and other cases are understood. Nothing when it is
/// none.
[[nodiscard]] std::optional<std::string> known_price_name(const std::string& item, const Catalog& catalog);

/// A name of the catalogue that an item looks like but is not: a part without its node ("two CPUs"), the head
/// of a title ("RTX 3080"), a title that goes on ("InfiniBand EDR 4x switch, 36 ports"). Nothing for a known
/// name or where nothing is alike.
[[nodiscard]] std::optional<std::string> resembled_price_name(const std::string& item,
                                                              const Catalog& catalog);

/// What may have been meant.
[[nodiscard]] std::string hint_for_price_name(const std::string& item, const Catalog& catalog);

/// Puts one price in its place: pools, fabric, prices. False when the scenario buys nothing at it.
/// Precondition: the item is a known_price_name. A GPU's price goes into every part that is its card; a
/// node's price stands for all its parts.
bool lay_over(Scenario& scenario, const GivenPrice& given);

}  // namespace fleetsim
