#include "reports/charts/picture.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "reports/charts/draw.hpp"
#include "reports/tool.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"

namespace fleetsim {
namespace {

namespace fs = std::filesystem;

/// A new folder that goes when this goes.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    const fs::path base = fs::temp_directory_path(error);
    if (error) throw EnvironmentError(fmt::format("there is no temporary folder: {}", error.message()));
    std::string name = (base / "fleetsim-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw EnvironmentError(
          fmt::format("cannot make a temporary folder in {}: {}", shown(base), std::strerror(errno)));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

std::string svg_of(const Drawing& drawing) {
  require_tools({drawing.chart == "dot" ? "dot" : "gnuplot", "timeout"});
  const TemporaryFolder folder;
  static_cast<void>(draw(drawing, folder.path()));
  return read_file(folder.path() / (drawing.name + ".svg"));
}

}  // namespace fleetsim
