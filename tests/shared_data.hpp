// Files that are not part of the sources: found through the environment, tests that need them say so and
// pass.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>

namespace fleetsim::test {

/// FLEETSIM_SHARED/`path`, or nothing, and a loud line on stderr, where it is not there.
inline std::optional<std::string> shared_file(const std::string& path) {
  const char* folder = std::getenv("FLEETSIM_SHARED");
  if (folder != nullptr) {
    const std::filesystem::path file = std::filesystem::path(folder) / path;
    if (std::filesystem::exists(file)) return file.string();
  }
  std::cerr << "SKIPPED: FLEETSIM_SHARED names no folder with " << path << "; nothing was checked\n";
  return std::nullopt;
}

}  // namespace fleetsim::test
