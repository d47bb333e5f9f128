// Every figure of the built-in catalogue has a source and a date. Looks at the YAML itself, so that a reader
// which forgets to ask cannot hide one.
#include <set>
#include <string>

#include "scenarios/loader/catalog_folder.hpp"
#include "scenarios/loader/document.hpp"
#include "tests/catch.hpp"

namespace fleetsim {
namespace {

/// Words that name or count parts of the entry itself; nobody measures them.
const std::set<std::string> kIdentity = {"title",  "gpus",  "quantity", "architecture", "item",
                                         "source", "as_of", "note",     "basis"};

const YamlNode* at(const YamlNode& map, const std::string& key) {
  for (const YamlNode::Entry& entry : map.entries)
    if (entry.key->text == key) return entry.value.get();
  return nullptr;
}

/// Starts with a digit or a sign, or is yes or no: something that could be right or wrong.
bool is_figure(const std::string& text) {
  return !text.empty() && (text.find_first_of("0123456789+-.") == 0 || text == "true" || text == "false");
}

bool told(const YamlNode& map) {
  const YamlNode* source = at(map, "source");
  const YamlNode* as_of = at(map, "as_of");
  if (source == nullptr || as_of == nullptr || source->text.size() < 3 || as_of->text.size() < 4)
    return false;
  if (source->text != "estimate") return true;
  const bool ranged =
      at(map, "value") == nullptr || (at(map, "low") != nullptr && at(map, "high") != nullptr);
  const YamlNode* basis = at(map, "basis");
  return ranged && basis != nullptr && !basis->text.empty();
}

/// Paths of figures without source or date below `node`. A map that tells where it comes from speaks for the
/// figures in it, and `systems` for the fabric below.
void untold(const YamlNode& node, const std::string& path, bool covered, std::string& out) {
  const bool here = covered || told(node);
  for (const YamlNode::Entry& entry : node.entries) {
    const std::string& key = entry.key->text;
    const std::string below = path + "." + key;
    if (entry.value->kind == YamlNode::Kind::scalar) {
      if (!here && kIdentity.count(key) == 0 && is_figure(entry.value->text)) out += below + "\n";
    } else {
      untold(*entry.value, below, here && key == "fabric", out);
    }
  }
  for (const YamlPtr& item : node.items) untold(*item, path + "[]", false, out);
}

std::string untold_in(const std::string& path, const std::string& text) {
  Diagnostics diagnostics;
  const YamlPtr root = parse_yaml(path, text, diagnostics);
  REQUIRE(root != nullptr);
  std::string out;
  untold(*root, path, false, out);
  return out;
}

TEST_CASE("No figure in the catalogue's files lacks a source or a date") {
  int files = 0;
  for (const Catalog::File& file : embedded_files()) {
    // A tree of advice is one text's: its head says which, and without that it does not load.
    if (file.path.starts_with("advice/")) continue;
    CHECK(untold_in(file.path, file.text) == "");
    ++files;
  }
  CHECK(files > 100);
}

TEST_CASE("The search for figures without source finds them") {
  CHECK(untold_in("x", "price: 5 USD") == "x.price\n");
  CHECK(untold_in("x", "price: {value: 5 USD, source: quote}") == "x.price.value\n");
  CHECK(untold_in("x", "p2p: {value: true, as_of: 2020}") == "x.p2p.value\n");
  CHECK(untold_in("x", "price: {value: 5 USD, source: estimate, as_of: 2020, basis: guess}") ==
        "x.price.value\n");
  CHECK(untold_in("x", "price: [{item: y, unit_price: 5 USD}]") == "x.price[].unit_price\n");
  CHECK(untold_in("x", "price: {value: 5 USD, source: quote, as_of: 2020}") == "");
  CHECK(untold_in("x", "price: {value: 5 USD, source: Dettmers, as_of: 2020}\nother: {value: 3}") ==
        "x.other.value\n");
}

TEST_CASE("Sources are public documents or say that they are estimates") {
  for (const Catalog::File& file : embedded_files())
    for (const char* word : {"facts", "shared", "seed", "unsourced"})
      CHECK(file.text.find(std::string("source: ") + word) == std::string::npos);
}

}  // namespace
}  // namespace fleetsim
