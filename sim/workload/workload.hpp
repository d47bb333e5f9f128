// The jobs of one replication. Requests are what users asked for; truth is what no policy may see.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/time.hpp"

namespace fleetsim {

struct Scenario;

/// Struct of arrays, index = JobId, all of one length. Rows that arrive by themselves are sorted by submit; a
/// promoted job (dormant until its parent completes) stands directly behind its parent and has submit =
/// kNever. So has a later job of a closed loop (dormant until the one before it has ended), which stands
/// behind that one and its promoted jobs and has no parent.
struct JobRequests {
  std::vector<Instant> submit;
  std::vector<std::int32_t> gpus;
  std::vector<Duration> limit;     ///< requested time limit; filled by bind(), it depends on the fleet
  std::vector<ClassId> job_class;  ///< kNoClass for trace jobs
  std::vector<QueueId> queue;
  std::vector<std::int32_t> user;
  std::vector<JobId> parent;  ///< kNoJob for jobs that arrive by themselves
  /// Index into workload.groups; as many as there are: nobody's. No rows where the scenario names no groups.
  std::vector<std::uint16_t> group;
  [[nodiscard]] std::size_t size() const { return submit.size(); }
};

/// Same length and order.
struct JobTruth {
  std::vector<Duration> wall;        ///< run time at the requested size on the reference node
  std::vector<double> limit_factor;  ///< requested limit over run time, drawn per user
  std::vector<JobId> child;          ///< row that completion wakes, or kNoJob
  std::vector<Duration> pause;       ///< of that child, from the parent's end to its submit
  std::vector<std::uint16_t> shape;  ///< index into the run-time table: one per (class, size)
  std::vector<JobId> next;  ///< row of a closed loop that the end of this one wakes, whatever its state, or
                            ///< kNoJob; no rows without closed loops
  std::vector<Duration> think;  ///< from that end to that submit, also behind the last row of a loop;
                                ///< elsewhere kForever. As many rows as `next`
};

/// What a row of the run-time table stands for.
struct JobShape {
  ClassId job_class{};
  std::int32_t gpus = 1;
};

struct Workload {
  JobRequests requests;
  JobTruth truth;
  std::vector<JobShape> shapes;
  std::uint32_t replication = 0;  ///< names the streams of everything else that this replication draws
};

/// Draws the jobs of one replication up to warm_up + measure + drain. Depends on seed, replication and the
/// workload section only, never on the fleet, so all fleets face the same jobs and chains. Of a closed loop
/// as many jobs are drawn as its user could submit until then if no job took any time: about (warm_up +
/// measure + drain) / think time. No fleet needs more, whatever becomes of the jobs.
[[nodiscard]] Workload generate(const Scenario& scenario, std::uint32_t replication);

}  // namespace fleetsim
