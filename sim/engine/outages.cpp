#include "sim/engine/outages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/base/assert.hpp"

namespace fleetsim {

Duration with_checkpoints(Duration work, const Checkpointing& checkpoint) {
  if (checkpoint.interval <= Duration::zero() || work <= Duration::zero()) return work;
  const std::int64_t written = (work - Duration(1)) / checkpoint.interval;
  if (checkpoint.cost > Duration::zero() && written > (kForever - work) / checkpoint.cost) return kForever;
  return std::min(work + written * checkpoint.cost, kForever);
}

WorkSplit split_at_failure(Duration held, const Checkpointing& checkpoint) {
  if (checkpoint.interval <= Duration::zero()) return {{}, {}, held};
  const std::int64_t written = held / (checkpoint.interval + checkpoint.cost);
  WorkSplit split{written * checkpoint.interval, written * checkpoint.cost, {}};
  split.lost = held - split.kept - split.overhead;
  return split;
}

WorkSplit split_as_planned(Duration held, const Checkpointing& checkpoint) {
  if (checkpoint.interval <= Duration::zero()) return {held, {}, {}};
  const Duration period = checkpoint.interval + checkpoint.cost;
  const Duration rest = held % period;
  WorkSplit split;
  split.kept = held / period * checkpoint.interval + std::min(rest, checkpoint.interval);
  split.overhead = held - split.kept;
  return split;
}

namespace {

bool comes(NodeCause cause) {
  return cause == NodeCause::repair || cause == NodeCause::delivery;
}

/// What may happen to a node next.
bool may_follow(NodeBook::State state, NodeCause cause) {
  switch (cause) {
    case NodeCause::repair:
      return state == NodeBook::State::failed;
    case NodeCause::delivery:
      return state == NodeBook::State::absent;
    case NodeCause::failure:
      return state == NodeBook::State::up;
    case NodeCause::retirement:
      return state != NodeBook::State::absent;
  }
  return false;
}

NodeBook::State after(NodeCause cause) {
  return comes(cause)                  ? NodeBook::State::up
         : cause == NodeCause::failure ? NodeBook::State::failed
                                       : NodeBook::State::absent;
}

}  // namespace

NodeBook::NodeBook(const EngineInput& input) : pools_(input.pools) {
  std::int32_t nodes = 0;
  for (const EnginePool& pool : pools_) nodes = std::max(nodes, pool.first_node + pool.nodes);
  states_.assign(static_cast<std::size_t>(nodes), State::up);
  const auto& events = input.node_events;
  if (!std::is_sorted(events.begin(), events.end()))
    throw std::invalid_argument("the events of the nodes are not in order");
  std::vector<char> seen(states_.size(), 0);
  for (const NodeEvent& event : events) {
    const std::size_t node = index(event.node);
    if (node >= states_.size())
      throw std::invalid_argument(fmt::format("an event names node {}, the fleet has {}", node, nodes));
    if (seen[node] == 0 && comes(event.cause)) {
      states_[node] = event.cause == NodeCause::repair ? State::failed : State::absent;
      absent_.push_back(event.node);
    }
    seen[node] = 1;
  }
  std::vector<State> walk = states_;
  for (const NodeEvent& event : events) {
    State& state = walk[index(event.node)];
    const bool gone_for_good = state == State::absent && seen[index(event.node)] == 2;
    if (gone_for_good || !may_follow(state, event.cause))
      throw std::invalid_argument(fmt::format("a {} cannot happen to node {} at {} h", to_string(event.cause),
                                              index(event.node), to_hours(event.at.time_since_epoch())));
    if (event.cause == NodeCause::retirement) seen[index(event.node)] = 2;
    state = after(event.cause);
  }
}

NodeBook::Place NodeBook::place(NodeId node) const {
  const auto n = static_cast<std::int32_t>(index(node));
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    if (n >= pools_[p].first_node && n < pools_[p].first_node + pools_[p].nodes)
      return {PoolId{static_cast<std::uint16_t>(p)}, n - pools_[p].first_node};
  }
  FLEETSIM_ASSERT(false);
  return {};
}

bool NodeBook::apply(const NodeEvent& event) {
  State& state = states_[index(event.node)];
  FLEETSIM_ASSERT(may_follow(state, event.cause));
  const bool was_up = state == State::up;
  state = after(event.cause);
  return was_up != (state == State::up);
}

}  // namespace fleetsim
