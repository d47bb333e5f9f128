// The bytes of a YAML file before any YAML is read: encoding, line ends, characters that no file may hold.
#pragma once

#include <cstddef>
#include <string>

#include "sim/base/diagnostic.hpp"

namespace fleetsim {

/// Scenario and catalogue files are a few kilobytes; more than this is something else.
inline constexpr std::size_t kLargestFile = 4 << 20;

/// The text without byte order mark and with every line end (LF, CRLF, CR) as '\n', so that places and caret
/// lines agree with what an editor shows. Any bytes are fine.
[[nodiscard]] std::string plain_lines(std::string text);

/// Whether a text of plain_lines() can be read at all. Reports UTF-16, NUL and other control characters and
/// bytes that are not UTF-8, each with its place; a file that is too large at its beginning.
bool check_characters(const std::string& file, const std::string& text, Diagnostics& diagnostics);

/// Reports every line that is indented with a tab; false when there is none.
bool report_tabs(const std::string& file, const std::string& text, Diagnostics& diagnostics);

}  // namespace fleetsim
