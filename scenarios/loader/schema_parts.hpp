// Parts of the description of a scenario file that stand in files of their own.
#pragma once

#include <vector>

#include "scenarios/loader/schema.hpp"

namespace fleetsim {

void advice_keys(std::vector<SchemaKey>& keys);

}  // namespace fleetsim
