// Text inside XML: SVG titles and Graphviz labels.
#pragma once

#include <string>
#include <string_view>

namespace fleetsim {

/// & < > " as entities; control characters, which XML cannot hold, as blanks.
[[nodiscard]] std::string xml_escaped(std::string_view text);

}  // namespace fleetsim
