// The discrete-event simulator. It knows pools of nodes, queues and jobs; not money, models or files.
//
// Order of events within one instant: finish < repair < delivery < failure < retirement < submit (< tick).
// `TieRule::batch` handles all events of an instant and then makes one scheduling pass; `end_first` makes a
// pass after each event, ends before submissions; `submit_first` a pass after each event, submissions before
// ends, where a job whose estimated end has come and that ends at this instant counts as free already. The
// rules stand in docs/engine-rules.md.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/quantity.hpp"
#include "sim/base/time.hpp"
#include "sim/policies/start_reason.hpp"
#include "sim/scenario.hpp"
#include "sim/workload/workload.hpp"

namespace fleetsim {

struct EnginePool {
  std::string name;
  std::int32_t nodes = 0;
  std::int32_t gpus_per_node = 1;
  std::int32_t first_node = 0;  ///< NodeId of the pool's first node
  std::int32_t nodes_per_leaf = std::numeric_limits<std::int32_t>::max();
  PlacementRule placement = PlacementRule::pack;
};

/// Where the jobs of one queue may run.
struct EngineQueue {
  std::string name;
  std::vector<PoolId> own;  ///< in order of preference
  struct Overflow {
    PoolId pool{};
    Duration max_limit{};  ///< only jobs whose limit is at most this
  };
  std::vector<Overflow> overflow;  ///< idle nodes of others, after their own jobs
};

/// run = wall * ratio. A negative ratio: the shape cannot run there (memory, size).
struct RunTimeTable {
  std::size_t pools = 0;
  std::vector<double> one_leaf;        ///< [shape * pools + pool]
  std::vector<double> several_leaves;  ///< same layout, for placements that cross leaf switches
};

/// Why a node comes or goes, in the order of events within one instant.
enum class NodeCause : std::uint8_t { repair, delivery, failure, retirement };
[[nodiscard]] const char* to_string(NodeCause cause);

/// A node comes (repair, delivery) or goes (failure, retirement).
struct NodeEvent {
  Instant at{};
  NodeId node{};
  NodeCause cause{};
  friend bool operator<(const NodeEvent& a, const NodeEvent& b) {
    return a.at != b.at ? a.at < b.at : a.cause != b.cause ? a.cause < b.cause : a.node < b.node;
  }
};

/// Running jobs write a checkpoint after each `interval` of work (not after the last piece of it), which
/// takes `cost`. An interval of 0: never.
struct Checkpointing {
  Duration interval{}, cost{};
};

/// Jobs that have waited so long leave their queue and start at once on rented GPUs outside the fleet.
struct Bursting {
  Duration above_wait{};      ///< in one go: since submission, or since an outage or an owner stopped the job
  std::vector<double> ratio;  ///< by shape: run = wall * ratio; negative: it cannot run there and waits on
  /// A rented GPU is taken away so often, a mean over its running time; that stops its whole job, which
  /// starts again at once. 0: never.
  PerSecond interruptions{};
  std::uint64_t seed = 0;  ///< of the interruptions, drawn by job and attempt
  std::uint32_t replication = 0;
};
/// Where a job on rented GPUs runs: no pool of the fleet.
inline constexpr PoolId kCloudPool{0xFFFE};

struct EngineInput {
  std::vector<EnginePool> pools;
  std::vector<EngineQueue> queues;
  const JobRequests* requests = nullptr;
  const JobTruth* truth = nullptr;
  RunTimeTable run_time;
  /// Index = ClassId: leaf switches that a job of the class may lie below, >= 1. Classes beyond the end, and
  /// jobs without a class: any number.
  std::vector<std::int32_t> max_leaves;
  PolicyKind policy = PolicyKind::easy;
  TieRule ties = TieRule::batch;
  bool kill_at_limit = true;
  /// Sorted. A node whose first event is a delivery or a repair is not there before. For each node, failures
  /// and repairs alternate, a delivery comes first and a retirement last.
  std::vector<NodeEvent> node_events;
  Checkpointing checkpoint;
  bool requeue = true;  ///< after a failure of a node; false: its jobs end as node-fail
  /// Jobs on overflow pools are guests there: jobs of queues that own the pool take the GPUs back.
  bool preempt = false;
  std::optional<Bursting> burst;
  /// Jobs submitted in [tag_begin, tag_end), and the children of such parents, are tagged. The run ends when
  /// nothing can happen any more, or when all tagged jobs have ended after tag_end, or at `stop`.
  Instant tag_begin = kStart;
  Instant tag_end = kNever;
  Instant stop = kNever;
};

enum class JobState : std::uint8_t {
  dormant,
  pending,
  running,
  completed,
  failed,
  timeout,
  cancelled,
  node_fail,
  impossible,
  unfinished
};
inline constexpr int kJobStates = 10;
[[nodiscard]] const char* to_string(JobState state);

/// One change of one job, in the order in which it happened. Small and trivially copyable.
struct Transition {
  Instant at{};
  JobId job{};
  JobState to{};
  PoolId pool = kNoPool;  ///< where it runs or ran
  std::int32_t nodes = 0;
  StartReason reason = StartReason::none;
  bool crosses_leaves = false;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on(const Transition& transition) = 0;
  /// Behind the transitions of the jobs that a node which goes stops, before those of jobs that start on one
  /// that comes.
  virtual void on_node(const NodeEvent& event) { static_cast<void>(event); }
};

/// A stay on GPUs that an outage ended (on rented GPUs: an interruption), or an owner of the nodes. What the
/// job held is split without a rest: end - start = kept + overhead + lost.
struct Attempt {
  JobId job{};
  PoolId pool = kNoPool;
  StartReason reason = StartReason::none;
  bool requeued = false;  ///< false: the job ended with it
  bool crosses_leaves = false;
  bool preempted = false;  ///< by an owner of the nodes; `cause` then means nothing
  NodeCause cause{};
  Instant start{}, end{};
  Duration kept{};      ///< work that a checkpoint has saved
  Duration overhead{};  ///< writing checkpoints
  Duration lost{};      ///< work, and writing, since the last checkpoint
  std::uint32_t first_slice = 0;
  std::int32_t node_count = 0;
};

/// Final record per job, index = JobId; pool, start, reason and nodes are those of its last attempt, and none
/// while it waits for the next one. Impossible and unfinished jobs have no end (but those have one that
/// became impossible while they waited, because nodes retired). Rows that never became
/// eligible (children of parents that were not completed, arrivals after the end of the run) stay `dormant`
/// and are no submitted jobs.
struct JobOutcome {
  std::vector<Instant> submit;  ///< actual submit; children: parent's end + pause
  std::vector<Instant> start;   ///< kNever: did not start
  std::vector<Instant> end;     ///< kNever: did not end
  std::vector<JobState> state;
  std::vector<PoolId> pool;
  std::vector<StartReason> reason;
  std::vector<std::uint8_t> tagged;  ///< 1: see EngineInput
  std::vector<std::uint32_t>
      first_slice;  ///< placement: slices[first_slice[j] .. first_slice[j] + node_count[j])
  std::vector<std::int32_t> node_count;
  std::vector<NodeSlice> slices;
};

struct EngineResult {
  JobOutcome jobs;
  std::vector<Attempt> attempts;  ///< those that outages or owners ended, in the order of their ends
  std::uint64_t events = 0;
  std::uint64_t passes = 0;
  std::uint64_t replay_hash = 0;
  Instant ended{};
};

/// Runs to the end. Pure. Every submitted job ends in exactly one final state (asserted).
/// Cost: O(events * log running + starts * queue search); no allocation after warm-up.
[[nodiscard]] EngineResult run_engine(const EngineInput& input, Observer* observer = nullptr);

}  // namespace fleetsim
