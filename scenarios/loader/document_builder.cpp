#include "scenarios/loader/document_builder.hpp"
#include "sim/base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fleetsim {

int characters(std::string_view text) {
  return static_cast<int>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

Lines::Lines(std::string file, std::string_view text) : file_(std::move(file)), text_(text), begins_{0} {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') begins_.push_back(i + 1);
}

std::string_view Lines::rest(int line, int byte) const {
  if (line < 0 || line >= static_cast<int>(begins_.size())) return {};
  const std::size_t at =
      begins_[static_cast<std::size_t>(line)] + static_cast<std::size_t>(std::max(byte, 0));
  return text_.substr(std::min(at, text_.size()));
}

std::string_view Lines::line(int number) const {
  const std::string_view all = rest(number, 0);
  return all.substr(0, all.find('\n'));
}

bool Lines::follows(const YamlNode& word, char sign) const {
  std::string_view all = line(word.pos.line - 1);
  for (int skip = word.pos.column - 1 + word.width; skip > 0 && !all.empty(); --skip)
    all.remove_prefix(std::max<std::size_t>(1, utf8_at(all, 0).bytes));
  all.remove_prefix(std::min(all.find_first_not_of(' '), all.size()));
  return !all.empty() && all[0] == sign;
}

SourcePos Lines::position(int number, int byte) const {
  const std::string_view all = line(number);
  const auto bytes = static_cast<std::size_t>(std::max(byte, 0));
  return {file_, number + 1, characters(all.substr(0, std::min(bytes, all.size()))) + 1};
}

SourcePos Lines::position(const YAML::Mark& mark) const {
  return mark.is_null() ? SourcePos{file_, 1, 1} : position(mark.line, mark.column);
}

SourcePos Lines::position(std::string_view part) const {
  const auto at = text_.size() - part.size();
  const auto next = std::upper_bound(begins_.begin(), begins_.end(), at);
  const auto number = static_cast<int>(next - begins_.begin()) - 1;
  return position(number, static_cast<int>(at - begins_[static_cast<std::size_t>(number)]));
}

namespace {

bool is_quote(std::string_view source) {
  return !source.empty() && (source[0] == '"' || source[0] == '\'');
}

/// Bytes of a scalar in quotes, both included; npos when the closing quote is missing.
std::size_t quoted_size(std::string_view source) {
  for (std::size_t i = 1; i < source.size(); ++i) {
    if (source[0] == '"' && source[i] == '\\') {
      ++i;
    } else if (source[i] == source[0]) {
      const bool doubled = source[0] == '\'' && i + 1 < source.size() && source[i + 1] == '\'';
      if (!doubled) return i + 1;
      ++i;
    }
  }
  return std::string_view::npos;
}

/// Columns that a scalar covers on its first line.
int width_at(std::string_view source, const std::string& value) {
  if (is_quote(source)) return characters(source.substr(0, std::min(quoted_size(source), source.find('\n'))));
  return source.substr(0, value.size()) == value ? std::max(1, characters(value)) : 1;
}

/// The word at the start, up to a blank, line end or flow sign.
std::string_view word_at(std::string_view source) {
  return source.substr(0, source.find_first_of(" \t\n,[]{}"));
}

/// Steps over blanks, line ends and comments.
std::string_view skip_blanks(std::string_view source) {
  while (!source.empty()) {
    const std::size_t next = source.find_first_not_of(" \t\n");
    source.remove_prefix(std::min(next, source.size()));
    if (source.empty() || source[0] != '#') break;
    source.remove_prefix(std::min(source.find('\n'), source.size()));
  }
  return source;
}

}  // namespace

SourcePos DocumentBuilder::open_bracket() const {
  const auto last = std::find_if(open_.rbegin(), open_.rend(), [](const Frame& f) { return f.flow; });
  return last == open_.rend() ? SourcePos{} : last->node->pos;
}

/// The mark of an anchored or tagged node is that of its anchor or tag: step over those.
YamlPtr DocumentBuilder::make(const YAML::Mark& mark, YamlNode::Kind kind) {
  auto node = std::make_shared<YamlNode>();
  node->kind = kind;
  source_ = lines_.rest(mark.line, mark.column);
  node->pos = lines_.position(mark.line, mark.column);
  std::string_view here = source_;
  while (!here.empty() && (here[0] == '&' || here[0] == '!')) {
    const std::string_view word = word_at(here);
    if (here[0] == '!') {
      diagnostics_.error(lines_.position(here), "", fmt::format("a tag ('{}') has no meaning here", word),
                         "the key decides how its value is read; leave the tag out", characters(word));
    }
    here = skip_blanks(here.substr(word.size()));
    // A node without content has no place of its own.
    if (kind == YamlNode::Kind::null || here.empty()) continue;
    source_ = here;
    node->pos = lines_.position(here);
  }
  return node;
}

void DocumentBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const YamlPtr node = make(mark, YamlNode::Kind::null);
  remember(anchor, node);
  put(node);
}

void DocumentBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const YamlPtr node = make(mark, YamlNode::Kind::null);
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) {
    diagnostics_.error(node->pos, "", "an alias refers to the map or list that it stands in");
    node->text.push_back('*');  // has been reported
    put(node);
  } else if (found->second->kind == YamlNode::Kind::scalar || found->second->kind == YamlNode::Kind::null) {
    // What is wrong with the value here is shown here, not at the anchor.
    auto copy = std::make_shared<YamlNode>(*found->second);
    copy->pos = node->pos;
    copy->width = characters(word_at(source_));
    put(copy);
  } else {
    put(found->second);
  }
}

void DocumentBuilder::OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                               const std::string& value) {
  const YamlPtr node = make(mark, YamlNode::Kind::scalar);
  node->text = value;
  node->quoted = is_quote(source_);
  node->width = width_at(source_, value);
  if (node->quoted && quoted_size(source_) == std::string_view::npos) {
    unclosed = true;
    diagnostics_.error(node->pos, "", "the quote that begins here is not closed",
                       fmt::format("end the text with {}", source_[0]), node->width);
  }
  remember(anchor, node);
  put(node);
}

void DocumentBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                                      YAML::EmitterStyle::value style) {
  open_.push_back({make(mark, YamlNode::Kind::sequence), nullptr, anchor, style == YAML::EmitterStyle::Flow});
}

void DocumentBuilder::OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                                 YAML::EmitterStyle::value style) {
  open_.push_back({make(mark, YamlNode::Kind::map), nullptr, anchor, style == YAML::EmitterStyle::Flow});
}

void DocumentBuilder::OnMapEnd() {
  if (open_.back().flow) join_at_commas(*open_.back().node);
  merge(*open_.back().node);
  close();
}

/// {fixed: 1,5 h} reads as 1 and a key '5 h' without a value. Glued to each other these are one number with a
/// decimal comma, about which the reader of the value says the right thing.
void DocumentBuilder::join_at_commas(YamlNode& map) {
  for (std::size_t i = 1; i < map.entries.size();) {
    YamlNode& before = *map.entries[i - 1].value;
    const auto& [key, value] = map.entries[i];
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const bool glued = before.kind == YamlNode::Kind::scalar && !before.quoted && !key->quoted &&
                       before.pos.line == key->pos.line &&
                       before.pos.column + before.width + 1 == key->pos.column;
    const bool no_value = value->kind == YamlNode::Kind::null && value->text.empty();
    if (!glued || !no_value || lines_.follows(*key, ':') || !is_digit(before.text.back()) ||
        !is_digit(key->text.front())) {
      ++i;
      continue;
    }
    before.text += "," + key->text;
    before.width += 1 + key->width;
    map.entries.erase(map.entries.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void DocumentBuilder::remember(YAML::anchor_t anchor, const YamlPtr& node) {
  if (anchor != 0) anchors_[anchor] = node;
}

void DocumentBuilder::put(const YamlPtr& node) {
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

void DocumentBuilder::add(YamlNode& map, const YamlPtr& key, const YamlPtr& value) {
  switch (key->kind) {
    case YamlNode::Kind::scalar:
      // Names of classes, pools and partitions are keys; they stand in tables.
      if (const char* fault = unfit_in_name(key->text))
        diagnostics_.error(key->pos, "", fmt::format("the key holds {}", fault), "write it without escapes",
                           key->width);
      map.entries.push_back({key, value});
      return;
    case YamlNode::Kind::null:
      if (key->text.empty()) diagnostics_.error(key->pos, "", "a key must be a word, not empty or null");
      return;
    case YamlNode::Kind::map:
    case YamlNode::Kind::sequence:
      diagnostics_.error(
          key->pos, "",
          fmt::format("a key must be a word, not a {}", key->kind == YamlNode::Kind::map ? "map" : "list"));
      return;
  }
}

void DocumentBuilder::close() {
  const Frame frame = open_.back();
  open_.pop_back();
  remember(frame.anchor, frame.node);
  put(frame.node);
}

void DocumentBuilder::merge_one(const YamlNode::Entry& entry, std::vector<YamlNode::Entry>& merged,
                                std::set<std::string>& known) {
  const bool many = entry.value->kind == YamlNode::Kind::sequence;
  for (const YamlPtr& base : many ? entry.value->items : std::vector<YamlPtr>{entry.value}) {
    if (base->kind == YamlNode::Kind::map) {
      for (const auto& inherited : base->entries)
        if (known.insert(inherited.key->text).second) merged.push_back(inherited);
    } else if (base->text != "*" || base->kind != YamlNode::Kind::null) {
      diagnostics_.error(entry.key->pos, "", "'<<' merges maps only", "write '<<: *name' or '<<: [*a, *b]'",
                         2);
    }
  }
}

void DocumentBuilder::merge(YamlNode& map) {
  const auto is_merge = [](const YamlNode::Entry& e) { return e.key->text == "<<" && !e.key->quoted; };
  if (std::none_of(map.entries.begin(), map.entries.end(), is_merge)) return;
  std::vector<YamlNode::Entry> own, merged;
  std::set<std::string> known;
  for (const auto& entry : map.entries) {
    if (is_merge(entry)) continue;
    own.push_back(entry);
    known.insert(entry.key->text);
  }
  const YamlNode* first = nullptr;
  for (const auto& entry : map.entries) {
    if (!is_merge(entry)) continue;
    if (first != nullptr) {
      diagnostics_.error(entry.key->pos, "", "duplicate key '<<'",
                         fmt::format("line {} gives it first; write '<<: [*a, *b]'", first->pos.line), 2);
    }
    first = entry.key.get();
    merge_one(entry, merged, known);
  }
  own.insert(own.end(), merged.begin(), merged.end());
  map.entries = std::move(own);
}

}  // namespace fleetsim
