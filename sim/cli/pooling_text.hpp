// Desktops or a pool, as `study` prints it.
#pragma once

#include <string>

#include "sim/study/study.hpp"

namespace fleetsim::cli {

/// Precondition: the study holds a comparison of pools.
[[nodiscard]] std::string pooling_text(const StudyResult& study);

}  // namespace fleetsim::cli
