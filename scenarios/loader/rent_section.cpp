// economics.rent: what the bought GPUs are compared with.
#include <fmt/format.h>

#include "scenarios/loader/sections.hpp"
#include "sim/base/units.hpp"

namespace fleetsim {

namespace {

/// The rate for these terms; where the catalogue has none the card's only rate, which then says so.
Figure<Money> rate_of(const Draft& draft, const std::string& gpu, RentTerms terms,
                      const Figure<Money>& only) {
  for (const CloudRate& one : draft.catalog.cloud_rates())
    if (one.gpu == gpu && one.terms == terms) return one.rate;
  Figure<Money> rate = only;
  if (rate.value > Money{})
    rate.from.note += fmt::format("{}the catalogue has no {} rate of this GPU, so its only rate is taken",
                                  rate.from.note.empty() ? "" : "; ", to_string(terms));
  return rate;
}

/// What is rented, with the catalogue's rate where it has one.
void read_rented(Reader& rent, const Draft& draft, RentSpec& spec) {
  if (const auto name = catalog_name(rent, "gpu", draft, CatalogKind::gpus, "GPU")) {
    const GpuType& gpu = *draft.catalog.gpu(*name);
    spec.gpu = *name;
    spec.title = gpu.title;
    spec.rate = rate_of(draft, *name, spec.terms, gpu.cloud_rate);
  }
  if (const auto name = catalog_name(rent, "node", draft, CatalogKind::nodes, "node")) {
    const NodeType& node = *draft.catalog.node(*name);
    spec.node = *name;
    spec.title = node.title;
    spec.rate = rate_of(draft, node.gpu.name, spec.terms, node.cloud_rate);
  }
}

}  // namespace

void read_own_rate(Reader& section, Figure<Money>& figure, bool& own) {
  const auto rate = section.money("rate");
  const auto source = section.text("source");
  auto as_of = section.find("as_of");
  if (as_of && !is_date(as_of->raw()))
    as_of->error(fmt::format("'{}' is not a date", as_of->raw()), "write YYYY-MM or YYYY-MM-DD");
  const std::string& today = section.context().today;
  if (as_of && is_date(as_of->raw()) && as_of->raw() > today.substr(0, as_of->raw().size()) && !today.empty())
    as_of->error(fmt::format("'{}' lies in the future", as_of->raw()),
                 fmt::format("'as_of' is when the source said so; today is {}", today));
  if (rate) {
    own = true;
    figure = {};
    figure.value = figure.low = figure.high = *rate;
    figure.from.source = source.value_or("the scenario");
    figure.from.as_of = as_of ? as_of->raw() : "";
    return;
  }
  if (section.has("rate")) return;  // its value is at fault
  for (const std::string key : {"source", "as_of"})
    if (auto stray = section.find(key))
      stray->error_at_key(fmt::format("'{}' belongs to a 'rate', and there is none", key),
                          fmt::format("give {}.rate too, or leave it out", section.path()));
}

namespace {

void read_interruptions(Reader& rent, RentSpec& spec) {
  auto section = rent.find("interruptions");
  if (!section || !section->expect_map()) return;
  if (section->require("rate"))
    if (const auto rate = section->rate("rate")) spec.interruptions = *rate;
  if (section->require("lost"))
    if (const auto lost = section->duration("lost")) spec.lost = *lost;
  section->finish();
  if (spec.terms != RentTerms::spot)
    section->error_at_key(
        fmt::format("only spot GPUs are taken away, and these are {}", to_string(spec.terms)),
        "write terms: spot, or leave 'interruptions' out");
  if (spec.interruptions.count() * to_seconds(spec.lost) >= 1.0)
    section->error_at_key("interruptions lose more time than passes between them, so no work is ever done",
                          "a smaller 'rate' or 'lost'");
}

}  // namespace

const Words<RentTerms>& rent_words() {
  static const Words<RentTerms> words = {
      {"on-demand", RentTerms::on_demand}, {"reserved", RentTerms::reserved}, {"spot", RentTerms::spot}};
  return words;
}

void read_rent(Reader& economics, Draft& draft) {
  auto rent = economics.find("rent");
  if (!rent || !rent->expect_map()) return;
  RentSpec spec;
  if (const auto terms = rent->word("terms", rent_words())) spec.terms = *terms;
  read_rented(*rent, draft, spec);
  read_own_rate(*rent, spec.rate, spec.own_rate);
  if (const auto speed = rent->number("speed")) spec.speed = *speed;
  read_interruptions(*rent, spec);
  rent->finish();
  const bool gpu = rent->has("gpu"), node = rent->has("node");
  if (gpu && node) {
    rent->error_at_key("'rent' has both 'gpu' and 'node'", "keep one of them");
  } else if (!gpu && !node && !rent->has("rate")) {
    rent->error_at_key("'rent' says neither what is rented nor at which rate",
                       "write e.g. rent: {gpu: v100-sxm2-16} or rent: {rate: 2.14 USD}");
  } else if (!spec.title.empty() && spec.rate.value <= Money{}) {
    rent->error_at_key(fmt::format("the catalogue has no rate for {}", spec.title),
                       "give the price of a GPU-hour as 'rate'");
  }
  if (spec.title.empty()) spec.title = "rented GPU";
  draft.scenario.economics.rent = spec;
}

std::string rent_text(const RentSpec& rent) {
  std::string text = "  rent:\n";
  const auto line = [&](const char* key, const std::string& value) {
    text += fmt::format("    {}: {}\n", key, value);
  };
  if (!rent.gpu.empty()) line("gpu", yaml_word(rent.gpu));
  if (!rent.node.empty()) line("node", yaml_word(rent.node));
  if (rent.own_rate) {
    line("rate", to_text(rent.rate.value));
    line("source", yaml_word(rent.rate.from.source));
    if (!rent.rate.from.as_of.empty()) line("as_of", rent.rate.from.as_of);
  }
  line("terms", to_string(rent.terms));
  line("speed", fmt::format("{}", rent.speed));
  if (rent.interruptions > PerSecond{} || rent.lost > Duration{})
    line("interruptions",
         fmt::format("{{rate: {}, lost: {}}}", to_text(rent.interruptions), to_text(rent.lost)));
  return text;
}

}  // namespace fleetsim
