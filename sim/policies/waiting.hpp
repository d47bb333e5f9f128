// Jobs that wait, in queue order, with an index that finds the next one that could start without looking at
// those that cannot.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/time.hpp"
#include "sim/cluster/free_map.hpp"

namespace fleetsim {

/// A job fits a window when its GPUs and its limit are at most these.
struct Window {
  std::int32_t gpus = 0;
  Duration limit = Duration::max();
};

/// An append-only list with holes. Above the jobs stands a tree of fan-out 16 that holds the least GPUs and
/// the least limit of each subtree.
///
/// Cost: append and remove O(log n), next O(log n) per subtree that its minima cannot rule out.
class WaitingList {
 public:
  static constexpr std::size_t kEnd = std::numeric_limits<std::size_t>::max();

  /// `order` ascends. May move jobs to other positions: not to be called while positions are held.
  void append(JobId job, std::uint32_t order, std::int32_t gpus, Duration limit);
  void remove(std::size_t position);
  /// Between others, by its order. O(n); moves jobs to other positions.
  void insert(JobId job, std::uint32_t order, std::int32_t gpus, Duration limit);

  [[nodiscard]] std::size_t size() const { return live_; }
  [[nodiscard]] bool empty() const { return live_ == 0; }
  [[nodiscard]] JobId job(std::size_t position) const { return jobs_[position]; }
  [[nodiscard]] std::uint32_t order(std::size_t position) const { return orders_[position]; }
  [[nodiscard]] std::int32_t gpus(std::size_t position) const { return levels_[0].gpus[position]; }
  [[nodiscard]] Duration limit(std::size_t position) const { return levels_[0].limit[position]; }

  /// First job at or behind `from`.
  [[nodiscard]] std::size_t first(std::size_t from = 0) const;
  /// First position whose order is at least `order`.
  [[nodiscard]] std::size_t position_of(std::uint32_t order) const;
  /// Where the job of this order stands; kEnd: it is not here.
  [[nodiscard]] std::size_t find(std::uint32_t order) const;
  /// First job at or behind `from` that fits one of the windows.
  [[nodiscard]] std::size_t next(std::size_t from, std::span<const Window> windows) const;

 private:
  static constexpr std::size_t kFan = 16;
  static constexpr std::int32_t kHole = std::numeric_limits<std::int32_t>::max();
  struct Level {
    std::vector<std::int32_t> gpus;
    std::vector<Duration> limit;
  };
  void push(JobId job, std::uint32_t order, std::int32_t gpus, Duration limit);
  void fold(std::size_t l);
  void compact();

  std::vector<JobId> jobs_;
  std::vector<std::uint32_t> orders_;
  std::vector<Level> levels_{1};  ///< 0: the jobs themselves
  std::size_t live_ = 0;
  std::size_t begin_ = 0;  ///< no job stands before it
};

/// Where a job may run. Bit i of a mask stands for the i-th pool of the queue's `own` or `overflow` list.
struct Where {
  std::uint64_t own = 0;
  std::uint64_t overflow = 0;
  std::int32_t max_leaves = kAnyLeaves;
  friend bool operator==(const Where&, const Where&) = default;
};

/// Jobs of one queue that may run at the same places.
struct Lane : Where {
  WaitingList jobs{};
};

/// All waiting jobs. Queue order is the order of submission.
class Waiting {
 public:
  explicit Waiting(std::size_t queues) : queues_(queues) {}

  /// Returns its place in the order of submission.
  std::uint32_t submit(QueueId queue, JobId job, const Where& where, std::int32_t gpus, Duration limit);
  /// Back to the place that submit() gave it, or to another lane of the queue. O(waiting jobs).
  void put_back(QueueId queue, JobId job, const Where& where, std::int32_t gpus, Duration limit,
                std::uint32_t order);
  /// The job of this order leaves without a start. O(lanes + log waiting jobs).
  void withdraw(QueueId queue, std::uint32_t order);
  /// Counts withdraw().
  [[nodiscard]] std::uint64_t withdrawals() const { return withdrawals_; }
  /// The orders that withdraw() took out of this queue since the last call.
  [[nodiscard]] std::vector<std::uint32_t> take_withdrawn(QueueId queue) {
    return std::exchange(queues_[index(queue)].withdrawn, {});
  }
  void remove(Lane& lane, std::size_t position) {
    lane.jobs.remove(position);
    --size_;
  }
  [[nodiscard]] std::span<Lane> lanes(QueueId queue) { return queues_[index(queue)].lanes; }
  [[nodiscard]] std::span<const Lane> lanes(QueueId queue) const { return queues_[index(queue)].lanes; }
  /// One more than the order of the job that this queue got last.
  [[nodiscard]] std::uint32_t arrived(QueueId queue) const { return queues_[index(queue)].arrived; }
  /// The least order that put_back() has put into this queue since the last call; the greatest number: none.
  [[nodiscard]] std::uint32_t take_returned(QueueId queue) {
    return std::exchange(queues_[index(queue)].returned, std::numeric_limits<std::uint32_t>::max());
  }
  /// The order that the next job of any queue will get.
  [[nodiscard]] std::uint32_t next_order() const { return next_order_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  Lane& lane_for(QueueId queue, const Where& where);

  struct Queue {
    std::vector<Lane> lanes;
    std::uint32_t arrived = 0;
    std::uint32_t returned = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> withdrawn;
  };
  std::vector<Queue> queues_;
  std::uint32_t next_order_ = 0;
  std::uint64_t withdrawals_ = 0;
  std::size_t size_ = 0;
};

}  // namespace fleetsim
