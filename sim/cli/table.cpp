#include "sim/cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fleetsim::cli {
namespace {

constexpr std::size_t kScreenWidth = 110;

}  // namespace

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

std::string wrapped(const std::string& head, const std::string& words) {
  std::string text = head;
  std::size_t column = head.size();
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::size_t length = end - at;
    if (column > head.size() && column + 1 + length > kScreenWidth) {
      text += '\n' + std::string(head.size(), ' ');
      column = head.size();
    }
    if (column > head.size()) text += ' ', ++column;
    text.append(words, at, length);
    column += length;
    at = end + 1;
  }
  return text + '\n';
}

}  // namespace fleetsim::cli
