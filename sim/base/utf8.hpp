// UTF-8, a character at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fleetsim {

/// A character of a text: its code point and how many bytes it takes; `bytes` is 0 where the text is not
/// UTF-8.
struct Utf8Char {
  std::uint32_t code = 0;
  std::size_t bytes = 0;
};

/// The character at `at`. Overlong forms, surrogates and what lies above U+10FFFF are not UTF-8.
/// Precondition: at < text.size().
[[nodiscard]] inline Utf8Char utf8_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t first = byte(at);
  if (first < 0x80U) return {first, 1};
  const std::size_t size = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
  if (first < 0xC2U || first > 0xF4U || at + size > text.size()) return {};
  std::uint32_t code = first & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte(at + i) & 0x3FU);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80U, 0x800U, 0x10000U};
  if (code < kLeast[size] || code > 0x10FFFFU || (code >= 0xD800U && code <= 0xDFFFU)) return {};
  return {code, size};
}

/// Characters that print nothing or move the cursor: all controls, with tab and line breaks among them.
[[nodiscard]] inline bool is_control(std::uint32_t code) {
  return code < 0x20U || (code >= 0x7FU && code < 0xA0U) || code == 0x2028U || code == 0x2029U;
}

/// Embeddings, overrides and isolates, which show what follows in another order than it is written.
[[nodiscard]] inline bool turns_direction(std::uint32_t code) {
  return (code >= 0x202AU && code <= 0x202EU) || (code >= 0x2066U && code <= 0x2069U);
}

/// What a name of one line must not hold, in words; nullptr when it is fine.
[[nodiscard]] inline const char* unfit_in_name(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Char c = utf8_at(text, i);
    if (c.bytes == 0) return "bytes that are not UTF-8";
    if (c.code == '\n' || c.code == '\r' || c.code == 0x85U || c.code == 0x2028U || c.code == 0x2029U)
      return "a line end";
    if (is_control(c.code)) return c.code == '\t' ? "a tab" : "a control character";
    if (turns_direction(c.code)) return "a character that turns the direction of the text";
    i += c.bytes;
  }
  return nullptr;
}

}  // namespace fleetsim
