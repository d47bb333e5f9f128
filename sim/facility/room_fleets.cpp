#include "sim/facility/room_fleets.hpp"

#include <algorithm>
#include <numeric>

#include "sim/facility/facility.hpp"

namespace fleetsim::facility {

namespace {

using Counts = std::vector<int>;

/// Whether `a` has at most as many nodes of every pool.
bool within(const Counts& a, const Counts& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] > b[i]) return false;
  return true;
}

class Search {
 public:
  explicit Search(const Scenario& scenario) : trial_(scenario) {}

  [[nodiscard]] bool admissible(const Counts& counts) {
    ++tries_;
    for (std::size_t i = 0; i < counts.size(); ++i) trial_.pools[i].count = counts[i];
    const std::vector<Finding> found = check(trial_);
    return found.empty() || found.front().severity != Severity::hard;  // hard ones come first
  }

  /// Adds to `fleets` the most of the last pool for every count of the others below `top`.
  void below(const Counts& top, std::vector<Counts>& fleets) {
    Counts counts = top;
    descend(top, 0, counts, fleets);
  }

 private:
  void descend(const Counts& top, std::size_t pool, Counts& counts, std::vector<Counts>& fleets) {
    if (tries_ >= kMostTries) return;
    const bool fixed = trial_.pools[pool].existing;
    if (pool + 1 < top.size()) {
      for (counts[pool] = top[pool]; counts[pool] >= 0; --counts[pool]) {
        descend(top, pool + 1, counts, fleets);
        if (fixed) break;
      }
      counts[pool] = top[pool];
      return;
    }
    int low = fixed ? top[pool] : 0, high = top[pool];
    counts[pool] = low;
    if (!admissible(counts)) return;
    while (low < high) {
      counts[pool] = low + (high - low + 1) / 2;
      if (admissible(counts)) {
        low = counts[pool];
      } else {
        high = counts[pool] - 1;
      }
    }
    counts[pool] = low;
    if (std::accumulate(counts.begin(), counts.end(), 0) > 0) fleets.push_back(counts);
  }

  Scenario trial_;
  int tries_ = 0;
};

}  // namespace

std::vector<Counts> with_fleets_in_room(const Scenario& scenario, std::vector<Counts> bought) {
  Search search(scenario);
  std::vector<Counts> taken, refused, below;
  for (const Counts& counts : bought) (search.admissible(counts) ? taken : refused).push_back(counts);
  for (const Counts& counts : refused) search.below(counts, below);
  std::sort(below.begin(), below.end());
  below.erase(std::unique(below.begin(), below.end()), below.end());
  for (const Counts& counts : below) {
    const auto larger = [&](const Counts& other) { return other != counts && within(counts, other); };
    if (std::any_of(taken.begin(), taken.end(), larger) || std::any_of(below.begin(), below.end(), larger))
      continue;
    if (std::find(taken.begin(), taken.end(), counts) == taken.end()) bought.push_back(counts);
  }
  return bought;
}

}  // namespace fleetsim::facility
