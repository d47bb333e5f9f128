#include "sim/engine/event_heap.hpp"

#include <algorithm>

#include "sim/base/rng.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

TEST_CASE("Events come in the order of instant, rank and sequence") {
  EventHeap heap;
  std::vector<Event> all;
  Rng rng(1, 0, "heap");
  for (std::uint32_t k = 0; k < 2000; ++k) {
    const Instant at(Duration(static_cast<std::int64_t>(rng.uniform() * 50)));
    const auto rank = rng.bernoulli(0.5) ? EventRank::finish : EventRank::submit;
    all.push_back(Event::make(at, rank, k, JobId{2000 - k}));
    heap.push(all.back());
    if (k % 3 != 2) continue;
    const auto least = std::min_element(all.begin(), all.end());
    const Event popped = heap.pop();
    REQUIRE((popped.at == least->at && popped.key == least->key));
    all.erase(least);
  }
  std::sort(all.begin(), all.end());
  for (const Event& expected : all) {
    const Event popped = heap.pop();
    REQUIRE((popped.at == expected.at && popped.rank() == expected.rank() && popped.job() == expected.job()));
  }
  CHECK(heap.empty());
}
