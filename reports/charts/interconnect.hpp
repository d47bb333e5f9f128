// Figure: what NVLink, PCIe 4.0 and EDR are worth to a job, by model and size.
#pragma once

#include <optional>
#include <vector>

#include "reports/doc.hpp"
#include "sim/study/interconnect_value.hpp"

namespace fleetsim {

/// One panel a technology, one line a model; at most six models, the first ones. Empty without curves.
[[nodiscard]] std::optional<Drawing> interconnect_drawing(const std::vector<ValueCurve>& curves);

}  // namespace fleetsim
