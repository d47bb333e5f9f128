// The part of the schema that describes the room; schema.cpp puts it in its place.
#pragma once

#include <vector>

#include "scenarios/loader/schema.hpp"

namespace fleetsim {

void pool_limit_keys(std::vector<SchemaKey>& keys);  ///< below fleet.*
void facility_keys(std::vector<SchemaKey>& keys);    ///< below site

}  // namespace fleetsim
