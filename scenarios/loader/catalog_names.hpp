// Names in catalogue files that stand for other entries.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/loader/catalog_records.hpp"

namespace fleetsim {

/// The name at `key`, one of `kind`; null when absent, unknown (reported) or broken (reported elsewhere).
template <class T>
[[nodiscard]] const T* look_up(Reader& parent, const std::string& key, const Catalog& catalog,
                               CatalogKind kind, const T* (Catalog::*get)(std::string_view) const,
                               const Broken& broken, const char* what) {
  const auto r = parent.require(key);
  if (!r || broken.count(fmt::format("{}/{}", to_string(kind), r->raw())) != 0) return nullptr;
  const std::vector<std::string> names = catalog.names(kind);
  const auto i = r->choose(names, what);
  return i ? (catalog.*get)(names[*i]) : nullptr;
}

[[nodiscard]] inline bool is_broken(const Broken& broken, CatalogKind kind, const std::string& name) {
  return broken.count(fmt::format("{}/{}", to_string(kind), name)) != 0;
}

}  // namespace fleetsim
