// What `fleetsim topology` prints: the interconnect of one scenario, node or system in figures.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "topology/all_reduce.hpp"
#include "topology/fabric_plan.hpp"
#include "topology/node_facts.hpp"
#include "topology/step_time.hpp"

namespace fleetsim::cli {

/// Nodes of one type; the fabric numbers them consecutively, pool after pool.
struct TopologyPool {
  std::string name;  ///< of the scenario's pool; empty for a node or a system of the catalogue
  NodeType node;
  int count = 1;
};

/// What is looked at: a scenario's fleet, one node, or a whole system.
struct TopologyTarget {
  std::string name, title;
  std::string kind;  ///< scenario | node | system
  std::vector<TopologyPool> pools;
  FabricSpec fabric;
  std::vector<std::string> models;  ///< that the scenario's classes train, by catalogue name
  Provenance from;                  ///< of a system
};

/// One exchange of three sizes among `gpus` GPUs, packed on as few nodes as hold them.
struct ExchangeRow {
  int gpus = 0, nodes = 0;
  std::vector<double> bus_bandwidth;  ///< bytes/s, one for each of kExchangeSizes: 2(N-1)/N x S / t
  double latency_s = 0.0;             ///< launches and steps of the smallest exchange
  bool staged = false;
  std::string collective;  ///< of the largest exchange: ring, tree, ...
  std::string bottleneck;
};
inline constexpr std::int64_t kExchangeSizes[] = {1LL << 20, 64LL << 20, 1LL << 30};
inline constexpr const char* kExchangeNames[] = {"1 MiB", "64 MiB", "1 GiB"};

/// One optimiser step of the model on `gpus` GPUs.
struct StepRow {
  int gpus = 0, nodes = 0;
  double efficiency = 1.0, speedup = 1.0;
  double batch = 0.0;       ///< samples of one pass of one GPU
  double samples = 0.0;     ///< of one GPU in `total_s`
  double throughput = 0.0;  ///< of the job, ModelType::throughput_unit per second
  double total_s = 0.0;
  double compute_s = 0.0;        ///< as one GPU takes
  double spread_s = 0.0;         ///< waiting for the slowest GPU
  double optimiser_s = 0.0;      ///< update of the parameters
  double communication_s = 0.0;  ///< not hidden behind the backward pass
  double input_s = 0.0;
  bool estimated_speed = false;
  std::string obstacle;  ///< why it cannot run all the same: StepTime::obstacle
};

struct PoolFigures {
  const TopologyPool* pool = nullptr;
  int first = 0;  ///< number of its first node
  NodeFacts inside;
  double bisection = 0.0;  ///< bytes/s each way between the halves of one node's GPUs
  std::vector<ExchangeRow> exchanges;
  std::vector<StepRow> steps;  ///< empty without a model
  std::string speed_basis;     ///< where the model's speed on this GPU comes from
  std::string not_beyond;      ///< why there is no row for more GPUs; empty when all asked for are there
};

struct TopologyFigures {
  const TopologyTarget* target = nullptr;
  const ModelType* model = nullptr;
  FabricCounts counts;
  FabricPlan plan;
  double bisection = 0.0;  ///< bytes/s each way between the halves of the nodes; 0: nothing joins them
  int gpus = 0;            ///< of the whole
  int largest = 0;         ///< job looked at
  std::vector<PoolFigures> pools;
};

/// "GPU", or "chip" for a TPU: of the target's first pool.
[[nodiscard]] std::string accelerator_word(const TopologyTarget& target);
/// 1, 2, 4, ... and `largest` itself.
[[nodiscard]] std::vector<int> job_sizes(int largest);

/// `model` may be null; `gpus` 0: all of the largest pool. Throws UsageError when the target has fewer GPUs
/// than asked for, std::invalid_argument when it cannot be wired. Cost: a few route searches a node and size.
[[nodiscard]] TopologyFigures topology_figures(const TopologyTarget& target, const Fabric& fabric,
                                               const ModelType* model, int gpus);
/// The target's graph. Throws std::invalid_argument with a sentence for impossible wirings.
[[nodiscard]] Fabric fabric_of(const TopologyTarget& target);

[[nodiscard]] std::string topology_text(const TopologyFigures& figures);
[[nodiscard]] nlohmann::ordered_json topology_json(const TopologyFigures& figures);

}  // namespace fleetsim::cli
