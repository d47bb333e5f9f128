// Text inside XML (SVG titles, Graphviz labels) and inside CSV.
#pragma once

#include <string>
#include <string_view>

namespace fleetsim {

/// & < > " as entities; control characters, which XML cannot hold, as blanks.
[[nodiscard]] std::string xml_escaped(std::string_view text);

/// One cell of a CSV file (RFC 4180): quoted where it must be. A spreadsheet would take a cell that begins
/// with = + - @ tab or return for a formula; such a cell gets an apostrophe in front. For names and
/// sentences, not for numbers.
[[nodiscard]] std::string csv_text(std::string_view text);

}  // namespace fleetsim
