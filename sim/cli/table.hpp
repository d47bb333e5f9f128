// Text tables of the screen.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fleetsim::cli {

using Rows = std::vector<std::vector<std::string>>;

/// Columns as wide as their widest cell, two blanks apart. The first `left` columns stand flush left, and so
/// does a last one of remarks; the others flush right. Rows may be shorter than others. No blanks at line
/// ends.
[[nodiscard]] std::string aligned(const Rows& rows, std::size_t left = 1, bool remarks = false);

}  // namespace fleetsim::cli
