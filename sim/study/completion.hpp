// How a part of a study gets into the store: simulate what is missing, read it back, simulate damage again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/study/store.hpp"
#include "sim/study/study.hpp"

namespace fleetsim {

/// With the base scenario's own study section and number of replications.
[[nodiscard]] Candidate candidate_at(const Scenario& base, const CandidateSource& source, std::size_t i);

/// The entry of a study in the store.
[[nodiscard]] StoredStudy describe(const Scenario& base, const CandidateSource& source,
                                   const StudyOptions& options);

/// One part of a study, whose progress is told as that of the whole: `before` simulations went before it,
/// `after` follow.
[[nodiscard]] StudyOptions part(const StudyOptions& options, std::int64_t before, std::int64_t after);

using Visit = std::function<void(std::size_t candidate, std::vector<RunResult> runs)>;

/// A disk that damages what is written again and again is no disk.
inline constexpr int kAttempts = 3;
void tell_faults(const StudyOptions& options, int faults);
[[noreturn]] void give_up(const StudyOptions& options);

/// Simulates until the store holds all that is wanted, whole. `begin` is called before each round of reading.
/// Empty: stopped.
[[nodiscard]] std::optional<ShardResult> complete(const Scenario& base, const CandidateSource& source,
                                                  const StudyOptions& options, ResultStore& store,
                                                  const std::function<void()>& begin, const Visit& visit);

/// Damage is told before the work that it causes, also in rows that this study does not ask for.
void mend(ResultStore& store, const StudyOptions& options);

void tell_others(const ResultStore& store, const StudyOptions& options);

}  // namespace fleetsim
