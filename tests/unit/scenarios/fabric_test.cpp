// The fabric of a scenario: words, keys of one shape, impossible wirings with their place.
#include <fmt/format.h>

#include "scenarios/loader/catalog.hpp"
#include "scenarios/loader/catalog_folder.hpp"
#include "scenarios/loader/load.hpp"
#include "sim/base/embedded.hpp"
#include "tests/catch.hpp"
#include "tests/unit/scenarios/edited.hpp"
#include "topology/fabric_plan.hpp"

using namespace fleetsim;
using namespace fleetsim::test;

namespace {

const char* const kLine =
    "fabric: {shape: leaf-spine, link: infiniband-edr, hcas_per_node: 1, oversubscription: 1}";

Outcome with_fabric(const std::string& fabric) {
  return load_text(edited({{kLine, fabric}}).text);
}

std::string first_fault(const std::string& fabric) {
  const Marked text = edited({{kLine, fabric}});
  const Outcome outcome = load_text(text.text);
  if (outcome.messages.empty()) return "";
  if (!text.places.empty()) CHECK(outcome.places.front() == text.places.front());
  return outcome.messages.front();
}

/// Faults of one catalogue file, as PLACE: MESSAGE.
std::string catalogue_fault(const std::string& path, const std::string& text) {
  std::vector<Catalog::File> files = embedded_files();
  files.push_back({path, path, text});
  Diagnostics diagnostics;
  static_cast<void>(Catalog::from_files(files, diagnostics));
  std::string all;
  for (const Diagnostic& d : diagnostics.sorted())
    all += fmt::format("{}:{}:{}: {}\n", d.pos.file, d.pos.line, d.pos.column, d.message);
  return all;
}

}  // namespace

TEST_CASE("Every shape loads with its own keys and comes out of the dump as it went in") {
  for (const char* fabric :
       {"fabric: {shape: fat-tree, link: infiniband-edr, levels: 3}",
        "fabric: {shape: superpod, link: infiniband-hdr, hcas_per_node: 8, su_nodes: 20}",
        "fabric: {shape: torus, link: tpu-v4-ici, dimensions: [4, 8, 8]}",
        "fabric: {shape: torus, link: tpu-v4-ici, dimensions: [0, 0]}"}) {
    const Outcome first = with_fabric(fabric);
    INFO(fabric);
    for (const std::string& message : first.messages) UNSCOPED_INFO(message);
    REQUIRE(first.loaded.has_value());
    CHECK(first.messages.empty());
    const std::string dump = dump_scenario(first.loaded->scenario);
    const Outcome again = load_text(dump);
    REQUIRE(again.loaded.has_value());
    CHECK(dump_scenario(again.loaded->scenario) == dump);
    const FabricSpec& a = first.loaded->scenario.fabric;
    const FabricSpec& b = again.loaded->scenario.fabric;
    CHECK(a.shape == b.shape);
    CHECK(a.levels == b.levels);
    CHECK(a.su_nodes == b.su_nodes);
    CHECK(a.dimensions == b.dimensions);
  }
}

TEST_CASE("Keys of the fabric can be set from the command line") {
  LoadOptions options;
  options.set = {"fabric.shape=torus", "fabric.link=tpu-v4-ici", "fabric.dimensions=[8, 16]"};
  const Outcome outcome = load_text(lab_text(), options);
  REQUIRE(outcome.loaded.has_value());
  CHECK(outcome.loaded->scenario.fabric.dimensions == std::vector<int>{8, 16});
}

TEST_CASE("A key of another shape is told, and changes nothing") {
  CHECK(first_fault("fabric: {shape: leaf-spine, link: infiniband-edr, @levels: 3}") ==
        "'levels' belongs to shape fat-tree and changes nothing for leaf-spine (shape: fat-tree, or without "
        "'levels')");
  CHECK(first_fault("fabric: {shape: fat-tree, link: infiniband-edr, @dimensions: [2, 2]}")
            .find("belongs to shape torus") != std::string::npos);
}

TEST_CASE("A fabric that cannot be wired is an error at its place") {
  const auto fault = [](const std::string& fabric) {
    return first_fault("@fabric: {link: infiniband-edr, " + fabric + "}");
  };
  CHECK_THAT(fault("shape: torus"), Catch::Contains("'infiniband-edr' joins adapters through switches"));
  const auto torus = [](const std::string& sides) {
    return first_fault("@fabric: {shape: torus, link: tpu-v4-ici, dimensions: " + sides + "}");
  };
  CHECK_THAT(torus("[4, 4, 4, 4]"), Catch::Contains("two or three dimensions, not 4"));
  CHECK_THAT(torus("[2, 2, 1]"), Catch::Contains("cannot be cut into nodes with 8"));
  CHECK_THAT(
      fault("shape: superpod, hcas_per_node: 8, su_nodes: 30"),
      Catch::Contains("a scalable unit of 30 nodes does not fit leaf switches of 36 ports, which hold 18"));
  CHECK_THAT(first_fault("fabric: {shape: fat-tree, link: infiniband-edr, levels: @4}"),
             Catch::Contains("'levels' must be"));
  CHECK_THAT(first_fault("fabric: {shape: @fat_tree, link: infiniband-edr}"),
             Catch::Contains("did you mean 'fat-tree'?"));
}

TEST_CASE("Whole nodes that a fabric has no room for are an error at their counts") {
  const Marked text = edited({{kLine, "fabric: {shape: torus, link: tpu-v4-ici, dimensions: [4, 4]}"},
                              {"  split: {scale: 27 %}", "  @counts: {proto: 13, scale: 3}"}});
  const Outcome outcome = load_text(text.text);
  REQUIRE_FALSE(outcome.messages.empty());
  CHECK(outcome.places.front() == text.places.front());
  CHECK(outcome.messages.front() ==
        "a torus of 4 x 4 has 16 places, and 16 nodes with 8 accelerators need 128");
}

TEST_CASE("Wirings of a node that cannot be are told at the key of its file") {
  const auto fault = [](const std::string& from, const std::string& to) {
    std::string text;
    for (const EmbeddedFile& f : embedded_catalog())
      if (f.path == "nodes/supermicro-8x-rtx3090.yaml") text = std::string(f.text);
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return catalogue_fault("nodes/n.yaml", text.replace(at, from.size(), to));
  };
  CHECK_THAT(fault("gpus: 8\n",
                   "gpus: 7\n"
                   "gpu_links: {topology: bridge-pairs, link: nvlink3-bridge, source: x, as_of: 2020}\n"),
             Catch::Contains(
                 "nodes/n.yaml:5:1: node n cannot be wired: NVLink bridges join pairs, and it has 7 GPUs"));
  CHECK_THAT(fault("  slot: pcie4-x16\n", "  slot: pcie4-x16\n  lanes_per_cpu: 48\n"),
             Catch::Contains("nodes/n.yaml:5:1: node n cannot be wired: 4 links of 16 lanes leave CPU 0, "
                             "which has 48 lanes"));
  CHECK_THAT(fault("  slot: pcie4-x16\n", "  slot: pcie4-x16\n  slots: 7\n"),
             Catch::Contains("8 GPUs and 0 network adapters need 8 slots, and it has 7"));
  CHECK(fault("  slot: pcie4-x16\n", "  slot: pcie4-x16\n  slots: 9\n  lanes_per_cpu: 64\n  adapters: cpu\n")
            .empty());
}

TEST_CASE("B037: a link that does not exist is an error at load that names it") {
  CHECK(
      first_fault("fabric: {shape: leaf-spine, link: @infiniband-ed}") ==
      "unknown network link: 'infiniband-ed' (did you mean 'infiniband-edr'? own entries come with --catalog "
      "DIR)");
  const std::string faults = catalogue_fault("nodes/n.yaml",
                                             "title: N\n"
                                             "gpu: g\n"
                                             "pcie: {topology: direct, slot: pcie9-x16, cpu_link: nowhere}\n"
                                             "gpu_links: {topology: cube-mesh, link: nvlink9}\n");
  CHECK_THAT(faults, Catch::Contains("nodes/n.yaml:3:32: unknown link: 'pcie9-x16'"));
  CHECK_THAT(faults, Catch::Contains("nodes/n.yaml:3:53: unknown link: 'nowhere'"));
  CHECK_THAT(faults, Catch::Contains("nodes/n.yaml:4:40: unknown link: 'nvlink9'"));
}
