// A study by rounds against a store: all of it, a shard of a round, or the plan of the next one.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/study/store.hpp"
#include "sim/study/study.hpp"
#include "sim/study/study_rounds.hpp"

namespace fleetsim {

/// All rounds; `after`: simulations that follow them, for the progress. Returns how many simulations the
/// rounds have; empty: stopped.
[[nodiscard]] std::optional<std::int64_t> run_rounds(StudyRounds& rounds, const StudyOptions& options,
                                                     std::int64_t after, ResultStore& store);

/// The shard's part of the round that the store leads to: the first whose rows are not all there.
[[nodiscard]] std::optional<ShardResult> run_shard_of_round(const Scenario& base,
                                                            const CandidateSource& source,
                                                            const StudyOptions& options, std::int64_t after,
                                                            ResultStore& store);

/// The rows of that round; `store` null: there is none yet.
void plan_round(const Scenario& base, const CandidateSource& source, const Shard& shard, ResultStore* store,
                StudyPlan& plan);

}  // namespace fleetsim
