#include "sim/advice/advise.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace fleetsim {
namespace {

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool fits(const std::optional<bool>& wanted, bool is) {
  return !wanted || *wanted == is;
}

bool holds_beside_size(const AdviceCondition& when, const AdviceFacts& facts) {
  return (when.buyers.empty() || contains(when.buyers, facts.buyer.value)) &&
         fits(when.cooling_solved, facts.cooling_solved.value) &&
         fits(when.geforce_barred, facts.geforce_barred.value) &&
         fits(when.model_parallel, facts.model_parallel.value);
}

/// The band by which a rule holds at this size for one part of the text (empty: any part); null: by none.
const SizeBand* band_of(const AdviceTree& tree, const AdviceRule& rule, const std::string& part, int gpus) {
  for (const std::string& name : rule.when.bands) {
    const SizeBand* band = tree.band(name);
    if (band != nullptr && band->holds(gpus) && (part.empty() || band->part.empty() || band->part == part))
      return band;
  }
  return nullptr;
}

bool holds(const AdviceTree& tree, const AdviceRule& rule, const AdviceFacts& facts, const std::string& part,
           int gpus) {
  return holds_beside_size(rule.when, facts) &&
         (rule.when.bands.empty() || band_of(tree, rule, part, gpus) != nullptr);
}

AdviceVerdict verdict_of(const AdviceTree& tree, const AdviceRule& rule, const std::string& part, int gpus) {
  AdviceVerdict v;
  v.parts = {part};
  v.rule = rule.name;
  v.text = rule.verdict;
  v.guide = rule.guide;
  v.options = rule.options;
  if (const SizeBand* band = band_of(tree, rule, part, gpus)) {
    v.band = band->name;
    v.as_written = band->as_written;
    v.stretched = !band->is_written_for(gpus) && !band->set_by_scenario;
  }
  return v;
}

/// What this part of the text says: the first verdict for hardware, else the one for the use.
std::optional<AdviceVerdict> decide(const AdviceTree& tree, const AdviceFacts& facts, const std::string& part,
                                    int gpus) {
  for (const AdviceStep step : {AdviceStep::hardware, AdviceStep::use}) {
    for (const AdviceRule& rule : tree.rules) {
      if (rule.step == step && !rule.verdict.empty() && holds(tree, rule, facts, part, gpus))
        return verdict_of(tree, rule, part, gpus);
    }
  }
  return std::nullopt;
}

std::vector<AdviceVerdict> verdicts_at(const AdviceTree& tree, const AdviceFacts& facts, int gpus) {
  std::vector<AdviceVerdict> all;
  for (const std::string& part : tree.parts) {
    const auto v = decide(tree, facts, part, gpus);
    if (!v) continue;
    const auto same = std::find_if(all.begin(), all.end(),
                                   [&](const AdviceVerdict& other) { return other.rule == v->rule; });
    if (same == all.end()) {
      all.push_back(*v);
    } else {
      same->parts.push_back(part);
      same->stretched = same->stretched && v->stretched;
    }
  }
  return all;
}

bool same_verdicts(const std::vector<AdviceVerdict>& a, const std::vector<AdviceVerdict>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.rule == y.rule && x.parts == y.parts && x.stretched == y.stretched;
  });
}

/// Sizes at which something may change: every edge of a band within (least, most].
std::vector<int> edges_within(const AdviceTree& tree, int least, int most) {
  std::set<int> edges = {least};
  for (const SizeBand& band : tree.bands) {
    for (const std::optional<int>& edge :
         {std::optional<int>(band.from), band.below, band.written_from, band.written_below}) {
      if (edge && *edge > least && *edge <= most) edges.insert(*edge);
    }
  }
  return {edges.begin(), edges.end()};
}

std::vector<AdviceSegment> segments_of(const AdviceTree& tree, const AdviceFacts& facts) {
  std::vector<AdviceSegment> all;
  const std::vector<int> edges = edges_within(tree, facts.gpus_least, facts.gpus_most);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    AdviceSegment s{edges[i], i + 1 < edges.size() ? edges[i + 1] - 1 : facts.gpus_most,
                    verdicts_at(tree, facts, edges[i])};
    if (!all.empty() && same_verdicts(all.back().verdicts, s.verdicts)) {
      all.back().last = s.last;
    } else {
      all.push_back(std::move(s));
    }
  }
  return all;
}

std::vector<MemoryAnswer> memory_answers(const AdviceFacts& facts, const AdviceSegment& own) {
  std::vector<MemoryAnswer> all;
  for (const MemoryNeed& need : facts.memory) {
    MemoryAnswer answer{need.job_class, need.each_gpu, {}, {}};
    for (const AdviceVerdict& v : own.verdicts) {
      for (const AdviceOption& option : v.options) {
        for (const AdvisedPart& part : option.parts) {
          auto& list = part.gpu.memory.value >= need.each_gpu ? answer.held_by : answer.too_small;
          if (!contains(list, part.short_name)) list.push_back(part.short_name);
        }
      }
    }
    all.push_back(std::move(answer));
  }
  return all;
}

/// Rules for memory that no card of the text's own verdict keeps.
void add_memory_faults(const AdviceTree& tree, const AdviceFacts& facts, const AdviceSegment& own,
                       std::vector<std::string>& said) {
  Bytes most{};
  for (const AdviceVerdict& v : own.verdicts)
    for (const AdviceOption& option : v.options)
      for (const AdvisedPart& part : option.parts) most = std::max(most, part.gpu.memory.value);
  if (most == Bytes{}) return;
  for (const AdviceRule& rule : tree.rules) {
    if (!rule.memory || *rule.memory <= most || !holds(tree, rule, facts, "", facts.gpus.value)) continue;
    said.push_back(fmt::format(
        "The text asks for {:.0f} GB here ({}), and the largest card of its own verdict has {:.0f} GB.",
        static_cast<double>(rule.memory->count()) / 1e9, fmt::join(rule.guide, ", "),
        static_cast<double>(most.count()) / 1e9));
  }
}

/// Where the text leaves a gap, overlaps itself or says two things at the size at hand.
std::vector<std::string> contradictions_at(const AdviceTree& tree, const AdviceFacts& facts,
                                           const AdviceSegment& own) {
  std::vector<std::string> said;
  const int gpus = facts.gpus.value;
  if (own.verdicts.size() > 1) {
    std::vector<std::string> each;
    for (const AdviceVerdict& v : own.verdicts)
      each.push_back(fmt::format("its {} says {}{}", fmt::join(v.parts, " and "), v.text,
                                 v.as_written.empty() ? "" : fmt::format(" ({})", v.as_written)));
    said.push_back(fmt::format("At {} GPUs the text contradicts itself: {}.", gpus, fmt::join(each, "; ")));
  }
  for (const AdviceVerdict& v : own.verdicts) {
    if (!v.stretched) continue;
    const SizeBand* band = tree.band(v.band);
    said.push_back(fmt::format(
        "At {} GPUs the text's {} leaves a gap: it names {} and then nothing up to {}; its advice "
        "for {} is taken to hold until there.",
        gpus, fmt::join(v.parts, " and "), v.as_written,
        band != nullptr && band->below ? fmt::format("{}", *band->below) : "any size", v.as_written));
  }
  // A rule for larger clusters comes first and hides others that hold as well.
  for (const AdviceVerdict& v : own.verdicts) {
    for (const AdviceRule& rule : tree.rules) {
      if (rule.step != AdviceStep::hardware || rule.verdict.empty() || rule.name == v.rule) continue;
      const SizeBand* band = band_of(tree, rule, v.parts.front(), gpus);
      if (band == nullptr || band->name == v.band || !holds(tree, rule, facts, v.parts.front(), gpus))
        continue;
      said.push_back(
          fmt::format("At {} GPUs bands overlap: {} also calls for {}; the larger band goes first.", gpus,
                      band->as_written, rule.verdict));
    }
  }
  for (const AdviceRule& rule : tree.rules) {
    if (rule.step != AdviceStep::use || rule.verdict.empty() || own.verdicts.empty() ||
        !holds(tree, rule, facts, "", gpus))
      continue;
    const AdviceVerdict& v = own.verdicts.front();
    if (v.rule == rule.name || v.band.empty()) continue;
    const bool same = std::any_of(v.guide.begin(), v.guide.end(),
                                  [&](const std::string& id) { return contains(rule.guide, id); });
    if (!same)
      said.push_back(fmt::format("For a {} the text also says, at any size: {} ({}). The size decides here.",
                                 facts.buyer.value, rule.verdict, fmt::join(rule.guide, ", ")));
  }
  add_memory_faults(tree, facts, own, said);
  return said;
}

}  // namespace

std::string band_text(const SizeBand& band) {
  if (!band.below) return fmt::format("from {} GPUs on", band.from);
  if (band.from == 0) return fmt::format("under {} GPUs", *band.below);
  if (*band.below == band.from + 1) return fmt::format("{} GPUs", band.from);
  return fmt::format("{} to {} GPUs", band.from, *band.below - 1);
}

AdviceTree with_bands(AdviceTree tree, const std::vector<BandEdges>& edges) {
  for (const BandEdges& e : edges) {
    for (SizeBand& band : tree.bands) {
      if (band.name != e.band) continue;
      if (e.from) band.from = *e.from;
      if (e.below) band.below = *e.below;
      band.set_by_scenario = true;
      band.as_written = band_text(band) + ", as the scenario sets it";
    }
  }
  return tree;
}

Advice advise(const AdviceTree& tree, const AdviceFacts& facts) {
  Advice a{tree.name, tree.title, tree.from.source, tree.from.as_of, facts, {}, {}, {}, {}, {}};
  const int gpus = facts.gpus.value;
  for (const AdviceStep step :
       {AdviceStep::use, AdviceStep::memory, AdviceStep::hardware, AdviceStep::checks}) {
    for (const AdviceRule& rule : tree.rules) {
      if (rule.step == step && holds(tree, rule, facts, "", gpus))
        a.steps.push_back({step, rule.name, rule.says, rule.guide});
    }
  }
  a.segments = segments_of(tree, facts);
  a.own = {gpus, gpus, verdicts_at(tree, facts, gpus)};
  // Of the hardware rules only those that decided: the others follow from the same questions.
  std::erase_if(a.steps, [&](const AdviceTaken& taken) {
    return taken.step == AdviceStep::hardware &&
           std::none_of(a.own.verdicts.begin(), a.own.verdicts.end(),
                        [&](const AdviceVerdict& v) { return v.rule == taken.rule; });
  });
  a.memory = memory_answers(facts, a.own);
  a.contradictions = contradictions_at(tree, facts, a.own);
  return a;
}

}  // namespace fleetsim
