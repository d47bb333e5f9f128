#include "scenarios/loader/catalog.hpp"
#include "scenarios/loader/catalog_folder.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "sim/base/embedded.hpp"
#include "sim/study/errors.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/unit/scenarios/catalog_said.hpp"

namespace fleetsim {

namespace {

/// Everything that was said about one file laid over an otherwise sound catalogue.
std::string catalog_faults(const std::string& path, const std::string& text) {
  std::vector<Catalog::File> files = embedded_files();
  files.push_back({path, path, text});
  Diagnostics diagnostics;
  static_cast<void>(Catalog::from_files(files, diagnostics));
  std::string all;
  for (const Diagnostic& d : diagnostics.sorted()) all += render(d, text);
  return all;
}

const std::string kRack = "title: Rack\nprice: {value: 2000 USD, source: quote, as_of: 2024-05}\n";

TEST_CASE("The built-in catalogue holds what the lab scenario and its alternatives name") {
  const Catalog& c = Catalog::builtin();
  for (const char* gpu :
       {"rtx3080", "rtx3090", "quadro-rtx6000", "a100-sxm4-40", "a100-pcie-40", "rtx2080ti"})
    CHECK(c.gpu(gpu) != nullptr);
  for (const char* node : {"supermicro-8x-rtx3080", "supermicro-8x-rtx3090", "supermicro-8x-rtx3090-water",
                           "supermicro-8x-rtx6000", "supermicro-8x-a100", "dgx-a100", "desktop-4x-rtx3090",
                           "supermicro-8x-rtx2080ti"})
    CHECK(c.node(node) != nullptr);
  for (const char* link : {"pcie3-x16", "pcie4-x16", "nvlink2", "nvlink3-bridge", "nvlink3-a100",
                           "infiniband-edr", "infiniband-hdr", "upi", "xgmi"})
    CHECK(c.link(link) != nullptr);
  for (const char* model : {"resnet50", "bert-large", "gnmt"}) CHECK(c.model(model) != nullptr);
  CHECK(c.gpu("rtx308") == nullptr);
  CHECK(c.names(CatalogKind::prices) ==
        std::vector<std::string>{"cloud", "embodied", "management-switch", "rack", "support"});
}

TEST_CASE("Nodes cost what their parts cost") {
  const Catalog& c = Catalog::builtin();
  const auto price = [&](const char* name) { return dollars(c.node(name)->price()); };
  // 8 x 699 + 5000 + 2000 + 1800 + 800
  CHECK(price("supermicro-8x-rtx3080") == 15'192);
  // 8 x 1499 + 9600; + 3600 for water
  CHECK(price("supermicro-8x-rtx3090") == 21'592);
  CHECK(price("supermicro-8x-rtx3090-water") == 25'192);
  // 8 x 6300 + 9600
  CHECK(price("supermicro-8x-rtx6000") == 60'000);
  // 4 x 1499 + 2800
  CHECK(price("desktop-4x-rtx3090") == 8'796);
  CHECK(price("dgx-a100") == 199'000);
  const LinkType& edr = *c.link("infiniband-edr");
  // with its adapter and cable: 15,192 + 870
  CHECK(price("supermicro-8x-rtx3080") + dollars(edr.adapter_price.value) == 16'062);
  CHECK(dollars(edr.switch_price.value) == 8'000);
  CHECK(edr.switch_ports == 36);
  CHECK(dollars(c.link("infiniband-hdr")->switch_price.value) == 16'000);
  CHECK(c.link("infiniband-hdr")->switch_ports == 40);
  CHECK(dollars(c.prices().management_switch.value) == 1'500);
  CHECK(dollars(c.prices().rack.value) == 2'500);
  CHECK(c.prices().support_per_year.value == 0.05);
}

TEST_CASE("Estimates carry a range and say so, sourced figures carry none") {
  const Catalog& c = Catalog::builtin();
  const Figure<Money>& rack = c.prices().rack;
  CHECK(rack.from.estimate);
  CHECK(dollars(rack.low) == 1'500);
  CHECK(dollars(rack.high) == 3'000);
  CHECK_FALSE(rack.from.note.empty());
  const Figure<Money>& card = c.gpu("rtx3080")->price;
  CHECK_FALSE(card.from.estimate);
  CHECK(card.low == card.value);
  CHECK(card.high == card.value);
  CHECK(card.from.as_of == "2020-09-01");
  CHECK(c.node("supermicro-8x-rtx3080")->host_staging.from.estimate);
}

TEST_CASE("A card without a public price is unpriced, never zero by chance") {
  CHECK_FALSE(Catalog::builtin().gpu("a100-pcie-40")->priced);
  CHECK(Catalog::builtin().gpu("rtx3080")->priced);
}

TEST_CASE("Figures from memory say that they are unverified") {
  CHECK(contains(Catalog::builtin().gpu("rtx3090")->streaming_multiprocessors.from.source, "unverified"));
}

TEST_CASE("A figure without source or date does not load") {
  CHECK(catalog_faults("prices/rack.yaml", kRack).empty());
  CHECK(
      contains(catalog_faults("prices/rack.yaml", "title: Rack\nprice: {value: 2000 USD, as_of: 2024-05}\n"),
               "'source'"));
  CHECK(contains(catalog_faults("prices/rack.yaml", "title: Rack\nprice: {value: 2000 USD, source: quote}\n"),
                 "'as_of'"));
  const std::string bare = catalog_faults("prices/rack.yaml", "title: Rack\nprice: 2000 USD\n");
  CHECK(contains(bare, "prices/rack.yaml:2:8: error: 'price' needs a source and a date"));
  CHECK(contains(catalog_faults("prices/rack.yaml",
                                "title: Rack\nprice: {value: 2000 USD, source: quote, as_of: May 2024}\n"),
                 "'May 2024' is not a date"));
}

TEST_CASE("An estimate without a range or a basis does not load") {
  const auto with = [](const std::string& rest) {
    return catalog_faults(
        "prices/rack.yaml",
        "title: Rack\nprice: {value: 2000 USD, source: estimate, as_of: 2024-05" + rest + "}\n");
  };
  CHECK(contains(with(""), "'low'"));
  CHECK(contains(with(", low: 1 USD, high: 3000 USD"), "'basis'"));
  CHECK(contains(with(", low: 2500 USD, high: 3000 USD, basis: guess"), "low <= value <= high"));
  CHECK(with(", low: 1500 USD, high: 3000 USD, basis: guess").empty());
  CHECK(contains(
      catalog_faults("prices/rack.yaml",
                     "title: Rack\nprice: {value: 2000 USD, low: 1 USD, source: quote, as_of: 2024-05}\n"),
      "belongs to an estimate"));
}

TEST_CASE("Wrong values, keys and names in a catalogue file are told with their place") {
  CHECK(contains(catalog_faults("prices/rack.yaml", kRack + "colour: red\n"), "unknown key 'colour'"));
  CHECK(contains(catalog_faults("prices/rock.yaml", kRack), "'rock' is not a price that is used"));
  CHECK(contains(
      catalog_faults("prices/rack.yaml", "title: Rack\nprice: {value: -1 USD, source: q, as_of: 2024}\n"),
      "2:16"));
  std::string gpu, node;
  for (const EmbeddedFile& f : embedded_catalog()) {
    if (f.path == "gpus/rtx3080.yaml") gpu = f.text;
    if (f.path == "nodes/supermicro-8x-rtx3080.yaml") node = f.text;
  }
  const auto edited = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  CHECK(contains(catalog_faults("gpus/rtx3080.yaml", edited(gpu, "59.5 TFLOP/s", "59.5 GB/s")),
                 "write '59.5 TFLOP/s'"));
  CHECK(contains(catalog_faults("nodes/mine.yaml", edited(node, "gpu: rtx3080", "gpu: rtx308O")),
                 "did you mean 'rtx3080'"));
  CHECK(contains(catalog_faults("nodes/mine.yaml", edited(node, "topology: direct", "topology: direkt")),
                 "did you mean 'direct'"));
  // One fault in a GPU is one message, although nodes and models name that GPU.
  const std::string once = catalog_faults("gpus/rtx3080.yaml", edited(gpu, "320 W", "320"));
  CHECK(contains(once, "gpus/rtx3080.yaml"));
  CHECK_FALSE(contains(once, "nodes/"));
  CHECK_FALSE(contains(once, "models/"));
}

TEST_CASE("A user's folder adds entries and replaces built-in ones") {
  TemporaryFolder folder;
  folder.write("prices/rack.yaml", kRack);
  folder.write("README.md", "mine");
  std::string gpu, node;
  for (const EmbeddedFile& f : embedded_catalog()) {
    if (f.path == "gpus/rtx3080.yaml") gpu = f.text;
    if (f.path == "nodes/supermicro-8x-rtx3080.yaml") node = f.text;
  }
  folder.write("gpus/rtx3080.yaml", gpu.replace(gpu.find("699 USD"), 7, "899 USD"));
  folder.write("nodes/our-node.yaml", node);
  Diagnostics diagnostics;
  const Catalog c = Catalog::with_folder(folder.path, diagnostics);
  CHECK_FALSE(diagnostics.has_errors());
  // a note for each of the two that were replaced
  CHECK(diagnostics.sorted().size() == 2);
  CHECK(dollars(c.prices().rack.value) == 2'000);
  CHECK_FALSE(c.prices().rack.from.estimate);
  CHECK(dollars(c.prices().management_switch.value) == 1'500);
  // 8 x 200 more, in the built-in node as well as in the new one
  CHECK(dollars(c.node("supermicro-8x-rtx3080")->price()) == 15'192 + 1'600);
  CHECK(dollars(c.node("our-node")->price()) == 15'192 + 1'600);
  CHECK(dollars(Catalog::builtin().node("supermicro-8x-rtx3080")->price()) == 15'192);
}

TEST_CASE("A user's folder that is laid out wrongly is told so") {
  TemporaryFolder folder;
  folder.write("gpu/rtx3080.yaml", "title: x\n");
  folder.write("rtx.yaml", "title: x\n");
  folder.write("gpus/x.yml", "title: x\n");
  Diagnostics diagnostics;
  static_cast<void>(Catalog::with_folder(folder.path, diagnostics));
  std::string all;
  for (const Diagnostic& d : diagnostics.sorted()) all += render(d, "");
  CHECK(contains(all, "unknown catalogue folder 'gpu' (did you mean 'gpus'?)"));
  CHECK(contains(all, "must lie in gpus, links, nodes, models, prices or systems"));
  CHECK(contains(all, "is called NAME.yaml"));
  CHECK_THROWS_AS(Catalog::with_folder(folder.path / "absent", diagnostics), EnvironmentError);
}

}  // namespace
}  // namespace fleetsim
