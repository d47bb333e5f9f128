// The guide's claims on NVLink and networks (G19, G21, G22), all tables together, and the curves of the
// figure.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/cli/guide_tables.hpp"

namespace fleetsim::cli {
namespace {


/// Nodes of eight A100 as an A100 cluster has them: four HDR adapters, one a PCIe switch.
constexpr int kAdaptersOfA100 = 4;

/// Adapter and leaf port of one node over the price of the node, per cent; 0 where something is unpriced.
double network_share(const NodeType& node, const LinkType& link) {
  if (!node.priced() || !link.adapter_priced || !link.switch_priced || link.switch_ports < 1) return 0.0;
  const double port = to_usd(link.switch_price.value) / link.switch_ports;
  return 100.0 * (to_usd(link.adapter_price.value) + port) / to_usd(node.price());
}

/// Published gains: speed-up with NVLink over speed-up without, per cent.
void add_measured_nvlink(GuideRow& row, const std::string& machine, const std::string& model) {
  const auto set = [&](std::vector<Measured> values, std::string note) {
    row.measured = std::move(values);
    row.source = kLambdaBenchmark;
    row.note = std::move(note);
  };
  if (machine == "bridge, peers" && model == "gnmt")
    set({{0, 0.0, 0.0}, {1, -0.3, -0.3}, {2, -1.1, -1.1}}, "8x Quadro RTX 8000 with and without bridges");
  if (machine == "bridge, no peers" && model == "resnet50")
    set({{2, 11.5, 11.5}}, "8x RTX 2080 Ti with and without bridges; those logs differ by up to 30 %");
  if (machine == "switch" && model == "gnmt")
    set({{2, 5.4, 5.4}}, "A100 of AWS p4d over A100 PCIe, two machines");
  if (machine == "switch" && model == "resnet50")
    set({{2, 4.2, 4.2}}, "A100 of AWS p4d over A100 PCIe, two machines");
}

}  // namespace

GuideTable guide_g19(const Shelf& shelf) {
  const std::vector<int> sizes = {2, 4, 8, 32, 128};
  GuideTable t{"G19",
               "NVLink against none: gain in speed",
               "useless below about 128 GPUs",
               "%",
               {"2 GPUs", "4 GPUs", "8 GPUs", "32 GPUs", "128 GPUs"},
               {},
               {{2, -1.0, 1.0}, {3, -1.0, 1.0}},
               "",
               "",
               {}};
  const FabricSpec hdr = spine_fabric(shelf.link("infiniband-hdr"), kAdaptersOfA100);
  const FabricSpec edr = spine_fabric(shelf.link("infiniband-edr"), 1);
  const NodeType &a100 = shelf.node("dgx-a100"), &geforce = shelf.node("supermicro-8x-rtx3090");
  NodeType peers = geforce;
  peers.name += "+peers";
  peers.gpu.peer_to_peer = true;
  const LinkType& bridge = shelf.link("nvlink3-bridge");
  struct Case {
    std::string machine, title;
    NodeType with, without;
    const FabricSpec& fabric;
  };
  const Case cases[] = {
      {"switch", "NVSwitch, 8x " + a100.gpu.title, a100, without_gpu_links(a100), hdr},
      {"bridge, no peers", "bridges, no peer to peer, 8x " + geforce.gpu.title, with_bridges(geforce, bridge),
       geforce, edr},
      {"bridge, peers", "bridges, peer to peer over PCIe", with_bridges(peers, bridge), peers, edr}};
  for (const Case& c : cases) {
    const Park with(c.with, c.fabric, sizes.back()), without(c.without, c.fabric, sizes.back());
    for (const ModelType* model : shelf.models()) {
      add_row(t, fmt::format("{}, {} ({})", c.title, model->title, model->domain), [&] {
        GuideRow row = gain_row(*model, sizes, with, without);
        add_measured_nvlink(row, c.machine, model->name);
        return row;
      });
    }
  }
  t.verdict = fmt::format(
      "NVLink gains {} at 8 GPUs, {} at 32, {} at 128; under 1 % at 8 GPUs in {} of {} cases", range_of(t, 2),
      range_of(t, 3), range_of(t, 4),
      std::count_if(t.rows.begin(), t.rows.end(), [](const GuideRow& row) { return row.model[2] < 1.0; }),
      t.rows.size());
  t.measured_note = "8x RTX 3090 without peer to peer reach 2.18x on GNMT and 6.95x to 7.69x on ResNet-50 (" +
                    std::string(kLambdaBenchmark) + ")";
  return t;
}

GuideTable guide_g21(const Shelf& shelf) {
  const std::vector<int> sizes = {16, 32, 64, 128};
  GuideTable t{"G21",
               "EDR InfiniBand (100 Gbit/s) against 25 Gbit/s Ethernet, one adapter a node: gain in speed",
               "two or more machines need 50 Gbit/s or more; EDR recommended",
               "%",
               {"16 GPUs", "32 GPUs", "64 GPUs", "128 GPUs"},
               {},
               {},
               "",
               "",
               {}};
  const FabricSpec edr = spine_fabric(shelf.link("infiniband-edr"), 1);
  const FabricSpec slow = spine_fabric(shelf.link("roce-25"), 1);
  for (const char* name : {"supermicro-8x-rtx3090", "supermicro-8x-a100"}) {
    const NodeType& node = shelf.node(name);
    const Park with(node, edr, sizes.back()), without(node, slow, sizes.back());
    for (const ModelType* model : shelf.models()) {
      add_row(t, fmt::format("8x {}, {} ({})", node.gpu.title, model->title, model->domain),
              [&] { return gain_row(*model, sizes, with, without); });
    }
  }
  t.verdict = fmt::format(
      "EDR gains {} over two nodes and {} over sixteen; without any fabric no job is larger than one node",
      range_of(t, 0), range_of(t, 3));
  t.measured_note =
      "128 servers of 4 P100 on 25 Gbit/s RoCE keep 90 % at 512 GPUs on Inception V3 and ResNet-101 "
      "(horovod/horovod README.rst); no machine was published with both networks";
  return t;
}

GuideTable guide_g22(const Shelf& shelf) {
  const std::vector<int> largest = {8, 16, 32, 64, 128, 512};
  GuideTable t{"G22",
               "EDR against 25 Gbit/s for a mix of jobs, by the largest job: GPU time that EDR saves",
               "a strong network is wasted when no user takes more than 32 GPUs, even on 1024",
               "%",
               {"up to 8", "up to 16", "up to 32", "up to 64", "up to 128", "up to 512"},
               {},
               {{2, -2.0, 2.0}},
               "",
               "no measurement; equal GPU-hours in jobs of 1, 2, 4, ... GPUs up to the largest",
               {}};
  const LinkType &edr = shelf.link("infiniband-edr"), &slow = shelf.link("roce-25");
  std::string share;
  for (const char* name : {"supermicro-8x-rtx3090", "supermicro-8x-a100"}) {
    const NodeType& node = shelf.node(name);
    const Park with(node, spine_fabric(edr, 1), largest.back());
    const Park without(node, spine_fabric(slow, 1), largest.back());
    for (const ModelType* model : shelf.models()) {
      add_row(t, fmt::format("8x {}, {} ({})", node.gpu.title, model->title, model->domain), [&] {
        GuideRow row;
        for (const int size : largest) row.model.push_back(mix_gain_percent(*model, size, with, without));
        return row;
      });
    }
    if (const double percent = network_share(node, edr); percent > 0.0)
      share +=
          fmt::format("{}{:.1f} % of a node of 8x {}", share.empty() ? "" : " and ", percent, node.gpu.title);
  }
  t.verdict =
      fmt::format("EDR saves {} for jobs up to 32 GPUs and {} up to 512", range_of(t, 2), range_of(t, 5));
  if (!share.empty()) t.verdict += fmt::format("; its adapter and leaf port cost {}", share);
  return t;
}

std::vector<GuideTable> guide_tables(const Catalog& catalog) {
  const Shelf shelf(catalog);
  struct Entry {
    const char* id;
    GuideTable (*make)(const Shelf&);
  };
  const Entry entries[] = {{"G6", guide_g6},   {"G7", guide_g7},   {"G7a", guide_g7a},
                           {"G17", guide_g17}, {"G18", guide_g18}, {"G19", guide_g19},
                           {"G20", guide_g20}, {"G21", guide_g21}, {"G22", guide_g22}};
  std::vector<GuideTable> out;
  for (const Entry& entry : entries) {
    const auto without_rows = [&](const std::exception& why) {
      GuideTable empty;
      empty.id = entry.id;
      empty.title = "not computed";
      empty.omitted.emplace_back(why.what());
      out.push_back(std::move(empty));
    };
    try {
      out.push_back(entry.make(shelf));
    } catch (const MissingHardware& e) {
      without_rows(e);
    } catch (const std::invalid_argument& e) {  // the hardware cannot be wired
      without_rows(e);
    }
  }
  return out;
}

std::vector<ValueCurve> interconnect_curves(const Catalog& catalog,
                                            const std::vector<const ModelType*>& models,
                                            std::vector<std::string>& missing) {
  constexpr int kLargest = 1024;
  const Shelf shelf(catalog);
  std::vector<ValueCurve> out;
  const auto add = [&](const std::string& technology, const std::string& basis, int first,
                       const NodeType& node, const NodeType& plain, const FabricSpec& fabric,
                       const FabricSpec& plain_fabric) {
    const Park with(node, fabric, kLargest), without(plain, plain_fabric, kLargest);
    for (const ModelType* model : models) {
      try {
        out.push_back(value_curve(technology, basis, *model, with, without, first, kLargest));
      } catch (const std::invalid_argument& e) {
        missing.push_back(fmt::format("{}, {}: {}", technology, model->title, e.what()));
      }
    }
  };
  try {
    const NodeType &a100 = shelf.node("dgx-a100"), &pcie = shelf.node("supermicro-8x-a100"),
                   &geforce = shelf.node("supermicro-8x-rtx3090");
    const LinkType &edr = shelf.link("infiniband-edr"), &slow = shelf.link("roce-25");
    const FabricSpec hdr = spine_fabric(shelf.link("infiniband-hdr"), kAdaptersOfA100);
    add("NVLink", fmt::format("8x {} with NVSwitch, against PCIe only", a100.gpu.title), 2, a100,
        without_gpu_links(a100), hdr, hdr);
    add("PCIe 4.0", fmt::format("8x {}, against PCIe 3.0", pcie.gpu.title), 2,
        with_slot(pcie, shelf.link("pcie4-x16")), with_slot(pcie, shelf.link("pcie3-x16")),
        spine_fabric(edr, 1), spine_fabric(edr, 1));
    add("EDR", fmt::format("8x {}, one adapter a node, against 25 Gbit/s", geforce.gpu.title), 2, geforce,
        geforce, spine_fabric(edr, 1), spine_fabric(slow, 1));
  } catch (const MissingHardware& e) {
    missing.emplace_back(e.what());
  }
  return out;
}

std::vector<ValueCurve> interconnect_of(const Scenario& scenario) {
  std::vector<const ModelType*> models;
  std::set<std::string> known;
  for (const JobClass& job_class : scenario.workload.classes) {
    if (job_class.model && known.insert(job_class.model->name).second) models.push_back(&*job_class.model);
  }
  std::vector<std::string> missing;  // `validate guide --figure` tells them
  return interconnect_curves(Catalog::builtin(), models, missing);
}

}  // namespace fleetsim::cli
