#include "sim/study/shard.hpp"

#include <algorithm>

#include "sim/base/assert.hpp"
#include "sim/base/hash.hpp"

namespace fleetsim {

PlaceRange places_of(const Shard& shard, std::int64_t total) {
  FLEETSIM_ASSERT(shard.index >= 1 && shard.index <= shard.count);
  // total * index could overflow; quotient and remainder cannot.
  const std::int64_t each = total / shard.count, rest = total % shard.count;
  const auto until = [&](std::int64_t shards) { return each * shards + rest * shards / shard.count; };
  return {until(shard.index - 1), until(shard.index)};
}

std::vector<Unit> make_units(const std::vector<std::int64_t>& missing, std::size_t candidates, int threads,
                             std::uint64_t turn) {
  std::vector<Unit> whole;
  for (const std::int64_t place : missing) {
    const auto replication = static_cast<int>(place / static_cast<std::int64_t>(candidates));
    if (whole.empty() || whole.back().replication != replication) whole.push_back({replication, {}});
    whole.back().candidates.push_back(
        static_cast<std::size_t>(place % static_cast<std::int64_t>(candidates)));
  }
  const auto mixed = [turn](int replication, std::uint64_t purpose) {
    ReplayHash hash;
    hash.mix(turn);
    hash.mix(static_cast<std::uint64_t>(replication));
    hash.mix(purpose);
    return hash.value();
  };
  std::stable_sort(whole.begin(), whole.end(), [&](const Unit& a, const Unit& b) {
    return mixed(a.replication, 0) < mixed(b.replication, 0);
  });

  std::vector<Unit> units;
  std::size_t left = missing.size();
  for (Unit& unit : whole) {
    auto& all = unit.candidates;
    const auto from = static_cast<std::ptrdiff_t>(mixed(unit.replication, 1) % all.size());
    std::rotate(all.begin(), all.begin() + from, all.end());
    for (std::size_t begin = 0; begin < all.size();) {
      std::size_t n = all.size() - begin;
      if (threads > 1)
        n = std::min(n, std::max<std::size_t>(1, left / (2 * static_cast<std::size_t>(threads))));
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(begin);
      units.push_back({unit.replication, {first, first + static_cast<std::ptrdiff_t>(n)}});
      begin += n;
      left -= n;
    }
  }
  return units;
}

}  // namespace fleetsim
