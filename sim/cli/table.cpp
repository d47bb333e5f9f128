#include "sim/cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fleetsim::cli {

std::string aligned(const Rows& rows, std::size_t left, bool remarks) {
  std::vector<std::size_t> width;
  for (const auto& row : rows) {
    width.resize(std::max(width.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool flush_left = c < left || (remarks && c + 1 == row.size());
      line +=
          flush_left ? fmt::format("  {:<{}}", row[c], width[c]) : fmt::format("  {:>{}}", row[c], width[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string counted(long long number, const std::string& singular, const std::string& plural) {
  const std::string many = plural.empty() ? singular + "s" : plural;
  return std::to_string(number) + " " + (number == 1 ? singular : many);
}

std::string number_ranges(const std::vector<int>& ascending, const std::string& separator) {
  std::string text;
  for (std::size_t i = 0; i < ascending.size();) {
    std::size_t last = i;
    while (last + 1 < ascending.size() && ascending[last + 1] == ascending[last] + 1) ++last;
    text += (text.empty() ? "" : separator) + fmt::format("{}", ascending[i]);
    if (last > i) text += fmt::format("-{}", ascending[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace fleetsim::cli
