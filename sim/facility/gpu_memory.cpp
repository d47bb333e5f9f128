// Memory of the GPUs against the mix of jobs: a class that fits no pool. Soft: the simulation counts its jobs
// as impossible, so its cost is seen there and a fleet is not refused twice.
//
// Source: guide 2020 (G10 of the requirements): a job that does not fit is impossible there.
#include <fmt/format.h>

#include <algorithm>

#include "sim/facility/parts.hpp"

namespace fleetsim::facility {

namespace {

std::string gb(Bytes bytes) {
  return fmt::format("{:.3g} GB", static_cast<double>(bytes.count()) / 1e9);
}

}  // namespace

void check_gpu_memory(const Scenario& scenario, std::vector<Finding>& out) {
  Bytes most;
  for (const NodePool& pool : scenario.pools)
    if (pool.count > 0) most = std::max(most, pool.node.gpu.memory.value);
  if (most == Bytes{}) return;
  for (const JobClass& job_class : scenario.workload.classes) {
    if (job_class.gpu_memory <= most) continue;
    out.push_back(
        {Severity::soft, "", "workload.classes." + job_class.name, gb(job_class.gpu_memory), gb(most),
         fmt::format("jobs of {} need {} on every GPU, and no GPU of the fleet has more than {}: all of "
                     "them are impossible",
                     job_class.name, gb(job_class.gpu_memory), gb(most)),
         fmt::format("a pool whose GPUs have {} or more", gb(job_class.gpu_memory))});
  }
}

}  // namespace fleetsim::facility
