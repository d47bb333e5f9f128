#include "sim/advice/parting.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fleetsim {
namespace {

/// Shares are realised by whole nodes; half a per cent is below the money of one node of most fleets.
constexpr double kShareSlack = 0.005;

std::string percent(double low, double high) {
  const std::string a = fmt::format("{:.0f}", 100.0 * low), b = fmt::format("{:.0f}", 100.0 * high);
  return a == b ? a + " %" : fmt::format("{} to {} %", a, b);
}

/// Same cards, as many in a node.
bool same_hardware(const AdvisedPart& part, const SimulatedPool& pool) {
  return part.gpu.name == pool.gpu && (part.bare_card || part.machine.gpus == pool.gpus);
}

/// Places of the pools that are this part; empty when the fleets have no such pool.
std::vector<std::size_t> pools_of(const AdvisedPart& part, const SimulatedBest& best) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < best.pools.size(); ++i)
    if (same_hardware(part, best.pools[i])) all.push_back(i);
  return all;
}

double share_in(const std::vector<double>& fleet, const std::vector<std::size_t>& pools) {
  double sum = 0.0;
  for (const std::size_t i : pools) sum += i < fleet.size() ? fleet[i] : 0.0;
  return sum;
}

/// Whether one of these fleets keeps every range of the option that it can: parts without a pool are left
/// out.
bool some_follows(const AdviceOption& option, const SimulatedBest& best,
                  const std::vector<std::vector<double>>& fleets) {
  return std::any_of(fleets.begin(), fleets.end(), [&](const std::vector<double>& fleet) {
    return std::all_of(option.parts.begin(), option.parts.end(), [&](const AdvisedPart& part) {
      const auto pools = pools_of(part, best);
      const double share = share_in(fleet, pools);
      return pools.empty() ||
             (share <= part.share_high + kShareSlack && share >= part.share_low - kShareSlack);
    });
  });
}

std::string point_of(const AdvisedPart& part, const SimulatedBest& best) {
  const auto pools = pools_of(part, best);
  if (pools.empty())
    return fmt::format("{}: no pool of this scenario has them, so no simulated fleet could", part.short_name);
  double low = 1.0, high = 0.0;
  for (const auto& fleet : best.as_good) {
    low = std::min(low, share_in(fleet, pools));
    high = std::max(high, share_in(fleet, pools));
  }
  return fmt::format("{}: {} of the money by the text, {} in the best fleets", part.short_name,
                     percent(part.share_low, part.share_high), percent(low, high));
}

struct OptionAnswer {
  Agreement agreement = Agreement::untested;
  std::vector<std::string> points;
};

OptionAnswer compare_option(const AdviceOption& option, const SimulatedBest& best) {
  OptionAnswer answer;
  for (const AdvisedPart& part : option.parts) answer.points.push_back(point_of(part, best));
  const bool all_known = std::none_of(option.parts.begin(), option.parts.end(),
                                      [&](const AdvisedPart& part) { return pools_of(part, best).empty(); });
  const bool follows = some_follows(option, best, best.as_good);
  const bool may_follow = some_follows(option, best, best.undecided);
  if (!follows && !may_follow) {
    // Whatever the parts are that no pool has: the others part already.
    answer.agreement = Agreement::part;
  } else if (all_known) {
    answer.agreement = follows ? Agreement::agree : Agreement::undecided;
  }
  return answer;
}

Compared compare_verdict(const AdviceVerdict& verdict, const std::string& where, const SimulatedBest& best) {
  Compared c{verdict.text, fmt::format("{}", fmt::join(verdict.guide, ", ")), where, Agreement::untested, {}};
  std::vector<OptionAnswer> answers;
  for (const AdviceOption& option : verdict.options) answers.push_back(compare_option(option, best));
  const auto closest = [&](Agreement wanted) {
    return std::find_if(answers.begin(), answers.end(),
                        [&](const OptionAnswer& a) { return a.agreement == wanted; });
  };
  for (const Agreement wanted :
       {Agreement::agree, Agreement::undecided, Agreement::part, Agreement::untested}) {
    const auto at = closest(wanted);
    if (at == answers.end()) continue;
    c.agreement = wanted;
    c.points = at->points;
    break;
  }
  return c;
}

/// Everything that the text says of this purchase: by the size of the scenario's fleet, of the best fleet
/// where another verdict holds there, and by the buyer at any size.
std::vector<Compared> all_compared(const AdviceTree& tree, const Advice& advice, const SimulatedBest& best) {
  std::vector<Compared> all;
  std::vector<std::string> rules;
  const auto add = [&](const AdviceVerdict& v, const std::string& where) {
    if (std::find(rules.begin(), rules.end(), v.rule) != rules.end()) return;
    rules.push_back(v.rule);
    all.push_back(compare_verdict(v, where, best));
  };
  const auto said_by = [&](const AdviceVerdict& v, const AdviceSegment& s) {
    return s.verdicts.size() > 1 ? fmt::format(", so its {}", fmt::join(v.parts, " and ")) : std::string{};
  };
  for (const AdviceVerdict& v : advice.own.verdicts)
    add(v, fmt::format("at {} GPUs, the size of the scenario's own fleet{}", advice.own.first,
                       said_by(v, advice.own)));
  for (const AdviceSegment& s : advice.segments) {
    if (best.gpus < s.first || best.gpus > s.last) continue;
    for (const AdviceVerdict& v : s.verdicts)
      add(v, fmt::format("at {} GPUs, the size of the best fleet{}", best.gpus, said_by(v, s)));
  }
  for (const AdviceRule& rule : tree.rules) {
    const auto& buyers = rule.when.buyers;
    const bool asked =
        buyers.empty() || std::find(buyers.begin(), buyers.end(), advice.facts.buyer.value) != buyers.end();
    if (rule.step != AdviceStep::use || rule.verdict.empty() || !asked) continue;
    AdviceVerdict v;
    v.rule = rule.name;
    v.text = rule.verdict;
    v.guide = rule.guide;
    v.options = rule.options;
    add(v, fmt::format("for a {} of any size", advice.facts.buyer.value));
  }
  return all;
}

std::vector<std::string> reasons(const Advice& advice, const SimulatedBest& best,
                                 const std::vector<ClassWorkPrices>& prices) {
  std::vector<std::string> why;
  if (!best.scale_pool.empty() && best.first_order_share > 0.0)
    why.push_back(fmt::format(
        "Demand: the work for pool {} takes {:.0f} % of the demand's money; to first order the best share "
        "follows that number, whatever the rule.",
        best.scale_pool, 100.0 * best.first_order_share));
  for (const MemoryAnswer& m : advice.memory) {
    if (m.too_small.empty()) continue;
    why.push_back(fmt::format("Memory: class {} needs {:.0f} GB on each GPU; {} {} it{}.", m.job_class,
                              static_cast<double>(m.need.count()) / 1e9, fmt::join(m.too_small, " and "),
                              m.too_small.size() == 1 ? "does not hold" : "do not hold",
                              m.held_by.empty() ? ", and nothing else that the text names does"
                                                : fmt::format(", {} does", fmt::join(m.held_by, " or "))));
  }
  for (const ClassWorkPrices& c : prices) {
    std::vector<std::string> dear;
    std::string cheapest;
    for (const WorkPrice& row : c.rows) {
      if (row.per_work <= 0.0) continue;
      if (row.per_work < 1.0 + 1e-9 && cheapest.empty()) {
        cheapest = row.short_name;
      } else {
        dear.push_back(fmt::format("{:.1f} times as much on {}", row.per_work, row.short_name));
      }
    }
    if (cheapest.empty() || dear.empty()) continue;
    why.push_back(fmt::format("Price: the work of class {} is cheapest on {}; it costs {}.", c.job_class,
                              cheapest, fmt::join(dear, ", ")));
  }
  return why;
}

std::string sentence_of(const Parting& p, const SimulatedBest& best) {
  switch (p.agreement) {
    case Agreement::agree:
      return fmt::format("They agree: {} is among what the text advises.", best.label);
    case Agreement::part:
      return fmt::format("They part: {} is not what the text advises.", best.label);
    case Agreement::untested:
      return "Not compared: the simulated fleets have none of the hardware that the text names.";
    case Agreement::undecided:
      if (best.label.empty()) return "Not compared: the study ranks no fleet by its time to a result.";
      return best.replications < 2
                 ? "Not compared: one replication does not tell which fleet is best."
                 : fmt::format(
                       "Undecided: {} is best and not what the text advises, but a fleet that is may be "
                       "as good; more replications tell.",
                       best.label);
    case Agreement::no_simulation:
      break;
  }
  return "No simulation was given.";
}

}  // namespace

const char* to_string(Agreement agreement) {
  switch (agreement) {
    case Agreement::no_simulation:
      return "no-simulation";
    case Agreement::agree:
      return "agree";
    case Agreement::part:
      return "part";
    case Agreement::untested:
      return "untested";
    case Agreement::undecided:
      return "undecided";
  }
  return "";
}

Parting compare(const AdviceTree& tree, const Advice& advice, const SimulatedBest& best,
                const std::vector<ClassWorkPrices>& prices) {
  Parting p;
  if (best.label.empty() || best.replications < 2) {
    p.agreement = Agreement::undecided;
    p.sentence = sentence_of(p, best);
    return p;
  }
  p.compared = all_compared(tree, advice, best);
  p.agreement = Agreement::untested;
  for (const Agreement wanted : {Agreement::part, Agreement::undecided, Agreement::agree}) {
    if (std::any_of(p.compared.begin(), p.compared.end(),
                    [&](const Compared& c) { return c.agreement == wanted; }))
      p.agreement = wanted;
  }
  p.sentence = sentence_of(p, best);
  p.why = reasons(advice, best, prices);
  return p;
}

}  // namespace fleetsim
