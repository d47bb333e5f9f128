// Parts of the scaling section: what the interconnect is worth, and how far the model can be trusted.
#pragma once

#include <vector>

#include "reports/doc.hpp"
#include "sim/study/dossier.hpp"

namespace fleetsim {

/// Box "How well the model predicts measurements"; nothing while no figures are recorded.
void prediction_box(std::vector<Block>& out);

/// Figure of NVLink, PCIe 4.0 and EDR for the scenario's models; nothing without curves.
void interconnect(const Dossier& dossier, std::vector<Block>& out);

}  // namespace fleetsim
