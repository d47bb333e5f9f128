// EASY's reservation against running jobs released one by one on plain vectors.
#include "sim/policies/reservation.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <vector>

#include "tests/catch.hpp"
#include "tests/property/engine/random_case.hpp"
#include "tests/twin/twin.hpp"

using namespace fleetsim;
using random_case::in;
using random_case::seconds;

TEST_CASE("A reservation is the first instant at which releasing jobs one by one makes room") {
  CHECK(rc::check([] {
    EnginePool pool{"pool", in(1, 8), in(1, 6), in(0, 5)};
    if (in(0, 1) == 1) pool.nodes_per_leaf = in(1, 3);
    if (in(0, 1) == 1) pool.placement = PlacementRule::spread;
    const PoolShape shape{pool.nodes, pool.gpus_per_node, pool.first_node, pool.nodes_per_leaf,
                          pool.placement};
    const int leaves = in(0, 2) == 0 ? in(1, 3) : kAnyLeaves;
    Cluster cluster({&shape, 1}, 1000, true);
    std::vector<int> free(static_cast<std::size_t>(pool.nodes), pool.gpus_per_node);
    std::multimap<Instant, std::vector<NodeSlice>> ends;
    const auto start = [&](const std::vector<NodeSlice>& slices, Instant end) {
      cluster.start(JobId{static_cast<std::uint32_t>(ends.size())}, PoolId{0}, slices, end);
      for (const NodeSlice& s : slices) free[index(s.node) - pool.first_node] -= s.gpus;
      ends.emplace(end, slices);
    };
    for (int tries = 0; tries < 12; ++tries) {
      const auto slices = twin::choose(pool, free, in(1, 2 * pool.gpus_per_node));
      if (slices) start(*slices, Instant(seconds(in(1, 12))));
    }
    const Instant now(seconds(in(0, 8)));
    const int gpus = in(1, FreeMap(shape).max_fit(leaves));
    Reservation reservation(shape);
    reservation.compute(cluster, PoolId{0}, {gpus, leaves}, now);

    std::vector<int> later = free;
    Instant shadow = now;
    auto end = ends.begin();
    while (!twin::choose(pool, later, gpus, leaves)) {
      RC_ASSERT(end != ends.end());
      shadow = std::max(now, end->first);
      for (; end != ends.end() && end->first <= shadow; ++end) {
        for (const NodeSlice& s : end->second) later[index(s.node) - pool.first_node] += s.gpus;
      }
    }
    RC_ASSERT(reservation.shadow() == shadow);
    const auto own = twin::choose(pool, later, gpus, leaves);
    for (const NodeSlice& s : *own) later[index(s.node) - pool.first_node] -= s.gpus;
    const auto spare = reservation.spare(cluster, PoolId{0}).free();
    for (std::size_t n = 0; n < free.size(); ++n) RC_ASSERT(spare[n] == std::min(free[n], later[n]));
  }));
}
