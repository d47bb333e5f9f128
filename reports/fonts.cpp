#include "reports/fonts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "reports/tool.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"

namespace fleetsim {

namespace {

struct Letter {
  std::uint32_t code;
  std::string bytes;
};

/// Distinct code points from U+2E80 on, in the order of the text, which is valid UTF-8.
std::vector<Letter> far_letters(const std::string& text, std::size_t most) {
  std::vector<Letter> letters;
  for (std::size_t at = 0; at < text.size() && letters.size() < most;) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (at + length > text.size()) break;
    if (length >= 3) {
      std::uint32_t code = lead & (length == 4 ? 0x07U : 0x0FU);
      for (std::size_t i = 1; i < length; ++i)
        code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
      const bool known =
          std::any_of(letters.begin(), letters.end(), [&](const Letter& l) { return l.code == code; });
      if (code >= 0x2E80 && code != 0xFFFD && !known) letters.push_back({code, text.substr(at, length)});
    }
    at += length;
  }
  return letters;
}

}  // namespace

std::vector<std::string> missing_letters(const std::string& text, const std::filesystem::path& scratch,
                                         std::size_t most) {
  std::vector<std::string> missing;
  if (find_tool("fc-list").empty()) return missing;
  const std::filesystem::path log = scratch / "fonts.log";
  for (const Letter& letter : far_letters(text, most)) {
    try {
      run_tool({{"fc-list", fmt::format(":charset={:x}", letter.code), "family"}, scratch, log, 30, {}, {}});
      if (read_file(log).empty()) missing.push_back(letter.bytes);
    } catch (const EnvironmentError&) {
      return missing;
    }
  }
  std::error_code ignored;
  std::filesystem::remove(log, ignored);
  return missing;
}

}  // namespace fleetsim
