// A lab with hand-made records: 8x RTX 3080 nodes at 15,192 USD and 8x RTX 3090 water nodes at 25,192 USD,
// each with one EDR adapter at 870 USD. The tests of the room need no catalogue.
#pragma once

#include <string>

#include "sim/scenario.hpp"

namespace fleetsim::fixture {

template <class T>
Figure<T> estimated(T low, T value, T high) {
  return {value, low, high, {"estimate", "2020-10", true, ""}};
}
template <class T>
Figure<T> sourced(T value) {
  return {value, value, value, {"data sheet", "2020-09", false, ""}};
}

inline LinkType link(const std::string& name, LinkKind kind, double usable_gb_s) {
  LinkType link;
  link.name = name;
  link.title = name;
  link.kind = kind;
  link.wire_rate = sourced(BytesPerSecond{usable_gb_s * 1.2e9});
  link.usable_rate = sourced(BytesPerSecond{usable_gb_s * 1e9});
  link.latency = estimated(Latency{1e-6}, Latency{2e-6}, Latency{3e-6});
  return link;
}

inline LinkType edr() {
  LinkType edr = link("infiniband-edr", LinkKind::network, 11.0);
  edr.title = "InfiniBand EDR";
  edr.switch_ports = 36;
  edr.switch_price = estimated(usd(2500L), usd(8000L), usd(11000L));
  edr.adapter_price = estimated(usd(300L), usd(870L), usd(1000L));
  return edr;
}

inline NodeType node(const std::string& name, const std::string& gpu, long card_usd, double board_w,
                     long memory_gb, double bandwidth_gb_s) {
  NodeType node;
  node.name = name;
  node.title = "8x " + gpu;
  node.gpu.name = gpu;
  node.gpu.title = gpu;
  node.gpu.architecture = "Ampere";
  node.gpu.streaming_multiprocessors = sourced(70);
  node.gpu.memory = sourced(Bytes{memory_gb * 1'000'000'000});
  node.gpu.memory_bandwidth = sourced(BytesPerSecond{bandwidth_gb_s * 1e9});
  node.gpu.tensor_flops = sourced(60e12);
  node.gpu.board_power = sourced(Watts{board_w});
  node.gpu.idle_power_share = estimated(0.05, 0.08, 0.15);
  node.gpu.price = sourced(usd(static_cast<std::int64_t>(card_usd)));
  node.gpu.priced = true;
  node.gpu.geforce_licence = true;
  node.gpus = 8;
  node.pcie = link("pcie3-x16", LinkKind::pcie, 12.0);
  node.cpu_link = link("upi", LinkKind::cpu, 10.0);
  node.host_staging = estimated(BytesPerSecond{10e9}, BytesPerSecond{20e9}, BytesPerSecond{40e9});
  node.base_power_load = estimated(Watts{400.0}, Watts{550.0}, Watts{800.0});
  node.base_power_idle = estimated(Watts{250.0}, Watts{350.0}, Watts{500.0});
  node.rack_units = 4;
  node.price_parts = {
      {gpu, 8, node.gpu.price},
      {"barebone 8-GPU 4U with power supplies", 1, estimated(usd(4000L), usd(5000L), usd(7000L))},
      {"two CPUs", 1, estimated(usd(1300L), usd(2000L), usd(3000L))},
      {"256-512 GB RAM", 1, estimated(usd(1200L), usd(1800L), usd(2900L))},
      {"local NVMe", 1, estimated(usd(500L), usd(800L), usd(1100L))}};
  return node;
}

inline NodeType rtx3080() {
  return node("supermicro-8x-rtx3080", "rtx3080", 699, 320.0, 10, 760.0);
}

inline NodeType rtx3090_water() {
  NodeType water = node("supermicro-8x-rtx3090-water", "rtx3090", 1499, 350.0, 24, 936.0);
  water.cooling = Cooling::water;
  water.price_parts.push_back(
      {"water cooling for 8 cards", 1, estimated(usd(2000L), usd(3600L), usd(6500L))});
  return water;
}

inline ModelType model(const std::string& name, double parameters, double step_s) {
  ModelType model;
  model.name = name;
  model.title = name;
  model.domain = "vision";
  model.parameters = sourced(parameters);
  model.gradient = sourced(Bytes{static_cast<std::int64_t>(parameters * 2)});
  model.reference_gpu = "rtx3090";
  model.batch_per_gpu = sourced(64.0);
  model.reference_throughput = sourced(64.0 / step_s);
  model.units_per_sample = sourced(1.0);
  model.reference_step = sourced(from_seconds(step_s));
  model.relative_speed = {{"rtx3090", sourced(1.0)}, {"rtx3080", sourced(0.81)}};
  return model;
}

/// 30 users, 300,000 USD, prototypes on 3080 that promote to large runs on 3090.
inline Scenario lab() {
  Scenario lab;
  lab.name = "lab";
  lab.budget = usd(300000L);
  lab.pools = {{"proto", rtx3080(), 13}, {"scale", rtx3090_water(), 3}};
  lab.request.share = {0.73, 0.27};
  lab.fabric.shape = FabricShape::leaf_spine;
  lab.fabric.link = edr();
  lab.site.rack.provided = true;
  lab.prices.management_switch = estimated(usd(500L), usd(1500L), usd(2000L));
  lab.prices.rack = estimated(usd(1500L), usd(2500L), usd(3000L));
  lab.prices.support_per_year = estimated(0.03, 0.05, 0.10);
  lab.scheduler.partitions = {{"proto", {PoolId{0}}, kDay, std::nullopt, true},
                              {"scale", {PoolId{1}}, 7 * kDay, kDay, false}};
  JobClass prototype;
  prototype.name = "prototype";
  prototype.model = model("resnet50", 25.6e6, 0.2);
  prototype.arrivals = ArrivalSpec{PerSecond{8.5 / 86400.0}, ArrivalProfile::office_hours};
  prototype.gpus = {{1, 0.7}, {2, 0.2}, {4, 0.1}};
  prototype.wall_time = {LognormalSpec{from_seconds(1.36 * 3600), from_seconds(3.15 * 3600), kDay},
                         rtx3080()};
  prototype.gpu_memory = Bytes{8'000'000'000};
  prototype.partition = QueueId{0};
  prototype.promotes_to = PromotionSpec{ClassId{1}, 0.0033, 12 * kHour};
  JobClass scale_up;
  scale_up.name = "scale_up";
  scale_up.model = model("bert-large", 335e6, 0.6);
  scale_up.gpus = {{8, 0.8}, {16, 0.2}};
  scale_up.wall_time = {LognormalSpec{27 * kHour, from_seconds(39.6 * 3600), 7 * kDay}, rtx3090_water()};
  scale_up.gpu_memory = Bytes{22'000'000'000};
  scale_up.partition = QueueId{1};
  lab.workload.users = 30;
  lab.workload.classes = {prototype, scale_up};
  return lab;
}

inline Scenario with_counts(Scenario scenario, const std::vector<int>& counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) scenario.pools[i].count = counts[i];
  scenario.request.share.clear();
  scenario.request.counts = counts;
  return scenario;
}

}  // namespace fleetsim::fixture
