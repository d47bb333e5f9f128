// When nodes come and go, drawn before the run.
#include <algorithm>

#include "sim/base/assert.hpp"
#include "sim/base/rng.hpp"
#include "sim/economics/presence.hpp"
#include "sim/simulate.hpp"

namespace fleetsim {

namespace {

/// Of a whole node: its own failures and those of each of its GPUs add up as rates. 0: it never fails.
double failures_per_second(const FailureSpec& spec, int gpus) {
  double rate = 0.0;
  if (spec.node_mtbf > Duration::zero()) rate += 1.0 / to_seconds(spec.node_mtbf);
  if (spec.gpu_mtbf > Duration::zero()) rate += gpus / to_seconds(spec.gpu_mtbf);
  return rate;
}

/// Exponential times between the end of a repair and the next failure, and exponential repairs.
void draw_failures(const FailureSpec& spec, int gpus, Rng stream, const Stay& stay, Instant stop, NodeId node,
                   std::vector<NodeEvent>& out) {
  const double rate = failures_per_second(spec, gpus);
  if (!(rate > 0.0)) return;
  const double end_s = to_seconds(std::min(stay.until, stop));
  double at_s = to_seconds(stay.from);
  for (;;) {
    at_s += stream.exponential(1.0 / rate);
    if (!(at_s < end_s)) return;
    const Instant fails = kStart + from_seconds(at_s);
    if (!(fails < stay.until) || fails > stop) return;
    out.push_back({fails, node, NodeCause::failure});
    at_s += stream.exponential(to_seconds(spec.repair));
    if (!(at_s < end_s)) return;
    // A repair that takes no time at all would come before its failure in the order of one instant.
    const Instant back = std::max(kStart + from_seconds(at_s), fails + Duration(1));
    if (!(back < stay.until) || back > stop) return;
    out.push_back({back, node, NodeCause::repair});
    at_s = std::max(at_s, to_seconds(back));
  }
}

}  // namespace

std::vector<NodeEvent> draw_node_events(const Scenario& scenario, const std::vector<EnginePool>& pools,
                                        std::uint32_t replication, Instant stop) {
  FLEETSIM_ASSERT(pools.size() == scenario.pools.size());
  std::vector<NodeEvent> events;
  for (std::size_t p = 0; p < pools.size(); ++p) {
    const std::vector<Stay> stays = stays_of(scenario, p, pools[p].nodes);
    for (std::size_t n = 0; n < stays.size(); ++n) {
      const Stay& stay = stays[n];
      const NodeId node{static_cast<std::uint32_t>(pools[p].first_node) + static_cast<std::uint32_t>(n)};
      if (stay.from >= stay.until) {  // retired before it comes: never there
        events.push_back({kStart, node, NodeCause::retirement});
        continue;
      }
      if (stay.from > kStart) events.push_back({stay.from, node, NodeCause::delivery});
      if (const auto& failures = scenario.availability.failures) {
        const std::uint64_t entity = std::uint64_t{p} << 32 | n;
        draw_failures(*failures, pools[p].gpus_per_node, Rng(scenario.seed, replication, "failure", entity),
                      stay, stop, node, events);
      }
      if (stay.until <= stop) events.push_back({stay.until, node, NodeCause::retirement});
    }
  }
  std::sort(events.begin(), events.end());
  return events;
}

}  // namespace fleetsim
