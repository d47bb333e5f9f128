// PATH=VALUE into a document.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>

#include "scenarios/loader/document.hpp"
#include "sim/base/utf8.hpp"

namespace fleetsim {

namespace {

void strip_places(YamlNode& node) {
  node.pos = {"--set", 0, 0};
  node.width = 1;
  for (auto& [key, value] : node.entries) {
    key->pos = {"--set", 0, 0};
    key->width = 1;
    strip_places(*value);
  }
  for (const YamlPtr& item : node.items) strip_places(*item);
}

YamlPtr option_node(YamlNode::Kind kind, std::string text = {}) {
  auto node = std::make_shared<YamlNode>();
  node->kind = kind;
  node->text = std::move(text);
  node->pos = {"--set", 0, 0};
  return node;
}

/// Where a YAML comment begins in a value of one line; npos: nowhere. A '#' counts behind a blank or at the
/// start, and outside of quotes, which begin where a value can.
std::size_t comment_in(const std::string& text) {
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool begins = i == 0 || text[i - 1] == ' ' || text[i - 1] == '\t' || text[i - 1] == '\n';
    if (quote != 0) {
      if (quote == '"' && c == '\\') ++i;
      if (c == quote) quote = 0;  // '' within single quotes opens again
    } else if (c == '#' && begins) {
      return i;
    } else if ((c == '"' || c == '\'') &&
               (i == 0 || std::string(" \t\n[{,:'").find(text[i - 1]) != std::string::npos)) {
      quote = c;
    }
  }
  return std::string::npos;
}

}  // namespace

void set_in_document(YamlPtr& root, const std::string& assignment, Diagnostics& diagnostics) {
  const auto fail = [&](const std::string& path, const std::string& message, const std::string& hint) {
    diagnostics.error({"--set", 0, 0}, path, message, hint);
  };
  const std::size_t equals = assignment.find('=');
  const std::string path = assignment.substr(0, equals);
  if (equals == std::string::npos || path.empty() || path.front() == '.' || path.back() == '.' ||
      path.find("..") != std::string::npos) {
    fail("", fmt::format("'{}' is not PATH=VALUE", assignment), "write e.g. --set site.pue=1.3");
    return;
  }
  if (const char* fault = unfit_in_name(path)) {
    fail("", fmt::format("the path of '{}' holds {}", assignment, fault), "write e.g. --set site.pue=1.3");
    return;
  }
  Diagnostics inner;
  const std::string text = assignment.substr(equals + 1);
  if (const std::size_t comment = comment_in(text); comment != std::string::npos) {
    fail(path, fmt::format("'{}' would be a comment, not part of the value", text.substr(comment)),
         fmt::format("put the text in quotes for YAML, too: --set '{}=\"...\"'", path));
    return;
  }
  YamlPtr value = text.find_first_not_of(" \t\n") == std::string::npos ? option_node(YamlNode::Kind::null)
                                                                       : parse_yaml("--set", text, inner);
  for (const Diagnostic& d : inner.sorted())
    if (d.severity == Severity::error) fail(path, d.message, d.hint);
  if (value == nullptr) return;
  strip_places(*value);

  // Maps on the way are copied, since an alias may share them with another place.
  YamlPtr* here = &root;
  std::istringstream words(path);
  for (std::string word, walked; std::getline(words, word, '.');) {
    if ((*here)->kind == YamlNode::Kind::null) {
      *here = option_node(YamlNode::Kind::map);
    } else if ((*here)->kind != YamlNode::Kind::map) {
      fail(path, fmt::format("'{}' is not a map, so it has no key '{}'", walked, word), "");
      return;
    } else {
      *here = std::make_shared<YamlNode>(**here);
    }
    auto& entries = (*here)->entries;
    auto place = std::find_if(entries.begin(), entries.end(),
                              [&](const YamlNode::Entry& e) { return e.key->text == word; });
    if (place == entries.end()) {
      entries.push_back({option_node(YamlNode::Kind::scalar, word), option_node(YamlNode::Kind::null)});
      place = std::prev(entries.end());
    }
    // What is wrong with the value is the option's fault, not that of the line which it replaces.
    if (walked.size() + word.size() + (walked.empty() ? 0 : 1) == path.size())
      place->key = option_node(YamlNode::Kind::scalar, word);
    here = &place->value;
    walked += (walked.empty() ? "" : ".") + word;
  }
  *here = value;
}

}  // namespace fleetsim
