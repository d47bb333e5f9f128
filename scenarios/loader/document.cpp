#include "scenarios/loader/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "scenarios/loader/document_builder.hpp"
#include "scenarios/loader/source_text.hpp"

namespace fleetsim {

namespace {

/// Nodes of a document with every alias written out. The largest shipped file has a few hundred.
constexpr std::size_t kMostNodes = 50'000;

void find_duplicates(const YamlNode& node, const std::string& path, std::set<const YamlNode*>& seen,
                     Diagnostics& diagnostics) {
  if (!seen.insert(&node).second) return;
  std::map<std::string, const YamlNode*> first;
  for (const auto& [key, value] : node.entries) {
    const std::string below = path.empty() ? key->text : path + "." + key->text;
    const auto [place, fresh] = first.emplace(key->text, key.get());
    if (!fresh && place->second != key.get()) {
      const SourcePos& other = place->second->pos;
      const std::string hint =
          other.line == key->pos.line
              ? fmt::format("line {} gives it first at column {}", other.line, other.column)
              : fmt::format("line {} gives it first; keep one of lines {} and {}", other.line, other.line,
                            key->pos.line);
      diagnostics.error(key->pos, below, fmt::format("duplicate key '{}'", key->text), hint, key->width);
    }
    find_duplicates(*value, below, seen, diagnostics);
  }
  for (std::size_t i = 0; i < node.items.size(); ++i)
    find_duplicates(*node.items[i], fmt::format("{}[{}]", path, i), seen, diagnostics);
}

/// Nodes below and with `node`, aliases written out, up to kMostNodes + 1.
std::size_t unfolded(const YamlNode& node, std::map<const YamlNode*, std::size_t>& known) {
  const auto [place, fresh] = known.emplace(&node, 1);
  if (!fresh) return place->second;
  std::size_t sum = 1;
  for (const auto& [key, value] : node.entries) sum += 1 + unfolded(*value, known);
  for (const YamlPtr& item : node.items) sum += unfolded(*item, known);
  sum = std::min(sum, kMostNodes + 1);
  known[&node] = sum;
  return sum;
}

/// The parser's words for what users do, in ours.
struct Phrase {
  std::string_view parser, message, hint;
};
constexpr std::array kPhrases = {
    Phrase{"end of map not found", "this line is indented neither like the key above nor below it",
           "keys of one map start in the same column"},
    Phrase{"end of sequence not found", "this line fits neither the list above nor what holds it",
           "items of one list start in the same column"},
    Phrase{"end of map flow not found", "',' or '}' is missing", ""},
    Phrase{"end of sequence flow not found", "',' or ']' is missing", ""},
    Phrase{"illegal flow end", "nothing is open that this could close", ""},
    Phrase{"illegal map value", "a ':' stands where no key can be",
           "put texts that hold ': ' in quotes; check the indentation"},
    Phrase{"illegal map key", "a '?' stands where no key can be", ""},
    Phrase{"illegal block entry", "a '-' stands where no list can begin", "check the indentation"},
    Phrase{"unknown token", "a character that cannot begin a value", "put the text in quotes"},
    Phrase{"unknown escape character", "an unknown escape in a text in double quotes",
           "write \\\\ for a backslash, or use single quotes"},
    Phrase{"illegal EOF in scalar", "a quote is not closed", "end the text with the quote that begins it"},
    Phrase{"bad character found while scanning hex number", "an escape with too few digits",
           "write e.g. \\u00e9, or use single quotes"},
    Phrase{"bad file", "lists or maps are nested too deep", ""},
    Phrase{"illegal tab when looking for indentation", "this line is indented with a tab",
           "indent with blanks, not with a tab"},
};

/// `*name` that nothing defines. `*name:` is read as one word, as YAML demands.
bool unknown_alias(const std::string& message, std::string_view source, const SourcePos& pos,
                   Diagnostics& diagnostics) {
  if (message.rfind("the referenced anchor is not defined", 0) != 0) return false;
  const std::string word(source.substr(0, source.find_first_of(" \t\n,[]{}")));
  const bool glued = word.size() > 2 && word.back() == ':';
  diagnostics.error(pos, "",
                    fmt::format("nothing above is marked '&{}', which '{}' refers to",
                                word.substr(std::min<std::size_t>(1, word.size())), word),
                    glued ? fmt::format("the ':' is read as part of the name: write '{} :' with a blank",
                                        word.substr(0, word.size() - 1))
                          : "an anchor stands before its aliases",
                    std::max(1, characters(word)));
  return true;
}

/// What is wrong before a ':' that the parser did not expect: mostly the line before. Line numbers are
/// 0-based.
std::string key_hint(const Lines& lines, int at) {
  for (int i = at; i >= std::max(0, at - 1); --i) {
    std::string_view line = lines.line(i);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(" \t#"));
    if (word.empty() || word[0] == '-' || word[0] == '"' || word[0] == '\'') continue;
    const std::size_t colon = word.find(':');
    if (word[0] == '*' && word.back() == ':')
      return fmt::format("in line {} the ':' is read as part of the name: write '{} :' with a blank", i + 1,
                         word.substr(0, word.size() - 1));
    if (colon == std::string_view::npos && line.find(':') == std::string_view::npos)
      return fmt::format("line {} has no ':'", i + 1);
    if (colon != std::string_view::npos && colon + 1 < word.size() && colon > 0)
      return fmt::format("in line {} a blank is missing behind ':'", i + 1);
  }
  return {};
}

void syntax_error(const YAML::Exception& e, const Lines& lines, const SourcePos& bracket,
                  Diagnostics& diagnostics) {
  const SourcePos pos = lines.position(e.mark);
  if (unknown_alias(e.msg, lines.rest(e.mark.line, e.mark.column), pos, diagnostics)) return;
  const auto phrase = std::find_if(kPhrases.begin(), kPhrases.end(),
                                   [&](const Phrase& p) { return e.msg.rfind(p.parser, 0) == 0; });
  std::string message(phrase == kPhrases.end() ? std::string_view(e.msg) : phrase->message);
  std::string hint(phrase == kPhrases.end() ? std::string_view{} : phrase->hint);
  if (e.msg == "illegal map value") {
    if (const std::string likely = key_hint(lines, e.mark.line); !likely.empty()) hint = likely;
  }
  if (e.msg.find("flow not found") != std::string::npos && bracket.line > 0)
    hint = fmt::format("the bracket of line {}, column {} is open", bracket.line, bracket.column);
  diagnostics.error(pos, "", "this is not YAML: " + message, hint);
}

void told_unread(const SourcePos& pos, Diagnostics& diagnostics) {
  diagnostics.add(
      {Severity::note, pos, "", "mend this first: the keys and values of the file were not checked", "", 1});
}

/// Directives other than %YAML 1.x would be ignored by the parser.
void check_directives(const Lines& lines, Diagnostics& diagnostics) {
  for (int i = 0;; ++i) {
    const std::string_view line = lines.line(i);
    const bool directive = !line.empty() && line[0] == '%';
    if (!directive && !line.empty() && line[0] != '#') return;
    if (line.empty() && lines.rest(i, 0).empty()) return;
    if (directive && line.rfind("%YAML 1.", 0) != 0)
      diagnostics.error(lines.position(i, 0), "", "this directive is not known", "leave the line out",
                        characters(line));
  }
}

/// A second document, or anything behind the first. True when there is nothing.
bool check_end(YAML::Parser& parser, const Lines& lines, Diagnostics& diagnostics) {
  Diagnostics unused;
  DocumentBuilder second(lines, unused);
  try {
    if (!parser.HandleNextDocument(second)) return true;
    diagnostics.error(lines.position(second.begun), "", "a second YAML document begins here",
                      "one file holds one scenario");
  } catch (const YAML::Exception& e) {
    syntax_error(e, lines, second.open_bracket(), diagnostics);
  }
  told_unread(lines.position(second.begun), diagnostics);
  return false;
}

}  // namespace

YamlPtr parse_yaml(const std::string& file, const std::string& text, Diagnostics& diagnostics) {
  const std::string body = plain_lines(text);
  if (!check_characters(file, body, diagnostics)) return nullptr;
  const Lines lines(file, body);
  check_directives(lines, diagnostics);
  DocumentBuilder first(lines, diagnostics);
  std::istringstream stream(body);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(first) || first.root == nullptr) {
      diagnostics.error({file, 1, 1}, "", "the file holds no YAML document");
      return nullptr;
    }
    if (first.unclosed) {
      told_unread(first.root->pos, diagnostics);
      return nullptr;
    }
    if (!check_end(parser, lines, diagnostics)) return nullptr;
  } catch (const YAML::Exception& e) {
    if (!report_tabs(file, body, diagnostics)) syntax_error(e, lines, first.open_bracket(), diagnostics);
    told_unread(lines.position(e.mark), diagnostics);
    return nullptr;
  }
  std::map<const YamlNode*, std::size_t> known;
  if (unfolded(*first.root, known) > kMostNodes) {
    diagnostics.error({file, 1, 1}, "",
                      fmt::format("the document holds more than {} values, aliases written out", kMostNodes));
    return nullptr;
  }
  std::set<const YamlNode*> seen;
  find_duplicates(*first.root, "", seen, diagnostics);
  return first.root;
}

}  // namespace fleetsim
