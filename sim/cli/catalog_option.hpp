// --catalog DIR of the commands that read the catalogue without a scenario.
#pragma once

#include <optional>
#include <string>

#include "scenarios/loader/catalog.hpp"

namespace fleetsim::cli {

struct CatalogOption {
  std::optional<Catalog> own;  ///< the built-in catalogue and the user's folder
  bool usable = true;          ///< false: the folder has faults, which were printed; exit kWrongInput
  [[nodiscard]] const Catalog& catalog() const { return own ? *own : Catalog::builtin(); }
};

/// `folder` empty: the built-in catalogue. Throws EnvironmentError when the folder cannot be read.
[[nodiscard]] CatalogOption catalog_option(const std::string& folder);

}  // namespace fleetsim::cli
