// The slow simulator: owners that take nodes back from guests.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/twin/twin.hpp"

namespace twin {

std::vector<Sitting> Simulator::guests(std::size_t pool) const {
  std::vector<Sitting> out;
  for (const std::size_t j : running_) {  // in the order of their starts
    if (!is_guest(j) || jobs_[j].pool != static_cast<int>(pool)) continue;
    const Count held = (now_ - jobs_[j].start).count();
    const auto [saved, written] = secured(held, false);
    Sitting guest{j, (held - saved - written) * gpus(j), {}};
    for (const NodeSlice& s : jobs_[j].slices) guest.gpus.emplace_back(node(jobs_[j].pool, s), s.gpus);
    out.push_back(guest);
  }
  return out;
}

std::vector<int> Simulator::claimable(std::size_t pool) const {
  const auto all = guests(pool);
  return room_without(free_[pool], std::vector<int>(free_[pool].size(), in_.pools[pool].gpus_per_node), all,
                      std::vector<bool>(all.size(), true));
}

std::optional<std::pair<std::size_t, std::vector<NodeSlice>>> Simulator::take_back(std::size_t j,
                                                                                   const Room& allowed) {
  std::optional<Victims> best;
  std::size_t where = 0;
  for (const PoolId p : queue(j).own) {
    const std::size_t pool = index(p);
    if (!in_.preempt || !can_run(j, pool) || guests(pool).empty()) continue;
    const auto found = victims(free_[pool], allowed(pool), guests(pool), gpus(j),
                               in_.pools[pool].gpus_per_node, [&](const std::vector<int>& room) {
                                 return choose(in_.pools[pool], room, gpus(j), leaves(j)).has_value();
                               });
    if (!found || (best && !(found->cost() < best->cost()))) continue;
    best = found;
    where = pool;
  }
  if (!best) return std::nullopt;
  std::vector<int> room = allowed(where);
  for (const std::size_t victim : best->jobs) stop(victim, false, true);
  for (std::size_t n = 0; n < room.size(); ++n) room[n] = std::min(room[n], free_[where][n]);
  return std::pair(where, *choose(in_.pools[where], room, gpus(j), leaves(j)));
}

bool Simulator::return_victims() {
  const bool any = !returned_.empty();
  for (const std::size_t j : returned_) wait_again(j);
  returned_.clear();
  return any;
}

bool Simulator::claim(std::size_t j, StartReason open) {
  const auto outlasts = [&](std::size_t pool) {
    return plans_[pool].reserved && now_ + in_.requests->limit[j] > plans_[pool].shadow;
  };
  const auto found = take_back(j, [&](std::size_t pool) {
    std::vector<int> room = claimable(pool);
    if (plans_[pool].reserved) plan(pool);
    for (std::size_t n = 0; outlasts(pool) && n < room.size(); ++n)
      room[n] = std::min(room[n], plans_[pool].extra[n]);
    return room;
  });
  if (!found) return false;
  const auto& [pool, slices] = *found;
  start(j, pool, slices, plans_[pool].reserved ? StartReason::backfill : open);
  if (!plans_[pool].reserved) plans_[pool].known = false;
  for (const NodeSlice& s : slices)
    if (outlasts(pool)) plans_[pool].extra[node(static_cast<int>(pool), s)] -= s.gpus;
  return true;
}
}  // namespace twin
