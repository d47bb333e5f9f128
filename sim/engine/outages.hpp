// Nodes that come and go during a run, and what becomes of the work of the jobs on them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/engine/engine.hpp"

namespace fleetsim {

/// What a stay on GPUs was spent on; sums to it.
struct WorkSplit {
  Duration kept{}, overhead{}, lost{};
};

/// Time that `work` takes with its checkpoints: work + n cost, n = ceil(work / interval) - 1, for none is
/// written after the last piece of work. At most kForever.
[[nodiscard]] Duration with_checkpoints(Duration work, const Checkpointing& checkpoint);

/// After `held` of a stay a node fails: what the last complete checkpoint saved is kept.
[[nodiscard]] WorkSplit split_at_failure(Duration held, const Checkpointing& checkpoint);
/// After `held` the job ends, or stops as planned: all its work is kept.
[[nodiscard]] WorkSplit split_as_planned(Duration held, const Checkpointing& checkpoint);

/// Whether each node is there, from the list of events. Throws std::invalid_argument with a sentence when
/// the list is not sorted, names a node that does not exist, or lets a node come twice or go twice.
class NodeBook {
 public:
  explicit NodeBook(const EngineInput& input);

  enum class State : std::uint8_t { absent, up, failed };
  struct Place {
    PoolId pool{};
    std::int32_t node = 0;  ///< index within the pool
  };
  [[nodiscard]] Place place(NodeId node) const;
  [[nodiscard]] State state(NodeId node) const { return states_[index(node)]; }
  /// Nodes that are not there at the start.
  [[nodiscard]] const std::vector<NodeId>& absent_at_start() const { return absent_; }

  /// Takes the event into account; whether GPUs came or went.
  bool apply(const NodeEvent& event);

 private:
  const std::vector<EnginePool>& pools_;
  std::vector<State> states_;  ///< by node
  std::vector<NodeId> absent_;
};

/// Calls f(pool, from, until) for each time within [begin, end) at which a node is not there: before its
/// delivery, after its retirement.
template <class F>
void for_each_absence(const EngineInput& input, Instant begin, Instant end, const F& f) {
  if (input.node_events.empty()) return;
  const NodeBook book(input);
  for (const NodeEvent& event : input.node_events) {
    const bool comes = event.cause == NodeCause::delivery;
    if (!comes && event.cause != NodeCause::retirement) continue;
    const Instant from = comes ? begin : std::max(begin, event.at);
    const Instant until = comes ? std::min(event.at, end) : end;
    if (from < until) f(index(book.place(event.node).pool), from, until);
  }
}

/// Calls f(pool, from, until) for each time within [begin, end) at which a node has failed and is still
/// there.
template <class F>
void for_each_failure(const EngineInput& input, Instant begin, Instant end, const F& f) {
  if (input.node_events.empty()) return;
  NodeBook book(input);
  std::map<NodeId, Instant> down;
  for (const NodeId node : book.absent_at_start()) {
    if (book.state(node) == NodeBook::State::failed) down[node] = kStart;
  }
  const auto tell = [&](NodeId node, Instant since, Instant until) {
    since = std::max(since, begin);
    until = std::min(until, end);
    if (since < until) f(index(book.place(node).pool), since, until);
  };
  for (const NodeEvent& event : input.node_events) {
    const bool was_down = book.state(event.node) == NodeBook::State::failed;
    book.apply(event);
    if (was_down) tell(event.node, down[event.node], event.at);
    if (event.cause == NodeCause::failure) down[event.node] = event.at;
  }
  for (const auto& [node, since] : down) {
    if (book.state(node) == NodeBook::State::failed) tell(node, since, end);
  }
}

}  // namespace fleetsim
