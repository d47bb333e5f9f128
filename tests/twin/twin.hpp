// A second, slow simulator with the same rules: plain vectors, every pass over every waiting job, every
// placement by trying all nodes. Written to be read, and to disagree with the fast one where that is wrong.
// Each part has a file of its own, twin_PART.cpp.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "sim/base/rng.hpp"
#include "sim/engine/engine.hpp"
#include "tests/twin/twin_preempt.hpp"

namespace twin {

using namespace fleetsim;
using Count = std::int64_t;

struct Record {
  Instant submit = kNever, start = kNever, end = kNever;
  JobState state = JobState::dormant;
  int pool = -1;
  StartReason reason = StartReason::none;
  std::vector<NodeSlice> slices;
  Count held = 0, kept = 0, overhead = 0, lost = 0;  ///< us, of the attempts that outages or owners ended
  int attempts = 0;                                  ///< of those
};

/// The placement rule, on the free GPUs of one pool's nodes.
std::optional<std::vector<NodeSlice>> choose(const EnginePool& pool, const std::vector<int>& free, int gpus,
                                             int max_leaves = 1'000'000);

/// GPUs that a job holds, or will hold, on [from, to).
struct Hold {
  Instant from{}, to{};
  std::vector<NodeSlice> slices;
};
inline Instant later(Instant at, Duration length) {
  return length < Instant::max() - at ? at + length : Instant::max();
}

class Simulator {
 public:
  /// `depth`: reservations at most, under the conservative policy.
  explicit Simulator(const EngineInput& input, std::size_t depth = 1000)
      : depth_(depth), in_(input), jobs_(input.requests->size()) {
    for (const EnginePool& pool : in_.pools) {
      free_.emplace_back(static_cast<std::size_t>(pool.nodes), pool.gpus_per_node);
    }
    lasting_ = free_;
    there_ = free_;
    plans_.resize(in_.pools.size());
    left_ = in_.truth->wall;
    for (std::size_t e = in_.node_events.size(); e-- > 0;) {  // the first event of a node decides
      const NodeEvent& event = in_.node_events[e];
      const bool missing = event.cause == NodeCause::repair || event.cause == NodeCause::delivery;
      const auto [pool, n] = place(event.node);
      there_[pool][n] = free_[pool][n] = missing ? 0 : in_.pools[pool].gpus_per_node;
    }
    tagged_.assign(jobs_.size(), false);
    times_out_.assign(jobs_.size(), false);
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      if (in_.requests->submit[j] != kNever) submits_.emplace_back(in_.requests->submit[j], j);
    }
  }

  std::vector<Record> run();

  /// Under the conservative policy: the start that a job's first reservation named.
  std::optional<Instant> promised(std::size_t j) const;

 private:
  /// GPUs by node that a job may have of a pool.
  using Room = std::function<std::vector<int>(std::size_t pool)>;
  struct Plan {
    bool reserved = false, known = false;
    int gpus = 0, leaves = 0;
    std::size_t holder = 0;
    Instant shadow{};
    std::vector<int> extra;
  };

  // Events --------------------------------------------------------------------------------------------------
  bool take_submit();
  /// Ends of this instant in the order of the starts.
  std::vector<std::size_t> take_ends();
  bool something_now() const;
  void instant();
  void ties();
  void submit(std::size_t j);
  bool is_possible(std::size_t j) const;
  void finish(std::size_t j);

  // Nodes ---------------------------------------------------------------------------------------------------
  std::pair<std::size_t, std::size_t> place(NodeId id) const;
  void node_events();
  void node_event(const NodeEvent& event);
  void give_up(std::size_t j);
  /// Work and writing in turn, second by second as it were, until the node is gone.
  void stop(std::size_t j, bool planned, bool by_owner = false);
  void wait_again(std::size_t j);
  /// Work and writing that is safe after so much time on GPUs.
  std::pair<Count, Count> secured(Count held, bool planned) const;
  void note_attempt(std::size_t j, std::pair<Count, Count> safe);
  /// Of the work that is left, checkpoints included.
  Duration time_needed(std::size_t j) const;

  // Owners that take nodes back -----------------------------------------------------------------------------
  /// On nodes that its queue does not own, whose owners may send it away.
  bool is_guest(std::size_t j) const { return in_.preempt && jobs_[j].reason == StartReason::overflow; }
  std::vector<Sitting> guests(std::size_t pool) const;
  /// GPUs by node that the owners can have.
  std::vector<int> claimable(std::size_t pool) const;
  /// Makes room for the job where that costs least. `allowed(pool)`: GPUs that it may have of each node.
  std::optional<std::pair<std::size_t, std::vector<NodeSlice>>> take_back(std::size_t j, const Room& allowed);
  /// Those that were sent away wait again; whether there are any.
  bool return_victims();
  bool claim(std::size_t j, StartReason open);

  // Rented GPUs ---------------------------------------------------------------------------------------------
  static constexpr int kCloud = -2;
  Instant deadline(std::size_t j) const;
  void wait_begins(std::size_t j);
  /// All whose wait has lasted long enough, in the order in which their waits began.
  bool send_due();
  void start_on_cloud(std::size_t j);
  /// Its work goes on elsewhere.
  void taken_away(std::size_t j);

  // Rules ---------------------------------------------------------------------------------------------------
  const EngineQueue& queue(std::size_t j) const { return in_.queues[index(in_.requests->queue[j])]; }
  int gpus(std::size_t j) const { return in_.requests->gpus[j]; }
  int leaves(std::size_t j) const;
  Instant estimate(std::size_t j) const { return jobs_[j].start + in_.requests->limit[j]; }
  std::size_t node(int pool, const NodeSlice& s) const { return index(s.node) - in_.pools[pool].first_node; }
  bool can_run(std::size_t j, std::size_t pool) const;
  /// Whether the nodes that are there could hold it if nothing else ran.
  bool could_hold(std::size_t j, std::size_t pool) const;
  bool may_overflow(std::size_t j, const EngineQueue::Overflow& o) const;
  std::optional<std::vector<NodeSlice>> fits(std::size_t j, std::size_t pool) const;

  void start(std::size_t j, std::size_t pool, const std::vector<NodeSlice>& slices, StartReason reason);

  void plan(std::size_t pool);

  /// When a job of that size would fit, and what is free then.
  std::pair<Instant, std::vector<int>> look_ahead(std::size_t pool, int size, int most_leaves) const;

  bool try_start(std::size_t j, std::size_t pool, StartReason open, StartReason tested);

  void pass();

  std::vector<std::size_t> of_queue(std::size_t q) const;

  void serve(std::size_t q, std::size_t& holder);

  void fifo();

  // Conservative --------------------------------------------------------------------------------------------

  /// Everything that is promised of a pool or held in it, the given waiting job's own reservation left out.
  std::vector<Hold> holds(std::size_t pool, std::size_t without) const;
  Duration length(std::size_t j) const { return std::max(in_.requests->limit[j], Duration(1)); }

  /// GPUs of each node that stay free on [from, to).
  std::vector<int> stay(std::size_t pool, const std::vector<Hold>& all, Instant from, Instant to) const;

  /// The first instant from which on the job fits for its whole length.
  Instant anchor(std::size_t j, std::size_t pool) const;

  /// On GPUs that are also truly free now.
  std::optional<std::vector<NodeSlice>> place_now(std::size_t j, std::size_t pool,
                                                  const std::vector<Hold>& all) const;

  /// Gives the job the earliest place, the preferred pool among equals. False: it keeps the one it has.
  bool promise(std::size_t j);

  bool has_own(std::size_t j) const;
  std::vector<std::size_t> in_queue_order() const;

  void conservative();
  bool conservative_round();

  void compress();

  void start_due(std::optional<std::size_t> only = std::nullopt);
  /// Guests sit on the nodes of its reservation.
  bool start_elsewhere(std::size_t j, StartReason reason);

  bool beside(std::size_t j, StartReason reason);

  bool overflow_beside();

  struct Promise {
    std::size_t pool = 0;
    Hold hold;
  };
  std::map<std::size_t, Promise> promises_;
  std::map<std::size_t, Instant> deadline_;
  std::vector<std::size_t> set_;  ///< jobs whose waits began, in that order; one may stand here twice
  std::map<std::size_t, bool> taken_away_;
  std::map<std::size_t, std::uint64_t> interruptions_;
  std::map<std::size_t, Instant> first_promise_;
  std::size_t depth_;

  const EngineInput& in_;
  std::vector<Record> jobs_;
  std::vector<std::vector<int>> free_;
  std::vector<std::vector<int>> there_, lasting_;  ///< GPUs of nodes that are there, that have not retired
  std::vector<Duration> left_;                     ///< wall time that no checkpoint has saved
  std::map<std::size_t, double> ratio_;            ///< of the last start
  std::map<std::size_t, int> arrived_;
  int arrivals_ = 0;
  std::size_t next_node_event_ = 0;
  bool nodes_changed_ = false;
  std::vector<Plan> plans_;
  std::vector<bool> tagged_, times_out_;
  std::vector<std::pair<Instant, std::size_t>> submits_;
  std::vector<std::tuple<Instant, int, std::size_t>> ends_;
  std::map<std::size_t, int> order_of_;
  std::vector<std::size_t> waiting_, running_;
  std::vector<std::pair<std::size_t, bool>> due_;  ///< ends of this instant: job, ended already
  std::vector<std::size_t> returned_;              ///< sent away by owners in this round
  bool moved_ = false;
  int open_ = 0, order_ = 0;
  Instant now_ = kStart;
};

}  // namespace twin
