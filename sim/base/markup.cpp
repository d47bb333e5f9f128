#include "sim/base/markup.hpp"

namespace fleetsim {

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string csv_text(std::string_view text) {
  const bool formula = !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != text.npos;
  const bool quote = text.find_first_of(",\"\n\r") != text.npos;
  std::string out = formula ? "'" : "";
  for (const char c : text) out += quote && c == '"' ? "\"\"" : std::string(1, c);
  return quote ? '"' + out + '"' : out;
}

}  // namespace fleetsim
