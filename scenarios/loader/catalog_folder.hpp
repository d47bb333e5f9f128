// The files behind the catalogue: built in, and in a folder of the user's.
#pragma once

#include <span>
#include <vector>

#include "scenarios/loader/catalog.hpp"
#include "sim/base/embedded.hpp"

namespace fleetsim {

/// Every kind, those first that others refer to.
inline constexpr CatalogKind kKindsToRead[] = {CatalogKind::gpus,   CatalogKind::links,
                                               CatalogKind::nodes,  CatalogKind::models,
                                               CatalogKind::prices, CatalogKind::systems};

[[nodiscard]] std::span<const EmbeddedFile> embedded_catalog();  // generated, see .cmake/embed.cmake

/// The built-in files, each shown as `catalog/KIND/NAME.yaml`.
[[nodiscard]] std::vector<Catalog::File> embedded_files();

}  // namespace fleetsim
