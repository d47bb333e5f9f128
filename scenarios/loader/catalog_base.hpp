// `based_on: NAME`: a catalogue entry that starts from another and says only what differs.
#pragma once

#include <string>
#include <vector>

#include "scenarios/loader/document.hpp"
#include "sim/base/diagnostic.hpp"

namespace fleetsim {

/// What `based_on` says, the value's node; null where the key is absent or the document is no map.
[[nodiscard]] YamlPtr base_of(const YamlNode& entry);

/// `base` with what `own` overrides: maps key by key, lists and single values as a whole. A key of `own` or
/// one that its `without: [KEY, ...]` names is gone from the base. Never inherited: the title (without one
/// the entry is called `name`), and the source, date, range and note of a map in which `own` changes
/// anything: they belonged to the old figure. Values keep their places, so faults name the file they stand
/// in. Faults of `without` go to `diagnostics`.
[[nodiscard]] YamlPtr inherit(const YamlNode& base, const YamlNode& own, const std::string& name,
                              Diagnostics& diagnostics);

}  // namespace fleetsim
