// A YAML value on one line, as `--set` and the canonical text take it.
#pragma once

#include <string>

#include "scenarios/loader/document.hpp"

namespace fleetsim {

/// `30 %`, `[1, 2]`, `{load: 0.5}`. Reading it back gives an equal tree; texts are quoted where they must be.
[[nodiscard]] std::string flow_text(const YamlNode& node);

}  // namespace fleetsim
