// Does the PDF have letters for what it says? Scripts beyond Latin, Greek and Cyrillic need fonts of their
// own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fleetsim {

/// Characters of `text` from U+2E80 on (CJK, Hangul, emoji ...) that no installed font holds, by fontconfig's
/// `fc-list`; the first `most` distinct ones are asked for. Empty when fc-list is missing: then nothing is
/// known.
[[nodiscard]] std::vector<std::string> missing_letters(const std::string& text,
                                                       const std::filesystem::path& scratch,
                                                       std::size_t most = 12);

}  // namespace fleetsim
