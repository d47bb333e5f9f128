// A study's list of simulations, its split into shards, and the pieces that threads take from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fleetsim {

/// Part `index` (from 1) of `count`.
struct Shard {
  int index = 1, count = 1;
};

/// The simulations of a study stand in one list: replication by replication, in each every candidate. A place
/// in it is replication x candidates + candidate.
struct PlaceRange {
  std::int64_t begin = 0, end = 0;
  [[nodiscard]] std::int64_t size() const { return end - begin; }
};

/// Consecutive places, as even as whole numbers allow: a shard draws few workloads, and which places it has
/// depends on nothing but the numbers given.
[[nodiscard]] PlaceRange places_of(const Shard& shard, std::int64_t total);

/// Candidates of one replication, to be simulated on one drawn workload.
struct Unit {
  int replication = 0;
  std::vector<std::size_t> candidates;
};

/// `missing`: places without a row, ascending. Every place is in one unit. A unit is a replication while much
/// is left, and smaller towards the end, so that all threads end together. `turn` permutes replications and
/// rotates candidates: processes with different turns start at different ends of one store.
[[nodiscard]] std::vector<Unit> make_units(const std::vector<std::int64_t>& missing, std::size_t candidates,
                                           int threads, std::uint64_t turn);

}  // namespace fleetsim
