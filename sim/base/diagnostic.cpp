#include "sim/base/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <tuple>

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
  std::vector<Diagnostic> result = all_;
  std::stable_sort(result.begin(), result.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.pos.file, a.pos.line, a.pos.column) < std::tie(b.pos.file, b.pos.line, b.pos.column);
  });
  return result;
}

namespace {

std::string severity_word(Severity severity) {
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

std::string line_of(const std::string& source, int line) {
  std::size_t begin = 0;
  for (int n = 1; n < line; ++n) {
    begin = source.find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  std::string text = source.substr(begin, source.find('\n', begin) - begin);
  if (!text.empty() && text.back() == '\r') text.pop_back();
  return text;
}

}  // namespace

std::string render(const Diagnostic& d, const std::string& source) {
  std::string out = d.pos.file;
  if (d.pos.line > 0) out += fmt::format(":{}:{}", d.pos.line, d.pos.column);
  out += fmt::format("{}{}: {}", out.empty() ? "" : ": ", severity_word(d.severity), d.message);
  if (!d.hint.empty()) out += fmt::format(" ({})", d.hint);
  out += '\n';
  const std::string text = d.pos.line > 0 ? line_of(source, d.pos.line) : std::string{};
  if (!text.empty()) {
    // Columns count characters. Tabs are kept in the padding, so that the caret stands under the same column
    // in every terminal.
    std::string pad;
    int column = 0;
    for (const char c : text) {
      const bool inside_character = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
      if (inside_character) continue;
      if (++column >= d.pos.column) break;
      pad += c == '\t' ? '\t' : ' ';
    }
    while (++column < d.pos.column) pad += ' ';
    out += fmt::format("{:>5} | {}\n      | {}^{}\n", d.pos.line, text, pad,
                       std::string(std::max(0, d.width - 1), '~'));
  }
  if (!d.path.empty()) out += fmt::format("      at {}\n", d.path);
  return out;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t m = word.size(), n = candidate.size();
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
