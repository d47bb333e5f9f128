// The lab scenario with edits. A '@' in an edit marks where a fault must be reported; it is taken out again.
#pragma once

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenarios/loader/load.hpp"
#include "tests/catch.hpp"

namespace fleetsim::test {

struct Edit {
  std::string from, to;  ///< the first occurrence of `from` becomes `to`
};

inline std::string lab_text() {
  std::ifstream file(FLEETSIM_SOURCE_DIR "/scenarios/lab-66-33.yaml");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Marked {
  std::string text;
  std::vector<std::string> places;  ///< "line:column" of the marks, in order
};

inline Marked marked(const std::string& with_marks) {
  Marked result;
  int line = 1, column = 1;
  for (const char c : with_marks) {
    if (c == '@') {
      result.places.push_back(std::to_string(line) + ":" + std::to_string(column));
      continue;
    }
    result.text += c;
    const bool first_byte = (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    column = c == '\n' ? 1 : column + (first_byte ? 1 : 0);
    line += c == '\n' ? 1 : 0;
  }
  return result;
}

inline Marked edited(const std::vector<Edit>& edits) {
  std::string text = lab_text();
  for (const Edit& edit : edits) {
    const std::size_t at = text.find(edit.from);
    if (at == std::string::npos) throw std::invalid_argument("no such text: " + edit.from);
    text.replace(at, edit.from.size(), edit.to);
  }
  return marked(text);
}

struct Outcome {
  std::optional<LoadedScenario> loaded;
  std::vector<std::string> places, messages;  ///< of the diagnostics; message with its hint in brackets
  std::vector<Diagnostic> diagnostics;
};

inline Outcome load_text(const std::string& text, const LoadOptions& options = {}) {
  Outcome result;
  Diagnostics diagnostics;
  result.loaded = load_scenario_text("scenarios/x.yaml", text, options, diagnostics);
  result.diagnostics = diagnostics.sorted();
  for (const Diagnostic& d : result.diagnostics) {
    result.places.push_back(std::to_string(d.pos.line) + ":" + std::to_string(d.pos.column));
    result.messages.push_back(d.message + (d.hint.empty() ? "" : " (" + d.hint + ")"));
  }
  return result;
}

/// The scenario of a text that must load.
inline LoadedScenario loaded(const std::string& text, const LoadOptions& options = {}) {
  Outcome outcome = load_text(text, options);
  for (const std::string& message : outcome.messages) UNSCOPED_INFO(message);
  REQUIRE(outcome.loaded.has_value());
  return *outcome.loaded;
}

/// The text has one fault, at its last mark, and the message or its hint holds these words.
inline void refuses(const Marked& text, const std::string& message) {
  const Outcome o = load_text(text.text);
  INFO(message);
  for (const std::string& m : o.messages) UNSCOPED_INFO(m);
  REQUIRE_FALSE(o.loaded.has_value());
  REQUIRE(o.messages.size() == 1);
  CHECK(o.messages[0].find(message) != std::string::npos);
  CHECK(o.places[0] == text.places.back());
}

}  // namespace fleetsim::test
