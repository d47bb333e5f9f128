// A made-up lab of two pools and one promotion, small enough to simulate in milliseconds.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sim/study/study.hpp"
#include "tests/temporary_folder.hpp"

namespace fleetsim::made_up {

template <class T>
Figure<T> figure(T value) {
  return {value, value, value, {"made up", "2020", true, ""}};
}

inline NodeType node(const std::string& name, int gpus, double price_usd) {
  NodeType n;
  n.name = n.title = name;
  n.gpu.name = n.gpu.title = name + "-gpu";
  n.gpu.memory = figure(Bytes{24'000'000'000});
  n.gpu.board_power = figure(Watts{300.0});
  n.gpu.idle_power_share = figure(0.1);
  n.gpus = gpus;
  n.pcie.name = "slot";
  n.pcie.wire_rate = n.pcie.usable_rate = figure(BytesPerSecond{12e9});
  n.pcie.latency = figure(Latency{1e-6});
  n.cpu_link = n.pcie;
  n.host_staging = figure(BytesPerSecond{20e9});
  n.base_power_load = figure(Watts{500.0});
  n.base_power_idle = figure(Watts{300.0});
  n.price_parts = {{"whole node", 1, figure(usd(price_usd))}};
  return n;
}

/// Prototypes on `proto` (4-GPU nodes at 10 000 USD), results on `scale` (4-GPU nodes at 20 000 USD).
inline Scenario scenario(int proto, int scale) {
  Scenario s;
  s.name = "made-up";
  s.seed = 7;
  s.time.warm_up = 1 * kWeek;
  s.time.measure = 2 * kWeek;
  s.time.drain = 2 * kWeek;
  s.time.replications = 4;
  s.budget = usd(std::int64_t{100'000});
  s.pools = {{"proto", node("cheap", 4, 10'000.0), proto}, {"scale", node("dear", 4, 20'000.0), scale}};
  s.request.counts = {proto, scale};
  s.prices.management_switch = figure(Money{});
  s.prices.rack = figure(Money{});
  s.prices.support_per_year = figure(0.0);
  s.site.rack.provided = true;
  Partition cheap{"proto", {PoolId{0}}, 1 * kDay, std::nullopt, true};
  Partition dear{"scale", {PoolId{1}}, 7 * kDay, 1 * kDay, false};
  s.scheduler.partitions = {cheap, dear};
  JobClass prototype;
  prototype.name = "prototype";
  prototype.arrivals = ArrivalSpec{PerSecond{4.0 / 86400.0}, ArrivalProfile::flat};
  prototype.gpus = {{1, 0.7}, {2, 0.3}};
  prototype.wall_time.law = ExponentialSpec{2 * kHour};
  prototype.partition = QueueId{0};
  prototype.promotes_to = PromotionSpec{ClassId{1}, 0.05, 1 * kHour};
  JobClass result;
  result.name = "result";
  result.gpus = {{4, 1.0}};
  result.wall_time.law = FixedSpec{10 * kHour};
  result.partition = QueueId{1};
  s.workload.users = 6;
  s.workload.classes = {prototype, result};
  s.study.prototypes_per_result = 10.0;
  return s;
}

/// Hand-made metrics of one replication.
inline RunResult run(double prototype_h, double result_h) {
  RunResult r;
  r.events = 10;
  r.replay_hash = 0xF000000000000001ULL;
  Metrics& m = r.metrics;
  m.all.values = {{"unserved_share", "ratio", 0.0},
                  {"unfinished_tagged_share", "ratio", 0.0},
                  {"results_per_week", "1/week", 5.0}};
  m.classes = {{"prototype", {{"turnaround_s", "s", prototype_h * 3600.0}, {"wait_s_p95", "s", 600.0}}},
               {"result", {{"promoted_turnaround_s", "s", result_h * 3600.0}, {"wait_s_p95", "s", 7200.0}}}};
  m.pools = {{"proto", 0.5, 0.0}, {"scale", 0.25, 0.0}};
  m.states[static_cast<std::size_t>(JobState::completed)] = 100;
  m.tagged_states[static_cast<std::size_t>(JobState::completed)] = 50;
  m.submitted = 100;
  m.tagged = 50;
  m.utilisation_by_hour.assign(168, 0.5);
  return r;
}

using Folder = TemporaryFolder;

}  // namespace fleetsim::made_up
