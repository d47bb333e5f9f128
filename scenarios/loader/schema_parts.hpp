// Parts of the scenario's schema that have files of their own. Each appends its keys.
#pragma once

#include <vector>

#include "scenarios/loader/schema.hpp"

namespace fleetsim {

void starts_key(std::vector<SchemaKey>& k);     ///< time.starts
void delivery_keys(std::vector<SchemaKey>& k);  ///< fleet.deliveries
void growth_key(std::vector<SchemaKey>& k);     ///< workload.growth
void failure_keys(std::vector<SchemaKey>& k);   ///< failures
void advice_keys(std::vector<SchemaKey>& k);    ///< advice

}  // namespace fleetsim
