// Which overflow jobs the twin sends away: every set of them is tried where that is possible.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "sim/engine/engine.hpp"

namespace twin {

/// An overflow job, with what it would lose if it went now, in GPUs x us.
struct Sitting {
  std::size_t job = 0;
  std::int64_t lost = 0;
  std::vector<std::pair<std::size_t, int>> gpus;  ///< node within the pool, GPUs of it
};

struct Victims {
  std::int64_t lost = 0;
  std::vector<std::size_t> jobs;
  [[nodiscard]] auto cost() const { return std::pair(lost, jobs.size()); }
};

/// GPUs by node when the marked guests are gone, at most the allowed ones.
inline std::vector<int> room_without(std::vector<int> free, const std::vector<int>& allowed,
                                     const std::vector<Sitting>& guests, const std::vector<bool>& gone) {
  for (std::size_t g = 0; g < guests.size(); ++g) {
    for (const auto& [node, count] : guests[g].gpus) free[node] += gone[g] ? count : 0;
  }
  for (std::size_t n = 0; n < free.size(); ++n) free[n] = std::min(free[n], allowed[n]);
  return free;
}

inline Victims listed(const std::vector<Sitting>& guests, const std::vector<bool>& gone) {
  Victims out;
  for (std::size_t g = 0; g < guests.size(); ++g) {
    if (!gone[g]) continue;
    out.lost += guests[g].lost;
    out.jobs.push_back(guests[g].job);
  }
  return out;
}

/// Of all sets of guests of one node that make room for the job there, the cheapest; among equals the one
/// that spares the guest that started first, then the one that started second, and so on.
inline std::optional<Victims> cheapest_on_node(const std::vector<int>& free, const std::vector<int>& allowed,
                                               const std::vector<Sitting>& guests, int job,
                                               std::size_t node) {
  if (allowed[node] < job) return std::nullopt;
  std::vector<std::size_t> here;
  for (std::size_t g = 0; g < guests.size(); ++g) {
    for (const auto& [n, count] : guests[g].gpus) {
      if (n == node) here.push_back(g);
    }
  }
  std::optional<Victims> best;
  for (std::uint32_t set = 0; set < (1U << here.size()); ++set) {  // ascending: the first bit counts most
    std::vector<bool> gone(guests.size(), false);
    for (std::size_t k = 0; k < here.size(); ++k) gone[here[k]] = (set >> (here.size() - 1 - k) & 1) != 0;
    if (room_without(free, allowed, guests, gone)[node] < job) continue;
    const Victims these = listed(guests, gone);
    if (!best || these.cost() < best->cost()) best = these;
  }
  return best;
}

/// `guests` in the order of their starts. `fits(room)`: whether the placement rule places the job there.
template <class Fits>
std::optional<Victims> victims(const std::vector<int>& free, const std::vector<int>& allowed,
                               const std::vector<Sitting>& guests, int job, int gpus_per_node,
                               const Fits& fits) {
  if (job <= gpus_per_node) {
    std::optional<Victims> best;
    for (std::size_t n = 0; n < free.size(); ++n) {
      const auto here = cheapest_on_node(free, allowed, guests, job, n);
      if (here && (!best || here->cost() < best->cost())) best = here;
    }
    return best;
  }
  std::vector<bool> gone(guests.size(), false);
  const auto enough = [&] { return fits(room_without(free, allowed, guests, gone)); };
  const int useful = job % gpus_per_node == 0 ? gpus_per_node : job % gpus_per_node;
  while (!enough()) {
    std::optional<std::vector<bool>> next;
    std::pair<std::int64_t, std::size_t> least;
    for (std::size_t n = 0; n < free.size(); ++n) {
      if (allowed[n] < useful) continue;
      std::vector<bool> more = gone;
      for (std::size_t g = 0; g < guests.size(); ++g) {
        for (const auto& [node, count] : guests[g].gpus) more[g] = more[g] || node == n;
      }
      if (more == gone) continue;
      const auto cost = listed(guests, more).cost();
      if (next && !(cost < least)) continue;
      next = more;
      least = cost;
    }
    if (!next) return std::nullopt;
    gone = *next;
  }
  std::vector<std::tuple<std::int64_t, std::size_t>> dearest;  // the most expensive first, then the oldest
  for (std::size_t g = 0; g < guests.size(); ++g) {
    if (gone[g]) dearest.emplace_back(-guests[g].lost, g);
  }
  std::sort(dearest.begin(), dearest.end());
  for (const auto& [lost, g] : dearest) {
    gone[g] = false;
    if (!enough()) gone[g] = true;
  }
  return listed(guests, gone);
}

}  // namespace twin
