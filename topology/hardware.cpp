#include "topology/hardware.hpp"

#include <algorithm>

namespace fleetsim {

Money NodeType::price() const {
  Money sum;
  for (const PricePart& part : price_parts) sum += part.unit_price.value * part.quantity;
  return sum;
}

bool NodeType::priced() const {
  return !price_parts.empty() &&
         std::none_of(price_parts.begin(), price_parts.end(),
                      [](const PricePart& part) { return part.unit_price.value == Money{}; });
}

int NodeType::included_adapters(const LinkType& link, int wanted) const {
  const bool runs_it = link.wire_rate.value <= adapters_included_rate;
  return runs_it ? std::min(adapters_included, wanted) : 0;
}

const char* to_string(LinkKind kind) {
  switch (kind) {
    case LinkKind::pcie:
      return "pcie";
    case LinkKind::nvlink:
      return "nvlink";
    case LinkKind::cpu:
      return "cpu";
    case LinkKind::network:
      return "network";
  }
  return "";
}

const char* to_string(PcieTopology topology) {
  switch (topology) {
    case PcieTopology::dual_root:
      return "dual-root";
    case PcieTopology::single_root:
      return "single-root";
    case PcieTopology::cascaded:
      return "cascaded";
    case PcieTopology::direct:
      return "direct";
  }
  return "";
}

const char* to_string(GpuLinkTopology links) {
  switch (links) {
    case GpuLinkTopology::none:
      return "none";
    case GpuLinkTopology::bridge_pairs:
      return "bridge-pairs";
    case GpuLinkTopology::nvswitch:
      return "nvswitch";
    case GpuLinkTopology::cube_mesh:
      return "cube-mesh";
  }
  return "";
}

const char* to_string(Cooling cooling) {
  return cooling == Cooling::water ? "water" : "air";
}

const char* to_string(CardCooling cooling) {
  switch (cooling) {
    case CardCooling::unknown:
      break;
    case CardCooling::open_air:
      return "open-air";
    case CardCooling::blower:
      return "blower";
    case CardCooling::passive:
      return "passive";
    case CardCooling::water:
      return "water";
  }
  return "not known";
}

}  // namespace fleetsim
