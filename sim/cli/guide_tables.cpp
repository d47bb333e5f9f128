#include "sim/cli/guide_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "topology/run_time_ratio.hpp"

namespace fleetsim::cli {
namespace {

constexpr const char* kNvidia = "NVIDIA/DeepLearningExamples@729963dd";

/// Published speed-ups of eight GPUs over one: lowest and highest machine, A100 and V100.
struct EightOverOne {
  const char* model;
  std::vector<Measured> measured;
  std::string source, note;
};
std::vector<EightOverOne> eight_over_one() {
  const std::string both = fmt::format("{}; {}", kLambdaBenchmark, kNvidia);
  return {
      {"resnet50", {{0, 6.73, 7.82}, {1, 6.97, 7.93}}, both, "five A100 and six V100 machines and trainers"},
      {"ssd300-resnet50", {{0, 7.34, 7.92}, {1, 6.92, 6.92}}, both, ""},
      {"se-resnext101", {{1, 6.71, 6.85}}, kNvidia, ""},
      {"mask-rcnn", {{0, 8.71, 8.71}, {1, 8.44, 8.44}}, kNvidia, "super-linear: the one-GPU base is slow"},
      {"bert-large", {{0, 7.92, 8.05}, {1, 7.45, 7.80}}, kNvidia, ""},
      {"transformer-big", {{1, 6.52, 6.71}}, kNvidia, ""},
      {"transformer-xl-large", {{0, 7.62, 7.62}, {1, 6.53, 6.53}}, kNvidia, "batches differ"},
      {"gnmt", {{0, 7.59, 7.62}, {1, 4.65, 5.86}}, both, "A100 without the machine that reached 4.09"}};
}

double geometric_mean(const std::vector<double>& values) {
  double logs = 0.0;
  for (const double value : values) logs += std::log(value);
  return values.empty() ? 0.0 : std::exp(logs / static_cast<double>(values.size()));
}

void add_mean(GuideTable& table, const std::string& what, const std::vector<const GuideRow*>& rows) {
  if (rows.empty()) return;
  GuideRow mean;
  mean.what = what;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::vector<double> values;
    for (const GuideRow* row : rows) values.push_back(row->model[c]);
    mean.model.push_back(geometric_mean(values));
  }
  table.rows.push_back(std::move(mean));
}

}  // namespace

const NodeType& Shelf::node(const std::string& name) const {
  if (const NodeType* node = catalog_.node(name)) return *node;
  throw MissingHardware(fmt::format("the catalogue has no node '{}'", name));
}

const LinkType& Shelf::link(const std::string& name) const {
  if (const LinkType* link = catalog_.link(name)) return *link;
  throw MissingHardware(fmt::format("the catalogue has no link '{}'", name));
}

std::vector<const ModelType*> Shelf::models() const {
  return named({"resnet50", "ssd300-resnet50", "se-resnext101", "mask-rcnn", "bert-large", "transformer-big",
                "transformer-xl-large", "gnmt"});
}

std::vector<const ModelType*> Shelf::figure_models() const {
  return named({"resnet50", "bert-large", "transformer-big", "mask-rcnn", "gnmt", "transformer-xl-large"});
}

std::vector<const ModelType*> Shelf::named(std::initializer_list<const char*> names) const {
  std::vector<const ModelType*> out;
  for (const char* name : names) {
    if (const ModelType* model = catalog_.model(name)) out.push_back(model);
  }
  return out;
}

GuideRow gain_row(const ModelType& model, const std::vector<int>& sizes, const Park& with,
                  const Park& without) {
  GuideRow row;
  for (const int gpus : sizes) row.model.push_back(gain_percent(model, gpus, with, without));
  return row;
}

std::string range_of(const GuideTable& table, std::size_t column) {
  double low = 0.0, high = 0.0;
  bool first = true;
  for (const GuideRow& row : table.rows) {
    const double value = row.model.at(column);
    low = first ? value : std::min(low, value);
    high = first ? value : std::max(high, value);
    first = false;
  }
  const std::string unit = table.unit == "%" ? " %" : table.unit;
  const auto digits = [&](double value) {
    const std::string text = table.unit == "%" ? fmt::format("{:.1f}", value) : fmt::format("{:.2f}", value);
    return text == "-0.0" ? std::string("0.0") : text;
  };
  const std::string least = digits(low), most = digits(high);
  return least == most ? least + unit : fmt::format("{} to {}{}", least, most, unit);
}

std::string band_verdict(const GuideTable& table, const GuideBand& band) {
  int inside = 0, below = 0, above = 0;
  for (const GuideRow& row : table.rows) {
    const double value = row.model.at(band.column);
    ++(value < band.low ? below : value > band.high ? above : inside);
  }
  return fmt::format(
      "at {} the model sees {}: inside the guide's {:g} to {:g} {} in {} of {} cases, below in {}, "
      "above in {}",
      table.columns.at(band.column), range_of(table, band.column), band.low, band.high, table.unit, inside,
      table.rows.size(), below, above);
}

GuideTable guide_g6(const Shelf& shelf) {
  GuideTable t{"G6",
               "Eight GPUs over one, A100 against V100 (both with NVLink)",
               "A100 7.00x and V100 6.67x on CNNs, ratio 1.05; ratio 1.07 on Transformers",
               "x",
               {"A100 at 8 GPUs", "V100 at 8 GPUs", "ratio"},
               {},
               {},
               "",
               "",
               {}};
  const Park a100(shelf.node("dgx-a100"), {}, 8), v100(shelf.node("dgx-1-v100-16"), {}, 8);
  for (const ModelType* model : shelf.models()) {
    add_row(t, fmt::format("{} ({})", model->title, model->domain), [&] {
      GuideRow row;
      const double a = a100.speedup(*model, 8), v = v100.speedup(*model, 8);
      row.model = {a, v, a / v};
      for (const EightOverOne& known : eight_over_one()) {
        if (known.model != model->name) continue;
        row.measured = known.measured;
        row.source = known.source;
        row.note = known.note;
      }
      return row;
    });
  }
  std::vector<const GuideRow*> vision, language;
  for (const GuideRow& row : t.rows) (row.what.ends_with("(vision)") ? vision : language).push_back(&row);
  GuideTable means = t;
  means.rows.clear();
  add_mean(means, "geometric mean, vision", vision);
  add_mean(means, "geometric mean, others", language);
  for (const GuideRow& row : means.rows)
    t.verdict += fmt::format("{}{}: A100 {:.2f}x, V100 {:.2f}x, ratio {:.3f}", t.verdict.empty() ? "" : "; ",
                             row.what, row.model[0], row.model[1], row.model[2]);
  t.rows.insert(t.rows.end(), means.rows.begin(), means.rows.end());
  return t;
}

GuideTable guide_g17(const Shelf& shelf) {
  const std::vector<int> sizes = {2, 4, 8};
  GuideTable t{"G17",
               "PCIe 4.0 instead of 3.0: gain in speed",
               "nothing at 2 GPUs, 1 to 7 % at 4, nice at 8",
               "%",
               {"2 GPUs", "4 GPUs", "8 GPUs"},
               {},
               {{1, 1.0, 7.0}},
               "",
               "no machine was published with both generations",
               {}};
  const LinkType &gen4 = shelf.link("pcie4-x16"), &gen3 = shelf.link("pcie3-x16");
  for (const char* name : {"supermicro-8x-a100", "supermicro-8x-rtx3090"}) {
    const NodeType& node = shelf.node(name);
    const Park with(with_slot(node, gen4), {}, 8), without(with_slot(node, gen3), {}, 8);
    for (const ModelType* model : shelf.models()) {
      add_row(t, fmt::format("{}, {}", node.gpu.title, model->title),
              [&] { return gain_row(*model, sizes, with, without); });
    }
  }
  t.verdict = band_verdict(t, t.bands[0]);
  return t;
}

GuideTable guide_g18(const Shelf& shelf) {
  const std::vector<int> sizes = {2, 4};
  GuideTable t{"G18",
               "Fewer PCIe lanes a GPU, on a board of four: loss of speed against x16",
               "x4 at 4 GPUs 5 to 10 %; x8 better at 4; x4 is fine at 2",
               "%",
               {"2 GPUs", "4 GPUs"},
               {},
               {{1, 5.0, 10.0}},
               "",
               "no machine was published with both widths",
               {}};
  const NodeType& node = shelf.node("desktop-4x-rtx3090");
  // The same board with cards that reach each other over PCIe: the claim does not say which it means.
  NodeType peers = node;
  peers.name += "+peers";
  peers.gpu.peer_to_peer = true;
  for (const NodeType* base : {&node, static_cast<const NodeType*>(&peers)}) {
    const Park full(with_slot(*base, shelf.link("pcie3-x16")), {}, 4);
    for (const char* slot : {"pcie3-x4", "pcie3-x8"}) {
      const Park narrow(with_slot(*base, shelf.link(slot)), {}, 4);
      for (const ModelType* model : shelf.models()) {
        add_row(
            t,
            fmt::format("{}, {}, {}", shelf.link(slot).title,
                        base == &node ? "no peer to peer" : "peer to peer", model->title),
            [&] {
              GuideRow row;
              for (const int gpus : sizes)
                row.model.push_back(100.0 * (1.0 - full.step_s(*model, gpus) / narrow.step_s(*model, gpus)));
              return row;
            });
      }
    }
  }
  t.verdict = band_verdict(t, t.bands[0]);
  return t;
}

GuideTable guide_g20(const Shelf& shelf) {
  GuideTable t{"G20",
               "Two GPU types in one job of 16 GPUs: time of a step over that of 16 equal ones",
               "the job runs at the pace of the slowest",
               "x",
               {"over all slow", "over all fast"},
               {},
               {{0, 0.99, 1.01}},
               "",
               "no measurement",
               {}};
  // Both cards in the same chassis: the host's own limits must not differ.
  const NodeType& fast = shelf.node("supermicro-8x-rtx3090");
  NodeType slow = fast;
  slow.gpu = shelf.node("supermicro-8x-rtx2080ti").gpu;
  slow.name += "+" + slow.gpu.name;
  const FabricSpec fabric = spine_fabric(shelf.link("infiniband-edr"), 1);
  const Park all_fast(fast, fabric, 16), all_slow(slow, fabric, 16);
  const std::vector<const NodeType*> both = {&fast, &slow};
  const Fabric mixed = Fabric::build(fabric, both);
  for (const ModelType* model : shelf.models()) {
    add_row(t, fmt::format("8x {} + 8x {}, {}", fast.gpu.title, slow.gpu.title, model->title), [&] {
      const double time =
          to_seconds(step_time(*model, Parallelism{16}, mixed, packed_placement(16, 8)).total);
      GuideRow row;
      row.model = {time / all_slow.step_s(*model, 16), time / all_fast.step_s(*model, 16)};
      return row;
    });
  }
  t.verdict =
      fmt::format("a step of the mixed job takes {} of a step on 16 slow GPUs and {} of one on 16 fast ones",
                  range_of(t, 0), range_of(t, 1));
  return t;
}

}  // namespace fleetsim::cli
