// The indexed free map against the placement rule tried on every node.
#include "sim/cluster/free_map.hpp"

#include <rapidcheck.h>

#include <vector>

#include "tests/catch.hpp"
#include "tests/property/engine/twin.hpp"

using namespace fleetsim;

TEST_CASE("The free map places every job where trying all nodes would") {
  CHECK(rc::check([] {
    const auto in = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
    EnginePool pool{"pool", in(1, 140), in(1, 9), in(0, 20)};
    if (in(0, 2) > 0) pool.nodes_per_leaf = in(1, 12);
    FreeMap map({pool.nodes, pool.gpus_per_node, pool.first_node, pool.nodes_per_leaf});
    std::vector<int> plain(static_cast<std::size_t>(pool.nodes), pool.gpus_per_node);
    std::vector<NodeSlice> held, slices;
    for (int step = 0; step < 60; ++step) {
      const int gpus = in(0, 2) == 0 ? in(1, 5 * pool.gpus_per_node) : in(1, pool.gpus_per_node);
      const auto expected = twin::choose(pool, plain, gpus);
      RC_ASSERT(map.fits(gpus) == expected.has_value());
      RC_ASSERT(map.fits(map.max_fit() + 1) == false);
      if (expected) {
        slices.clear();
        const bool crosses = map.choose(gpus, slices);
        RC_ASSERT(slices.size() == expected->size());
        bool several = false;
        for (std::size_t s = 0; s < slices.size(); ++s) {
          RC_ASSERT(index(slices[s].node) == index((*expected)[s].node));
          RC_ASSERT(slices[s].gpus == (*expected)[s].gpus);
          const auto leaf = [&](std::size_t k) {
            return static_cast<std::int32_t>(index(slices[k].node)) / pool.nodes_per_leaf;
          };
          several = several || leaf(s) != leaf(0);
          map.take(slices[s]);
          plain[index(slices[s].node) - pool.first_node] -= slices[s].gpus;
          held.push_back(slices[s]);
        }
        RC_ASSERT(crosses == several);
      }
      while (!held.empty() && (!expected || in(0, 2) == 0)) {
        const auto k = static_cast<std::size_t>(in(0, static_cast<int>(held.size()) - 1));
        map.give(held[k]);
        plain[index(held[k].node) - pool.first_node] += held[k].gpus;
        held.erase(held.begin() + static_cast<std::ptrdiff_t>(k));
        if (in(0, 1) == 0) break;
      }
    }
  }));
}
