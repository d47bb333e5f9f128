// Text files compiled into the binary (see .cmake/embed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace fleetsim {

struct EmbeddedFile {
  std::string_view path;  ///< below the folder that was embedded, '/' as separator
  std::string_view text;
};

}  // namespace fleetsim
