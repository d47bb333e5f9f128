// The gradient exchange of a job on a torus.
#include <fmt/format.h>

#include "topology/graph.hpp"
#include "topology/scaling_constants.hpp"
#include "topology/torus.hpp"

namespace fleetsim {

AllReduce torus_all_reduce(const Fabric& fabric, const Placement& placement, Bytes bytes, int messages) {
  int accelerators = 0;
  for (const NodeSlice& slice : placement) accelerators += slice.gpus;
  AllReduce out;
  if (accelerators < 2) return out;
  const LinkType& link = fabric.spec().link;
  const double rate = collective_rate(link), size = static_cast<double>(bytes.count());
  const double step = link.latency.value.count();
  const TorusSlice slice = torus_slice(fabric.graph().plan.sides, accelerators);
  out.network_s = torus_all_reduce_s(slice, rate, size);
  out.latency_s = messages * (scaling::kLaunch.value + torus_all_reduce_s(slice, rate, 0.0, step));
  out.transfer_s = out.network_s;
  out.collective = Collective::ring;
  out.seconds = out.transfer_s + out.latency_s;
  // What a ring over all of them would need for the same time: 2 (N-1)/N S / R.
  const double n = accelerators;
  out.network_rate = out.network_s > 0.0 ? 2.0 * (n - 1.0) / n * size / out.network_s : 0.0;
  out.bottleneck = fmt::format("links of the torus, {} accelerators ({:.1f} GB/s each)",
                               sides_text(slice.sides), rate / 1e9);
  return out;
}

}  // namespace fleetsim
