#include "sim/cluster/free_map.hpp"

#include <algorithm>
#include <bit>

#include "sim/base/assert.hpp"

namespace fleetsim {

namespace {

using Words = std::span<const std::uint64_t>;

/// Bits lo..63 of a word.
std::uint64_t from_bit(std::int32_t lo) {
  return ~std::uint64_t{0} << lo;
}

/// Lowest set bit at or above `from`, -1 when there is none.
std::int32_t first_from(Words words, std::int32_t from) {
  const auto size = static_cast<std::int32_t>(words.size());
  std::int32_t w = from / 64;
  if (w >= size) return -1;
  std::uint64_t word = words[w] & from_bit(from % 64);
  while (word == 0) {
    if (++w == size) return -1;
    word = words[w];
  }
  return w * 64 + std::countr_zero(word);
}

/// Highest set bit below `below`, -1 when there is none.
std::int32_t last_below(Words words, std::int32_t below) {
  for (std::int32_t w = below / 64; w >= 0; --w) {
    std::uint64_t word = w < static_cast<std::int32_t>(words.size()) ? words[w] : 0;
    if (w == below / 64) word &= ~from_bit(below % 64);
    if (word != 0) return w * 64 + 63 - std::countl_zero(word);
  }
  return -1;
}

std::int32_t count_range(Words words, std::int32_t lo, std::int32_t hi) {
  std::int32_t count = 0;
  for (std::int32_t w = lo / 64; w * 64 < hi; ++w) {
    std::uint64_t word = words[w];
    if (w == lo / 64) word &= from_bit(lo % 64);
    if (hi < (w + 1) * 64) word &= ~from_bit(hi % 64);
    count += std::popcount(word);
  }
  return count;
}

void put(std::span<std::uint64_t> words, std::int32_t bit, bool on) {
  const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
  words[bit / 64] = on ? words[bit / 64] | mask : words[bit / 64] & ~mask;
}

}  // namespace

FreeMap::FreeMap(const PoolShape& shape) : shape_(shape) {
  FLEETSIM_ASSERT(shape.nodes >= 0 && shape.gpus_per_node >= 1 && shape.nodes_per_leaf >= 1);
  free_.assign(static_cast<std::size_t>(shape.nodes), shape.gpus_per_node);
  total_ = shape.nodes * shape.gpus_per_node;
  if (shape.nodes < 2) return;
  words_ = (shape.nodes + 63) / 64;
  first_leaf_ = shape.first_node / shape.nodes_per_leaf;
  leaves_ = (shape.first_node + shape.nodes - 1) / shape.nodes_per_leaf - first_leaf_ + 1;
  taken_.resize(static_cast<std::size_t>(leaves_));
  buckets_.resize(static_cast<std::size_t>(shape.gpus_per_node + 1) * words_);
  count_.resize(static_cast<std::size_t>(shape.gpus_per_node + 1));
  occupied_.resize(static_cast<std::size_t>(shape.gpus_per_node / 64 + 1));
  assign(std::vector<std::int32_t>(free_));
}

std::span<const std::uint64_t> FreeMap::bucket(std::int32_t gpus) const {
  return std::span(buckets_).subspan(static_cast<std::size_t>(gpus) * words_,
                                     static_cast<std::size_t>(words_));
}

std::int32_t FreeMap::whole() const {
  if (shape_.nodes < 2) return shape_.nodes == 1 && free_[0] == shape_.gpus_per_node ? 1 : 0;
  return count_[shape_.gpus_per_node];
}

std::int32_t FreeMap::nodes_with(std::int32_t gpus) const {
  if (shape_.nodes < 2) return shape_.nodes == 1 && free_[0] >= gpus ? 1 : 0;
  std::int32_t nodes = 0;
  for (std::int32_t f = gpus; f <= shape_.gpus_per_node; ++f) nodes += count_[f];
  return nodes;
}

std::int32_t FreeMap::max_fit() const {
  if (shape_.nodes < 2) return total_;
  // w whole nodes hold any job up to w * G; the part beyond goes to the fullest of the other nodes.
  const std::int32_t rest = last_below(occupied_, shape_.gpus_per_node);
  return count_[shape_.gpus_per_node] * shape_.gpus_per_node + std::max(rest, 0);
}

std::int32_t FreeMap::max_fit(std::int32_t leaves) const {
  FLEETSIM_ASSERT(leaves >= 1);
  if (leaves >= leaves_) return max_fit();
  rooms_.assign(static_cast<std::size_t>(leaves_), {});
  for (std::int32_t node = 0; node < shape_.nodes; ++node) {
    LeafRoom& room =
        rooms_[static_cast<std::size_t>((shape_.first_node + node) / shape_.nodes_per_leaf - first_leaf_)];
    if (free_[node] == shape_.gpus_per_node) {
      ++room.whole;
    } else {
      room.part = std::max(room.part, free_[node]);
    }
  }
  // The leaves with the most whole nodes hold most; among equals, one with the largest part.
  const auto last = rooms_.begin() + leaves;
  std::partial_sort(rooms_.begin(), last, rooms_.end(), [](const LeafRoom& a, const LeafRoom& b) {
    return a.whole != b.whole ? a.whole > b.whole : a.part > b.part;
  });
  std::int32_t whole = 0, part = 0;
  for (auto room = rooms_.begin(); room != last; ++room) {
    whole += room->whole;
    part = std::max(part, room->part);
  }
  return whole * shape_.gpus_per_node + part;
}

std::int32_t FreeMap::best_fit(std::int32_t gpus) const {
  if (shape_.nodes == 1) return 0;
  const std::int32_t f = first_choice(gpus);
  FLEETSIM_ASSERT(f >= 0);
  return first_from(bucket(f), 0);
}

bool FreeMap::choose(std::int32_t gpus, std::vector<NodeSlice>& out) const {
  FLEETSIM_ASSERT(gpus > 0 && fits(gpus));
  if (gpus > shape_.gpus_per_node) return choose_gang(gpus, out);
  out.push_back({id(best_fit(gpus)), gpus});
  return false;
}

void FreeMap::leaf_range(std::int32_t leaf, std::int32_t& lo, std::int32_t& hi) const {
  const auto begin =
      static_cast<std::int64_t>(first_leaf_ + leaf) * shape_.nodes_per_leaf - shape_.first_node;
  lo = static_cast<std::int32_t>(std::max<std::int64_t>(begin, 0));
  hi = static_cast<std::int32_t>(std::min<std::int64_t>(begin + shape_.nodes_per_leaf, shape_.nodes));
}

/// Number of free GPUs, at least `gpus`, that the rule likes best among those that some node has; -1: none.
std::int32_t FreeMap::first_choice(std::int32_t gpus) const {
  if (shape_.rule == PlacementRule::pack) return first_from(occupied_, gpus);
  const std::int32_t f = last_below(occupied_, shape_.gpus_per_node + 1);
  return f >= gpus ? f : -1;
}

/// The next best after `free`.
std::int32_t FreeMap::next_choice(std::int32_t free, std::int32_t gpus) const {
  if (shape_.rule == PlacementRule::pack) return first_from(occupied_, free + 1);
  const std::int32_t f = last_below(occupied_, free);
  return f >= gpus ? f : -1;
}

/// Best fit for `gpus` among nodes lo..hi-1, of which the first `taken` whole ones are spoken for.
FreeMap::Partial FreeMap::partial(std::int32_t lo, std::int32_t hi, std::int32_t gpus,
                                  std::int32_t taken) const {
  for (std::int32_t f = first_choice(gpus); f >= 0; f = next_choice(f, gpus)) {
    std::int32_t node = first_from(bucket(f), lo);
    if (f == shape_.gpus_per_node) {
      for (std::int32_t k = 0; k < taken && node >= 0; ++k) node = first_from(bucket(f), node + 1);
    }
    if (node >= 0 && node < hi) return {f, node};
  }
  return {};
}

void FreeMap::take_whole(std::int32_t lo, std::int32_t hi, std::int32_t count,
                         std::vector<NodeSlice>& out) const {
  std::int32_t node = lo - 1;
  for (std::int32_t k = 0; k < count; ++k) {
    node = first_from(bucket(shape_.gpus_per_node), node + 1);
    FLEETSIM_ASSERT(node >= 0 && node < hi);
    out.push_back({id(node), shape_.gpus_per_node});
  }
}

bool FreeMap::choose_gang(std::int32_t gpus, std::vector<NodeSlice>& out) const {
  const std::int32_t whole = gpus / shape_.gpus_per_node;
  const std::int32_t rest = gpus % shape_.gpus_per_node;
  for (std::int32_t leaf = 0; leaf < leaves_; ++leaf) {
    std::int32_t lo = 0, hi = 0;
    leaf_range(leaf, lo, hi);
    if (count_range(bucket(shape_.gpus_per_node), lo, hi) < whole) continue;
    const Partial last = rest > 0 ? partial(lo, hi, rest, whole) : Partial{};
    if (rest > 0 && last.node < 0) continue;
    take_whole(lo, hi, whole, out);
    if (rest > 0) out.push_back({id(last.node), rest});
    return false;
  }
  return several_leaves(whole, rest, out);
}

std::int32_t FreeMap::whole_on(std::int32_t leaf) const {
  std::int32_t lo = 0, hi = 0;
  leaf_range(leaf, lo, hi);
  return count_range(bucket(shape_.gpus_per_node), lo, hi);
}

template <class SpokenFor>
FreeMap::Partial FreeMap::part_on(std::int32_t rest, const SpokenFor& spoken_for, std::int32_t& on) const {
  Partial best;
  for (std::int32_t leaf = 0; leaf < leaves_; ++leaf) {
    const std::int32_t taken = spoken_for(leaf);
    if (taken < 0) continue;
    std::int32_t lo = 0, hi = 0;
    leaf_range(leaf, lo, hi);
    const Partial found = partial(lo, hi, rest, taken);
    if (found.node < 0 || (best.node >= 0 && !prefers(shape_.rule, found.free, best.free))) continue;
    best = found;
    on = leaf;
  }
  return best;
}

/// No single leaf holds the job: see the class comment. Returns true.
bool FreeMap::several_leaves(std::int32_t whole, std::int32_t rest, std::vector<NodeSlice>& out) const {
  std::fill(taken_.begin(), taken_.end(), 0);
  std::int32_t last = -1, lo = 0, hi = 0;
  for (std::int32_t left = whole; left > 0; left -= taken_[last]) {
    std::int32_t most = 0;
    for (std::int32_t leaf = 0; leaf < leaves_; ++leaf) {
      const std::int32_t nodes = taken_[leaf] > 0 ? 0 : whole_on(leaf);
      if (nodes > most) last = leaf, most = nodes;
    }
    FLEETSIM_ASSERT(most > 0);
    leaf_range(last, lo, hi);
    taken_[last] = std::min(left, most);
    take_whole(lo, hi, taken_[last], out);
  }
  if (rest == 0) return true;
  std::int32_t on = -1;
  Partial part = part_on(
      rest, [&](std::int32_t leaf) { return taken_[leaf] > 0 ? taken_[leaf] : -1; }, on);
  if (part.node < 0) {
    // The leaves in use have no GPU to spare. One like the last of them, with a part free, saves a leaf.
    const std::int32_t count = taken_[last];
    const auto alike = [&](std::int32_t leaf) {
      return taken_[leaf] == 0 && whole_on(leaf) == count ? count : -1;
    };
    part = part_on(rest, alike, on);
    if (part.node >= 0) {
      out.resize(out.size() - static_cast<std::size_t>(count));
      leaf_range(on, lo, hi);
      take_whole(lo, hi, count, out);
    }
  }
  if (part.node < 0)
    part = part_on(
        rest, [&](std::int32_t leaf) { return taken_[leaf] > 0 ? -1 : 0; }, on);
  FLEETSIM_ASSERT(part.node >= 0);
  out.push_back({id(part.node), rest});
  return true;
}

void FreeMap::set(std::int32_t node, std::int32_t gpus) {
  FLEETSIM_ASSERT(gpus >= 0 && gpus <= shape_.gpus_per_node);
  const std::int32_t before = free_[node];
  total_ += gpus - before;
  free_[node] = gpus;
  if (shape_.nodes < 2 || before == gpus) return;
  const std::span<std::uint64_t> words(buckets_);
  put(words.subspan(static_cast<std::size_t>(before) * words_), node, false);
  put(words.subspan(static_cast<std::size_t>(gpus) * words_), node, true);
  if (--count_[before] == 0) put(occupied_, before, false);
  if (count_[gpus]++ == 0) put(occupied_, gpus, true);
}

void FreeMap::take(const NodeSlice& slice) {
  const std::int32_t node = local(slice);
  FLEETSIM_ASSERT(node >= 0 && node < shape_.nodes && slice.gpus > 0);
  set(node, free_[node] - slice.gpus);
}

void FreeMap::give(const NodeSlice& slice) {
  const std::int32_t node = local(slice);
  FLEETSIM_ASSERT(node >= 0 && node < shape_.nodes && slice.gpus > 0);
  set(node, free_[node] + slice.gpus);
}

void FreeMap::assign(std::span<const std::int32_t> gpus) {
  FLEETSIM_ASSERT(gpus.size() == free_.size());
  std::fill(buckets_.begin(), buckets_.end(), 0);
  std::fill(count_.begin(), count_.end(), 0);
  std::fill(occupied_.begin(), occupied_.end(), 0);
  total_ = 0;
  for (std::int32_t node = 0; node < shape_.nodes; ++node) {
    const std::int32_t f = gpus[node];
    FLEETSIM_ASSERT(f >= 0 && f <= shape_.gpus_per_node);
    free_[node] = f;
    total_ += f;
    if (shape_.nodes < 2) continue;
    buckets_[static_cast<std::size_t>(f) * words_ + node / 64] |= std::uint64_t{1} << (node % 64);
    ++count_[f];
  }
  for (std::size_t f = 0; f < count_.size(); ++f) {
    if (count_[f] > 0) put(occupied_, static_cast<std::int32_t>(f), true);
  }
}

}  // namespace fleetsim
