// Catalogue records: GPUs, links, nodes, models. Plain data; scenarios/catalog/*.yaml holds the values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/quantity.hpp"
#include "sim/base/time.hpp"

namespace fleetsim {

/// Where a figure comes from. A figure without source and date does not load.
struct Provenance {
  std::string source;     ///< URL, repository@commit, document; `estimate` when nothing public exists
  std::string as_of;      ///< YYYY, YYYY-MM or YYYY-MM-DD
  bool estimate = false;  ///< a judgement or a range without a public source: marked wherever it is printed
  std::string note;
};

/// One figure of the catalogue. An estimate carries its range; a sourced figure has none (low = high =
/// value).
template <class T>
struct Figure {
  T value{};
  T low{}, high{};
  Provenance from;
};

struct GpuType {
  std::string name;   ///< catalogue key, e.g. rtx3080
  std::string title;  ///< e.g. RTX 3080 10 GB
  std::string architecture;
  Figure<int> streaming_multiprocessors;
  Figure<Bytes> memory;
  Figure<BytesPerSecond> memory_bandwidth;
  Figure<double> tensor_flops;  ///< dense FP16 with FP32 accumulation, FLOP/s; value 0: no source
  Figure<Watts> board_power;
  Figure<double> idle_power_share;  ///< idle power over board power
  Figure<Money> price;              ///< card alone; value 0 where unpriced
  bool priced = false;
  int pcie_generation = 3;
  int pcie_lanes = 16;
  Provenance interface_from;  ///< of generation and lanes
  bool peer_to_peer = false;  ///< PCIe P2P with the stock driver
  Provenance peer_to_peer_from;
  bool geforce_licence = false;  ///< driver licence forbids data centres (G26)
  Provenance geforce_licence_from;
  bool tensor_cores = true;  ///< matrix units for FP16; false: older cards, which run by estimators
  Provenance tensor_cores_from;
  Figure<int> slot_width;                    ///< board slots; value 0: a module without slot, or no source
  Figure<Bytes> shared_memory_per_sm;        ///< value 0: no source
  Figure<BytesPerSecond> nvlink_bandwidth;   ///< all its links, both directions; value 0: none known
  std::vector<Figure<Money>> street_prices;  ///< dated, beside the list price; never used in a bill
  Figure<Money> cloud_rate;                  ///< per GPU-hour; value 0: no rate known
};

/// What one calls this accelerator in a count: "GPU", or "chip" for a TPU.
[[nodiscard]] inline std::string accelerator_word(const GpuType& gpu) {
  return gpu.architecture.starts_with("TPU") ? "chip" : "GPU";
}

enum class LinkKind { pcie, nvlink, cpu, network };

struct LinkType {
  std::string name;  ///< e.g. pcie4-x16, infiniband-edr
  std::string title;
  LinkKind kind = LinkKind::pcie;
  Figure<BytesPerSecond> wire_rate;    ///< per direction
  Figure<BytesPerSecond> usable_rate;  ///< per direction, after protocol overhead
  Figure<Latency> latency;             ///< per step of a collective; 0 without source: no figure
  int lanes = 0;                       ///< of a PCIe link; 0: not told, so no lanes are counted
  // Networks only:
  int switch_ports = 0;
  Provenance switch_ports_from;
  Figure<Money> switch_price;
  bool switch_priced = true;    ///< false: no public price, listed as unpriced
  Figure<Money> adapter_price;  ///< host adapter with its cable, per port
  bool adapter_priced = true;
};

enum class PcieTopology { dual_root, single_root, cascaded, direct };
enum class GpuLinkTopology { none, bridge_pairs, nvswitch, cube_mesh };
enum class Cooling { air, water };
/// How the heat leaves a card: fans that blow it into the case, one that blows it out at the back, a heat
/// sink in the air stream of the chassis, a water block.
enum class CardCooling { unknown, open_air, blower, passive, water };

/// Which version of its card a node takes, and where the cards sit.
struct CardMount {
  CardCooling cooling = CardCooling::unknown;
  int slot_width = 0;  ///< slots that one card covers here; 0: as the GPU's record says
  int slots = 0;       ///< board and case have room for cards that cover so many slots; 0: not told
  Provenance from;
};

/// Power supplies of a node: `count` equal units, of which `redundant` may fail without loss of load.
struct PowerSupplies {
  int count = 0;  ///< 0: not told
  int redundant = 0;
  Figure<Watts> rating;  ///< of one unit
};

/// One line of the price of a node: quantity x unit price. A unit price of 0: no price is public.
struct PricePart {
  std::string item;
  int quantity = 1;
  Figure<Money> unit_price;
};

struct NodeType {
  std::string name;  ///< e.g. supermicro-8x-rtx3090-water
  std::string title;
  GpuType gpu;
  int gpus = 0;
  PcieTopology pcie_topology = PcieTopology::dual_root;
  Provenance wiring_from;        ///< of the PCIe topology
  int slots = 0;                 ///< for cards and network adapters; 0: not told
  int lanes_per_cpu = 0;         ///< PCIe lanes of one socket; 0: not told
  bool adapters_on_cpu = false;  ///< network adapters hang on the CPUs although there are switches
  LinkType pcie;                 ///< one GPU slot
  LinkType cpu_link;             ///< between the sockets
  GpuLinkTopology gpu_links = GpuLinkTopology::none;
  Provenance gpu_links_from;
  std::optional<LinkType> gpu_link;  ///< NVLink where gpu_links is not none
  Cooling cooling = Cooling::air;
  CardMount cards;
  PowerSupplies supplies;
  Figure<BytesPerSecond> host_staging;  ///< aggregate through host memory, both directions counted once
  Figure<Watts> base_power_load;        ///< everything but GPUs
  Figure<Watts> base_power_idle;
  int rack_units = 4;
  Provenance rack_units_from;
  std::vector<PricePart> price_parts;  ///< cards included; empty: unpriced or rented
  /// Network adapters that the price includes: this many of this link's speed, each with its cable.
  int adapters_included = 0;
  std::string adapters_included_link;       ///< LinkType::name
  BytesPerSecond adapters_included_rate{};  ///< wire rate of that link
  Provenance adapters_included_from;
  Figure<Money> cloud_rate;  ///< per GPU-hour of a node that is rented, not bought; value 0: not rented
  /// Whether every part has a price.
  [[nodiscard]] bool priced() const;
  /// No purchase price but a cloud rate.
  [[nodiscard]] bool rented() const { return price_parts.empty() && cloud_rate.value > Money{}; }
  /// Sum of the parts that have a price, without network adapters that are charged apart.
  [[nodiscard]] Money price() const;
  /// Of `wanted` adapters for `link`, how many its price includes; an adapter also runs a slower network.
  [[nodiscard]] int included_adapters(const LinkType& link, int wanted) const;
};

/// Sizes of a decoder-only transformer and how its publication spreads it over GPUs.
struct TransformerShape {
  int layers = 0, hidden = 0, sequence = 0, vocabulary = 0;
  int tensor = 1, pipeline = 1;  ///< GPUs that share a layer; stages of layers
  Provenance from;
};

/// The part of a GPU's data sheet that estimates of its speed rest on (gpu_speed.hpp).
struct SpeedSheet {
  std::string architecture;           ///< empty: unknown
  int streaming_multiprocessors = 0;  ///< 0: unknown
  BytesPerSecond memory_bandwidth;
  bool tensor_cores = true;
};

/// How a model trains on one GPU of each kind, and what it must exchange. An optimiser step is
/// `accumulation_steps` forward and backward passes over `batch_per_gpu` samples each, then one exchange of
/// `gradient`.
struct ModelType {
  std::string name;  ///< e.g. resnet50
  std::string title;
  std::string domain;  ///< vision | language
  Figure<double> parameters;
  Figure<Bytes> gradient;              ///< bytes exchanged per optimiser step
  bool variable_shape = false;         ///< sequence lengths vary, so GPUs spread more
  double input_embedding_share = 0.0;  ///< share of the gradient that is ready last
  Provenance input_embedding_from;
  int accumulation_steps = 1;
  bool overlap = true;        ///< false: all-reduce after accumulation (BERT)
  Provenance training_from;   ///< of variable_shape, overlap and accumulation_steps
  std::string reference_gpu;  ///< GpuType::name that `reference_step` was measured on
  /// Memory bandwidth of that GPU, for the bandwidth-ratio estimator; 0: unknown, no estimate possible.
  Figure<BytesPerSecond> reference_bandwidth;
  Figure<double> batch_per_gpu;         ///< samples of one pass on the reference GPU
  Figure<double> reference_throughput;  ///< measured on one reference GPU, `throughput_unit` per second
  Figure<double> units_per_sample;      ///< images, sequences: 1; tokens of a sentence pair
  std::string throughput_unit = "samples";
  Figure<Duration> reference_step;  ///< one pass: batch_per_gpu * units_per_sample / reference_throughput
  std::map<std::string, Figure<double>>
      relative_speed;  ///< GPU name -> throughput over the reference GPU's, measured
  /// Data sheets of the reference GPU and of those in `relative_speed`; the catalogue fills them.
  std::map<std::string, SpeedSheet> measured_cards;
  /// GPU name -> samples of one pass where its memory held another batch in that measurement. Absent: as the
  /// reference GPU.
  std::map<std::string, Figure<double>> batch_on;
  /// What one GPU holds, see memory_need(): bytes of weights, gradient and optimiser state a parameter, and
  /// of activations a sample of one pass; 0: unknown, not checked.
  Figure<double> state_per_parameter;
  Figure<Bytes> activations_per_sample;
  std::optional<TransformerShape> transformer;
  /// Samples per second that the CPUs and the storage of one node can prepare; 0: no limit known.
  Figure<double> input_limit;
};

[[nodiscard]] const char* to_string(LinkKind kind);          ///< pcie, nvlink, cpu, network
[[nodiscard]] const char* to_string(PcieTopology topology);  ///< dual-root, single-root, cascaded, direct
[[nodiscard]] const char* to_string(GpuLinkTopology links);  ///< none, bridge-pairs, nvswitch, cube-mesh
[[nodiscard]] const char* to_string(Cooling cooling);        ///< air, water
[[nodiscard]] const char* to_string(CardCooling cooling);    ///< not known, open-air, blower, passive, water

}  // namespace fleetsim
