#include "topology/memory.hpp"

#include <fmt/format.h>

namespace fleetsim {

Bytes memory_need(const ModelType& model, double batch) {
  const double state = model.state_per_parameter.value * model.parameters.value;
  const double activations = static_cast<double>(model.activations_per_sample.value.count()) * batch;
  return Bytes{static_cast<std::int64_t>(state + activations)};
}

std::string memory_obstacle(const ModelType& model, const GpuType& gpu, double batch) {
  const auto measured = model.batch_on.find(gpu.name);
  if (measured != model.batch_on.end() && batch <= measured->second.value) return {};
  const double need = static_cast<double>(memory_need(model, batch).count());
  const double have = static_cast<double>(gpu.memory.value.count());
  if (need <= have || have <= 0.0) return {};
  return fmt::format("{} needs {:.1f} GB of each GPU at a batch of {:g}, and {} has {:.0f} GB", model.name,
                     need / 1e9, batch, gpu.title.empty() ? gpu.name : gpu.title, have / 1e9);
}

}  // namespace fleetsim
