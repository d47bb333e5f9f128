// The indexed free map against the placement rule tried on every node.
#include "sim/cluster/free_map.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tests/catch.hpp"
#include "tests/twin/twin.hpp"

using namespace fleetsim;

TEST_CASE("The free map places every job where trying all nodes would") {
  CHECK(rc::check([] {
    const auto in = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
    EnginePool pool{"pool", in(1, 140), in(1, 9), in(0, 20)};
    if (in(0, 2) > 0) pool.nodes_per_leaf = in(1, 12);
    if (in(0, 1) == 0) pool.placement = PlacementRule::spread;
    FreeMap map({pool.nodes, pool.gpus_per_node, pool.first_node, pool.nodes_per_leaf, pool.placement});
    std::vector<int> plain(static_cast<std::size_t>(pool.nodes), pool.gpus_per_node);
    std::vector<NodeSlice> held, slices;
    for (int step = 0; step < 60; ++step) {
      const int gpus = in(0, 2) == 0 ? in(1, 5 * pool.gpus_per_node) : in(1, pool.gpus_per_node);
      const auto expected = twin::choose(pool, plain, gpus);
      RC_ASSERT(map.fits(gpus) == expected.has_value());
      RC_ASSERT(map.fits(map.max_fit() + 1) == false);
      const int leaves = in(1, 6);
      RC_ASSERT(map.fits(gpus, leaves) == twin::choose(pool, plain, gpus, leaves).has_value());
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

TEST_CASE("No set of leaves smaller than the chosen one holds a gang") {
  // All 2^L sets of leaves: one holds w whole nodes and a part of r GPUs when its whole nodes number more
  // than w, or w and another of its nodes has r free.
  CHECK(rc::check([] {
    const auto in = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
    const int per_leaf = in(1, 4), leaves = in(2, 6), size = in(2, 4);
    const PoolShape shape{per_leaf * leaves, size, 0, per_leaf,
                          in(0, 1) == 0 ? PlacementRule::pack : PlacementRule::spread};
    FreeMap map(shape);
    std::vector<int> free;
    for (int n = 0; n < shape.nodes; ++n) {
      free.push_back(in(0, 1) == 0 ? size : in(0, size));
      map.set(n, free.back());
    }
    const int gpus = in(size + 1, shape.nodes * size);
    const int whole = gpus / size, rest = gpus % size;
    int fewest = leaves + 1;
    for (int set = 1; set < 1 << leaves; ++set) {
      int used = 0, nodes = 0, part = 0;
      for (int leaf = 0; leaf < leaves; ++leaf) {
        if ((set >> leaf & 1) == 0) continue;
        ++used;
        for (int n = leaf * per_leaf; n < (leaf + 1) * per_leaf; ++n) {
          nodes += free[n] == size ? 1 : 0;
          if (free[n] < size) part = std::max(part, free[n]);
        }
      }
      if (nodes > whole || (nodes == whole && part >= rest)) fewest = std::min(fewest, used);
    }
    RC_ASSERT(map.fits(gpus) == (fewest <= leaves));
    for (int limit = 1; limit <= leaves; ++limit) RC_ASSERT(map.fits(gpus, limit) == (fewest <= limit));
    if (!map.fits(gpus)) return;
    std::vector<NodeSlice> slices;
    const bool crosses = map.choose(gpus, slices);
    std::set<int> chosen;
    int total = 0;
    for (const NodeSlice& s : slices) {
      chosen.insert(static_cast<int>(index(s.node)) / per_leaf);
      RC_ASSERT(s.gpus <= free[index(s.node)]);
      total += s.gpus;
    }
    RC_ASSERT(total == gpus);
    RC_ASSERT(static_cast<int>(chosen.size()) == fewest);
    RC_ASSERT(crosses == (fewest > 1));
  }));
}
