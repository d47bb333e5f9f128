// The advice section: what the tree of advice asks and the rest of the scenario does not show.
#include <fmt/format.h>

#include "scenarios/loader/sections.hpp"
#include "sim/advice/tree.hpp"

namespace fleetsim {

const Words<bool>& yes_no_words() {
  static const Words<bool> words = {{"yes", true}, {"no", false}};
  return words;
}

namespace {

/// The words of the questions, or true and false as everywhere else.
std::optional<bool> yes_or_no(const Reader& value) {
  for (const auto& [word, meaning] : yes_no_words())
    if (value.is_scalar() && value.raw() == word) return meaning;
  return value.boolean();
}

void read_bands(Reader& section, const AdviceTree& tree, AdviceSpec& spec) {
  auto bands = section.find("bands");
  if (!bands || !bands->expect_map()) return;
  std::vector<std::string> known;
  for (const SizeBand& band : tree.bands) known.push_back(band.name);
  for (Reader& entry : bands->entries()) {
    const SizeBand* band = tree.band(entry.name());
    if (band == nullptr) {
      const std::string near = did_you_mean(entry.name(), known);
      entry.error_at_key(fmt::format("tree '{}' has no band '{}'", tree.name, entry.name()),
                         near.empty() ? fmt::format("bands: {}", fmt::join(known, ", "))
                                      : fmt::format("did you mean '{}'?", near));
    }
    if (!entry.expect_map()) continue;
    BandEdges edges{entry.name(), std::nullopt, std::nullopt};
    if (const auto n = entry.integer("from")) edges.from = static_cast<int>(*n);
    if (const auto n = entry.integer("below")) edges.below = static_cast<int>(*n);
    entry.finish();
    if (band == nullptr) continue;
    const int from = edges.from.value_or(band->from);
    const std::optional<int> below = edges.below ? edges.below : band->below;
    if (below && *below <= from)
      entry.error_at_key(
          fmt::format("band '{}' is empty: it is half-open, from {} to below {}", band->name, from, *below));
    spec.bands.push_back(edges);
  }
  bands->finish();
}

}  // namespace

void read_advice(Reader& file, Draft& draft) {
  auto section = file.find("advice");
  if (!section || !section->expect_map()) return;
  AdviceSpec& spec = draft.scenario.advice;
  const std::vector<std::string> trees = draft.catalog.advice_names();
  if (const auto i = section->choose("tree", trees, "tree of advice")) spec.tree = trees[*i];
  if (const auto i = section->choose("buyer", buyer_words(), "buyer")) {
    if (buyer_words()[*i] != "lab") spec.buyer = buyer_words()[*i];  // the default stays unsaid
  }
  spec.cooling_solved = section->at("cooling_solved", yes_or_no);
  spec.model_parallel = section->at("model_parallel", yes_or_no);
  if (const AdviceTree* tree = draft.catalog.advice(spec.tree)) {
    read_bands(*section, *tree, spec);
  } else {
    section->accept("bands");  // the tree has faults, which were told
  }
  section->finish();
}

}  // namespace fleetsim
