#include "topology/hardware.hpp"

namespace fleetsim {

Money NodeType::price() const {
  Money sum;
  for (const PricePart& part : price_parts) sum += part.unit_price.value * part.quantity;
  return sum;
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

}  // namespace fleetsim
