#include "sim/study/least_fleet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/economics/economics.hpp"
#include "sim/study/judge_keeping.hpp"
#include "sim/study/objectives/objective.hpp"
#include "sim/study/study.hpp"

namespace fleetsim {

namespace {

/// Whether b is a with one node less in one pool.
bool one_node_less(const CandidateResult& a, const CandidateResult& b) {
  if (a.counts.size() != b.counts.size()) return false;
  int less = 0;
  for (std::size_t p = 0; p < a.counts.size(); ++p) {
    if (b.counts[p] > a.counts[p]) return false;
    less += a.counts[p] - b.counts[p];
  }
  return less == 1;
}

PricedFleet priced(const CandidateResult& c, LimitsJudgement judged) {
  return {c.label, c.capex, std::move(judged)};
}

LeastFleet least_of_rule(const Scenario& base, const StudyResult& study, SharingRule rule) {
  std::vector<const CandidateResult*> all;
  for (const CandidateResult& c : study.candidates)
    if (c.sharing == rule) all.push_back(&c);
  std::stable_sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->capex < b->capex; });
  LeastFleet least;
  least.sharing = rule;
  least.fleets = static_cast<int>(all.size());
  const double half = (1.0 - least.confidence) / 2.0;
  const LimitErrors errors{half / static_cast<double>(all.size()), half};
  const CandidateResult *mean = nullptr, *high = nullptr;
  bool leading = true;  // so far every fleet is surely broken
  std::vector<LimitsJudgement> judged;
  for (const CandidateResult* c : all) {
    judged.push_back(judge_of_study(base, base.study.constraints, study, *c, errors));
    const LimitsJudgement& j = judged.back();
    if (mean == nullptr && c->feasible) {
      mean = c;
      least.by_mean = priced(*c, j);
    }
    if (leading && j.keeps != Keeps::broken) {
      leading = false;
      least.low = priced(*c, j);
    }
    if (high != nullptr) continue;
    least.open += j.keeps == Keeps::open ? 1 : 0;
    if (j.keeps != Keeps::surely) continue;
    high = c;
    least.high = priced(*c, j);
  }
  const CandidateResult* of = mean != nullptr ? mean : high;
  for (std::size_t i = 0; of != nullptr && i < all.size(); ++i)
    if (one_node_less(*of, *all[i])) least.smaller.push_back(priced(*all[i], judged[i]));
  return least;
}

std::string named(const PricedFleet& fleet) {
  return fmt::format("{} ({})", fleet.fleet, money_text(fleet.price));
}

std::string smaller_text(const LeastFleet& least) {
  std::string text;
  for (const PricedFleet& s : least.smaller)
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", named(s),
                        s.judged.keeps == Keeps::surely   ? std::string("keeps them")
                        : s.judged.keeps == Keeps::broken ? s.judged.reason
                                                          : "is open: " + s.judged.reason);
  return text;
}

}  // namespace

std::vector<LeastFleet> least_fleets(const Scenario& base, const StudyResult& study) {
  std::vector<LeastFleet> all;
  if (!objective_named(study.objective).money) return all;
  for (const SharingRule rule : rules_of_study(study)) all.push_back(least_of_rule(base, study, rule));
  return all;
}

std::string least_fleet_text(const LeastFleet& least) {
  const int sure = static_cast<int>(100.0 * least.confidence + 0.5);
  const std::string sharing = to_string(least.sharing);
  if (least.low.fleet.empty())
    return fmt::format(
        "With {} sharing none of {} fleets carries this demand within its limits: each surely "
        "breaks one ({} %).",
        sharing, least.fleets, sure);
  std::string text;
  const bool decided = least.low.fleet == least.high.fleet;
  if (least.by_mean.fleet.empty()) {
    text =
        fmt::format("With {} sharing no fleet carries this demand within its limits by its means.", sharing);
  } else {
    text =
        fmt::format("With {} sharing the least fleet that carries this demand within its limits is {}{}.",
                    sharing, named(least.by_mean),
                    decided && least.low.fleet == least.by_mean.fleet ? fmt::format(", surely ({} %)", sure)
                                                                      : ", by its means");
  }
  if (!decided || least.low.fleet != least.by_mean.fleet) {
    if (least.high.fleet.empty())
      text +=
          fmt::format(" Undecided: no fleet surely keeps them, and the cheapest of {} that may is {} ({} %).",
                      least.open, named(least.low), sure);
    else
      text += fmt::format(" Surely ({} %) it costs from {} to {}; {} cheaper than that {} open.", sure,
                          named(least.low), named(least.high), least.open, least.open == 1 ? "is" : "are");
  }
  if (!least.smaller.empty()) text += fmt::format(" One node less: {}.", smaller_text(least));
  return text;
}

}  // namespace fleetsim
