#include "reports/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace fleetsim {

namespace {

/// Bytes of the UTF-8 sequence that starts at `at`, 0 when it is malformed (overlong, surrogate, cut short).
std::size_t sequence_length(std::string_view raw, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(raw[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || at + length > raw.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  const unsigned char second = byte(at + 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool outside = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
  return overlong || outside ? 0 : length;
}

/// Valid UTF-8 without control characters; line breaks and tabs become blanks.
std::string clean(std::string_view raw, bool keep_lines) {
  std::string out;
  out.reserve(raw.size());
  for (std::size_t at = 0; at < raw.size();) {
    const std::size_t length = sequence_length(raw, at);
    const auto lead = static_cast<unsigned char>(raw[at]);
    if (length == 0) {
      out += "\xEF\xBF\xBD";
    } else if (length == 1 && (lead < 0x20 || lead == 0x7F)) {
      if (keep_lines && (lead == '\n' || lead == '\t')) {
        out += raw[at];
      } else if (!keep_lines || lead != '\r') {
        out += ' ';
      }
    } else if (length == 2 && lead == 0xC2 && static_cast<unsigned char>(raw[at + 1]) < 0xA0) {
      out += ' ';  // C1 controls
    } else {
      out += raw.substr(at, length);
    }
    at += std::max<std::size_t>(1, length);
  }
  return out;
}

/// Position of a character that would make the start of a block: "1." or "-" or ":" or "Table:". npos: none.
std::size_t block_marker(std::string_view line) {
  if (line.empty()) return std::string_view::npos;
  if (line.front() == '-' || line.front() == '+' || line.front() == ':' || line.front() == '=' ||
      line.front() == '%') {
    return 0;
  }
  std::size_t at = 0;
  while (at < line.size() && std::isalnum(static_cast<unsigned char>(line[at])) != 0) ++at;
  const bool enumerates = at > 0 && at < line.size() && (line[at] == '.' || line[at] == ')');
  const bool captions = line.substr(0, 6) == "Table:" || line.substr(0, 6) == "table:";
  return enumerates || captions ? at : std::string_view::npos;
}

std::string trimmed(std::string text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::string yaml(const std::string& key, const std::string& markdown) {
  std::string out = key + ": \"";
  for (const char c : markdown) {
    if (c == '\\' || c == '"') out += '\\';
    out += c;
  }
  return out + "\"\n";
}

std::string fence_for(const std::string& body) {
  std::size_t longest = 2, run = 0;
  for (const char c : body) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

std::string cell(const std::string& content, bool bold) {
  if (content.empty()) return "";
  const bool marked = content.rfind("**", 0) == 0;
  return bold && !marked ? "**" + content + "**" : content;
}

struct Writer {
  std::string& out;

  void operator()(const Heading& block) const {
    out += fmt::format("{} {}\n\n", std::string(static_cast<std::size_t>(std::max(1, block.level)), '#'),
                       block.text);
  }
  void operator()(const Paragraph& block) const { out += block.text + "\n\n"; }
  void operator()(const BulletList& block) const {
    for (const std::string& item : block.items) out += "- " + item + "\n";
    if (!block.items.empty()) out += "\n";
  }
  void operator()(const KeyFigures& block) const {
    out += "<div class=\"kpis\">\n\n";
    for (const auto& item : block.items) out += fmt::format("- **{}** {}\n", item.value, item.label);
    out += "\n</div>\n\n";
  }
  void operator()(const Table& block) const {
    if (block.columns.empty()) return;
    if (!block.caption.empty()) out += "Table: " + block.caption + "\n\n";
    std::string rule = "|";
    out += "|";
    for (const auto& column : block.columns) {
      out += " " + column.title + " |";
      rule += column.align == Align::right ? "--:|" : ":--|";
    }
    out += "\n" + rule + "\n";
    for (std::size_t r = 0; r < block.rows.size(); ++r) {
      const bool total = std::find(block.total_rows.begin(), block.total_rows.end(), static_cast<int>(r)) !=
                         block.total_rows.end();
      out += "|";
      for (std::size_t c = 0; c < block.columns.size(); ++c) {
        out += " " + (c < block.rows[r].size() ? cell(block.rows[r][c], total) : "") + " |";
      }
      out += "\n";
    }
    out += "\n";
  }
  void operator()(const Drawing& block) const {
    out += fmt::format("![{}]({}.svg)\n*{}*\n\n", text(block.alt), block.name, block.caption);
  }
  void operator()(const Callout& block) const {
    out += "<div class=\"note\">\n\n" + block.text + "\n\n</div>\n\n";
  }
  void operator()(const CodeBlock& block) const {
    std::string body = clean(block.text, true);
    if (body.empty() || body.back() != '\n') body += '\n';
    const std::string fence = fence_for(body);
    out += fence + block.language + "\n" + body + fence + "\n\n";
  }
};

}  // namespace

std::string text(std::string_view raw) {
  const std::string plain = trimmed(clean(raw, false));
  const std::size_t marker = block_marker(plain);
  std::string out;
  out.reserve(plain.size() + 8);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const char c = plain[i];
    if (std::string_view("\\`*_{}[]<>|~^$#@&!\"'").find(c) != std::string_view::npos || i == marker)
      out += '\\';
    // A number keeps its percent sign on the line.
    const bool unit = c == ' ' && i > 0 && i + 1 < plain.size() && plain[i + 1] == '%' &&
                      std::isdigit(static_cast<unsigned char>(plain[i - 1])) != 0;
    if (unit) {
      out += "\xC2\xA0";
    } else {
      out += c;
    }
  }
  return out;
}

std::string strong(std::string_view raw) {
  const std::string inner = text(raw);
  return inner.empty() ? inner : "**" + inner + "**";
}

std::string code(std::string_view raw) {
  const std::string plain = trimmed(clean(raw, false));
  // Inside a pipe table a bar ends the cell even in code, and a backtick needs longer fences: show those as
  // text.
  if (plain.empty() || plain.find_first_of("`|") != std::string::npos) return text(raw);
  return "`" + plain + "`";
}

std::string to_markdown(const Doc& doc) {
  std::string out = "---\n";
  out += yaml("title", doc.title);
  if (!doc.subtitle.empty()) out += yaml("subtitle", doc.subtitle);
  if (!doc.organisation.empty()) out += yaml("org", doc.organisation);
  out += yaml("date", doc.date);
  out += yaml("lang", doc.language);
  out += yaml("scenario", doc.scenario);
  out += yaml("seed", doc.seed);
  out += yaml("version", doc.version);
  out += yaml("description", doc.description);
  out += "---\n\n";
  for (const Block& block : doc.blocks) std::visit(Writer{out}, block);
  while (out.size() > 1 && out[out.size() - 1] == '\n' && out[out.size() - 2] == '\n') out.pop_back();
  return out;
}

}  // namespace fleetsim
