// Data sheets for the estimators of topology/gpu_speed.hpp.
#include "scenarios/loader/catalog_records.hpp"
#include "topology/gpu_speed.hpp"

namespace fleetsim {

void fill_measured_cards(ModelType& model, const Catalog& catalog) {
  const auto add = [&](const std::string& name) {
    if (const GpuType* gpu = catalog.gpu(name)) model.measured_cards[name] = speed_sheet(*gpu);
  };
  add(model.reference_gpu);
  for (const auto& entry : model.relative_speed) add(entry.first);
}

}  // namespace fleetsim
