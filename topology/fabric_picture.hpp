// What the pictures of fabrics share. Private to the room.
#pragma once

#include <string>

#include "topology/fabric.hpp"

namespace fleetsim::dot {

/// "7" or "3–9"
[[nodiscard]] std::string range(int first, int last);
/// Which nodes are of which type, as runs of numbers, from (x, y) downwards.
[[nodiscard]] std::string node_legend(const Fabric& fabric, double x, double y);
/// Fill of a node by its type.
[[nodiscard]] std::string_view node_tint(const Fabric& fabric, int node);
/// "3 switches", "1 switch"; thousands are set apart.
[[nodiscard]] std::string amount(std::int64_t n, const std::string& one, const std::string& many);
/// "11.2 TB/s"
[[nodiscard]] std::string large_rate(double bytes_per_s);

/// Fabrics with too many switches to draw each: one box a unit, leaf or pod, spines and cores as counts.
[[nodiscard]] std::string fabric_summary(const Fabric& fabric);
/// A corner of the lattice with the links that close it.
[[nodiscard]] std::string torus_picture(const Fabric& fabric);

}  // namespace fleetsim::dot
