#include "sim/base/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>

#include "sim/base/utf8.hpp"

namespace fleetsim {

void Diagnostics::add(Diagnostic diagnostic) {
  errors_ += diagnostic.severity == Severity::error ? 1 : 0;
  all_.push_back(std::move(diagnostic));
}

void Diagnostics::error(SourcePos pos, std::string path, std::string message, std::string hint, int width) {
  add({Severity::error, std::move(pos), std::move(path), std::move(message), std::move(hint), width});
}

void Diagnostics::warning(SourcePos pos, std::string path, std::string message, std::string hint, int width) {
  add({Severity::warning, std::move(pos), std::move(path), std::move(message), std::move(hint), width});
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  // A file that was read earlier may be why a later one is wrong.
  std::map<std::string, std::size_t> order;
  for (const Diagnostic& d : all_) order.emplace(d.pos.file, order.size());
  std::vector<Diagnostic> result = all_;
  std::stable_sort(result.begin(), result.end(), [&](const Diagnostic& a, const Diagnostic& b) {
    return std::tuple(order[a.pos.file], a.pos.line, a.pos.column) <
           std::tuple(order[b.pos.file], b.pos.line, b.pos.column);
  });
  return result;
}

const char* to_string(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "error";
}

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Char c = utf8_at(text, i);
    if (c.bytes == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(text[i++])));
      continue;
    }
    if (c.code == '\n') {
      out += "\\n";
    } else if (c.code == '\t') {
      out += "\\t";
    } else if (is_control(c.code) || turns_direction(c.code)) {
      out += c.code < 0x100U ? fmt::format("\\x{:02x}", c.code) : fmt::format("\\u{:04x}", c.code);
    } else {
      out += text.substr(i, c.bytes);
    }
    i += c.bytes;
  }
  return out;
}

namespace {

/// A value that fills pages is shown by its beginning and its end.
std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 2000, kHead = 300, kTail = 100;
  if (text.size() <= kMost) return text;
  std::size_t head = kHead, tail = text.size() - kTail;
  const auto inside = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U; };
  while (inside(head)) --head;
  while (inside(tail)) ++tail;
  return text.substr(0, head) + " ... " + text.substr(tail);
}

std::string_view line_of(std::string_view source, int line) {
  for (int n = 1; n < line; ++n) {
    const std::size_t end = source.find('\n');
    if (end == std::string_view::npos) return {};
    source.remove_prefix(end + 1);
  }
  std::string_view text = source.substr(0, source.find('\n'));
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

/// A source line with its caret. Columns count characters. Tabs are kept in the padding, so that the caret
/// stands under the same column in every terminal; what cannot be printed shows as one '?'. Of a long line
/// the part around the caret is shown.
std::string caret_lines(std::string_view line, const Diagnostic& d) {
  constexpr int kBefore = 60, kBehind = 100, kLong = 200;
  const int from = d.pos.column > kLong - kBehind ? d.pos.column - kBefore : 1;
  const int to = std::max(d.pos.column + kBehind, kLong);
  std::string text = from > 1 ? "..." : "", pad(text.size(), ' ');
  int column = 1;
  for (std::size_t i = 0; i < line.size() && column <= to; ++column) {
    const Utf8Char c = utf8_at(line, i);
    const std::size_t bytes = std::max<std::size_t>(1, c.bytes);
    const bool tab = line[i] == '\t';
    if (column >= from) {
      text += c.bytes == 0 || (is_control(c.code) && !tab) ? std::string("?")
                                                           : std::string(line.substr(i, bytes));
      if (column < d.pos.column) pad += tab ? '\t' : ' ';
    }
    i += bytes;
  }
  if (column > to) text += "...";
  for (; column < d.pos.column; ++column) pad += ' ';
  const int width = std::clamp(d.width, 1, kBehind);
  return fmt::format("{:>5} | {}\n      | {}^{}\n", d.pos.line, text, pad,
                     std::string(static_cast<std::size_t>(width - 1), '~'));
}

}  // namespace

std::string render_line(const Diagnostic& d, std::string_view line) {
  std::string out = printable(d.pos.file);
  if (d.pos.line > 0) out += fmt::format(":{}:{}", d.pos.line, d.pos.column);
  out += fmt::format("{}{}: {}", out.empty() ? "" : ": ", to_string(d.severity),
                     shortened(printable(d.message)));
  if (!d.hint.empty()) out += fmt::format(" ({})", shortened(printable(d.hint)));
  out += '\n';
  if (!line.empty()) out += caret_lines(line, d);
  if (!d.path.empty()) out += fmt::format("      at {}\n", shortened(printable(d.path)));
  return out;
}

std::string render(const Diagnostic& d, const std::string& source) {
  if (!d.line.empty()) return render_line(d, d.line);
  return render_line(d, d.pos.line > 0 ? line_of(source, d.pos.line) : std::string_view{});
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongestWord = 100;
  // The same letters in another case are what was meant, whatever else is as near.
  const auto same_letter = [](char a, char b) {
    const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return small(a) == small(b);
  };
  for (const std::string& candidate : candidates) {
    if (std::equal(word.begin(), word.end(), candidate.begin(), candidate.end(), same_letter))
      return candidate;
  }
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t m = word.size(), n = candidate.size();
    if (std::max(m, n) - std::min(m, n) >= best_distance || m > kLongestWord || n > kLongestWord) continue;
    std::vector<std::vector<std::size_t>> d(m + 1, std::vector<std::size_t>(n + 1));
    for (std::size_t i = 0; i <= m; ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= n; ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= m; ++i) {
      for (std::size_t j = 1; j <= n; ++j) {
        d[i][j] =
            std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (word[i - 1] != candidate[j - 1])});
        if (i > 1 && j > 1 && word[i - 1] == candidate[j - 2] && word[i - 2] == candidate[j - 1]) {
          d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    if (d[m][n] < best_distance) {
      best_distance = d[m][n];
      best = candidate;
    }
  }
  return best;
}

}  // namespace fleetsim
