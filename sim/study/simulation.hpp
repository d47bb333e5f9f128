// The replication loop of a study: what a store lacks is simulated on all threads and written.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/study/parallel.hpp"
#include "sim/study/shard.hpp"
#include "sim/study/store.hpp"
#include "sim/study/study.hpp"

namespace fleetsim {

/// Fleet and sharing rule, e.g. "13+3 overflow", whether the source names the rule or not.
[[nodiscard]] std::string unique_label(const Candidate& candidate);

/// Threads take no lock in the loop: work is handed out by an atomic counter, finished rows go to a list that
/// is pushed and emptied by atomic exchange, and the first thread, between its own simulations, alone talks
/// to the store. When another process writes the same store, what it did is skipped.
class Simulation {
 public:
  /// Replications `first` to base.time.replications (excluded) of every candidate of the source, or the part
  /// of them that is the shard's. What it is given must outlive it.
  Simulation(const Scenario& base, const CandidateSource& source, const StudyOptions& options,
             ResultStore& store, int first = 0);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// False when it was stopped before all was done; what was finished is stored.
  bool run();
  [[nodiscard]] std::int64_t wanted() const { return range_.size(); }
  /// Rows that were there before, and rows that this process wrote.
  [[nodiscard]] std::int64_t found() const { return found_; }
  [[nodiscard]] std::int64_t simulated() const { return simulated_; }

 private:
  struct Finished;
  void work(const std::vector<Unit>& units);
  void simulate_unit(const Unit& unit, bool writer);
  void push(StoredRun run, std::int64_t place);
  void write(bool last);
  void read_others();
  void mark(std::int64_t place);
  void wait_for_others();
  [[nodiscard]] bool stopped() const;
  [[nodiscard]] bool is_done(std::int64_t place) const;
  void tell() const;

  const Scenario& base_;
  const CandidateSource& source_;
  const StudyOptions& options_;
  ResultStore& store_;
  int first_;  ///< replication at place 0
  PlaceRange range_;
  std::map<std::string, std::int64_t> place_of_;  ///< candidate's number by key
  std::vector<std::atomic<char>> done_;           ///< by place - range_.begin
  std::atomic<std::int64_t> done_count_{0};       ///< of this range
  std::int64_t found_ = 0, simulated_ = 0;
  std::atomic<std::size_t> next_unit_{0};
  std::atomic<int> ended_{0};  ///< threads without further work
  std::atomic<Finished*> finished_{nullptr};
  std::atomic<int> waiting_rows_{0};
  double written_at_s_ = 0.0, others_read_at_s_ = 0.0, reading_took_s_ = 0.0;
  FirstFault fault_;
};

}  // namespace fleetsim
