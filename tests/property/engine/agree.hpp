// The fast simulator against its slow twin on one input.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "sim/engine/engine.hpp"
#include "sim/policies/conservative.hpp"
#include "tests/property/engine/random_case.hpp"
#include "tests/twin/twin.hpp"

namespace random_case {

inline std::vector<NodeSlice> slices_of(const JobOutcome& jobs, std::size_t j) {
  const auto begin = jobs.slices.begin() + jobs.first_slice[j];
  return {begin, begin + jobs.node_count[j]};
}

inline std::string seconds_text(Instant t) {
  return t == kNever ? "never" : fmt::format("{} s", to_seconds(t));
}

/// The fast simulator and the twin give every job the same times, state, reason and GPUs.
template <class Describe>
void must_agree(const EngineInput& input, const Describe& describe_case, std::size_t depth = 1000) {
  const EngineResult fast = run_engine(input);
  const std::vector<twin::Record> slow = twin::Simulator(input, depth).run();
  for (std::size_t j = 0; j < slow.size(); ++j) {
    const JobOutcome& jobs = fast.jobs;
    if (jobs.start[j] != slow[j].start) {
      RC_LOG() << describe_case() << "job " << j << " starts at " << seconds_text(jobs.start[j])
               << ", the twin's at " << seconds_text(slow[j].start) << std::endl;
    }
    RC_ASSERT(jobs.start[j] == slow[j].start);
    RC_ASSERT(jobs.submit[j] == slow[j].submit);
    RC_ASSERT(jobs.end[j] == slow[j].end);
    RC_ASSERT(std::string(to_string(jobs.state[j])) == to_string(slow[j].state));
    RC_ASSERT(std::string(to_string(jobs.reason[j])) == to_string(slow[j].reason));
    const auto placed = slices_of(jobs, j);
    RC_ASSERT(placed.size() == slow[j].slices.size());
    for (std::size_t s = 0; s < placed.size(); ++s) {
      RC_ASSERT(index(placed[s].node) == index(slow[j].slices[s].node));
      RC_ASSERT(placed[s].gpus == slow[j].slices[s].gpus);
    }
  }
  std::vector<twin::Record> spent(slow.size());
  for (const Attempt& attempt : fast.attempts) {
    twin::Record& job = spent[index(attempt.job)];
    job.held += (attempt.end - attempt.start).count();
    job.kept += attempt.kept.count();
    job.overhead += attempt.overhead.count();
    job.lost += attempt.lost.count();
    ++job.attempts;
  }
  for (std::size_t j = 0; j < slow.size(); ++j) {
    RC_ASSERT(spent[j].attempts == slow[j].attempts);
    RC_ASSERT(spent[j].held == slow[j].held);
    RC_ASSERT(spent[j].kept == slow[j].kept);
    RC_ASSERT(spent[j].overhead == slow[j].overhead);
    RC_ASSERT(spent[j].lost == slow[j].lost);
  }
}

/// rapidcheck runs a body a hundred times; rare coincidences need more cases than that.
inline void agree_often(PolicyKind policy, const Options& options, std::size_t depth = kReservationDepth,
                        int cases = 10) {
  for (int k = 0; k < cases; ++k) {
    Case c;
    fill(c, options);
    c.input.policy = policy;
    must_agree(
        c.input, [&] { return describe(c); }, depth);
  }
}

/// Conservative backfilling with three reservations takes the place of the registered policy while it lives.
struct FewReservations {
  static constexpr std::size_t kDepth = 3;
  RegisterPolicy few{PolicyKind::conservative, [] { return make_conservative(kDepth); }};
  FewReservations() = default;
  FewReservations(const FewReservations&) = delete;
  FewReservations& operator=(const FewReservations&) = delete;
  ~FewReservations() {
    RegisterPolicy(PolicyKind::conservative, [] { return make_conservative(kReservationDepth); });
  }
};

}  // namespace random_case
