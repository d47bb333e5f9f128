#include "scenarios/loader/catalog_base.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

namespace fleetsim {
namespace {

/// Keys that tell where the other values of their map come from.
constexpr std::array<std::string_view, 6> kProvenance = {"source", "as_of", "low", "high", "basis", "note"};

const YamlNode::Entry* find_key(const YamlNode& map, const std::string& key) {
  const auto it = std::find_if(map.entries.begin(), map.entries.end(),
                               [&](const YamlNode::Entry& entry) { return entry.key->text == key; });
  return it == map.entries.end() ? nullptr : &*it;
}

bool tells_origin(const std::string& key) {
  return std::find(kProvenance.begin(), kProvenance.end(), key) != kProvenance.end();
}

YamlPtr merged(const YamlNode& base, const YamlNode& own) {
  auto result = std::make_shared<YamlNode>(own);  // the place of what the user wrote
  result->entries.clear();
  for (const YamlNode::Entry& entry : base.entries) {
    const YamlNode::Entry* over = find_key(own, entry.key->text);
    if (over == nullptr) {
      if (!tells_origin(entry.key->text)) result->entries.push_back(entry);
      continue;
    }
    const bool both_maps =
        entry.value->kind == YamlNode::Kind::map && over->value->kind == YamlNode::Kind::map;
    result->entries.push_back({over->key, both_maps ? merged(*entry.value, *over->value) : over->value});
  }
  for (const YamlNode::Entry& entry : own.entries) {
    // Repeated keys are all kept: they have been reported.
    const bool taken = std::any_of(result->entries.begin(), result->entries.end(),
                                   [&](const YamlNode::Entry& e) { return e.key == entry.key; });
    if (!taken) result->entries.push_back(entry);
  }
  return result;
}

void drop(YamlNode& map, const std::string& key) {
  std::erase_if(map.entries, [&](const YamlNode::Entry& entry) { return entry.key->text == key; });
}

/// Takes out of `base` what `without` lists.
void leave_out(const YamlNode& without, YamlNode& base, Diagnostics& diagnostics) {
  if (without.kind != YamlNode::Kind::sequence) {
    diagnostics.error(without.pos, "without", "'without' must be a list of keys", "write 'without: [price]'",
                      without.width);
    return;
  }
  std::vector<std::string> known;
  for (const YamlNode::Entry& entry : base.entries) known.push_back(entry.key->text);
  for (const YamlPtr& item : without.items) {
    if (std::find(known.begin(), known.end(), item->text) == known.end()) {
      const std::string near = did_you_mean(item->text, known);
      diagnostics.error(item->pos, "without", fmt::format("the base has no key '{}'", item->text),
                        near.empty() ? "" : fmt::format("did you mean '{}'?", near), item->width);
    }
    drop(base, item->text);
  }
}

}  // namespace

YamlPtr base_of(const YamlNode& entry) {
  const YamlNode::Entry* found = find_key(entry, "based_on");
  return found == nullptr ? nullptr : found->value;
}

YamlPtr inherit(const YamlNode& base, const YamlNode& own, const std::string& name,
                Diagnostics& diagnostics) {
  YamlNode rest = base, changes = own;
  drop(rest, "title");
  if (const YamlNode::Entry* without = find_key(own, "without")) {
    leave_out(*without->value, rest, diagnostics);
    drop(changes, "without");
  }
  const YamlNode::Entry said = *find_key(own, "based_on");
  drop(changes, "based_on");
  if (find_key(own, "title") == nullptr) {
    auto key = std::make_shared<YamlNode>(*said.key), title = std::make_shared<YamlNode>(*said.value);
    key->text = "title";
    title->text = name;
    changes.entries.push_back({key, title});
  }
  // Keys of the entry itself (a system's source) are inherited: nothing of it need be changed.
  const bool keeps_origin = std::none_of(changes.entries.begin(), changes.entries.end(),
                                         [](const YamlNode::Entry& e) { return tells_origin(e.key->text); });
  YamlPtr result = merged(rest, changes);
  if (keeps_origin) {
    for (const YamlNode::Entry& entry : rest.entries)
      if (tells_origin(entry.key->text)) result->entries.push_back(entry);
  }
  return result;
}

}  // namespace fleetsim
