// What the files of the scenario's schema share: how a key is written, and the parts that stand in files of
// their own. Each part appends its keys; schema.cpp puts them in order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/loader/schema.hpp"

namespace fleetsim::schema_parts {

/// A key with its meaning in one line and a legal value; range, default and words are added to it.
[[nodiscard]] SchemaKey key(std::string path, KeyKind kind, std::string meaning, std::string example = {});

using K = KeyKind;
using Keys = std::vector<SchemaKey>;
using Count = std::int64_t;

/// Far above any real purchase or tariff, and together far below what 64-bit micro-USD hold.
inline constexpr Money kDearest{10'000'000'000LL * 1'000'000};
inline constexpr Watts kStrongest{1e9};
inline constexpr Count kMostNodes = 100'000;

[[nodiscard]] inline Range<Duration> a_time() {
  return between(Duration{}, kCentury);
}
[[nodiscard]] inline Range<Duration> a_positive_time() {
  return above_to(Duration{}, kCentury);
}

/// The words of an enumeration, as a file spells them.
template <class Words>
[[nodiscard]] std::vector<std::string> spelled(const Words& words) {
  std::vector<std::string> out;
  for (const auto& [word, meaning] : words) out.push_back(word);
  return out;
}

void starts_key(Keys& keys);       ///< time.starts
void pool_limit_keys(Keys& keys);  ///< below fleet.*
void delivery_keys(Keys& keys);    ///< fleet.deliveries
void existing_keys(Keys& keys);    ///< fleet.existing
void facility_keys(Keys& keys);    ///< below site
void carbon_keys(Keys& keys);      ///< site.carbon
void economics_keys(Keys& keys);   ///< economics without rent
void rent_keys(Keys& keys);        ///< economics.rent
/// `rate`, `source` and `as_of` below `path`: what a GPU-hour costs in a cloud.
void cloud_rate_keys(Keys& keys, const std::string& path, const char* example);
void price_keys(Keys& keys);        ///< prices
void workload_keys(Keys& keys);     ///< workload
void growth_key(Keys& keys);        ///< workload.growth
void closed_loop_keys(Keys& keys);  ///< workload.classes.*.arrivals.closed_loop
void objective_keys(Keys& keys);    ///< study.objective
void front_keys(Keys& keys);        ///< study.front
void group_keys(Keys& keys);        ///< workload.groups
void trace_group_keys(Keys& keys);  ///< workload.trace.groups
void failure_keys(Keys& keys);      ///< failures
void burst_keys(Keys& keys);        ///< scheduler.burst
void alternative_keys(Keys& keys);  ///< study.alternatives
void advice_keys(Keys& keys);       ///< advice
void demand_keys(Keys& keys);       ///< workload.demand
void axis_keys(Keys& keys);         ///< study.axes

}  // namespace fleetsim::schema_parts
