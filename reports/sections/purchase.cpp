// What to buy: the pools, the bill of materials with its estimates marked, what stays unspent, what has no
// price.
#include <fmt/format.h>

#include <algorithm>

#include "reports/markdown.hpp"
#include "reports/money.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

Table pools(const Dossier& d) {
  Table table;
  int nodes = 0;
  Watts peak;
  for (const PoolInfo& pool : d.pools) {
    nodes += pool.count;
    peak += pool.load_power * static_cast<double>(pool.count);
    table.rows.push_back({text(pool.name), text(pool.title), text(pool.cooling), grouped(pool.count),
                          grouped(pool.count * pool.gpus_per_node), dollars(pool.node_price),
                          grouped(pool.load_power.count() / 1000.0, 2) + kNbsp + "kW"});
  }
  table.columns = {{"Pool"},
                   {"Node"},
                   {"Cooling"},
                   {"Nodes", Align::right},
                   {"GPUs", Align::right},
                   {"Price of a node", Align::right},
                   {"Power at load", Align::right}};
  table.caption = fmt::format("The fleet: {} with {}, {} of IT power at full load", count(nodes, "node"),
                              count(gpus_of(d), "GPU"), grouped(peak.count() / 1000.0, 1) + kNbsp + "kW");
  if (d.peak_power_at_meter.count() > 0.0)
    table.caption +=
        fmt::format(" ({} at the meter)", grouped(d.peak_power_at_meter.count() / 1000.0, 1) + kNbsp + "kW");
  return table;
}

std::string range_of(const Figure<Money>& price) {
  if (!price.from.estimate) return kNone;
  if (!(price.low < price.high)) return "estimate";
  return fmt::format("estimate, {} to {}", exact_dollars(price.low), exact_dollars(price.high));
}

std::string group_title(const Dossier& d, const std::string& group) {
  for (const PoolInfo& pool : d.pools)
    if (pool.name == group) return fmt::format("Pool {}", text(group));
  std::string title = text(group.empty() ? std::string("Other") : group);
  if (title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

Table bill(const Dossier& d) {
  Table table;
  table.columns = {{"Item"},
                   {"Quantity", Align::right},
                   {"Unit price", Align::right},
                   {"Range of an estimate", Align::right},
                   {"Line price", Align::right}};
  std::vector<std::string> groups;
  for (const BillLine& line : d.bill.lines)
    if (std::find(groups.begin(), groups.end(), line.group) == groups.end()) groups.push_back(line.group);
  int estimates = 0;
  for (const std::string& group : groups) {
    Money subtotal;
    int lines = 0;
    for (const BillLine& line : d.bill.lines) {
      if (line.group != group) continue;
      ++lines;
      subtotal += line.total();
      estimates += line.priced && line.unit_price.from.estimate ? 1 : 0;
      table.rows.push_back({text(line.item), grouped(line.quantity),
                            line.priced ? exact_dollars(line.unit_price.value) : std::string("no price"),
                            line.priced ? range_of(line.unit_price) : std::string(kNone),
                            line.priced ? exact_dollars(line.total()) : std::string(kNone)});
    }
    if (lines > 1) {
      table.total_rows.push_back(static_cast<int>(table.rows.size()));
      table.rows.push_back({group_title(d, group), "", "", "", exact_dollars(subtotal)});
    }
  }
  table.total_rows.push_back(static_cast<int>(table.rows.size()));
  table.rows.push_back({"Total", "", "", "", exact_dollars(d.bill.total)});
  for (const Charge& charge : d.economics.charges)
    table.rows.push_back({text(charge.item), "", "", kNone, exact_dollars(charge.amount)});
  if (!d.economics.charges.empty()) {
    table.total_rows.push_back(static_cast<int>(table.rows.size()));
    table.rows.push_back(
        {"Purchase with all that is charged", "", "", "", exact_dollars(d.economics.purchase)});
  }
  const PriceRange range = price_range(d.bill);
  table.caption = d.economics.charges.empty()
                      ? fmt::format("Bill of materials, {} without tax", exact_dollars(d.bill.total))
                      : fmt::format("Bill of materials, {}; with all that is charged {}",
                                    exact_dollars(d.bill.total), exact_dollars(d.economics.purchase));
  if (estimates > 0) {
    table.caption +=
        fmt::format("; {} of {} prices are estimates, so the {} may lie between {} and {}", estimates,
                    d.bill.lines.size(), d.economics.charges.empty() ? "total" : "bill",
                    exact_dollars(range.low), exact_dollars(range.high));
  }
  return table;
}

std::string fabric_sentence(const Dossier& d) {
  const FabricCounts& c = d.fabric_counts;
  if (c.torus_cables > 0) {
    return fmt::format("The accelerators form a torus over {}; {} between nodes were counted from its graph.",
                       text(d.fabric_link), count(c.torus_cables, "cable"));
  }
  if (c.leaf_switches == 0 && c.adapters == 0)
    return "The nodes are not joined by a fast network: no job spans two nodes.";
  std::vector<std::string> parts{count(c.adapters, "adapter"),
                                 count(c.leaf_switches, "leaf switch", "leaf switches")};
  if (c.spine_switches > 0) parts.push_back(count(c.spine_switches, "spine switch", "spine switches"));
  if (c.core_switches > 0) parts.push_back(count(c.core_switches, "core switch", "core switches"));
  parts.push_back(count(c.node_cables + c.switch_cables + c.core_cables, "cable"));
  return fmt::format("The network is {} ({}); {} were counted from its graph.", text(d.fabric_link),
                     text(d.fabric_shape), listed(parts));
}

void purchase_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  if (d.bill.lines.empty() && d.pools.empty()) return;
  out.emplace_back(
      Heading{1, d.kind == "study" && has_answer(d) ? "What we would buy" : "What the fleet consists of"});
  if (!d.pools.empty()) out.emplace_back(pools(d));
  if (!d.bill.lines.empty()) out.emplace_back(bill(d));
  std::string money = fmt::format("Nodes with their adapters are {}, everything shared is {}.",
                                  dollars(d.bill.node_money), dollars(d.bill.fixed_money));
  if (d.unspent) {
    money += *d.unspent < Money{}
                 ? fmt::format(" The purchase exceeds the budget of {} by {}.", dollars(d.budget),
                               dollars(-*d.unspent))
                 : fmt::format(" Of the budget of {}, {} stays unspent{}.", dollars(d.budget),
                               dollars(*d.unspent), d.maximal_fleet ? ": it buys no further node" : "");
  }
  if (d.racks > 0) money += fmt::format(" The nodes fill {}.", count(d.racks, "rack"));
  out.emplace_back(Paragraph{money + " " + fabric_sentence(d)});
  if (!d.bill.unpriced.empty()) {
    std::vector<std::string> items;
    for (const std::string& item : d.bill.unpriced) items.push_back(text(item));
    out.emplace_back(Callout{bold("No price is known for:") + " " + listed(items) +
                             ". The total does not contain them; ask for a quote."});
  }
}

const RegisterSection kPurchase{{20, "purchase", purchase_section}};

}  // namespace
}  // namespace fleetsim
