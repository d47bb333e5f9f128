// The pending events of a run: a 4-ary implicit heap over 16-byte entries.
#pragma once

#include <boost/align/aligned_allocator.hpp>
#include <cstdint>
#include <vector>

#include "sim/base/assert.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/time.hpp"

namespace fleetsim {

/// Lower ranks come first within one instant. What happens to nodes is known beforehand and merged from a
/// sorted list, so it needs no rank here.
enum class EventRank : std::uint8_t { finish = 0, submit = 1 };

/// Ordered by (instant, rank, sequence); each pair of rank and sequence occurs once, so the order is total.
struct Event {
  Instant at{};
  std::uint64_t key = 0;  ///< rank (1 bit), sequence (31 bits), job (32 bits)

  [[nodiscard]] static Event make(Instant at, EventRank rank, std::uint32_t sequence, JobId job) {
    FLEETSIM_ASSERT(sequence < (std::uint32_t{1} << 31));
    return {at, std::uint64_t{static_cast<std::uint8_t>(rank)} << 63 | std::uint64_t{sequence} << 32 |
                    std::uint64_t{static_cast<std::uint32_t>(job)}};
  }
  [[nodiscard]] EventRank rank() const { return static_cast<EventRank>(key >> 63); }
  [[nodiscard]] std::uint32_t sequence() const { return static_cast<std::uint32_t>(key >> 32) & 0x7FFFFFFF; }
  [[nodiscard]] JobId job() const { return JobId{static_cast<std::uint32_t>(key)}; }
  friend bool operator<(const Event& a, const Event& b) { return a.at != b.at ? a.at < b.at : a.key < b.key; }
};

/// Four children a node halve the depth of a binary heap; those of one node fill one cache line.
class EventHeap {
 public:
  EventHeap() : events_(kRoot) {}
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::size_t size() const { return events_.size() - kRoot; }
  [[nodiscard]] const Event& top() const { return events_[kRoot]; }

  void push(const Event& event) {
    std::size_t at = size();
    events_.push_back(event);
    Event* const heap = events_.data() + kRoot;
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (!(event < heap[parent])) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = event;
  }

  Event pop() {
    FLEETSIM_ASSERT(!empty());
    Event* const heap = events_.data() + kRoot;
    const Event first = heap[0];
    const Event last = events_.back();
    events_.pop_back();
    const std::size_t size = this->size();
    if (size == 0) return first;
    Event* hole = heap;
    Event* const stop = heap + size;
    for (Event* child = heap + 1; child < stop; child = heap + 4 * (hole - heap) + 1) {
      Event* least = child;
      Event* const end = child + 4 < stop ? child + 4 : stop;
      for (Event* c = child + 1; c < end; ++c) {
        if (*c < *least) least = c;
      }
      if (!(*least < last)) break;
      *hole = *least;
      hole = least;
    }
    *hole = last;
    return first;
  }

 private:
  static constexpr std::size_t kCacheLine = 64;
  static constexpr std::size_t kRoot = 3;  ///< so that the children of i, 4i + 1 and on, begin a cache line
  std::vector<Event, boost::alignment::aligned_allocator<Event, kCacheLine>> events_;
};

}  // namespace fleetsim
