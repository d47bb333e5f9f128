// Whether the inside of a node can be wired, for those who read node types.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "topology/hardware.hpp"

namespace fleetsim {

/// Thrown by Fabric::build for a node that cannot be.
struct WiringError : std::invalid_argument {
  WiringError(std::string key_of, const std::string& sentence)
      : std::invalid_argument(sentence), key(std::move(key_of)) {}
  std::string key;  ///< of the node's file that is to blame: gpus, pcie, gpu_links
};

/// Why a node with so many network adapters cannot be wired: a link without bandwidth, odd bridges, a cube
/// mesh of other than eight GPUs, more cards than slots, more lanes than a CPU has. Nothing: it can. Cost:
/// wires the node.
[[nodiscard]] std::optional<WiringError> wiring_fault(const NodeType& type, int adapters);

}  // namespace fleetsim
