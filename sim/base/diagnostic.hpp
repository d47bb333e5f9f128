// What is wrong with the user's input, and where. Faults are collected, never thrown one at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fleetsim {

enum class Severity { error, warning, note };
[[nodiscard]] const char* to_string(Severity severity);

/// 1-based; line 0 means that the fault has no place of its own (an option of the command line, say).
struct SourcePos {
  std::string file;
  int line = 0;
  int column = 0;
};

struct Diagnostic {
  Severity severity = Severity::error;
  SourcePos pos;
  std::string path;     ///< dotted path in the document, e.g. fleet.proto.node; may be empty
  std::string message;  ///< one sentence without a full stop
  std::string hint;     ///< what to write instead; may be empty
  int width = 1;        ///< columns that the caret line underlines
  std::string line{};   ///< the source line, of a file that is not the one at hand; may be empty
};

class Diagnostics {
 public:
  void add(Diagnostic diagnostic);
  void error(SourcePos pos, std::string path, std::string message, std::string hint = {}, int width = 1);
  void warning(SourcePos pos, std::string path, std::string message, std::string hint = {}, int width = 1);
  [[nodiscard]] bool has_errors() const { return errors_ > 0; }
  [[nodiscard]] int errors() const { return errors_; }
  /// By file in the order in which files came up, then by line and column; equal places keep the order in
  /// which they were found.
  [[nodiscard]] std::vector<Diagnostic> sorted() const;
  [[nodiscard]] bool empty() const { return all_.empty(); }

 private:
  std::vector<Diagnostic> all_;
  int errors_ = 0;
};

/// The text on one line and free of control characters: `\n`, `\x1b`; bytes that are not UTF-8 as `\xff`.
[[nodiscard]] std::string printable(std::string_view text);

/// `FILE:LINE:COLUMN: error: MESSAGE (HINT)`, then the source line with a caret, then `at PATH`.
/// `source` is the text of the file (empty: no caret lines). Ends with a newline.
[[nodiscard]] std::string render(const Diagnostic& diagnostic, const std::string& source);
/// The same, of a file that is not kept: `line` is the source line, or empty.
[[nodiscard]] std::string render_line(const Diagnostic& diagnostic, std::string_view line);

/// The candidate nearest to `word` by edit distance (Damerau, adjacent swaps count one), or empty when none
/// is within a third of the word's length (at least 1).
[[nodiscard]] std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace fleetsim
