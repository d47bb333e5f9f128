// The index over waiting jobs against a plain list.
#include "sim/policies/waiting.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <vector>

#include "tests/catch.hpp"
#include "tests/property/draw.hpp"

using namespace fleetsim;

using draw::in;

namespace {

struct Waiter {
  std::uint32_t order = 0;
  int gpus = 0;
  Duration limit{};
};

/// Every query from every third job on must name the same job as a walk over the plain list.
void must_agree(const WaitingList& list, const std::vector<Waiter>& plain,
                const std::vector<Window>& windows) {
  RC_ASSERT(list.size() == plain.size());
  for (std::size_t k = 0; k <= plain.size(); k += 3) {
    const std::uint32_t from = k < plain.size() ? plain[k].order : 0;
    std::size_t found = k < plain.size() ? k : 0;
    const auto fits = [&](const Waiter& w) {
      for (const Window& window : windows) {
        if (w.gpus <= window.gpus && w.limit <= window.limit) return true;
      }
      return false;
    };
    while (found < plain.size() && !fits(plain[found])) ++found;
    const std::size_t at = list.next(list.position_of(from), windows);
    RC_ASSERT((at == WaitingList::kEnd) == (found == plain.size()));
    if (at == WaitingList::kEnd) continue;
    RC_ASSERT(list.order(at) == plain[found].order);
    RC_ASSERT(index(list.job(at)) == plain[found].order);
    RC_ASSERT(list.gpus(at) == plain[found].gpus);
  }
}

}  // namespace

TEST_CASE("The waiting list finds the same next job as a walk over all of them, also after jobs came back") {
  CHECK(rc::check([] {
    WaitingList list;
    std::vector<Waiter> plain, removed;
    std::uint32_t order = 0;
    const int keep = *rc::gen::element(3, 40, 700);
    for (int step = 0; step < 1500; ++step) {
      if (static_cast<int>(plain.size()) < keep && in(0, 4) != 0) {
        const Waiter w{order, in(1, 64), Duration(in(0, 1000))};
        list.append(JobId{order}, order, w.gpus, w.limit);
        plain.push_back(w);
        ++order;
      } else if (!removed.empty() && in(0, 2) == 0) {
        // Back to the place that it had.
        const auto chosen = removed.begin() + in(0, static_cast<int>(removed.size()) - 1);
        const Waiter w = *chosen;
        removed.erase(chosen);
        list.insert(JobId{w.order}, w.order, w.gpus, w.limit);
        const auto behind = [](const Waiter& a, const Waiter& b) { return a.order < b.order; };
        plain.insert(std::upper_bound(plain.begin(), plain.end(), w, behind), w);
      } else if (!plain.empty()) {
        const auto victim = static_cast<std::size_t>(in(0, static_cast<int>(plain.size()) - 1));
        list.remove(list.position_of(plain[victim].order));
        removed.push_back(plain[victim]);
        plain.erase(plain.begin() + static_cast<std::ptrdiff_t>(victim));
      }
      if (step % 50 != 0) continue;
      std::vector<Window> windows{{in(0, 64), Duration(in(0, 1000))}};
      if (in(0, 1) == 1) windows.push_back({in(0, 8), Duration::max()});
      must_agree(list, plain, windows);
    }
  }));
}
