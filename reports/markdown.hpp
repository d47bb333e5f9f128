// Doc -> Markdown (pandoc's, readable on any forge), and the only way for outside text to become Markdown.
#pragma once

#include <string>
#include <string_view>

#include "reports/doc.hpp"

namespace fleetsim {

/// Literal text: whatever a scenario wrote is shown as it stands. Line breaks and control characters become
/// blanks, bytes that are not UTF-8 become U+FFFD. Safe inside paragraphs, list items, table cells, captions.
[[nodiscard]] std::string text(std::string_view raw);
/// As text(), set bold / as code.
[[nodiscard]] std::string strong(std::string_view raw);
[[nodiscard]] std::string code(std::string_view raw);

/// The Markdown of a document: YAML title block, then the blocks. Figures are `![alt](NAME.svg)` with the
/// caption in emphasis on the next line. Ends with a newline; the same bytes for the same Doc.
[[nodiscard]] std::string to_markdown(const Doc& doc);

}  // namespace fleetsim
