#include "scenarios/loader/source_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/base/utf8.hpp"

namespace fleetsim {

namespace {

/// A file of another kind has thousands of such places; the first few tell enough.
constexpr int kMostPlaces = 10;

bool starts_with(std::string_view text, std::string_view head) {
  return text.substr(0, head.size()) == head;
}

/// Text in two-byte units has a NUL in most pairs, on one side.
bool looks_like_utf16(std::string_view text) {
  if (starts_with(text, "\xFF\xFE") || starts_with(text, "\xFE\xFF")) return true;
  const std::string_view head = text.substr(0, 200);
  const auto nuls = std::count(head.begin(), head.end(), '\0');
  return head.size() >= 4 && static_cast<std::size_t>(nuls) * 5 >= head.size() * 2;
}

std::string what_is_wrong(const Utf8Char& c, unsigned char byte) {
  if (c.bytes == 0) return fmt::format("byte 0x{:02X} is not UTF-8", byte);
  return c.code == 0 ? std::string("a NUL byte") : fmt::format("a control character, U+{:04X}", c.code);
}

}  // namespace

std::string plain_lines(std::string text) {
  if (starts_with(text, "\xEF\xBB\xBF")) text.erase(0, 3);
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      out += text[i];
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      out += '\n';
    }
  }
  return out;
}

bool check_characters(const std::string& file, const std::string& text, Diagnostics& diagnostics) {
  if (text.size() > kLargestFile) {
    diagnostics.error({file, 1, 1}, "", fmt::format("the file is larger than {} MiB", kLargestFile >> 20U),
                      "is it a scenario?");
    return false;
  }
  if (looks_like_utf16(text)) {
    diagnostics.error({file, 1, 1}, "", "the file is encoded in UTF-16 or UTF-32", "save it as UTF-8");
    return false;
  }
  int faults = 0, line = 1, column = 1;
  SourcePos last{file, 0, 0};
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Char c = utf8_at(text, i);
    const bool fine = c.bytes > 0 && (!is_control(c.code) || c.code == '\n' || c.code == '\t');
    // Bad bytes side by side are one fault.
    if (!fine && !(last.line == line && last.column == column - 1) && ++faults <= kMostPlaces) {
      diagnostics.error({file, line, column}, "", what_is_wrong(c, static_cast<unsigned char>(text[i])),
                        c.bytes == 0 ? "save the file as UTF-8" : "delete it");
    }
    if (!fine) last = {file, line, column};
    ++column;
    if (c.code == '\n' && c.bytes > 0) {
      ++line;
      column = 1;
    }
    i += std::max<std::size_t>(1, c.bytes);
  }
  if (faults > kMostPlaces)
    diagnostics.error(last, "", fmt::format("{} more such places, this is the last", faults - kMostPlaces));
  return faults == 0;
}

bool report_tabs(const std::string& file, const std::string& text, Diagnostics& diagnostics) {
  int tabs = 0, line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view all = std::string_view(text).substr(begin, end - begin);
    const std::size_t word = all.find_first_not_of(" \t");
    const std::size_t tab = all.substr(0, word).find('\t');
    if (word != std::string_view::npos && all[word] != '#' && tab != std::string_view::npos &&
        ++tabs <= kMostPlaces) {
      diagnostics.error({file, line, static_cast<int>(tab) + 1}, "", "this line is indented with a tab",
                        "indent with blanks, not with a tab", static_cast<int>(word - tab));
    }
    begin = end + 1;
  }
  return tabs > 0;
}

}  // namespace fleetsim
