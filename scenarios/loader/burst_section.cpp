// scheduler.burst: what is rented for jobs that have waited too long, at which rate, and who may go.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scenarios/loader/sections.hpp"
#include "sim/base/units.hpp"
#include "sim/economics/economics.hpp"
#include "sim/simulate.hpp"

namespace fleetsim {

namespace {

/// The catalogue's rate for these terms. A rate of unknown terms, as nodes and cards carry it, is one on
/// demand. value 0: there is none.
Figure<Money> catalogue_rate(const Catalog& catalog, const NodeType& node, RentTerms terms) {
  for (const CloudRate& one : catalog.cloud_rates())
    if (one.gpu == node.gpu.name && one.terms == terms) return one.rate;
  if (terms != RentTerms::on_demand) return {};
  return node.cloud_rate.value > Money{} ? node.cloud_rate : node.gpu.cloud_rate;
}

void read_node(Reader& section, const Draft& draft, BurstSpec& spec) {
  if (!section.require("node")) return;
  const auto name = catalog_name(section, "node", draft, CatalogKind::nodes, "node");
  if (!name) return;
  spec.node = *draft.catalog.node(*name);
  spec.rate = catalogue_rate(draft.catalog, spec.node, spec.terms);
}

void check_rate(Reader& section, const Draft& draft, const BurstSpec& spec) {
  if (spec.node.name.empty() || spec.rate.value > Money{} || section.has("rate")) return;
  std::vector<std::string> known;
  for (const RentTerms terms : {RentTerms::on_demand, RentTerms::spot})
    if (const auto rate = catalogue_rate(draft.catalog, spec.node, terms); rate.value > Money{})
      known.push_back(fmt::format("{} {}", to_string(terms), money_text(rate.value)));
  section.find("node")->error(
      fmt::format("the catalogue has no {} rate of a {} of {}", to_string(spec.terms),
                  accelerator_word(spec.node.gpu), spec.node.title),
      fmt::format("give the price of a {}-hour as 'rate'{}", accelerator_word(spec.node.gpu),
                  known.empty() ? "" : fmt::format("; it has: {}", fmt::join(known, ", "))));
}

void read_interruptions(Reader& section, BurstSpec& spec) {
  auto interruptions = section.find("interruptions");
  if (interruptions && interruptions->expect_map()) {
    if (interruptions->require("rate"))
      if (const auto rate = interruptions->rate("rate")) spec.interruptions = *rate;
    if (const auto source = interruptions->text("source")) spec.interruptions_source = *source;
    interruptions->finish();
  }
  if (spec.terms == RentTerms::spot && !section.has("interruptions"))
    section.error_at_key("spot GPUs are taken away, and 'interruptions' does not say how often",
                         "e.g. interruptions: {rate: 0.5 /day, source: own log of 2025}, for each GPU");
  if (spec.terms != RentTerms::spot && interruptions)
    interruptions->error_at_key(
        fmt::format("only spot GPUs are taken away, and these are {}", to_string(spec.terms)),
        "write terms: spot, or leave 'interruptions' out");
}

void read_classes(Reader& section, const Draft& draft, BurstSpec& spec) {
  auto list = section.find("classes");
  if (!list) return;
  if (list->is_sequence() && list->items().empty())
    list->error("no class may go, so nothing is ever rented", "leave 'classes' out, or leave 'burst' out");
  for (const Reader& item : list->one_or_many()) {
    if (draft.classes.empty()) {
      item.error("there are no classes; recorded jobs may go where 'classes' is left out");
      continue;
    }
    const auto i = item.choose(draft.classes, "class");
    if (!i) continue;
    const auto id = static_cast<std::uint16_t>(*i);
    if (std::find(spec.classes.begin(), spec.classes.end(), id) != spec.classes.end())
      item.error(fmt::format("class '{}' is listed twice", item.raw()));
    spec.classes.push_back(id);
  }
  std::sort(spec.classes.begin(), spec.classes.end());
}

/// A class none of whose sizes can run on the rented node: a fault where it is named, and where it is the
/// only kind of job.
void check_somebody_goes(Reader& section, const Scenario& scenario) {
  const auto& classes = scenario.workload.classes;
  std::string reason;
  bool somebody = scenario.workload.trace != nullptr;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    std::string first;
    bool goes = false;
    for (const SizeShare& size : classes[c].gpus) {
      const std::string why = burst_obstacle(scenario, {ClassId{static_cast<std::uint16_t>(c)}, size.gpus});
      goes = goes || why.empty();
      if (first.empty()) first = why;
    }
    somebody = somebody || goes;
    if (goes) continue;
    if (reason.empty()) reason = fmt::format("{}: {}", classes[c].name, first);
    const auto& named = scenario.scheduler.burst->classes;
    if (std::find(named.begin(), named.end(), c) != named.end()) {
      section.find("classes")->error(
          fmt::format("no job of class '{}' can run on the rented node: {}", classes[c].name, first),
          "another node, or leave the class out");
      return;
    }
  }
  if (!somebody && !classes.empty())
    section.find("node")->error(fmt::format("no job can run on the rented node ({})", reason),
                                "another node, or leave 'burst' out");
}

void warn_without_checkpoints(Reader& section, const Scenario& scenario) {
  const auto& failures = scenario.availability.failures;
  const bool checkpoints = failures && failures->checkpoint_interval > Duration{};
  const BurstSpec& spec = *scenario.scheduler.burst;
  if (spec.terms != RentTerms::spot || checkpoints || !(spec.interruptions > PerSecond{})) return;
  const auto terms = section.find("terms");
  section.context().diagnostics.warning(
      terms->key_position(), terms->path(),
      "spot GPUs are taken away and no checkpoint is written: an interrupted job starts again from zero, and "
      "its GPUs are paid for all the same",
      "e.g. failures: {checkpoint_interval: 1 h, checkpoint_cost: 1 min}");
}

}  // namespace

const Words<bool>& billing_words() {
  static const Words<bool> words = {{"per-gpu", false}, {"whole-nodes", true}};
  return words;
}

void read_burst(Draft& draft) {
  auto& section = draft.burst;
  if (!section || !section->expect_map()) return;
  BurstSpec spec;
  if (section->require("above_wait"))
    if (const auto wait = section->duration("above_wait")) spec.above_wait = *wait;
  if (const auto terms = section->word("terms", rent_words())) spec.terms = *terms;
  if (spec.terms == RentTerms::reserved)
    section->find("terms")->error(
        "reserved GPUs are paid whether used or not, so they are no place for jobs that overflow now and "
        "then",
        "rent them as a pool of the fleet, fleet: {cloud: {node: aws-p4d}}, or write terms: on-demand");
  read_node(*section, draft, spec);
  read_own_rate(*section, spec.rate, spec.own_rate);
  if (spec.terms != RentTerms::reserved) check_rate(*section, draft, spec);
  if (const auto whole = section->word("billing", billing_words())) spec.whole_nodes = *whole;
  read_interruptions(*section, spec);
  read_classes(*section, draft, spec);
  section->finish();
  draft.scenario.scheduler.burst = spec;
  if (section->context().diagnostics.has_errors() || spec.node.name.empty()) return;
  check_somebody_goes(*section, draft.scenario);
  warn_without_checkpoints(*section, draft.scenario);
}

std::string burst_text(const Scenario& scenario) {
  if (!scenario.scheduler.burst) return {};
  const BurstSpec& burst = *scenario.scheduler.burst;
  std::string text = "  burst:\n";
  const auto line = [&](const char* key, const std::string& value) {
    text += fmt::format("    {}: {}\n", key, value);
  };
  line("above_wait", to_text(burst.above_wait));
  line("node", yaml_word(burst.node.name));
  line("terms", to_string(burst.terms));
  if (burst.own_rate) {
    line("rate", to_text(burst.rate.value));
    line("source", yaml_word(burst.rate.from.source));
    if (!burst.rate.from.as_of.empty()) line("as_of", burst.rate.from.as_of);
  }
  line("billing", word_of(billing_words(), burst.whole_nodes));
  if (burst.terms == RentTerms::spot)
    line("interruptions",
         fmt::format(
             "{{rate: {}{}}}", to_text(burst.interruptions),
             burst.interruptions_source.empty() ? "" : ", source: " + yaml_word(burst.interruptions_source)));
  if (burst.classes.empty()) return text;
  std::vector<std::string> names;
  for (const std::uint16_t id : burst.classes) names.push_back(yaml_word(scenario.workload.classes[id].name));
  line("classes", fmt::format("[{}]", fmt::join(names, ", ")));
  return text;
}

}  // namespace fleetsim
