#include "scenarios/loader/document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace fleetsim {

int characters(std::string_view text) {
  return static_cast<int>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

namespace {

/// Lines of the text, for places and widths. yaml-cpp's marks are 0-based and count bytes.
class Lines {
 public:
  Lines(std::string file, std::string_view text) : file_(std::move(file)) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines_.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  [[nodiscard]] std::string_view rest(int line, int byte) const {
    if (line < 0 || line >= static_cast<int>(lines_.size())) return {};
    const std::string_view all = lines_[static_cast<std::size_t>(line)];
    return all.substr(std::min(static_cast<std::size_t>(std::max(byte, 0)), all.size()));
  }
  [[nodiscard]] std::string_view line(int number) const { return rest(number, 0); }
  [[nodiscard]] SourcePos position(int line, int byte) const {
    const std::string_view all = rest(line, 0);
    const std::size_t bytes = static_cast<std::size_t>(std::max(byte, 0));
    const int column = characters(all.substr(0, std::min(bytes, all.size())));
    return {file_, line + 1, column + 1};
  }
  [[nodiscard]] SourcePos position(const YAML::Mark& mark) const {
    return mark.is_null() ? SourcePos{file_, 1, 1} : position(mark.line, mark.column);
  }

 private:
  std::string file_;
  std::vector<std::string_view> lines_;
};

/// Columns that a scalar covers on its first line.
int width_at(std::string_view rest, const std::string& value) {
  if (!rest.empty() && (rest[0] == '"' || rest[0] == '\'')) {
    for (std::size_t i = 1; i < rest.size(); ++i) {
      if (rest[0] == '"' && rest[i] == '\\') {
        ++i;
      } else if (rest[i] == rest[0]) {
        if (rest[0] == '\'' && i + 1 < rest.size() && rest[i + 1] == '\'') {
          ++i;
        } else {
          return characters(rest.substr(0, i + 1));
        }
      }
    }
    return characters(rest);
  }
  return rest.substr(0, value.size()) == value ? std::max(1, characters(value)) : 1;
}

/// Builds the tree from yaml-cpp's events.
class Builder : public YAML::EventHandler {
 public:
  Builder(const Lines& lines, Diagnostics& diagnostics) : lines_(lines), diagnostics_(diagnostics) {}

  YamlPtr root;
  YAML::Mark begun;

  void OnDocumentStart(const YAML::Mark& mark) override { begun = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    YamlPtr node = make(mark, YamlNode::Kind::null);
    remember(anchor, node);
    put(node);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      diagnostics_.error(lines_.position(mark), "", "an alias refers to the map or list that it stands in");
      put(make(mark, YamlNode::Kind::null));
      return;
    }
    put(found->second);
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlPtr node = make(mark, YamlNode::Kind::scalar);
    node->text = value;
    node->width = width_at(lines_.rest(node->pos.line - 1, byte_), value);
    remember(anchor, node);
    put(node);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open_.push_back({make(mark, YamlNode::Kind::sequence), nullptr, anchor});
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open_.push_back({make(mark, YamlNode::Kind::map), nullptr, anchor});
  }
  void OnMapEnd() override {
    merge(*open_.back().node);
    close();
  }

 private:
  struct Frame {
    YamlPtr node, key;
    YAML::anchor_t anchor = 0;
  };

  /// The mark of an anchored or tagged node is that of its anchor or tag: step over those.
  YamlPtr make(const YAML::Mark& mark, YamlNode::Kind kind) {
    auto node = std::make_shared<YamlNode>();
    node->kind = kind;
    byte_ = std::max(0, mark.column);
    std::string_view rest = lines_.rest(mark.line, byte_);
    while (!rest.empty() && (rest[0] == '&' || rest[0] == '!')) {
      const std::size_t blank = rest.find_first_of(" \t");
      const std::size_t next = blank == std::string_view::npos ? blank : rest.find_first_not_of(" \t", blank);
      if (next == std::string_view::npos) break;
      byte_ += static_cast<int>(next);
      rest.remove_prefix(next);
    }
    node->pos = lines_.position(mark.line, byte_);
    return node;
  }
  void remember(YAML::anchor_t anchor, const YamlPtr& node) {
    if (anchor != 0) anchors_[anchor] = node;
  }
  void put(const YamlPtr& node) {
    if (open_.empty()) {
      root = node;
      return;
    }
    Frame& frame = open_.back();
    if (frame.node->kind == YamlNode::Kind::sequence) {
      frame.node->items.push_back(node);
    } else if (frame.key == nullptr) {
      frame.key = node;
    } else {
      add(*frame.node, std::exchange(frame.key, nullptr), node);
    }
  }
  void add(YamlNode& map, const YamlPtr& key, const YamlPtr& value) {
    if (key->kind != YamlNode::Kind::scalar) {
      diagnostics_.error(key->pos, "", "a key must be a word");
      return;
    }
    map.entries.push_back({key, value});
  }
  void close() {
    const Frame frame = open_.back();
    open_.pop_back();
    remember(frame.anchor, frame.node);
    put(frame.node);
  }
  void merge(YamlNode& map) {
    std::vector<YamlNode::Entry> own, merged;
    for (const auto& entry : map.entries) {
      if (entry.key->text != "<<") {
        own.push_back(entry);
        continue;
      }
      const bool many = entry.value->kind == YamlNode::Kind::sequence;
      for (const YamlPtr& base : many ? entry.value->items : std::vector<YamlPtr>{entry.value}) {
        if (base->kind != YamlNode::Kind::map) {
          diagnostics_.error(entry.key->pos, "", "'<<' merges maps only", "write '<<: *name'", 2);
          continue;
        }
        merged.insert(merged.end(), base->entries.begin(), base->entries.end());
      }
    }
    for (const auto& entry : merged) {
      const bool overridden = std::any_of(
          own.begin(), own.end(), [&](const YamlNode::Entry& e) { return e.key->text == entry.key->text; });
      if (!overridden) own.push_back(entry);
    }
    map.entries = std::move(own);
  }

  const Lines& lines_;
  Diagnostics& diagnostics_;
  std::vector<Frame> open_;
  std::map<YAML::anchor_t, YamlPtr> anchors_;
  int byte_ = 0;
};

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

void syntax_error(const YAML::Exception& e, const Lines& lines, Diagnostics& diagnostics) {
  std::string hint;
  const std::string_view line = lines.line(e.mark.line);
  const std::string_view before = lines.line(e.mark.line - 1);
  const auto has_tab = [](std::string_view text) {
    return text.substr(0, text.find_first_not_of(" \t")).find('\t') != std::string_view::npos;
  };
  if (!e.mark.is_null() && (has_tab(line) || has_tab(before))) hint = "indent with blanks, not with a tab";
  diagnostics.error(lines.position(e.mark), "", "this is not YAML: " + e.msg, hint);
}

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

}  // namespace

YamlPtr parse_yaml(const std::string& file, const std::string& text, Diagnostics& diagnostics) {
  // A byte order mark would shift the columns of the first line.
  const bool marked = text.compare(0, 3, "\xEF\xBB\xBF") == 0;
  const std::string body = marked ? text.substr(3) : text;
  const Lines lines(file, body);
  Builder first(lines, diagnostics);
  try {
    std::istringstream stream(body);
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(first) || first.root == nullptr) {
      diagnostics.error({file, 1, 1}, "", "the file holds no YAML document");
      return nullptr;
    }
    Diagnostics unused;
    Builder second(lines, unused);
    if (parser.HandleNextDocument(second)) {
      diagnostics.error(lines.position(second.begun), "", "a second YAML document begins here",
                        "one file holds one scenario");
    }
  } catch (const YAML::Exception& e) {
    syntax_error(e, lines, diagnostics);
    return nullptr;
  }
  std::set<const YamlNode*> seen;
  find_duplicates(*first.root, "", seen, diagnostics);
  return first.root;
}

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
  Diagnostics inner;
  const std::string text = assignment.substr(equals + 1);
  YamlPtr value = text.find_first_not_of(" \t\n") == std::string::npos ? option_node(YamlNode::Kind::null)
                                                                       : parse_yaml("--set", text, inner);
  for (const Diagnostic& d : inner.sorted()) fail(path, d.message, d.hint);
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
