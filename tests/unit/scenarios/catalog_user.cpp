// A user's own entries: `based_on`, contradictions, and what lies in the folder and is not read.
#include <string>

#include "scenarios/loader/catalog_folder.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/unit/scenarios/catalog_said.hpp"

namespace fleetsim {
namespace {

/// The catalogue with files of a user's laid over it, and all that was said.
struct Own {
  Diagnostics diagnostics;
  Catalog catalog;
  std::string said;
};

/// `own`: paths and texts.
Own over(const std::vector<std::pair<std::string, std::string>>& own, const std::string& today = {}) {
  std::vector<Catalog::File> files = embedded_files();
  for (const auto& [path, text] : own) files.push_back({path, path, text});
  Own all;
  all.catalog = Catalog::from_files(files, all.diagnostics, today);
  for (const Diagnostic& d : all.diagnostics.sorted()) all.said += render(d, own.front().second);
  return all;
}

TEST_CASE("A user's own node is a few lines on top of another") {
  const Own own =
      over({{"nodes/ours.yaml",
             "based_on: supermicro-8x-rtx3090\ntitle: Our eight\nbase_power: {load: {value: 600 W, source: "
             "meter in the rack, as_of: 2024-05}}\n"}});
  CHECK(own.said == "");
  const NodeType& ours = *own.catalog.node("ours");
  const NodeType& base = *own.catalog.node("supermicro-8x-rtx3090");
  CHECK(ours.title == "Our eight");
  CHECK(ours.base_power_load.value == Watts{600.0});
  CHECK(ours.base_power_load.from.source == "meter in the rack");
  CHECK_FALSE(ours.base_power_load.from.estimate);
  // deep: the idle power beside it, and all else, stays with its provenance
  CHECK(ours.base_power_idle.value == base.base_power_idle.value);
  CHECK(ours.base_power_idle.from.note == base.base_power_idle.from.note);
  CHECK(ours.price() == base.price());
  CHECK(own.catalog.based_on(CatalogKind::nodes, "ours") == "supermicro-8x-rtx3090");
  CHECK(own.catalog.based_on(CatalogKind::nodes, "supermicro-8x-rtx3090").empty());
}

TEST_CASE("Whoever writes the link of a slot at 'slots' is sent to 'slot'") {
  for (const char* written : {"pcie4-x16", "{value: pcie4-x16, source: manual, as_of: 2024}", "[8]"}) {
    const Own own = over({{"nodes/ours.yaml", std::string("based_on: supermicro-8x-rtx3090\npcie: {slots: ") +
                                                  written + ", source: manual, as_of: 2024}\n"}});
    CHECK(contains(own.said, "'slots' is the number of slots of the board"));
    CHECK(contains(own.said, "the link of a slot is 'slot: pcie4-x16'"));
  }
  CHECK(contains(over({{"nodes/ours.yaml",
                        "based_on: supermicro-8x-rtx3090\npcie: {slots: 65, source: manual, "
                        "as_of: 2024}\n"}})
                     .said,
                 "65"));
}

TEST_CASE("Another card in the same machine is bought at its own price") {
  const Own own = over({{"nodes/ours.yaml", "based_on: desktop-1x-rtx3090\ngpu: rtx3080\ngpus: 2\n"}});
  CHECK(own.said == "");
  const NodeType& ours = *own.catalog.node("ours");
  CHECK(ours.title == "ours");
  // 2 x 699 + 701
  CHECK(dollars(ours.price()) == 2'099);
  CHECK(ours.price_parts[0].item == "RTX 3080 10 GB");
}

TEST_CASE("A card runs at its own interface in a faster slot, and that is said") {
  const Own own =
      over({{"nodes/ours.yaml",
             "based_on: supermicro-8x-rtx3090\ntitle: Our eight\npcie: {slot: pcie5-x16, source: board "
             "manual, as_of: 2024-05}\n"}});
  CHECK(contains(own.said, "the rtx3090 has an interface of pcie4-x16"));
  REQUIRE(own.catalog.node("ours") != nullptr);
  CHECK(own.catalog.node("ours")->pcie.name == "pcie4-x16");
}

TEST_CASE("Lists replace, and keys named in 'without' go") {
  const Own own =
      over({{"nodes/ours.yaml",
             "based_on: dgx-1-v100-16\nwithout: [gpu_links, adapters_included]\nprice:\n"
             "  - {item: second hand, unit_price: {value: 20000 USD, source: quote 7, as_of: 2023-01}}\n"}});
  CHECK(own.said == "");
  const NodeType& ours = *own.catalog.node("ours");
  CHECK(dollars(ours.price()) == 20'000);
  CHECK(ours.gpu_links == GpuLinkTopology::none);
  CHECK(ours.adapters_included == 0);
}

TEST_CASE("Chains of bases work for GPUs, links and models alike") {
  const Own own =
      over({{"gpus/a.yaml", "based_on: b\n"},
            {"gpus/b.yaml", "based_on: rtx3090\nprice: {value: 700 USD, source: eBay, as_of: 2024-02}\n"},
            {"links/slow.yaml",
             "based_on: infiniband-edr\nusable_rate: {value: 6 GB/s, source: iperf, as_of: 2024-02}\n"},
            {"models/mine.yaml", "based_on: resnet50\n"}});
  CHECK(own.said == "");
  CHECK(dollars(own.catalog.gpu("a")->price.value) == 700);
  CHECK(own.catalog.gpu("a")->memory.value == own.catalog.gpu("rtx3090")->memory.value);
  CHECK(own.catalog.link("slow")->switch_ports == 36);
  CHECK(own.catalog.model("mine")->reference_gpu == own.catalog.model("resnet50")->reference_gpu);
}

TEST_CASE("A changed figure does not inherit the source of the old one") {
  const Own own = over({{"gpus/a.yaml", "based_on: rtx3090\nprice: {value: 700 USD}\n"}});
  CHECK(contains(own.said, "gpus/a.yaml:2:"));
  CHECK(contains(own.said, "'source'"));
  CHECK(own.catalog.gpu("a") == nullptr);
  const Own estimate =
      over({{"prices/rack.yaml", "title: Rack\nprice: {value: 900 USD, source: quote, as_of: 2024}\n"},
            {"nodes/b.yaml",
             "based_on: supermicro-8x-rtx3090\nhost_staging: {value: 25 GB/s, source: measured, as_of: "
             "2024}\n"}});
  CHECK(estimate.said == "");
  CHECK_FALSE(estimate.catalog.node("b")->host_staging.from.estimate);
}

TEST_CASE("Unknown, own and circular bases are told with their place") {
  CHECK(contains(
      over({{"gpus/a.yaml", "title: A\nbased_on: rtx3O90\n"}}).said,
      "gpus/a.yaml:2:11: error: gpus has no entry 'rtx3O90' to start from (did you mean 'rtx3090'?)"));
  CHECK(contains(over({{"gpus/a.yaml", "based_on: a\n"}}).said,
                 "gpus/a.yaml:1:11: error: 'a' is based on itself"));
  const Own circle = over(
      {{"gpus/a.yaml", "based_on: b\n"}, {"gpus/b.yaml", "based_on: c\n"}, {"gpus/c.yaml", "based_on: a\n"}});
  CHECK(contains(circle.said, "in a circle: a -> b -> c -> a"));
  CHECK(circle.diagnostics.errors() == 1);
  CHECK(circle.catalog.gpu("a") == nullptr);
  CHECK(contains(over({{"gpus/a.yaml", "based_on: rtx3090\nwithout: [pric]\n"}}).said,
                 "the base has no key 'pric' (did you mean 'price'?)"));
  // a base that is faulty itself is told once
  const Own faulty = over({{"gpus/a.yaml", "based_on: b\n"}, {"gpus/b.yaml", "title: [\n"}});
  CHECK(faulty.diagnostics.errors() == 1);
}

TEST_CASE("Contradictions in a record are refused") {
  const auto gpu = [](const std::string& line) {
    return over({{"gpus/a.yaml", "based_on: rtx3090\n" + line}}).said;
  };
  const auto node = [](const std::string& line) {
    return over({{"nodes/a.yaml", "based_on: supermicro-8x-rtx3090\n" + line}}).said;
  };
  CHECK(contains(gpu("board_power: {value: 0 W, source: s, as_of: 2024}\n"), "a.yaml:2:"));
  CHECK(contains(gpu("price: {value: 0 USD, source: s, as_of: 2024}\n"), "a price cannot be 0 USD"));
  CHECK(contains(gpu("tensor_cores: {value: false, source: s, as_of: 2024}\n"), "has no tensor rate"));
  CHECK(contains(gpu("price: {value: 9 USD, source: s, as_of: 9999-01}\n"),
                 "no figure can be of the year 9999"));
  CHECK(contains(gpu("price: {value: 9 USD, source: s, as_of: 2023-02-30}\n"), "is not a date"));
  CHECK(contains(node("base_power: {idle: {value: 900 W, source: s, as_of: 2024}}\n"),
                 "more power idle than at load"));
  CHECK(contains(node("price: [{quantity: 9, unit_price: card}]\n"), "9 cards are bought for a node of 8"));
  CHECK(contains(node("cloud_rate: {value: 1 USD, source: s, as_of: 2024}\n"), "either bought"));
  CHECK(contains(node("without: [price]\ncloud_rate: card\ngpu: rtx3080\n"), "has no cloud rate"));
  CHECK(contains(node("adapters_included: {value: 8, link: nvlink2, source: s, as_of: 2024}\n"),
                 "does not join nodes"));
}

TEST_CASE("A figure dated after today is warned of and kept") {
  const std::string line = "based_on: rtx3090\nprice: {value: 9 USD, source: s, as_of: 2031-02}\n";
  const Own own = over({{"gpus/a.yaml", line}}, "2031-01-30");
  CHECK(contains(own.said, "warning: '2031-02' lies in the future"));
  CHECK(own.catalog.gpu("a") != nullptr);
  CHECK(over({{"gpus/a.yaml", line}}, "2031-02-01").said == "");
}

TEST_CASE("A part without a public price leaves the node unpriced, its cards priced") {
  const NodeType& node = *Catalog::builtin().node("server-8x-rtx5090");
  CHECK_FALSE(node.priced());
  CHECK_FALSE(node.rented());
  // 8 x 1999
  CHECK(dollars(node.price()) == 15'992);
  CHECK_FALSE(Catalog::builtin().node("supermicro-8x-a40")->priced());
}

TEST_CASE("Cards without tensor cores load and say so") {
  for (const char* name : {"gtx980ti", "gtx1050ti", "gtx1070", "gtx1070ti", "gtx1080", "gtx1650-super",
                           "titan-xp", "p100-sxm2-16"}) {
    const GpuType& gpu = *Catalog::builtin().gpu(name);
    CHECK_FALSE(gpu.tensor_cores);
    CHECK(gpu.tensor_flops.value == 0.0);
  }
  CHECK(Catalog::builtin().gpu("titan-v")->tensor_cores);
}

TEST_CASE("A system is a node type, a count and a fabric") {
  const std::string text =
      "title: Our two racks\nnode: supermicro-8x-rtx3090\nnodes: 12\nfabric: {shape: leaf-spine, link: "
      "infiniband-edr, hcas_per_node: 2}\nsource: quote 9\nas_of: 2024-05\n";
  const Own own = over({{"systems/ours.yaml", text}});
  CHECK(own.said == "");
  REQUIRE(own.catalog.system("ours") != nullptr);
  const SystemType& ours = *own.catalog.system("ours");
  CHECK(ours.node == "supermicro-8x-rtx3090");
  CHECK(ours.nodes == 12);
  CHECK(ours.fabric.shape == FabricShape::leaf_spine);
  CHECK(ours.fabric.link.name == "infiniband-edr");
  CHECK(ours.fabric.adapters_per_node == 2);
  CHECK(ours.from.source == "quote 9");
  const auto edited = [&](const std::string& from, const std::string& to) {
    std::string t = text;
    return over({{"systems/ours.yaml", t.replace(t.find(from), from.size(), to)}}).said;
  };
  CHECK(contains(edited("node: supermicro-8x-rtx3090", "node: supermicro-8x-rtx309"), "did you mean"));
  CHECK(contains(edited("nodes: 12", "nodes: 0"), "systems/ours.yaml:3:8"));
  CHECK(contains(edited("as_of: 2024-05\n", ""), "'as_of'"));
  CHECK(contains(edited("infiniband-edr", "pcie4-x16"), "does not join nodes"));
  CHECK(contains(edited("nodes: 12\n", ""), "'nodes'"));
  // of a system that is based on another only the count changes: its source stays
  const Own larger =
      over({{"systems/ours.yaml", text}, {"systems/larger.yaml", "based_on: ours\nnodes: 24\n"}});
  CHECK(larger.said == "");
  CHECK(larger.catalog.system("larger")->nodes == 24);
  CHECK(larger.catalog.system("larger")->from.source == "quote 9");
}

TEST_CASE("Every system of the catalogue can be wired") {
  const Catalog& c = Catalog::builtin();
  CHECK(c.names(CatalogKind::systems) ==
        std::vector<std::string>{"dgx-superpod", "dgx-superpod-h100", "tpu-v3-pod", "tpu-v4-pod"});
  for (const std::string& name : c.names(CatalogKind::systems)) {
    const SystemType& system = *c.system(name);
    const NodeType& node = *c.node(system.node);
    const std::vector<const NodeType*> nodes(static_cast<std::size_t>(system.nodes), &node);
    CHECK(Fabric::build(system.fabric, nodes).counts().nodes == system.nodes);
  }
}

TEST_CASE("What a user's folder holds and the catalogue does not read is told") {
  TemporaryFolder folder;
  folder.write("gpus/x.YAML", "title: x\n");
  folder.write("gpus/more/y.yaml", "title: y\n");
  folder.write("links/infiniband-edr2.yaml", "based_on: infiniband-edr\n");
  folder.write("prices/rack.yaml", "title: Rack\nprice: {value: 2000 USD, source: quote, as_of: 2024-05}\n");
  Diagnostics diagnostics;
  const Catalog c = Catalog::with_folder(folder.path, diagnostics);
  std::string all;
  for (const Diagnostic& d : diagnostics.sorted()) all += render(d, "");
  CHECK(contains(all, "x.YAML: error: a catalogue file is called NAME.yaml"));
  CHECK(contains(all,
                 "more: warning: a folder within a catalogue folder is not read (put its files into gpus)"));
  CHECK(contains(all, "rack.yaml: note: replaces the built-in entry 'rack' of prices"));
  CHECK_FALSE(contains(all, "infiniband-edr2"));
  CHECK(c.link("infiniband-edr2") != nullptr);
}

TEST_CASE("Figures that no machine or model can have are refused at the value") {
  const auto said = [](const std::string& path, const std::string& text) {
    return over({{path, text + "\n"}}).said;
  };
  const std::string from = ", source: me, as_of: 2024-05}";
  const std::string model = "models/ours.yaml", of = "based_on: gnmt\n";
  CHECK(contains(said(model, of + "reference: {throughput: {value: 1e-9" + from + "}"),
                 "models/ours.yaml:2:33: error: 'value' must be at least 1e-06, not 1e-9"));
  // 464 samples x 62 tokens / 0.001 tokens/s / 3600 s = 7991 h
  CHECK(contains(said(model, of + "reference: {throughput: {value: 0.001" + from + "}"),
                 "models/ours.yaml:2:33: error: a pass over the batch takes 7.99e+03 hours"));
  CHECK(contains(said(model, of + "reference: {batch: {value: 1e300" + from + "}"), "at most 1000000000"));
  CHECK(contains(said(model, of + "reference: {units_per_sample: {value: 1e300" + from + "}"),
                 "at most 1000000000"));
  CHECK(
      contains(said(model, of + "relative_speed: {rtx3080: {value: 1e-300" + from + "}"), "at least 0.001"));
  CHECK(contains(said(model, of + "batch_on: {rtx3080: {value: 0.001" + from + "}"),
                 ":2:29: error: a batch of 0.001 is 2.16e-06 times that of the reference GPU, 464"));
  CHECK(contains(said(model, of + "parameters: {value: 1e300" + from), "at most 10000000000000"));
  CHECK(contains(said(model, of + "gradient: {value: 1e9 GB" + from), "at most 10000 GB"));
  CHECK(contains(said("gpus/ours.yaml", "based_on: rtx3090\nmemory_bandwidth: {value: 1e-300 GB/s" + from),
                 "at least 10 MB/s"));
  CHECK(contains(said("gpus/ours.yaml", "based_on: rtx3090\nboard_power: {value: 1e30 W" + from),
                 "at most 1000 kW"));
  CHECK(contains(said("links/ours.yaml", "based_on: pcie4-x16\nusable_rate: {value: 1e-300 GB/s" + from),
                 "at least 10 MB/s"));
}

TEST_CASE("A link stands where its kind fits, and the fitting ones are listed") {
  const std::string from = ", source: manual, as_of: 2024-05}\n";
  const auto said = [&](const std::string& text) {
    return over({{"nodes/ours.yaml", "based_on: supermicro-8x-rtx3090\n" + text + from}}).said;
  };
  CHECK(contains(said("gpu_links: {topology: bridge-pairs, link: pcie4-x16"),
                 "nodes/ours.yaml:2:43: error: 'pcie4-x16' is of kind pcie, and 'link' takes a link of kind "
                 "nvlink (fitting: nvlink1, "));
  CHECK(
      contains(said("pcie: {slot: infiniband-hdr"), "'slot' takes a link of kind pcie (fitting: pcie3-x16"));
  CHECK(contains(said("pcie: {cpu_link: pcie4-x16"), "'cpu_link' takes a link of kind cpu (fitting: upi, "));
  CHECK(said("gpu_links: {topology: bridge-pairs, link: nvlink3-bridge").empty());
  CHECK(contains(said("gpu: rtx2060\ngpu_links: {topology: bridge-pairs, link: nvlink2-bridge"),
                 "warning: the rtx2060 has no NVLink by its entry"));
}

TEST_CASE("All GPUs of a node with its own cards are paid") {
  const auto node = [](const std::string& text) {
    return over({{"nodes/ours.yaml", "based_on: supermicro-8x-rtx3090\n" + text + "\n"}});
  };
  const Own ten = node("gpus: 10");
  CHECK(ten.said.empty());
  REQUIRE(ten.catalog.node("ours") != nullptr);
  CHECK(ten.catalog.node("ours")->price_parts.front().quantity == 10);
  // Two more cards of 1499 USD
  CHECK(dollars(ten.catalog.node("ours")->price()) ==
        dollars(ten.catalog.node("supermicro-8x-rtx3090")->price()) + 2 * 1499);
  for (const char* quantity : {"7", "9"}) {
    const std::string said =
        node(std::string("price:\n  - {unit_price: card, quantity: ") + quantity + "}").said;
    CHECK(contains(
        said, std::string("nodes/ours.yaml:3:34: error: ") + quantity + " cards are bought for a node of 8"));
  }
  CHECK(
      node("price:\n  - {unit_price: card, quantity: 4}\n  - {unit_price: card, quantity: 4}").said.empty());
}

TEST_CASE("Cards that were sold used only have that price") {
  for (const char* name : {"gtx980ti", "gtx1070", "gtx1070ti", "gtx1650-super"}) {
    const GpuType& gpu = *Catalog::builtin().gpu(name);
    CHECK(gpu.priced);
    REQUIRE(gpu.street_prices.size() == 1);
    CHECK(gpu.price.value == gpu.street_prices[0].value);
    CHECK(contains(gpu.price.from.note, "used price, weak"));
  }
}

TEST_CASE("A fault that arises with what is inherited is told at the user's file") {
  const Own own = over({{"nodes/ours.yaml", "gpus: 7\nbased_on: dgx-1-v100-16\n"}});
  CHECK(contains(own.said, "nodes/ours.yaml:2:11: error: "));
  CHECK(contains(own.said, "; inherited from catalog/nodes/dgx-1-v100-16.yaml, line "));
  const std::string negative = over({{"nodes/ours.yaml", "based_on: dgx-1-v100-16\ngpus: -1\n"}}).said;
  CHECK(contains(negative, "nodes/ours.yaml:2:7: error: "));
  CHECK(negative.find("error:") == negative.rfind("error:"));
  CHECK(contains(over({{"nodes/ours.yaml", "based_on: [a, b]\n"}}).said,
                 "nodes/ours.yaml:1:11: error: 'based_on' must be the name of one entry"));
  // A built-in node is fine until the user's file replaces the link in its slots.
  const std::string replaced =
      over({{"links/pcie5-x16.yaml",
             "title: Ours\nkind: cpu\nwire_rate: {value: 60 GB/s, source: me, as_of: 2024-05}\n"
             "usable_rate: {value: 50 GB/s, source: me, as_of: 2024-05}\n"}})
          .said;
  CHECK(contains(replaced,
                 "links/pcie5-x16.yaml:1:1: error: 'pcie5-x16' is of kind cpu, and 'slot' takes a "
                 "link of kind pcie; so says catalog/nodes/"));
  CHECK_FALSE(contains(replaced, "\ncatalog/"));
  // The base has the fault by itself, and it is told once.
  const std::string twice =
      over({{"gpus/b.yaml", "based_on: rtx3090\nboard_power: {value: 0 W, source: me, as_of: 2024-05}\n"},
            {"gpus/a.yaml", "based_on: b\n"}})
          .said;
  CHECK(contains(twice, "gpus/b.yaml:2:22: error: "));
  CHECK(twice.find("error:") == twice.rfind("error:"));
}

TEST_CASE("A system that cannot be wired is a fault of its file") {
  const auto said = [](const std::string& nodes, const std::string& fabric) {
    return over({{"systems/ours.yaml", "title: Ours\nnode: tpu-v4-host\nnodes: " + nodes +
                                           "\nfabric: " + fabric + "\nsource: quote\nas_of: 2024-05\n"}})
        .said;
  };
  CHECK(
      contains(said("7000", "{shape: leaf-spine, link: infiniband-hdr}"), "systems/ours.yaml:4:1: error: "));
  // 16 x 16 x 15 places for 1024 x 4 chips
  CHECK(contains(said("1024", "{shape: torus, link: tpu-v4-ici, dimensions: [16, 16, 15]}"),
                 "systems/ours.yaml:4:1: error: "));
  CHECK(said("1024", "{shape: torus, link: tpu-v4-ici, dimensions: [16, 16, 16]}").empty());
  const std::string unknown = said("2", "{shape: leaf-spine, link: no-such}");
  CHECK(unknown.find("error:") == unknown.rfind("error:"));
}

}  // namespace
}  // namespace fleetsim
