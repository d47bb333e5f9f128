// What a run keeps of jobs beyond the usual where something can stop them, or where they may leave. Private
// to the engine's run.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/engine.hpp"
#include "sim/engine/outages.hpp"

namespace fleetsim {

/// Only where something can stop a job: events of nodes, or owners of nodes.
struct OutageState {
  explicit OutageState(const EngineInput& input)
      : book(input),
        left(input.truth->wall),
        order(left.size()),
        sequence(left.size()),
        crosses(left.size()) {}
  NodeBook book;
  std::size_t next = 0;                 ///< event
  std::vector<Duration> left;           ///< by job: wall time that no checkpoint has saved yet
  std::vector<std::uint32_t> order;     ///< by job: its place in the order of submission
  std::vector<std::uint32_t> sequence;  ///< by job: number of its last start
  std::vector<std::uint8_t> crosses;    ///< by job: its last placement crosses leaves
};

/// Only where jobs may burst.
struct CloudState {
  explicit CloudState(std::size_t jobs)
      : deadline(jobs, Instant::max()), taken_away(jobs), interruptions(jobs) {}
  struct Deadline {
    Instant at{};
    JobId job{};
  };
  std::vector<Deadline> deadlines;  ///< ascending, for all waits may last equally long
  std::size_t next = 0;
  std::vector<Instant> deadline;             ///< by job: the last one that was set
  std::vector<std::uint8_t> taken_away;      ///< by job: its attempt ends by an interruption
  std::vector<std::uint32_t> interruptions;  ///< by job: so far
};

}  // namespace fleetsim
