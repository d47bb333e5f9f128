// Who holds what: free GPUs of every pool, where each job sits, and when running jobs are expected to end.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/time.hpp"
#include "sim/cluster/free_map.hpp"

namespace fleetsim {

/// GPUs that a running job gives back at its estimated end (start + requested limit).
struct Release {
  Instant at{};
  JobId job{};
  std::int32_t gpus = 0;
  std::uint32_t first_slice = 0;
  std::int32_t slice_count = 0;
};

/// A running job on nodes that its queue does not own, where their owners may take the GPUs back.
struct Guest {
  JobId job{};
  Instant start{}, estimated_end{};
  std::int32_t gpus = 0;
  std::uint32_t first_slice = 0;
  std::int32_t slice_count = 0;
};

/// Last placement of every job that ever started: slices[first_slice[j] .. first_slice[j] + node_count[j]).
struct Placements {
  std::vector<std::uint32_t> first_slice;
  std::vector<std::int32_t> node_count;
  std::vector<NodeSlice> slices;
};

class Cluster {
 public:
  /// `keep_releases` false saves the sorted list for policies that do not plan ahead.
  Cluster(std::span<const PoolShape> pools, std::size_t jobs, bool keep_releases);

  [[nodiscard]] std::size_t pools() const { return pools_.size(); }
  [[nodiscard]] const FreeMap& free(PoolId pool) const { return pools_[index(pool)].free; }
  /// Running jobs of the pool but its guests, the latest estimated end first; equal ends by descending job.
  [[nodiscard]] std::span<const Release> releases(PoolId pool) const { return pools_[index(pool)].releases; }
  [[nodiscard]] std::span<const NodeSlice> slices(const Release& release) const {
    return std::span(placed_.slices)
        .subspan(release.first_slice, static_cast<std::size_t>(release.slice_count));
  }
  [[nodiscard]] std::span<const NodeSlice> slices(const Guest& guest) const {
    return std::span(placed_.slices).subspan(guest.first_slice, static_cast<std::size_t>(guest.slice_count));
  }
  [[nodiscard]] std::span<const NodeSlice> slices(JobId job) const {
    return std::span(placed_.slices)
        .subspan(placed_.first_slice[index(job)], static_cast<std::size_t>(placed_.node_count[index(job)]));
  }
  /// Counts starts, finishes and node changes of a pool, and of all pools: equal numbers mean an unchanged
  /// state.
  [[nodiscard]] std::uint64_t version(PoolId pool) const { return pools_[index(pool)].version; }
  [[nodiscard]] std::uint64_t version() const { return version_; }
  /// The same of a pool, what guests do left out.
  [[nodiscard]] std::uint64_t owner_version(PoolId pool) const { return pools_[index(pool)].owner_version; }
  [[nodiscard]] std::size_t running() const { return running_; }

  /// All slices at once; asserts that the GPUs are free. O(slices + running jobs of the pool moved).
  void start(JobId job, PoolId pool, std::span<const NodeSlice> slices, Instant estimated_end);
  /// The same for a guest. Only after expect_guests().
  void start_guest(JobId job, PoolId pool, std::span<const NodeSlice> slices, Instant now,
                   Instant estimated_end);
  /// Gives the GPUs back. `estimated_end` as at the start.
  void finish(JobId job, PoolId pool, Instant estimated_end);

  /// From the first call on jobs may be guests. O(nodes).
  void expect_guests();
  [[nodiscard]] bool expects_guests() const { return !claimable_.empty(); }
  /// GPUs that the owners of the pool can have: free ones and those that guests hold.
  [[nodiscard]] const FreeMap& claimable(PoolId pool) const {
    return claimable_.empty() ? free(pool) : claimable_[index(pool)];
  }
  /// In the order of their starts.
  [[nodiscard]] std::span<const Guest> guests(PoolId pool) const { return pools_[index(pool)].guests; }

  /// From the first call on the nodes that are there are kept track of. O(nodes).
  void expect_outages();
  [[nodiscard]] bool expects_outages() const { return !there_.empty(); }
  /// The node goes; nothing of it may be held. Index within the pool.
  void close(PoolId pool, std::int32_t node);
  void open(PoolId pool, std::int32_t node);
  /// Nothing came or went, but the plans made for the pool's nodes do not hold any more.
  void void_plans(PoolId pool);
  /// All GPUs of the pool's nodes that are there, held or not; nullptr: outages are not expected.
  [[nodiscard]] const FreeMap* there(PoolId pool) const {
    return there_.empty() ? nullptr : &there_[index(pool)];
  }
  /// Whether the nodes that are there could hold such a job if nothing else ran.
  [[nodiscard]] bool could_hold(PoolId pool, std::int32_t gpus, std::int32_t leaves) const {
    return there_.empty() || there_[index(pool)].fits(gpus, leaves);
  }
  /// Counts open(), close() and void_plans().
  [[nodiscard]] std::uint64_t node_changes() const { return node_changes_; }
  /// A job that an outage stops, or a guest that must go: as finish(); when `again`, it may start anew.
  /// Returns where its slices stand.
  Release stop(JobId job, PoolId pool, Instant estimated_end, bool again);

  /// Ends the use of this object.
  [[nodiscard]] Placements take_placements() { return std::move(placed_); }

 private:
  struct Pool {
    FreeMap free;
    std::vector<Release> releases;
    std::vector<Guest> guests;
    std::uint64_t version = 0, owner_version = 0;
  };
  std::int32_t take(JobId job, Pool& where, std::span<const NodeSlice> slices);
  void change(PoolId pool, std::int32_t node, std::int32_t gpus);

  std::vector<Pool> pools_;
  std::vector<FreeMap> claimable_;  ///< by pool; empty: there are no guests
  std::vector<FreeMap> there_;      ///< by pool; empty: outages are not expected
  std::uint64_t node_changes_ = 0;
  Placements placed_;
  std::uint64_t version_ = 0;
  std::size_t running_ = 0;
  bool keep_releases_;
};

}  // namespace fleetsim
