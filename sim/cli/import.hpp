// Foreign files that fleetsim reads: one file a format, each registers itself.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/command.hpp"

namespace fleetsim::cli {

struct ImportFormat {
  std::string name;     ///< as typed: `fleetsim import NAME ...`
  std::string summary;  ///< one line for `fleetsim import --help`
  CommandFunction run = nullptr;
};

/// At namespace scope of a format's file.
struct RegisterImport {
  explicit RegisterImport(ImportFormat format);
};
[[nodiscard]] const std::vector<ImportFormat>& import_formats();

}  // namespace fleetsim::cli
