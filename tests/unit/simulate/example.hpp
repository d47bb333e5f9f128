// A lab with two pools, written without a file: proto nodes of 4 GPUs with 10 GB, scale nodes of 8 with 24
// GB.
#pragma once

#include "sim/scenario.hpp"
#include "sim/simulate.hpp"

namespace fleetsim::example {

inline NodeType node(const char* name, int gpus, std::int64_t gigabytes) {
  NodeType n;
  n.name = name;
  n.gpus = gpus;
  n.gpu.name = std::string(name) + "-gpu";
  n.gpu.memory.value = Bytes{gigabytes * 1'000'000'000};
  n.gpu.memory_bandwidth.value = BytesPerSecond{static_cast<double>(gigabytes) * 40e9};
  n.gpu.board_power.value = Watts{300.0};
  n.gpu.idle_power_share.value = 0.1;
  n.base_power_load.value = Watts{500.0};
  n.base_power_idle.value = Watts{250.0};
  n.pcie.usable_rate.value = BytesPerSecond{12e9};
  n.cpu_link.usable_rate.value = BytesPerSecond{20e9};
  n.host_staging.value = BytesPerSecond{10e9};
  PricePart all;
  all.item = "node";
  all.unit_price.value = all.unit_price.low = all.unit_price.high = usd(std::int64_t{10'000});
  n.price_parts = {all};
  return n;
}

/// Classes without a model run equally fast everywhere: run time = wall time.
inline JobClass job_class(const char* name, int gpus, std::int64_t gigabytes, int partition, int hours) {
  JobClass c;
  c.name = name;
  c.gpus = {{gpus, 1.0}};
  c.gpu_memory = Bytes{gigabytes * 1'000'000'000};
  c.partition = QueueId{static_cast<std::uint16_t>(partition)};
  c.wall_time.law = FixedSpec{hours * kHour};
  return c;
}

inline Scenario two_pools(SharingRule sharing, int proto_nodes = 1, int scale_nodes = 2) {
  Scenario s;
  s.name = "two pools";
  s.seed = 7;
  s.budget = usd(std::int64_t{100'000});
  s.time = {0 * kWeek, kWeek, kWeek, 2};
  s.pools.resize(2);
  s.pools[0] = {"proto", node("small", 4, 10), proto_nodes};
  s.pools[1] = {"scale", node("large", 8, 24), scale_nodes};
  s.scheduler.sharing = sharing;
  Partition proto, scale;
  proto.name = "proto";
  proto.pools = {PoolId{0}};
  proto.max_time = 24 * kHour;
  scale.name = "scale";
  scale.pools = {PoolId{1}};
  scale.max_time = 7 * kDay;
  scale.overflow_max_time = 12 * kHour;
  s.scheduler.partitions = {proto, scale};
  s.workload.users = 3;
  s.workload.classes = {job_class("prototype", 2, 8, 0, 2), job_class("scale_up", 8, 22, 1, 20)};
  s.workload.classes[0].promotes_to = PromotionSpec{ClassId{1}, 0.1, kHour};
  s.workload.classes[0].arrivals = ArrivalSpec{PerSecond{20.0 / 86400.0}, ArrivalProfile::office_hours};
  return s;
}

inline std::vector<JobShape> shapes_of(const Scenario& s) {
  std::vector<JobShape> shapes;
  for (std::size_t c = 0; c < s.workload.classes.size(); ++c)
    for (const SizeShare& size : s.workload.classes[c].gpus)
      shapes.push_back({ClassId{static_cast<std::uint16_t>(c)}, size.gpus});
  return shapes;
}

/// A workload of given jobs, all arriving by themselves. Times in minutes.
struct Asked {
  int job_class;
  int submit_min, wall_min;
  double limit_factor = 2.0;
};
inline Workload workload_of(const Scenario& s, const std::vector<Asked>& jobs) {
  Workload w;
  w.shapes = shapes_of(s);
  for (const Asked& job : jobs) {
    const JobClass& of = s.workload.classes[static_cast<std::size_t>(job.job_class)];
    w.requests.submit.push_back(kStart + std::chrono::minutes(job.submit_min));
    w.requests.gpus.push_back(of.gpus[0].gpus);
    w.requests.limit.push_back({});
    w.requests.job_class.push_back(ClassId{static_cast<std::uint16_t>(job.job_class)});
    w.requests.queue.push_back(of.partition);
    w.requests.user.push_back(0);
    w.requests.parent.push_back(kNoJob);
    w.truth.wall.push_back(std::chrono::minutes(job.wall_min));
    w.truth.limit_factor.push_back(job.limit_factor);
    w.truth.child.push_back(kNoJob);
    w.truth.pause.push_back({});
    w.truth.shape.push_back(static_cast<std::uint16_t>(job.job_class));
  }
  return w;
}

}  // namespace fleetsim::example
