// Trees of advice: bands of sizes, rules and what they recommend, from scenarios/catalog/advice/.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/loader/catalog_names.hpp"
#include "scenarios/loader/catalog_records.hpp"
#include "scenarios/loader/figure_reader.hpp"
#include "scenarios/loader/sections.hpp"

namespace fleetsim {
namespace {

constexpr double kShareSlack = 1e-9;

const Words<AdviceStep>& step_words() {
  static const Words<AdviceStep> words = {{"use", AdviceStep::use},
                                          {"memory", AdviceStep::memory},
                                          {"hardware", AdviceStep::hardware},
                                          {"checks", AdviceStep::checks}};
  return words;
}

std::optional<int> size_at(Reader& r, const std::string& key) {
  const auto n = r.integer(key, between<std::int64_t>(0, 10'000'000));
  return n ? std::optional<int>(static_cast<int>(*n)) : std::nullopt;
}

/// Words of a list, each one of `known`.
std::vector<std::string> chosen(Reader& r, const std::string& key, const std::vector<std::string>& known,
                                const std::string& what) {
  std::vector<std::string> out;
  if (const auto list = r.find(key)) {
    for (const Reader& item : list->one_or_many()) {
      if (const auto i = item.choose(known, what)) out.push_back(known[*i]);
    }
  }
  return out;
}

SizeBand read_band(Reader& r, const std::vector<std::string>& parts) {
  SizeBand band;
  band.name = r.name();
  if (!r.expect_map()) return band;
  if (const auto i = r.choose("part", parts, "part of the text")) band.part = parts[*i];
  need(r, "from");
  band.from = size_at(r, "from").value_or(0);
  band.below = size_at(r, "below");
  band.written_from = size_at(r, "written_from");
  band.written_below = size_at(r, "written_below");
  need(r, "as_written");
  band.as_written = r.text("as_written").value_or("");
  if (band.below && *band.below <= band.from)
    r.error_at_key(fmt::format("band '{}' is empty: it is half-open, from {} to below {}", band.name,
                               band.from, *band.below));
  r.finish();
  return band;
}

struct TreeReader {
  const Catalog& catalog;
  const Broken& broken;
  AdviceTree tree;

  void name_gpu(AdvisedPart& part, const GpuType& gpu) const {
    part.gpu = gpu;
    part.title = gpu.title;
    part.bare_card = true;
    part.short_name = gpu.title;
  }

  void name_node(AdvisedPart& part, const NodeType& node) const {
    part.node = node.name;
    part.title = node.title;
    part.gpu = node.gpu;
    part.machine = node;
    part.short_name = fmt::format("{}x {}", node.gpus, node.gpu.title);
  }

  std::optional<AdvisedPart> part(Reader& r) const {
    if (!r.expect_map()) return std::nullopt;
    AdvisedPart part;
    const bool node = r.has("node"), card = r.has("card"), system = r.has("system");
    if (static_cast<int>(node) + static_cast<int>(card) + static_cast<int>(system) != 1) {
      r.error("a part of a recommendation is one 'node', one 'card' or one 'system'");
      return std::nullopt;
    }
    if (node) {
      const NodeType* found = look_up(r, "node", catalog, CatalogKind::nodes, &Catalog::node, broken, "node");
      if (found != nullptr) name_node(part, *found);
    } else if (card) {
      const GpuType* found = look_up(r, "card", catalog, CatalogKind::gpus, &Catalog::gpu, broken, "GPU");
      if (found != nullptr) name_gpu(part, *found);
    } else {
      const SystemType* found =
          look_up(r, "system", catalog, CatalogKind::systems, &Catalog::system, broken, "system");
      if (found != nullptr) {
        name_node(part, *catalog.node(found->node));
        part.short_name = found->title;
        part.title = found->title;
      }
    }
    if (const auto share = r.find("share")) {
      std::vector<double> ends;
      for (const Reader& end : share->one_or_many()) {
        if (const auto value = end.ratio(between(0.0, 1.0))) ends.push_back(*value);
      }
      if (ends.empty() || ends.size() > 2 || ends.front() > ends.back()) {
        share->error("a share is one ratio or [least, most]");
      } else {
        part.share_low = ends.front();
        part.share_high = ends.back();
      }
    }
    r.finish();
    return part;
  }

  std::optional<AdviceOption> option(Reader& r) const {
    if (!r.expect_map()) return std::nullopt;
    AdviceOption option;
    std::vector<std::string> who = tree.parts;
    who.emplace_back("all");
    if (const auto i = r.choose("preferred_by", who, "part of the text")) option.preferred_by = who[*i];
    if (const auto parts = r.require("parts")) {
      double low = 0.0, high = 0.0;
      for (Reader item : parts->items()) {
        if (auto one = part(item)) {
          low += one->share_low;
          high += one->share_high;
          option.parts.push_back(std::move(*one));
        }
      }
      if (option.parts.empty()) {
        parts->error_at_key("a recommendation needs at least one part");
      } else if (low > 1.0 + kShareSlack || high < 1.0 - kShareSlack) {
        parts->error_at_key("no shares within these ranges sum to 100 %");
      }
    }
    r.finish();
    return option;
  }

  AdviceCondition condition(Reader& r) const {
    AdviceCondition when;
    if (!r.expect_map()) return when;
    static const Words<bool> yes_no = yes_no_words();
    std::vector<std::string> bands;
    for (const SizeBand& band : tree.bands) bands.push_back(band.name);
    when.buyers = chosen(r, "buyers", buyer_words(), "buyer");
    when.bands = chosen(r, "bands", bands, "band");
    when.cooling_solved = r.word("cooling_solved", yes_no);
    when.geforce_barred = r.word("geforce_barred", yes_no);
    when.model_parallel = r.word("model_parallel", yes_no);
    r.finish();
    return when;
  }

  AdviceRule rule(Reader& r) const {
    AdviceRule rule;
    if (!r.expect_map()) return rule;
    for (const char* key : {"name", "step", "says", "guide"}) need(r, key);
    rule.name = r.text("name").value_or("");
    rule.step = r.word("step", step_words()).value_or(AdviceStep::use);
    rule.says = r.text("says").value_or("");
    rule.verdict = r.text("verdict").value_or("");
    if (const auto guide = r.find("guide")) {
      for (const Reader& id : guide->one_or_many())
        if (const auto text = id.text()) rule.guide.push_back(*text);
    }
    rule.memory = r.bytes("memory", between(Bytes{1}, Bytes{10'000'000'000'000}));
    if (auto when = r.find("when")) rule.when = condition(*when);
    if (const auto options = r.find("options")) {
      for (Reader item : options->items())
        if (auto one = option(item)) rule.options.push_back(std::move(*one));
    }
    if (rule.verdict.empty() != rule.options.empty())
      r.error("a rule has both 'verdict' and 'options', or neither");
    r.finish();
    return rule;
  }

  void rules(const Reader& list) {
    for (Reader item : list.items()) {
      AdviceRule one = rule(item);
      const bool known = std::any_of(tree.rules.begin(), tree.rules.end(),
                                     [&](const AdviceRule& other) { return other.name == one.name; });
      if (known) item.error(fmt::format("rule '{}' is there already", one.name));
      tree.rules.push_back(std::move(one));
    }
  }
};

}  // namespace

std::optional<AdviceTree> read_advice_tree(Reader& file, const std::string& name, const Catalog& catalog,
                                           const Broken& broken) {
  const Faultless faultless(file);
  TreeReader reader{catalog, broken, {}};
  AdviceTree& tree = reader.tree;
  tree.name = name;
  tree.title = title_of(file);
  tree.from = read_map_provenance(file);
  if (const auto parts = file.require("parts")) {
    for (const Reader& part : parts->one_or_many())
      if (const auto text = part.text()) tree.parts.push_back(*text);
  }
  if (auto bands = file.require("bands"); bands && bands->expect_map()) {
    for (Reader& band : bands->entries()) tree.bands.push_back(read_band(band, tree.parts));
    bands->finish();
  }
  if (const auto rules = file.require("rules")) reader.rules(*rules);
  file.finish();
  // What names an entry with faults of its own is not reported again, and not kept.
  for (const AdviceRule& rule : tree.rules)
    for (const AdviceOption& option : rule.options)
      for (const AdvisedPart& part : option.parts)
        if (part.gpu.name.empty()) return std::nullopt;
  return faultless.give(std::move(tree));
}

}  // namespace fleetsim
