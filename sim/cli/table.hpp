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

/// 3 -> "3 nodes", 1 -> "1 node"; `plural` where it is not the singular with an s.
[[nodiscard]] std::string counted(long long number, const std::string& singular,
                                  const std::string& plural = {});

/// "0-3, 7" of 0 1 2 3 7 with separator ", ".
[[nodiscard]] std::string number_ranges(const std::vector<int>& ascending, const std::string& separator);

/// Words in lines of at most 110 bytes, the first after `head`; the others begin under the first word.
[[nodiscard]] std::string wrapped(const std::string& head, const std::string& words);

}  // namespace fleetsim::cli
