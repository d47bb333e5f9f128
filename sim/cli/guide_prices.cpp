// The guide's claims on prices: RTX 3090 over RTX 2080 Ti (G7), performance per dollar of whole systems (G7a,
// G32). Catalogue figures only.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/units.hpp"
#include "sim/cli/guide_tables.hpp"
#include "sim/economics/economics.hpp"
#include "topology/gpu_speed.hpp"

namespace fleetsim::cli {
namespace {

std::string dated(const Provenance& from) {
  return fmt::format("{}, {}", from.source, from.as_of);
}

/// The dearer card of the maker beside the list price, told apart by the note of its figure.
const Figure<Money>& founders_price(const GpuType& gpu) {
  for (const Figure<Money>& price : gpu.street_prices)
    if (price.from.note.find("Founders Edition") != std::string::npos) return price;
  throw MissingHardware(fmt::format("the catalogue has no Founders Edition's price of {}", gpu.title));
}

double gain(double over, double base) {
  return 100.0 * (over / base - 1.0);
}

bool both_measured(const RelativeSpeed& a, const RelativeSpeed& b) {
  return a.method == SpeedMethod::measured && b.method == SpeedMethod::measured;
}

/// How the speeds of two cards are known, the weaker of the two.
std::string speed_note(const RelativeSpeed& a, const RelativeSpeed& b) {
  if (both_measured(a, b)) return "measured";
  return std::max(a.method, b.method) == SpeedMethod::interpolated ? "interpolated" : "by bandwidth";
}

/// Whether the two were measured with different batches, which a larger memory allows.
bool unequal_batches(const ModelType& model, const std::string& a, const std::string& b) {
  const auto batch = [&](const std::string& gpu) {
    const auto own = model.batch_on.find(gpu);
    return own == model.batch_on.end() ? model.batch_per_gpu.value : own->second.value;
  };
  return std::abs(batch(a) - batch(b)) > 0.5;
}

/// A machine without its cards, from the node's list of parts.
struct BaseSystem {
  const NodeType* node;
  Money price;
};
BaseSystem base_system(const Shelf& shelf, const std::string& name) {
  const NodeType& node = shelf.node(name);
  if (!node.priced() || !node.gpu.priced)
    throw MissingHardware(fmt::format("node '{}' or its card has no price", name));
  return {&node, node.price() - node.gpu.price.value * node.gpus};
}

/// Samples a second and dollar of a full machine: n speed / (base + n card).
double performance_per_dollar(const BaseSystem& base, const GpuType& gpu, double speed) {
  return base.node->gpus * speed / to_usd(base.price + gpu.price.value * base.node->gpus);
}

/// Cards that the guide ranks, cheapest series first; all with a list price.
constexpr const char* kRanked[] = {"rtx2060-super", "rtx2070",   "rtx2080ti",      "rtx3070",     "rtx3080",
                                   "rtx3090",       "titan-rtx", "quadro-rtx6000", "a100-pcie-40"};

/// Names of the cards by falling value of a column, over the rows of one model.
std::string ranking(const GuideTable& t, std::size_t column, const std::string& of_model, std::size_t most) {
  std::vector<const GuideRow*> rows;
  for (const GuideRow& row : t.rows)
    if (row.what.ends_with(of_model)) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [&](const GuideRow* a, const GuideRow* b) {
    return a->model.at(column) > b->model.at(column);
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(most, rows.size()); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", then ", rows[i]->what.substr(0, rows[i]->what.find(',')));
  return text;
}

}  // namespace

const GpuType& Shelf::gpu(const std::string& name) const {
  if (const GpuType* gpu = catalog_.gpu(name)) return *gpu;
  throw MissingHardware(fmt::format("the catalogue has no GPU '{}'", name));
}

GuideTable guide_g7(const Shelf& shelf) {
  const GpuType &next = shelf.gpu("rtx3090"), &before = shelf.gpu("rtx2080ti");
  if (!next.priced || !before.priced) throw MissingHardware("RTX 3090 or RTX 2080 Ti has no list price");
  const Figure<Money>& founders = founders_price(before);
  const double dollars = to_usd(next.price.value);
  const double over_list = gain(dollars, to_usd(before.price.value)),
               over_founders = gain(dollars, to_usd(founders.value));
  GuideTable t{
      "G7",
      "RTX 3090 over RTX 2080 Ti: gain in speed and in price",
      "speed +57 % on CNNs and +50 % on Transformers for a price of +15 %",
      "%",
      {"speed", "price over list", "price over Founders Edition"},
      {},
      {{0, 50.0, 57.0}, {1, 15.0, 15.0}, {2, 15.0, 15.0}},
      "",
      fmt::format("prices: RTX 3090 {} ({}); RTX 2080 Ti {} ({}), Founders Edition {} ({})",
                  money_text(next.price.value), dated(next.price.from), money_text(before.price.value),
                  dated(before.price.from), money_text(founders.value), dated(founders.from)),
      {}};
  std::string measured;
  for (const ModelType* model : shelf.models()) {
    const RelativeSpeed fast = relative_speed(*model, next), slow = relative_speed(*model, before);
    if (both_measured(fast, slow))
      measured += fmt::format(
          "{}{} {:+.0f} %{}", measured.empty() ? "" : ", ", model->title, gain(fast.value, slow.value),
          unequal_batches(*model, next.name, before.name) ? " (each at its own batch)" : "");
    add_row(t, fmt::format("{} ({}, {})", model->title, model->domain, speed_note(fast, slow)), [&] {
      GuideRow row;
      row.model = {gain(fast.value, slow.value), over_list, over_founders};
      return row;
    });
  }
  t.verdict = fmt::format(
      "the price is {:+.0f} % over the list price of {} and {:+.0f} % over the Founders Edition's {}, not "
      "+15 %; "
      "speed where both cards were measured: {}",
      over_list, money_text(before.price.value), over_founders, money_text(founders.value), measured);
  return t;
}

GuideTable guide_g7a(const Shelf& shelf) {
  GuideTable t{"G7a",
               "Performance per dollar of a full machine, base and cards, over that with RTX 3080 (with G32)",
               "RTX 3080 first, then RTX 3070 and RTX 2060 Super; a costly base favours costly cards",
               "x",
               {"2 GPUs", "4 GPUs", "8 GPUs"},
               {},
               {},
               "",
               "",
               {}};
  const std::vector<BaseSystem> bases = {base_system(shelf, "desktop-2x-rtx3080"),
                                         base_system(shelf, "desktop-4x-rtx3080"),
                                         base_system(shelf, "supermicro-8x-rtx3080")};
  const GpuType& reference = shelf.gpu("rtx3080");
  std::vector<const ModelType*> models;
  for (const ModelType* model : shelf.models())
    if (model->name == "resnet50" || model->name == "gnmt" || model->name == "bert-large")
      models.push_back(model);
  for (const ModelType* model : models) {
    const RelativeSpeed base_speed = relative_speed(*model, reference);
    for (const char* name : kRanked) {
      const GpuType& gpu = shelf.gpu(name);
      if (!gpu.priced) {
        if (model == models.front())
          t.omitted.push_back(fmt::format("{}: the catalogue has no price of the card", gpu.title));
        continue;
      }
      const RelativeSpeed speed = relative_speed(*model, gpu);
      add_row(t, fmt::format("{}, {}, {}", gpu.title, speed_note(speed, base_speed), model->title), [&] {
        GuideRow row;
        for (const BaseSystem& base : bases)
          row.model.push_back(performance_per_dollar(base, gpu, speed.value) /
                              performance_per_dollar(base, reference, base_speed.value));
        return row;
      });
    }
  }
  for (const ModelType* model : models) {
    t.verdict += fmt::format("{}{}: {} at 4 GPUs", t.verdict.empty() ? "" : "; ", model->title,
                             ranking(t, 1, ", " + model->title, 3));
  }
  for (const BaseSystem& base : bases)
    t.measured_note += fmt::format("{}{} GPUs: base {} (an estimate)",
                                   t.measured_note.empty() ? "cards at list price; " : ", ", base.node->gpus,
                                   money_text(base.price));
  return t;
}

}  // namespace fleetsim::cli
