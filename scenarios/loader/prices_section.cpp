// The `prices` section: figures of the scenario's own, inline or in a file, laid over the catalogue's.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scenarios/loader/figure_reader.hpp"
#include "scenarios/loader/price_names.hpp"
#include "scenarios/loader/sections.hpp"
#include "scenarios/loader/source_text.hpp"
#include "sim/economics/rounding.hpp"
#include "sim/study/files.hpp"

namespace fleetsim {

namespace {

/// A price with its place, for what is said of it later.
struct Read {
  GivenPrice given;
  Reader at;
};

/// As the catalogue's prices, in the range of the scenario's description. 0 USD would be bought as a gift.
std::optional<Money> own_price(Reader& r, const std::string& key) {
  const auto money = r.money(key);
  if (!money || *money > Money{}) return money;
  if (const auto place = r.find(key))
    place->error("a price cannot be 0 USD", "leave the price out where none is known");
  return std::nullopt;
}

void read_one(Reader& entry, const Draft& draft, std::vector<Read>& all) {
  const std::string item = entry.name();
  GivenPrice made{item, {}, 0};
  if (!entry.is_map()) {
    entry.error(fmt::format("'{}' needs a source and a date", item),
                "write {value: ..., source: ..., as_of: YYYY-MM-DD}");
    return;
  }
  if (const auto n = entry.integer("quantity")) made.quantity = static_cast<int>(*n);
  const bool own_line = entry.has("quantity");
  read_figure(entry, own_price, made.price);
  const bool priced = made.price.value > Money{};
  for (Money* money : {&made.price.value, &made.price.low, &made.price.high}) *money = to_cents(*money);
  if (priced && made.price.value == Money{}) entry.error("a price of less than half a cent is none");
  const std::optional<std::string> known = known_price_name(item, draft.catalog);
  if (!known && !own_line) {
    entry.error_at_key(fmt::format("'{}' is no price of the catalogue", item),
                       hint_for_price_name(item, draft.catalog));
    return;
  }
  if (known && own_line) {
    entry.error_at_key(fmt::format("'{}' is in the catalogue, so its number follows from the fleet", item),
                       "leave 'quantity' out");
    return;
  }
  if (known) made.item = *known;
  const auto same =
      std::find_if(all.begin(), all.end(), [&](const Read& r) { return r.given.item == made.item; });
  if (same != all.end()) {
    entry.error_at_key(fmt::format("'{}' has two prices, here and in {}:{}", made.item,
                                   same->at.key_position().file, same->at.key_position().line),
                       "leave one of them out");
    return;
  }
  all.push_back({made, entry});
}

/// The entries of another file.
void read_price_file(const std::filesystem::path& path, const Draft& draft, ReadContext& context,
                     std::vector<Read>& all) {
  const YamlPtr root = parse_yaml(path.string(), plain_lines(read_file(path)), context.diagnostics);
  if (root == nullptr) return;
  Reader entries(context, root, "prices", nullptr, "prices");
  if (!entries.expect_map()) return;
  for (Reader& entry : entries.entries()) read_one(entry, draft, all);
}

/// Adds the source line to what was said of a file that is not the scenario.
void adopt_with_lines(const Diagnostics& from, const std::filesystem::path& path, Diagnostics& to) {
  std::error_code ignored;
  std::vector<std::string> lines(1);
  if (std::filesystem::is_regular_file(path, ignored)) {
    for (const char c : plain_lines(read_file(path))) {
      if (c == '\n') {
        lines.emplace_back();
      } else {
        lines.back() += c;
      }
    }
  }
  for (Diagnostic d : from.sorted()) {
    const auto line = static_cast<std::size_t>(std::max(d.pos.line, 0));
    if (d.pos.file == path.string() && line > 0 && line <= lines.size()) d.line = lines[line - 1];
    to.add(std::move(d));
  }
}

}  // namespace

void read_prices(Reader& file, Draft& draft) {
  auto section = file.find("prices");
  if (!section || !section->expect_map()) return;
  std::vector<Read> all;
  ReadContext& context = section->context();
  for (Reader& entry : section->entries())
    if (entry.name() != "file") read_one(entry, draft, all);
  Diagnostics of_file;
  ReadContext beside(of_file);
  beside.schema = context.schema;
  beside.today = context.today;
  beside.future_is_wrong = context.future_is_wrong;
  beside.exchange = context.exchange;
  std::filesystem::path path;
  if (const auto name = section->find("file")) {
    const std::string written = name->text().value_or("");
    path = draft.folder / written;
    std::error_code ignored;
    if (written.empty() || !draft.open_files) {
      // has been reported, or is not looked for
    } else if (std::filesystem::is_regular_file(path, ignored)) {
      read_price_file(path, draft, beside, all);
    } else {
      name->error(fmt::format("there is no file '{}'", shown(path)),
                  "paths are relative to the scenario file");
    }
  }
  for (const Read& read : all) draft.scenario.prices.given.push_back(read.given);
  // A node's own price stands for its parts, so it comes first: a price of a part then finds nothing, and
  // that is said.
  for (const bool whole : {true, false}) {
    for (const Read& read : all) {
      const std::string& item = read.given.item;
      if (read.given.quantity > 0 || (draft.catalog.node(item) != nullptr) != whole) continue;
      if (lay_over(draft.scenario, read.given)) continue;
      read.at.context().diagnostics.warning(
          read.at.key_position(), read.at.path(),
          fmt::format("nothing of this scenario is bought at the price of '{}'", item),
          "it changes nothing here");
    }
  }
  adopt_with_lines(of_file, path, context.diagnostics);
}

}  // namespace fleetsim
