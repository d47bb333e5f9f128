#include "scenarios/loader/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "sim/base/utf8.hpp"

namespace fleetsim {

namespace {

std::string joined(const std::string& path, const std::string& word) {
  return path.empty() ? word : path + "." + word;
}

std::string last_word(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? path : path.substr(dot + 1);
}

std::string place_name(const std::string& schema_path) {
  if (schema_path.empty()) return "at the top level";
  std::string shown = schema_path;
  for (std::size_t at; (at = shown.find('*')) != std::string::npos;) shown.replace(at, 1, "NAME");
  return fmt::format("under '{}'", shown);
}

/// More than these are not read by anybody; the first ones cause the rest.
constexpr int kMostErrors = 500;

/// Copies of a repeated map become one map, so that what stands in the second is checked as well.
YamlPtr union_of(const YamlPtr& a, const YamlPtr& b) {
  if (a->kind != YamlNode::Kind::map || b->kind != YamlNode::Kind::map) return a;
  auto result = std::make_shared<YamlNode>(*a);
  for (const auto& entry : b->entries) {
    const auto same = std::find_if(result->entries.begin(), result->entries.end(),
                                   [&](const auto& e) { return e.key->text == entry.key->text; });
    if (same != result->entries.end() && same->value->kind == YamlNode::Kind::map) {
      same->value = union_of(same->value, entry.value);
    } else {
      result->entries.push_back(entry);
    }
  }
  return result;
}

}  // namespace

Reader::Reader(ReadContext& context, YamlPtr node, std::string path, YamlPtr key, std::string schema_path)
    : context_(&context),
      node_(std::move(node)),
      key_(std::move(key)),
      path_(std::move(path)),
      schema_path_(std::move(schema_path)) {}

std::string Reader::name() const {
  return key_ != nullptr ? key_->text : last_word(path_);  // a name may hold dots
}

SourcePos Reader::position() const {
  return is_null() && key_ != nullptr ? key_->pos : node_->pos;
}

SourcePos Reader::key_position() const {
  return key_ != nullptr ? key_->pos : node_->pos;
}

void Reader::report(const YamlNode& place, const std::string& message, const std::string& hint) const {
  const std::string id =
      fmt::format("{}:{}:{}:{}", place.pos.file, place.pos.line, place.pos.column, message);
  if (!context_->said.insert(place.pos.line > 0 ? id : path_ + id).second) return;
  if (context_->diagnostics.errors() >= kMostErrors) {
    if (!std::exchange(context_->full, true))
      context_->diagnostics.error(place.pos, "",
                                  fmt::format("more than {} errors; no more are shown", kMostErrors));
    return;
  }
  context_->diagnostics.error(place.pos, path_, message, hint, place.width);
}

void Reader::error(const std::string& message, const std::string& hint) const {
  report(is_null() && key_ != nullptr ? *key_ : *node_, message, hint);
}

void Reader::error_at_key(const std::string& message, const std::string& hint) const {
  report(key_ != nullptr ? *key_ : *node_, message, hint);
}

void Reader::error_within(const std::string& part, const std::string& message,
                          const std::string& hint) const {
  const std::size_t at = node_->text.find(part);
  const int quote = node_->width - characters(node_->text);  // 0: plain, 2: quoted, else spread over lines
  if (part.empty() || at == std::string::npos || (quote != 0 && quote != 2)) {
    error(message, hint);
    return;
  }
  YamlNode place = *node_;
  if (place.pos.line > 0) place.pos.column += quote / 2 + characters(node_->text.substr(0, at));
  place.width = characters(part);
  report(place, message, hint);
}

/// `write e.g. '{per_user: 8.5 /day}'`: the keys that must stand here, else the first with an example; also
/// the plain value where one is legal.
std::string Reader::example_of_map() const {
  if (context_->schema == nullptr || path_.empty()) return {};
  std::vector<std::string> keys;
  std::string first;
  for (const SchemaKey* key : context_->schema->below(schema_path_)) {
    if (key->example.empty()) continue;
    const std::string word = key->path.substr(key->path.rfind('.') + 1);
    if (word == "*" || word.ends_with("[]")) continue;
    const std::string pair = fmt::format("{}: {}", word, key->example);
    if (key->required) keys.push_back(pair);
    if (first.empty()) first = pair;
  }
  if (keys.empty() && !first.empty()) keys.push_back(first);
  const SchemaKey* own = context_->schema->find(schema_path_);
  const std::string plain = own != nullptr && !own->example.empty() ? own->example : std::string{};
  if (keys.empty()) return plain.empty() ? plain : fmt::format("write e.g. '{}'", plain);
  const std::string map = fmt::format("write e.g. '{{{}}}'", fmt::join(keys, ", "));
  return plain.empty() ? map : fmt::format("{}, or '{}'", map, plain);
}

bool Reader::expect_map() const {
  if (is_map()) return true;
  if (!refused_) {
    refused_ = true;
    const std::string subject = path_.empty() ? "the document" : fmt::format("'{}'", name());
    error(is_null() ? fmt::format("{} has no value", subject)
                    : fmt::format("{} must be a map of keys{}", subject,
                                  is_scalar() ? fmt::format(", not '{}'", node_->text) : ", not a list"),
          example_of_map());
  }
  return false;
}

bool Reader::has(const std::string& key) const {
  return std::any_of(node_->entries.begin(), node_->entries.end(),
                     [&](const auto& e) { return e.key->text == key; });
}

void Reader::accept(const std::string& key) {
  known_.insert(key);
  context_->asked.insert(joined(schema_path_, key));
}

void Reader::refuse(const std::string& key) {
  known_.erase(key);
}

bool Reader::misspelled(const std::vector<std::string>& words) const {
  return std::any_of(node_->entries.begin(), node_->entries.end(), [&](const auto& e) {
    return known_.count(e.key->text) == 0 && !did_you_mean(e.key->text, words).empty();
  });
}

Reader Reader::below(const YamlNode::Entry& entry, const std::string& schema_word) const {
  return Reader(*context_, entry.value, joined(path_, entry.key->text), entry.key,
                joined(schema_path_, schema_word));
}

std::vector<Reader> Reader::occurrences(const std::string& key) {
  accept(key);
  std::vector<Reader> result;
  if (!expect_map()) return result;
  for (const auto& entry : node_->entries) {
    if (entry.key->text != key) continue;
    Reader value = below(entry, key);
    if (value.is_null()) {
      value.error_at_key(fmt::format("'{}' has no value", key), value.what_to_write());
    } else {
      result.push_back(std::move(value));
    }
  }
  return result;
}

std::string Reader::what_to_write() const {
  const SchemaKey* described = context_->schema != nullptr ? context_->schema->find(schema_path_) : nullptr;
  return described == nullptr || described->example.empty()
             ? std::string{}
             : fmt::format("write e.g. '{}'", described->example);
}

std::optional<Reader> Reader::find(const std::string& key) {
  std::vector<Reader> all = occurrences(key);
  if (all.empty()) return std::nullopt;
  for (std::size_t i = 1; i < all.size(); ++i) all[0].node_ = union_of(all[0].node_, all[i].node_);
  return std::move(all[0]);
}

std::optional<Reader> Reader::require(const std::string& key) {
  if (is_map() && !has(key)) missing_.push_back(key);
  return find(key);
}

std::vector<Reader> Reader::entries() {
  std::vector<Reader> result;
  if (!expect_map()) return result;
  context_->asked.insert(joined(schema_path_, "*"));
  for (const auto& entry : node_->entries) {
    known_.insert(entry.key->text);
    Reader value = below(entry, "*");
    if (entry.key->text.empty()) {
      value.error_at_key("a name must not be empty");
      continue;
    }
    if (const char* fault = unfit_in_name(entry.key->text); fault != nullptr && entry.key->pos.line == 0)
      value.error_at_key(fmt::format("the name holds {}", fault));  // by --set; in a file the key was told
    const auto same =
        std::find_if(result.begin(), result.end(), [&](const Reader& r) { return r.path_ == value.path_; });
    if (same != result.end()) {
      same->node_ = union_of(same->node_, value.node_);
    } else if (value.is_null()) {
      value.error_at_key(fmt::format("'{}' has no value", entry.key->text));
    } else {
      result.push_back(std::move(value));
    }
  }
  return result;
}

void Reader::unknown_key(const YamlNode& key, const std::vector<std::string>& absent,
                         std::set<std::string>& suggested) const {
  const std::vector<std::string> all(known_.begin(), known_.end());
  std::string near = did_you_mean(key.text, absent);
  std::vector<std::string> homes;
  const std::vector<SchemaKey> none;
  for (const SchemaKey& one : context_->schema != nullptr ? context_->schema->keys() : none) {
    const std::string& legal = one.path;
    if (last_word(legal) != key.text) continue;
    const std::string home =
        legal.size() > key.text.size() ? legal.substr(0, legal.size() - key.text.size() - 1) : std::string{};
    if (home != schema_path_) homes.push_back(place_name(home));
  }
  std::string hint;
  if (!near.empty()) {
    suggested.insert(near);
    hint = fmt::format("did you mean '{}'?", near);
  } else if (!homes.empty()) {
    hint = fmt::format("misplaced: it belongs {}", fmt::join(homes, " or "));
  } else if (near = did_you_mean(key.text, all); !near.empty()) {
    hint = fmt::format("did you mean '{}'?", near);
  } else if (!known_.empty()) {
    hint = fmt::format("known here: {}", fmt::join(known_, ", "));
  }
  const std::string path = joined(path_, key.text);
  Reader(*context_, node_, path).report(key, fmt::format("unknown key '{}'", key.text), hint);
}

void Reader::finish() {
  if (!is_map()) return;
  std::set<std::string> suggested;
  std::vector<std::string> absent;
  std::copy_if(known_.begin(), known_.end(), std::back_inserter(absent),
               [&](const std::string& k) { return !has(k); });
  for (const auto& [key, value] : node_->entries) {
    if (known_.count(key->text) == 0 && !context_->full) unknown_key(*key, absent, suggested);
  }
  for (const std::string& key : missing_) {
    if (suggested.count(key) > 0) continue;  // the misspelled key is the fault
    const std::string where = path_.empty() ? "the document" : fmt::format("'{}'", path_);
    error_at_key(fmt::format("{} lacks the key '{}'", where, key));
  }
  missing_.clear();
}

std::vector<Reader> Reader::items() const {
  std::vector<Reader> result;
  if (!is_sequence()) {
    error(fmt::format("'{}' must be a list", name()), "write [a, b]");
    return result;
  }
  for (std::size_t i = 0; i < node_->items.size(); ++i) {
    Reader item(*context_, node_->items[i], fmt::format("{}[{}]", path_, i), nullptr, schema_path_ + "[]");
    if (item.is_null()) {
      item.error("an item of the list is empty");
    } else {
      result.push_back(std::move(item));
    }
  }
  return result;
}

std::vector<Reader> Reader::one_or_many() const {
  return is_sequence() ? items() : std::vector<Reader>{*this};
}

}  // namespace fleetsim
