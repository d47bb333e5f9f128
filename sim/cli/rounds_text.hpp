// What a study by rounds saved, and who was left behind when.
#pragma once

#include <string>

#include "sim/study/study.hpp"

namespace fleetsim::cli {

/// A line for each ranked fleet of the sharing rule that was not simulated to the end; empty for an
/// exhaustive study.
[[nodiscard]] std::string stopped_text(const StudyResult& study, SharingRule rule);
/// The rounds, what they cost, what they guarantee.
[[nodiscard]] std::string rounds_text(const RoundsSummary& rounds);

/// What `--shard` prints of one round.
struct ShardTold {
  Shard shard;
  std::string store, drawn;
};
[[nodiscard]] std::string shard_text(const ShardResult& result, const ShardTold& told);

}  // namespace fleetsim::cli
