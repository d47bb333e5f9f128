// study.json and result.json, read back.
#pragma once

#include <filesystem>

#include "sim/study/dossier.hpp"

namespace fleetsim::cli {

/// The dossier in a file of results. Throws UsageError when the file is not of one piece or of another
/// version, EnvironmentError when it cannot be read.
[[nodiscard]] Dossier dossier_in(const std::filesystem::path& path);

}  // namespace fleetsim::cli
