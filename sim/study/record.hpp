// One simulated replication as text: what the store keeps of it.
#pragma once

#include <string>

#include "sim/metrics/metrics.hpp"

namespace fleetsim {

/// Compact JSON; numbers in their shortest form that reads back to the same double, an undefined value as
/// null.
[[nodiscard]] std::string encode_metrics(const Metrics& metrics);
/// Throws std::runtime_error with a sentence when the text is no such record.
[[nodiscard]] Metrics decode_metrics(const std::string& text);

}  // namespace fleetsim
