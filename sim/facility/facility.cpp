#include "sim/facility/facility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/facility/parts.hpp"

namespace fleetsim::facility {

const char* to_string(Severity severity) {
  switch (severity) {
    case Severity::hard:
      return "hard";
    case Severity::soft:
      return "soft";
    case Severity::note:
      break;
  }
  return "note";
}

const std::vector<Check>& checks() {
  static const std::vector<Check> all = {{"power-supply", check_power_supply},
                                         {"card-slots", check_card_slots},
                                         {"card-heat", check_card_heat},
                                         {"gpu-power-limit", check_power_limit},
                                         {"rack", check_racks},
                                         {"room-power", check_room_power},
                                         {"room-cooling", check_room_cooling},
                                         {"circuit", check_circuits},
                                         {"licence", check_licence},
                                         {"gpu-memory", check_gpu_memory}};
  return all;
}

std::vector<Finding> check(const Scenario& scenario) {
  std::vector<Finding> found;
  for (const Check& one : checks()) {
    const std::size_t before = found.size();
    one.run(scenario, found);
    for (std::size_t i = before; i < found.size(); ++i) found[i].check = one.id;
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
  return found;
}

std::string rejection(const Scenario& scenario) {
  std::string text;
  for (const Finding& finding : check(scenario)) {
    if (finding.severity != Severity::hard) continue;
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", finding.check, finding.message);
  }
  return text;
}

std::vector<const NodePool*> own_pools(const Scenario& scenario) {
  std::vector<const NodePool*> pools;
  for (const NodePool& pool : scenario.pools)
    if (pool.count > 0 && !pool.node.rented()) pools.push_back(&pool);
  return pools;
}

std::string place_of(const NodePool& pool) {
  return "fleet." + pool.name;
}

std::string watts_text(Watts power) {
  const double w = power.count();
  return w < 10e3 ? fmt::format("{:.0f} W", w) : fmt::format("{:.2f} kW", w / 1e3);
}

std::string least_text(Watts power) {
  const double step = power.count() < 10e3 ? 1.0 : 10.0;
  return watts_text(Watts{std::ceil(power.count() / step - 1e-9) * step});
}

std::string nodes_text(int count) {
  return fmt::format("{} node{}", count, count == 1 ? "" : "s");
}

}  // namespace fleetsim::facility
