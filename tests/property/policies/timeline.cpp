// The breakpoints of one node's plan against an array with one cell a second.
#include "sim/policies/timeline.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <vector>

#include "tests/catch.hpp"
#include "tests/property/draw.hpp"

using namespace fleetsim;

using draw::in;

namespace {

constexpr int kSeconds = 120;  ///< behind it the node stays as it is in the last cell

Instant at(int s) {
  return Instant(std::chrono::seconds(s));
}
Duration length(int s) {
  return std::chrono::seconds(s);
}

struct Naive {
  std::vector<int> free;
  explicit Naive(int gpus) : free(kSeconds + 1, gpus) {}
  [[nodiscard]] int get(int s) const { return free[static_cast<std::size_t>(std::min(s, kSeconds))]; }
  [[nodiscard]] int least(int from, int to) const {
    int least = get(from);
    for (int s = from; s < std::min(to, kSeconds + 1); ++s) least = std::min(least, get(s));
    return least;
  }
  /// -1: none.
  [[nodiscard]] int earliest(int gpus, int length_s, int from, int before, int clip) const {
    for (int s = from; s < before; ++s) {
      if (least(s, std::max(s + 1, std::min(s + length_s, clip))) >= gpus) return s;
    }
    return -1;
  }
};

void must_answer_alike(const Timeline& fast, const Naive& naive, int gpus, int now) {
  const int from = in(now, kSeconds), before = in(from, kSeconds + 40), wanted = in(1, gpus);
  const int length_s = in(1, 60), clip = in(0, 1) == 0 ? 100'000 : in(from + 1, kSeconds + 60);
  const int expected = naive.earliest(wanted, length_s, from, before, clip);
  const Instant found = fast.earliest(wanted, length(length_s), at(from), at(before), at(clip));
  RC_ASSERT(found == (expected < 0 ? at(before) : at(expected)));
  RC_ASSERT(fast.least(at(from), at(from + length_s)) == naive.least(from, from + length_s));

  std::vector<bool> anchors(kSeconds + 200, false);
  fast.each_anchor(wanted, length(length_s), at(from), at(before), [&](Instant first, Instant end) {
    RC_ASSERT(first < end);
    for (int s = 0; s < kSeconds + 200; ++s) {
      if (at(s) >= first && at(s) < end) anchors[static_cast<std::size_t>(s)] = true;
    }
  });
  for (int s = from; s < before; ++s)
    RC_ASSERT(anchors[static_cast<std::size_t>(s)] == (naive.least(s, s + length_s) >= wanted));

  int last = gpus + 1;
  fast.each_step_down(at(now), [&](int stay, Instant until) {
    RC_ASSERT(stay < last);
    last = stay;
    if (until == Instant::max()) {
      RC_ASSERT(naive.least(now, 100'000) == stay);
      return;
    }
    const auto end = static_cast<int>(to_seconds(until));
    RC_ASSERT(naive.least(now, end) == stay);
    RC_ASSERT(naive.get(end) < stay);
  });
}

}  // namespace

TEST_CASE("A node's timeline answers like an array of seconds") {
  CHECK(rc::check([] {
    const int gpus = in(1, 9);
    Timeline fast(gpus);
    fast.reset(gpus, at(0));
    Naive naive(gpus);
    int now = 0;
    struct Hold {
      int from, to, gpus;
    };
    std::vector<Hold> holds;
    for (int step = 0; step < 120; ++step) {
      if (holds.empty() || in(0, 2) > 0) {
        const int from = in(now, kSeconds - 1), to = in(from + 1, kSeconds);
        const int most = naive.least(from, to);
        if (most == 0) continue;
        holds.push_back({from, to, in(1, most)});
        fast.add(at(from), at(to), -holds.back().gpus);
        for (int s = from; s < to; ++s) naive.free[static_cast<std::size_t>(s)] -= holds.back().gpus;
      } else {
        const auto k = static_cast<std::size_t>(in(0, static_cast<int>(holds.size()) - 1));
        const Hold hold = holds[k];
        holds.erase(holds.begin() + static_cast<std::ptrdiff_t>(k));
        const int from = std::max(hold.from, now);
        if (from < hold.to) fast.add(at(from), at(hold.to), hold.gpus);
        for (int s = from; s < hold.to; ++s) naive.free[static_cast<std::size_t>(s)] += hold.gpus;
      }
      if (in(0, 9) == 0) {
        now = std::min(now + in(0, 5), kSeconds - 2);
        fast.trim(at(now));
      }
      must_answer_alike(fast, naive, gpus, now);
    }
    // Neighbours differ: at most two breakpoints a hold, the beginning, and the instant of the last trim.
    RC_ASSERT(fast.size() <= 2 * holds.size() + 2);
  }));
}

TEST_CASE("An end that lies beyond the clock never comes") {
  Timeline node(4);
  node.reset(4, at(0));
  node.add(at(10), saturated(at(10), Duration::max()), -3);
  CHECK(node.least(at(20), Instant::max()) == 1);
  CHECK(node.earliest(2, length(5), at(0), Instant::max()) == at(0));
  CHECK(node.earliest(2, length(11), at(0), Instant::max()) == Instant::max());
}
