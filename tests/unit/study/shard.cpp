#include "sim/study/shard.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "tests/catch.hpp"

using namespace fleetsim;

TEST_CASE("shards follow each other, cover everything and differ by at most one run") {
  for (const std::int64_t total : {0LL, 1LL, 5LL, 720LL, 9'000'000'000'000'000'000LL}) {
    for (const int count : {1, 2, 7, 1000}) {
      std::int64_t at = 0, least = total, most = 0;
      for (int k = 1; k <= count; ++k) {
        const PlaceRange range = places_of({k, count}, total);
        REQUIRE(range.begin == at);
        at = range.end;
        least = std::min(least, range.size());
        most = std::max(most, range.size());
      }
      CHECK(at == total);
      CHECK(most - least <= 1);
    }
  }
}

TEST_CASE("units hold every missing run once, on the right replication, and shrink towards the end") {
  constexpr std::size_t kShardedCandidates = 36;
  std::vector<std::int64_t> missing;
  for (std::int64_t place = 0; place < 720; ++place)
    if (place % 7 != 3) missing.push_back(place);
  for (const int threads : {1, 2, 8}) {
    for (const std::uint64_t turn : {1U, 2U, 12345U}) {
      const std::vector<Unit> units = make_units(missing, kShardedCandidates, threads, turn);
      std::vector<std::int64_t> all;
      for (const Unit& unit : units) {
        REQUIRE(!unit.candidates.empty());
        for (const std::size_t c : unit.candidates)
          all.push_back(unit.replication * std::int64_t{kShardedCandidates} + static_cast<std::int64_t>(c));
      }
      std::sort(all.begin(), all.end());
      CHECK(all == missing);
      // One thread draws each workload once; several end on single runs, so that none waits for long.
      if (threads == 1)
        CHECK(units.size() == 20);
      else
        CHECK(units.back().candidates.size() == 1);
    }
  }
  CHECK(make_units({}, kShardedCandidates, 2, 1).empty());
}

TEST_CASE("two processes begin at different replications") {
  std::vector<std::int64_t> missing(720);
  std::iota(missing.begin(), missing.end(), 0);
  std::set<int> first;
  for (std::uint64_t turn = 1000; turn < 1010; ++turn)
    first.insert(make_units(missing, 36, 1, turn).front().replication);
  CHECK(first.size() > 4);  // of 20; ten equal draws would give 1
}
