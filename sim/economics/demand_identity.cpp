// The sentence that ties promotion, sizes, run times and s together.
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/economics/demand_parts.hpp"

namespace fleetsim {
namespace {

/// What makes demand beside two classes: "scavenger, trace".
std::string others(const OfferedLoad& load, std::size_t a, std::size_t b) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < load.classes.size(); ++i)
    if (i != a && i != b && load.classes[i].money > Money{}) names.push_back(load.classes[i].name);
  if (load.trace && load.trace->money > Money{}) names.push_back("the trace");
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

/// Money ratio of two classes = p x E[node-hours of a result] x c_B / (E[node-hours of a prototype] x c_A).
/// It is s/(1 - s) where nothing but the two makes demand; else the others are named. Empty where results
/// come from elsewhere too, so that the ratio is not tied to p.
std::string identity_sentence(const Scenario& scenario, const OfferedLoad& load, std::size_t a,
                              std::size_t b) {
  const ClassDemand& parent = load.classes[a];
  const ClassDemand& child = load.classes[b];
  if (parent.cheapest_node.empty() || child.cheapest_node.empty() || parent.jobs_per_day <= 0.0 ||
      child.jobs_per_day <= 0.0) {
    return {};
  }
  const double hours_a = parent.busy_nodes * 24.0 / parent.jobs_per_day;
  const double hours_b = child.busy_nodes * 24.0 / child.jobs_per_day;
  const Money price_a = scaled(parent.money, 1.0 / parent.busy_nodes);
  const Money price_b = scaled(child.money, 1.0 / child.busy_nodes);
  if (price_a <= Money{} || price_b <= Money{}) return {};  // demand below a millionth of a USD
  const double p = scenario.workload.classes[a].promotes_to->probability;
  if (std::abs(child.jobs_per_day - p * parent.jobs_per_day) > 1e-9 * child.jobs_per_day) return {};
  const double odds = p * hours_b * to_usd(price_b) / (hours_a * to_usd(price_a));
  const std::string beside = others(load, a, b);
  const std::string left = beside.empty() ? std::string("s/(1 - s)")
                                          : fmt::format("money of {} / money of {}", child.name, parent.name);
  const std::string so = beside.empty() ? fmt::format("s = {:.3f}", odds / (1.0 + odds))
                                        : fmt::format(
                                              "{} is {:.3f} of the money of the two and, with {} "
                                              "beside them, s = {:.3f} of all",
                                              child.name, odds / (1.0 + odds), beside, load.s);
  return fmt::format(
      "{10} = p x node-hours of a {1} x price of a {3} node / (node-hours of a {0} x price of a {2} "
      "node) = {4:.3g} % x {5:.4g} h x {6} / ({7:.4g} h x {8}) = {9:.3f}, so {11}: promotion, sizes, "
      "run times and s cannot be chosen independently",
      parent.name, child.name, parent.cheapest_node, child.cheapest_node, 100.0 * p, hours_b,
      money_text(price_b), hours_a, money_text(price_a), odds, left, so);
}

}  // namespace fleetsim
