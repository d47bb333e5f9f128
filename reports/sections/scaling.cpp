// How well jobs scale over GPUs and nodes, and the network and node they run on.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/markdown.hpp"
#include "reports/money.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"
#include "reports/sections/scaling_value.hpp"

namespace fleetsim {
namespace {

struct Curve {
  std::string name;
  std::map<int, double> efficiency;  ///< GPUs -> share of perfect scaling
};

/// "MODEL on NODE TITLE" -> "MODEL on 8x GPU": node titles begin alike, so a chart would cut them to the same
/// words.
std::string short_name(const Dossier& d, const std::string& series) {
  for (const PoolInfo& pool : d.pools) {
    const std::string tail = " on " + pool.title;
    if (pool.gpu_title.empty() || series.size() <= tail.size() || !series.ends_with(tail)) continue;
    const auto alike = std::count_if(d.pools.begin(), d.pools.end(), [&](const PoolInfo& p) {
      return p.gpu_title == pool.gpu_title && p.gpus_per_node == pool.gpus_per_node;
    });
    return fmt::format("{} on {}x {}{}", series.substr(0, series.size() - tail.size()), pool.gpus_per_node,
                       pool.gpu_title, alike > 1 ? " (" + pool.name + ")" : "");
  }
  return series;
}

std::vector<Curve> curves(const Dossier& d) {
  std::vector<Curve> all;
  for (ScalingPoint point : d.scaling) {
    point.series = short_name(d, point.series);
    auto found = std::find_if(all.begin(), all.end(), [&](const Curve& c) { return c.name == point.series; });
    if (found == all.end()) found = all.insert(all.end(), Curve{point.series, {}});
    found->efficiency[point.gpus] = point.efficiency;
  }
  return all;
}

std::string at_the_end(const Curve& c) {
  const auto& [gpus, efficiency] = *c.efficiency.rbegin();
  return fmt::format("{} keeps {} at {}", text(c.name), percent(efficiency), count(gpus, "GPU"));
}

/// Best and worst of the curves that reach the largest size.
std::string finding(const std::vector<Curve>& all) {
  int largest = 0;
  for (const Curve& c : all) largest = std::max(largest, c.efficiency.rbegin()->first);
  const Curve *best = nullptr, *worst = nullptr;
  for (const Curve& c : all) {
    if (c.efficiency.count(largest) == 0) continue;
    if (best == nullptr || c.efficiency.at(largest) > best->efficiency.at(largest)) best = &c;
    if (worst == nullptr || c.efficiency.at(largest) < worst->efficiency.at(largest)) worst = &c;
  }
  if (best == worst) return at_the_end(*best);
  return fmt::format("At {} {} keeps {} of perfect scaling, {} {}", count(largest, "GPU"), text(best->name),
                     percent(best->efficiency.at(largest)), text(worst->name),
                     percent(worst->efficiency.at(largest)));
}

/// Lowest and highest efficiency at the largest size up to one node's eight GPUs that all curves reach.
std::string spread(const std::vector<Curve>& all) {
  int size = 0;
  for (const auto& [gpus, efficiency] : all.front().efficiency) {
    const bool everywhere = std::all_of(all.begin(), all.end(),
                                        [g = gpus](const Curve& c) { return c.efficiency.count(g) != 0; });
    if (everywhere && gpus <= 8) size = std::max(size, gpus);
  }
  if (size <= 1) return "Efficiency by number of GPUs";  // one GPU keeps all, everywhere
  double low = 1e9, high = 0.0;
  for (const Curve& c : all) {
    low = std::min(low, c.efficiency.at(size));
    high = std::max(high, c.efficiency.at(size));
  }
  const std::string top = percent(high);
  return percent(low) == top ? fmt::format("Efficiency by number of GPUs: {} at {}", top, count(size, "GPU"))
                             : fmt::format("Efficiency by number of GPUs: between {} and {} at {}",
                                           percent(low), top, count(size, "GPU"));
}

void chart(const std::vector<Curve>& all, std::vector<Block>& out) {
  std::string csv = "series,gpus,efficiency_pct,kind\n", alt = "Parallel efficiency against GPUs, log scale.";
  const std::size_t shown = std::min<std::size_t>(all.size(), 6);
  std::size_t points = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    for (const auto& [gpus, efficiency] : all[i].efficiency)
      csv += fmt::format("{},{},{:.2f},model\n", csv_cell(all[i].name), gpus, 100.0 * efficiency);
    points = std::max(points, all[i].efficiency.size());
    const auto& [gpus, efficiency] = *all[i].efficiency.rbegin();
    alt += fmt::format(" {}: {} at {} GPUs.", all[i].name, percent(efficiency), gpus);
  }
  if (points < 2) return;
  std::string caption = finding(all) + ".";
  if (shown < all.size()) caption += fmt::format(" The first {} of {} series are drawn.", shown, all.size());
  out.emplace_back(Drawing{"scaling", "scaling", csv, {}, alt, caption});
}

void table(const std::vector<Curve>& all, std::vector<Block>& out) {
  std::set<int> sizes;
  for (const Curve& c : all)
    for (const auto& [gpus, efficiency] : c.efficiency) sizes.insert(gpus);
  while (sizes.size() > 7) sizes.erase(std::next(sizes.begin()));  // 1 and the large sizes matter most
  Table t;
  t.columns = {{"Efficiency at so many GPUs"}};
  for (const int gpus : sizes) t.columns.push_back({grouped(gpus), Align::right});
  for (const Curve& c : all) {
    std::vector<std::string> row{text(c.name)};
    for (const int gpus : sizes) {
      const auto found = c.efficiency.find(gpus);
      row.push_back(found == c.efficiency.end() ? std::string(kNone) : percent(found->second));
    }
    t.rows.push_back(row);
  }
  t.caption = spread(all);
  out.emplace_back(t);
}

void network(const Dossier& d, std::vector<Block>& out) {
  if (!d.fabric_dot.empty()) {
    const FabricCounts& c = d.fabric_counts;
    std::string caption =
        fmt::format("{} share {}", count(c.nodes, "node"),
                    c.spine_switches > 0 ? count(c.leaf_switches, "leaf switch", "leaf switches")
                                         : count(c.leaf_switches, "switch", "switches"));
    caption += c.spine_switches > 0
                   ? fmt::format(" under {}", count(c.spine_switches, "spine switch", "spine switches"))
                   : std::string(", so no spine is needed");
    if (c.core_switches > 0)
      caption += fmt::format(" and {}", count(c.core_switches, "core switch", "core switches"));
    if (c.leaf_switches == 0)
      caption = fmt::format("{} without a network between them", count(c.nodes, "node"));
    if (c.torus_cables > 0)
      caption = fmt::format("{} whose accelerators form a torus with {} between nodes",
                            count(c.nodes, "node"), count(c.torus_cables, "cable"));
    if (!d.fabric_link.empty() && c.leaf_switches > 0)
      caption += fmt::format("; the links are {}, shown with their usable rate", text(d.fabric_link));
    out.emplace_back(Drawing{"fabric",
                             "dot",
                             d.fabric_dot,
                             {},
                             fmt::format("Diagram of the network: {}, {}, {}.", count(c.nodes, "node"),
                                         count(c.leaf_switches, "leaf switch", "leaf switches"),
                                         count(c.spine_switches, "spine switch", "spine switches")),
                             caption + "."});
  }
  if (!d.node_dot.empty()) {
    out.emplace_back(Drawing{"node",
                             "dot",
                             d.node_dot,
                             {},
                             "Diagram of the inside of one node: processors, switches, GPUs, adapter.",
                             "Inside one node of the fleet; rates are usable GB/s in each direction."});
  }
}

void scaling_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  const auto all = curves(d);
  if (all.empty() && d.fabric_dot.empty() && d.node_dot.empty()) return;
  out.emplace_back(Heading{1, "Scaling and network"});
  if (!all.empty()) {
    out.emplace_back(
        Paragraph{"Efficiency is the speed of a job over the speed of as many single GPUs. It comes from the "
                  "step-time model on the "
                  "graph of this fleet, the same that the simulated run times use."});
    chart(all, out);
    table(all, out);
    prediction_box(out);
  }
  interconnect(d, out);
  network(d, out);
}

const RegisterSection kScaling{{70, "scaling", scaling_section}};

}  // namespace
}  // namespace fleetsim
