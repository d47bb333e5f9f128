#include "sim/economics/price_draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/assert.hpp"
#include "sim/base/hash.hpp"
#include "sim/base/rng.hpp"
#include "sim/economics/fleet_cost.hpp"

namespace fleetsim {

namespace {

using Kind = FigurePlace::Kind;

double number(Money x) {
  return to_usd(x);
}
double number(Watts x) {
  return x.count();
}
double number(double x) {
  return x;
}

double to_cent(double usd_amount) {
  return std::round(usd_amount * 100.0) / 100.0;
}

bool is_money(const UncertainQuantity& quantity) {
  return quantity.unit.starts_with("USD");
}

class Collector {
 public:
  /// `owner` tells two quantities of one name apart, where their ranges differ.
  template <class T>
  void add(const std::string& item, const std::string& owner, const char* unit, bool purchase,
           const Figure<T>& figure, FigurePlace place) {
    if (!(figure.low < figure.high)) return;
    const double low = number(figure.low), value = number(figure.value), high = number(figure.high);
    bool named = false;
    for (UncertainQuantity& known : all_) {
      if (known.stream != item) continue;
      named = true;
      if (known.low != low || known.value != value || known.high != high) continue;
      known.places.push_back(place);
      return;
    }
    all_.push_back({named ? fmt::format("{} ({})", item, owner) : item,
                    item,
                    unit,
                    purchase,
                    low,
                    value,
                    high,
                    {place}});
  }
  [[nodiscard]] std::vector<UncertainQuantity> take() && { return std::move(all_); }

 private:
  std::vector<UncertainQuantity> all_;
};

void add_purchase(Collector& out, const Scenario& scenario, std::size_t p) {
  const NodePool& pool = scenario.pools[p];
  const NodeType& node = pool.node;
  if (node.rented())
    out.add("rent, per GPU-hour", node.title, "USD/h", false, node.cloud_rate, {Kind::cloud_rate, p, 0});
  if (pool.existing) return;
  for (std::size_t i = 0; i < node.price_parts.size(); ++i)
    out.add(node.price_parts[i].item, node.title, "USD", true, node.price_parts[i].unit_price,
            {Kind::part, p, i});
}

void add_power(Collector& out, const Scenario& scenario, std::size_t p) {
  const NodeType& node = scenario.pools[p].node;
  if (node.rented()) return;
  out.add("power of all but the GPUs at load", node.title, "W", false, node.base_power_load,
          {Kind::base_load, p, 0});
  out.add("power of all but the GPUs when idle", node.title, "W", false, node.base_power_idle,
          {Kind::base_idle, p, 0});
  out.add("idle power of a GPU over its board power", node.gpu.title, "ratio", false,
          node.gpu.idle_power_share, {Kind::gpu_idle_share, p, 0});
}

/// Calls `use` with the figure at the place.
template <class Use>
void with_figure(Scenario& scenario, const FigurePlace& place, Use use) {
  const auto node = [&]() -> NodeType& { return scenario.pools.at(place.pool).node; };
  switch (place.kind) {
    case Kind::part:
      return use(node().price_parts.at(place.part).unit_price);
    case Kind::cloud_rate:
      return use(node().cloud_rate);
    case Kind::burst_rate:
      return use(scenario.scheduler.burst.value().rate);
    case Kind::adapter:
      return use(scenario.fabric.link.adapter_price);
    case Kind::network_switch:
      return use(scenario.fabric.link.switch_price);
    case Kind::management_switch:
      return use(scenario.prices.management_switch);
    case Kind::rack:
      return use(scenario.prices.rack);
    case Kind::support:
      return use(scenario.prices.support_per_year);
    case Kind::base_load:
      return use(node().base_power_load);
    case Kind::base_idle:
      return use(node().base_power_idle);
    case Kind::gpu_idle_share:
      return use(node().gpu.idle_power_share);
  }
}

struct Write {
  double value;
  void operator()(Figure<Money>& figure) const { figure.value = usd(to_cent(value)); }
  void operator()(Figure<Watts>& figure) const { figure.value = Watts{value}; }
  void operator()(Figure<double>& figure) const { figure.value = value; }
};

}  // namespace

std::vector<UncertainQuantity> uncertain_quantities(const Scenario& scenario) {
  Collector out;
  for (std::size_t p = 0; p < scenario.pools.size(); ++p) add_purchase(out, scenario, p);
  if (const auto& burst = scenario.scheduler.burst)
    out.add("rent for bursted jobs, per GPU-hour", burst->node.title, "USD/h", false, burst->rate,
            {Kind::burst_rate, 0, 0});
  const LinkType& link = scenario.fabric.link;
  // The links of a torus leave the accelerators themselves; their cables have no price.
  if (scenario.fabric.shape != FabricShape::none && scenario.fabric.shape != FabricShape::torus) {
    out.add(link.title + " adapter with cable", link.title, "USD", true, link.adapter_price,
            {Kind::adapter, 0, 0});
    out.add(link.title + " switch", link.title, "USD", true, link.switch_price, {Kind::network_switch, 0, 0});
  }
  out.add("Ethernet management switch", "room", "USD", true, scenario.prices.management_switch,
          {Kind::management_switch, 0, 0});
  out.add("rack with power distribution", "room", "USD", true, scenario.prices.rack, {Kind::rack, 0, 0});
  if (!scenario.economics.support)
    out.add("support and repair a year, share of the purchase", "room", "ratio", false,
            scenario.prices.support_per_year, {Kind::support, 0, 0});
  for (std::size_t p = 0; p < scenario.pools.size(); ++p) add_power(out, scenario, p);
  return std::move(out).take();
}

double triangular(double u, double low, double mode, double high) {
  FLEETSIM_ASSERT(low <= mode && mode <= high && u >= 0.0 && u <= 1.0);
  const double width = high - low;
  if (width <= 0.0) return mode;
  const double x = u * width < mode - low ? low + std::sqrt(u * width * (mode - low))
                                          : high - std::sqrt((1.0 - u) * width * (high - mode));
  return std::clamp(x, low, high);
}

std::vector<double> draw_quantities(const std::vector<UncertainQuantity>& quantities, std::uint64_t seed,
                                    std::uint32_t draw) {
  std::vector<double> values;
  values.reserve(quantities.size());
  for (const UncertainQuantity& quantity : quantities) {
    ReplayHash item;
    item.mix(quantity.stream);
    const double x = triangular(Rng(seed, draw, "price", item.value()).uniform(), quantity.low,
                                quantity.value, quantity.high);
    // A bound with fractions of a cent stays a bound.
    values.push_back(is_money(quantity) ? std::clamp(to_cent(x), quantity.low, quantity.high) : x);
  }
  return values;
}

void set_quantity(Scenario& scenario, const UncertainQuantity& quantity, double value) {
  for (const FigurePlace& place : quantity.places) with_figure(scenario, place, Write{value});
}

Scenario with_quantities(const Scenario& scenario, const std::vector<UncertainQuantity>& quantities,
                         const std::vector<double>& values) {
  FLEETSIM_ASSERT(quantities.size() == values.size());
  Scenario drawn = scenario;
  for (std::size_t i = 0; i < quantities.size(); ++i) set_quantity(drawn, quantities[i], values[i]);
  return drawn;
}

std::vector<char> affordable_fleets(const Scenario& scenario, const std::vector<std::vector<int>>& fleets) {
  std::vector<char> paid(fleets.size(), 1);
  if (scenario.budget <= Money{}) return paid;
  const FleetCost cost(scenario);
  for (std::size_t i = 0; i < fleets.size(); ++i) paid[i] = cost.affordable(fleets[i]) ? 1 : 0;
  return paid;
}

}  // namespace fleetsim
