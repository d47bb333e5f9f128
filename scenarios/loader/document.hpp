// YAML text as a tree of our own: every node knows its place, duplicate keys stay visible, aliases are
// shared.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostic.hpp"

namespace fleetsim {

struct YamlNode;
using YamlPtr = std::shared_ptr<YamlNode>;

struct YamlNode {
  enum class Kind { null, scalar, sequence, map };
  struct Entry {
    YamlPtr key, value;
  };
  Kind kind = Kind::null;
  std::string text;            ///< of a scalar, quotes removed
  SourcePos pos;               ///< columns count characters, not bytes
  int width = 1;               ///< characters of a scalar in the source, quotes included
  bool quoted = false;         ///< a scalar in quotes: "<<" is then a plain key
  std::vector<Entry> entries;  ///< of a map, in the order of the text; repeated keys are all kept
  std::vector<YamlPtr> items;  ///< of a sequence
};

/// Characters of UTF-8 text.
[[nodiscard]] int characters(std::string_view text);

/// Reads one YAML document. A syntax error, bytes that are not text, an empty text and a second document
/// become diagnostics with their place and give null; duplicate keys, keys that are not words, tags and
/// self-references are reported and the tree is still given. `<<` merges are applied: the map's own keys win,
/// then the earlier map of a list. Aliases that would unfold to a huge document are refused.
[[nodiscard]] YamlPtr parse_yaml(const std::string& file, const std::string& text, Diagnostics& diagnostics);

/// Applies `PATH=VALUE`: puts VALUE (YAML text) at the dotted PATH, making maps on the way. Faults are
/// diagnostics in file "--set". Nodes of the value have file "--set" and line 0.
void set_in_document(YamlPtr& root, const std::string& assignment, Diagnostics& diagnostics);

}  // namespace fleetsim
