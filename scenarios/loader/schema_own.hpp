// Keys of owning and renting, for the description of a scenario file.
#pragma once

#include <vector>

#include "scenarios/loader/schema.hpp"

namespace fleetsim {

void existing_keys(std::vector<SchemaKey>& keys);     ///< fleet.existing
void alternative_keys(std::vector<SchemaKey>& keys);  ///< study.alternatives
void rent_keys(std::vector<SchemaKey>& keys);         ///< economics.rent

}  // namespace fleetsim
