// Keeps books while the engine runs: what is in the system, what is held, what the waiting head cannot use.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/engine.hpp"
#include "sim/engine/outages.hpp"
#include "sim/metrics/gpu_time.hpp"

namespace fleetsim {

/// Integrates counts over time from transitions alone, independently of the job table that the engine hands
/// back: laws that compare the two find faults of either. All integrals are exact integers, in microseconds
/// times jobs or GPUs (10^5 GPUs for two years fit).
///
/// Fragmentation. At an instant, the free GPUs of a pool count as stranded while the oldest waiting job of
/// the queues that own the pool could run there and asks for no more GPUs than are free in all: only the
/// borders between nodes keep it out. `stranded` and `free` are integrated over the tag window.
///
/// Cost: O(pools) per transition, no allocation after construction. `input` must outlive the ledger.
class Ledger final : public Observer {
 public:
  explicit Ledger(const EngineInput& input);
  void on(const Transition& transition) override;
  void on_node(const NodeEvent& event) override;
  /// To be called once after the run.
  void close(Instant ended);

  [[nodiscard]] std::int64_t job_us() const { return job_us_; }        ///< jobs in the system x time
  [[nodiscard]] std::int64_t rented_us() const { return rented_us_; }  ///< rented GPUs held x time, whole run
  struct PoolBook {
    std::int64_t gpus = 0;                   ///< of the nodes that are up, now
    std::int64_t present = 0;                ///< of those and of the failed ones: delivered and not retired
    std::int64_t busy = 0;                   ///< now
    std::int64_t most = 0;                   ///< largest `busy` so far
    std::int64_t over = 0;                   ///< largest `busy` beyond `gpus` so far
    std::int64_t had = 0;                    ///< `gpus` then
    std::int64_t busy_us = 0;                ///< GPUs held x time, whole run
    std::int64_t up_us = 0, present_us = 0;  ///< `gpus` and `present` x time, whole run
    std::int64_t free_us = 0, stranded_us = 0;  ///< in the tag window
  };
  [[nodiscard]] const std::vector<PoolBook>& pools() const { return pools_; }
  /// Every stay of a job on its GPUs, as far as it lies in the tag window.
  [[nodiscard]] const GpuTime& gpu_time() const { return gpu_time_; }

 private:
  enum class Place : std::uint8_t { outside, waiting, running };
  struct Line {
    std::vector<JobId> jobs;  ///< in order of submission
    std::size_t head = 0;     ///< everything before has left the line
  };

  void advance(Instant to);
  void leave(std::size_t job, Instant at);  ///< a running job gives its GPUs back
  void count_stay(std::size_t job, Instant until);
  void queue_up(std::size_t job);
  void count_nodes(std::size_t pool);
  static void note_over(PoolBook& pool);
  [[nodiscard]] JobId oldest_waiting(std::size_t pool);
  [[nodiscard]] bool stranded(std::size_t pool, std::int64_t free);

  const EngineInput& input_;
  NodeBook nodes_;
  std::vector<PoolBook> pools_;
  std::vector<Instant> counted_;                    ///< by pool: nodes are integrated up to then
  std::vector<std::vector<std::uint16_t>> owners_;  ///< by pool: queues that own it
  std::vector<Line> lines_;                         ///< by queue
  std::vector<Place> place_;                        ///< by job
  std::vector<PoolId> pool_of_;
  std::vector<Instant> since_;               ///< by job: when it took its GPUs
  std::vector<std::uint32_t> submitted_as_;  ///< place of a job in the order of submissions
  std::uint32_t submissions_ = 0;
  std::int64_t in_system_ = 0, job_us_ = 0;
  std::int64_t rented_ = 0, rented_us_ = 0;  ///< GPUs outside the fleet that jobs hold
  Instant now_ = kStart;
  GpuTime gpu_time_;
};

}  // namespace fleetsim
