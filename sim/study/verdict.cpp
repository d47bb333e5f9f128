#include "sim/study/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/study/candidate_list.hpp"
#include "sim/study/objectives/objective.hpp"
#include "sim/study/statistics.hpp"

namespace fleetsim {

namespace {

constexpr double kBandError = 0.04;  ///< of all comparisons together

/// The figure that fleets are ranked by; n = 0: none.
Summary figure_of(const StudyResult& study, const CandidateResult& candidate, double k) {
  return objective_named(study.objective).value(candidate, k);
}

/// Its mean, so that less is better; `otherwise` where it has none.
double score_of(const StudyResult& study, const CandidateResult& candidate, double k, double otherwise) {
  const Summary figure = figure_of(study, candidate, k);
  if (figure.n == 0 && candidate.objective.empty()) return otherwise;
  return objective_named(study.objective).larger_is_better ? -figure.mean : figure.mean;
}

std::string percent_range(double low, double high) {
  const std::string a = fmt::format("{:.0f}", 100.0 * low), b = fmt::format("{:.0f}", 100.0 * high);
  return a == b ? a + " %" : a + "-" + b + " %";
}

std::string named(const CandidateResult& c) {
  return fmt::format("{} ({:.0f} %)", c.label, 100.0 * c.share);
}

/// The rule splits money between two pools; of any other number it says nothing.
bool speaks_of(const StudyResult& study) {
  return study.bought_pools() == 2;
}

const char* status_in_words(const std::string& status) {
  return status == "holds"     ? "the rule holds"
         : status == "refuted" ? "the rule is refuted"
                               : "the rule is undecided";
}

/// "load 0.52"; of a closed loop what it would be if nobody waited.
std::string load_in_words(const OfferedLoad& demand) {
  return demand.closed_loop
             ? fmt::format("a load of at most {:.2f} (closed loop: were nobody to wait)", demand.load)
             : fmt::format("load {:.2f}", demand.load);
}

/// What the fleets in the band lose, for the scenario's own rule and k.
std::string in_band_in_words(const Scenario& base, const StudyResult& study, const BestSet& set,
                             const RuleJudgement& own) {
  const bool refused = std::any_of(study.rejected.begin(), study.rejected.end(), [&](const RejectedFleet& r) {
    return r.share >= study.band_low && r.share <= study.band_high;
  });
  if (own.band_empty && refused) return "the room or the rules refuse every fleet in the band of 20-34 %";
  if (own.band_empty) {
    return base.study.candidates == CandidateRule::as_given
               ? "the fleet is outside the band of 20-34 %"
               : "no fleet under this budget lies in the band of 20-34 %";
  }
  if (own.in_band < 0)
    return fmt::format("every fleet in the band of 20-34 % breaks a constraint{}",
                       own.open.empty() ? "" : " by its mean, not all of them surely");
  if (own.all_in_band) return "no fleet outside the band of 20-34 % was compared with it";
  const std::string fleet = named(studied_candidate(study, own.in_band));
  if (own.in_band == set.best) return fmt::format("{} in the band is the best fleet itself", fleet);
  std::string text =
      fmt::format("{}, the best fleet in the band, {}", fleet,
                  worse_text(objective_named(study.objective), fmt::format("{:.1f} %", own.loss.percent)));
  if (std::isfinite(own.loss.low) && std::isfinite(own.loss.high))
    text += fmt::format(" (95 %: {:.1f} to {:.1f} %)", own.loss.low, own.loss.high);
  else
    text += " (one replication: no interval)";
  if (names_candidate(set.members, own.in_band)) text += ", practically the same";
  if (names_candidate(set.undecided, own.in_band)) text += ", an interval too wide to decide";
  return text;
}

/// "13+3, 11+4 and 2 more"
std::string open_in_words(const StudyResult& study, const RuleJudgement& own) {
  constexpr std::size_t kNamed = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, own.open.size()); ++i)
    text += (i == 0 ? "" : ", ") + studied_candidate(study, own.open[i]).label;
  if (own.open.size() > kNamed) text += fmt::format(" and {} more", own.open.size() - kNamed);
  return text;
}

std::string simulated(const Scenario& base, const StudyResult& study, const BestSet& set,
                      const RuleJudgement& own) {
  const Objective& objective = objective_named(study.objective);
  const std::string setting = fmt::format(
      "Simulated at {} with {} sharing and {} ({}{} replication{})", load_in_words(study.demand),
      to_string(set.sharing),
      objective.of_k ? fmt::format("k = {:g}", set.k) : fmt::format("ranked by {}", objective.ranked),
      study.rounds ? "by rounds, up to " : "", study.replications, study.replications == 1 ? "" : "s");
  if (set.best < 0) {
    const Recommendation most = recommend(base, study);
    std::string text =
        setting + ", no fleet keeps all constraints, so none is ranked" + (objective.of_k ? " on time" : "");
    if (most.candidate >= 0) {
      const double results = studied_candidate(study, most.candidate).results_per_week;
      text += results > 0.0 ? fmt::format("; {} delivers most results a week ({})",
                                          named(studied_candidate(study, most.candidate)),
                                          results < 0.005 ? fmt::format("{:.1g}", results)
                                                          : fmt::format("{:.2f}", results))
                            : std::string(", and none delivers a result");
    }
    return text + ".";
  }
  const CandidateResult& best = studied_candidate(study, set.best);
  const Summary figure = figure_of(study, best, set.k);
  std::string text = setting + (speaks_of(study) ? fmt::format(", {} here:", status_in_words(own.status))
                                                 : std::string(","));
  text += fmt::format(" {} of node money on {} is best", percent_range(own.share_low, own.share_high),
                      study.scale_pool);
  if (figure.n > 0) text += fmt::format(" ({}: {})", best.label, objective.in_words(figure));
  if (speaks_of(study)) text += ", and " + in_band_in_words(base, study, set, own);
  if (!set.undecided.empty())
    text += fmt::format("; {} {} undecided", set.undecided.size(),
                        set.undecided.size() == 1 ? "fleet is" : "fleets are");
  if (speaks_of(study) && !own.open.empty())
    text += "; the rule is kept open by " + open_in_words(study, own);
  return text + ".";
}

std::string other_rules(const StudyResult& study, const BestSet& own) {
  std::string text;
  for (const BestSet& set : study.best_sets) {
    if (set.k != own.k || set.sharing == own.sharing) continue;
    text += text.empty() ? "With " : "; with ";
    if (set.best < 0) {
      text += fmt::format("{} no fleet is feasible", to_string(set.sharing));
      continue;
    }
    const RuleJudgement other = judge_rule(study, set);
    if (!speaks_of(study)) {
      text += fmt::format("{} {} is best", to_string(set.sharing), named(studied_candidate(study, set.best)));
      continue;
    }
    text += fmt::format("{} {} (best {}: {}", to_string(set.sharing), status_in_words(other.status),
                        percent_range(other.share_low, other.share_high),
                        studied_candidate(study, set.best).label);
    if (other.in_band >= 0 && other.in_band != set.best)
      text += fmt::format(", in the band {} {:+.1f} %", studied_candidate(study, other.in_band).label,
                          other.loss.percent);
    text += ")";
  }
  return text.empty() ? text : " " + text + ".";
}

/// Fleets that were not simulated; empty without any.
std::string refused_in_words(const StudyResult& study) {
  if (study.rejected.empty()) return {};
  const RejectedFleet& first = study.rejected.front();
  return fmt::format(" The room or the rules refuse {} fleet{} before any simulation ({}: {}{}).",
                     study.rejected.size(), study.rejected.size() == 1 ? "" : "s", first.label, first.reason,
                     study.rejected.size() == 1 ? "" : "; and others");
}

}  // namespace

std::string first_order_sentence(const StudyResult& study) {
  if (study.demand.closed_loop)
    return fmt::format(
        "A closed loop has no fixed demand, so that s, and with it the first-order line (share of node money "
        "= s), speaks of a lab in which nobody waits: s = {:.0f} %, the band is {:.0f} to {:.0f} %.",
        100.0 * study.demand.s, 100.0 * study.s_low, 100.0 * study.s_high);
  return fmt::format(
      "By the first-order line (share of node money = s; the range of s is not yet simulated) 66-80 / 20-33 "
      "holds "
      "while scale-up is between {:.0f} and {:.0f} % of the demand's money (s), at these prices; here s = "
      "{:.0f} %.",
      100.0 * study.s_low, 100.0 * study.s_high, 100.0 * study.demand.s);
}

std::string full_label(const CandidateResult& candidate) {
  return fmt::format("{} {}", candidate.label, to_string(candidate.sharing));
}

const BestSet* find_best_set(const StudyResult& study, SharingRule sharing, double k) {
  for (const BestSet& set : study.best_sets) {
    if (set.sharing == sharing && std::abs(set.k - k) <= 1e-9 * std::max(set.k, k)) return &set;
  }
  return nullptr;
}

BandJudgement judge_band_of(const StudyResult& study, SharingRule sharing,
                            const std::vector<CandidateValues>& fleets, double level) {
  std::vector<BandFleet> band;
  std::vector<const std::vector<double>*> scores;
  int may_keep = 0;
  for (const CandidateValues& fleet : fleets) {
    const CandidateResult& c = studied_candidate(study, fleet.candidate);
    if (c.sharing != sharing) continue;
    band.push_back({fleet.candidate, c.share >= study.band_low && c.share <= study.band_high, c.keeps});
    scores.push_back(&fleet.values);
    may_keep += c.keeps == Keeps::broken ? 0 : 1;
  }
  if (level <= 0.0) level = 1.0 - kBandError / std::max(1, may_keep - 1);
  const bool exact = objective_named(study.objective).money;
  const auto worse = [&](std::size_t i, std::size_t j) {
    const RelativeDifference d = paired_difference(*scores[i], *scores[j], level, exact);
    return WorseBy{d.percent, d.low, d.high};
  };
  return judge_band(band, worse, 100.0 * study.indifference);
}

RuleJudgement judge_rule(const StudyResult& study, const BestSet& set) {
  RuleJudgement judgement;
  judgement.share_low = judgement.share_high = kNan;
  const auto in_band = [&](int c) {
    return studied_candidate(study, c).share >= study.band_low &&
           studied_candidate(study, c).share <= study.band_high;
  };
  for (const CandidateResult& c : study.candidates) {
    if (c.sharing != set.sharing) continue;
    const bool inside = c.share >= study.band_low && c.share <= study.band_high;
    (inside ? judgement.band_empty : judgement.all_in_band) = false;
  }
  double smallest = std::numeric_limits<double>::infinity();
  for (const int c : set.members) {
    const double share = studied_candidate(study, c).share;
    judgement.share_low = std::isnan(judgement.share_low) ? share : std::min(judgement.share_low, share);
    judgement.share_high = std::isnan(judgement.share_high) ? share : std::max(judgement.share_high, share);
  }
  for (const BestSet::Difference& d : set.differences) {
    if (!in_band(d.candidate)) continue;
    const double mean = score_of(study, studied_candidate(study, d.candidate), set.k, d.percent);
    if (judgement.in_band < 0 || mean < smallest) {
      judgement.in_band = d.candidate;
      judgement.loss = d;
      smallest = mean;
    }
  }
  const bool believed = !study.credibility || study.credibility->credible();
  if (set.best < 0 || judgement.band_empty || judgement.all_in_band || study.replications < 2 || !believed) {
    judgement.status = "undecided";
  } else {
    judgement.status = set.band ? set.band->status : "undecided";
  }
  if (judgement.status == "undecided" && believed && study.replications >= 2 && set.band)
    judgement.open = set.band->open;
  return judgement;
}

Recommendation recommend(const Scenario& base, const StudyResult& study) {
  if (study.pooling) {
    const PoolSize* pool = least_pool(*study.pooling);
    return pool == nullptr ? Recommendation{0, false} : Recommendation{pool->candidate, true};
  }
  const BestSet* own = find_best_set(study, base.scheduler.sharing, base.study.prototypes_per_result);
  if (own != nullptr && own->best >= 0) return {own->best, true};
  Recommendation most;
  for (std::size_t i = 0; i < study.candidates.size(); ++i) {
    const CandidateResult& c = study.candidates[i];
    if (c.sharing != base.scheduler.sharing || std::isnan(c.results_per_week)) continue;
    if (most.candidate < 0 || c.results_per_week > studied_candidate(study, most.candidate).results_per_week)
      most.candidate = static_cast<int>(i);
  }
  if (most.candidate < 0 && !study.candidates.empty()) most.candidate = 0;
  return most;
}

void conclude(const Scenario& base, StudyResult& study) {
  study.s_low = study.band_low;
  study.s_high = study.band_high;
  study.loss_percent = Summary{kNan, kNan, kNan, 0, "%"};
  study.rule_status = "undecided";
  if (study.pooling) {
    study.verdict = pooling_verdict(*study.pooling, study.years);
    return;
  }
  if (base.study.candidates == CandidateRule::pool_sizes) {
    study.verdict = "The private machines may not stand in this room, so no pool is compared with them." +
                    refused_in_words(study);
    return;
  }
  const BestSet* own = find_best_set(study, base.scheduler.sharing, base.study.prototypes_per_result);
  if (study.candidates.empty() && !study.rejected.empty()) {
    study.verdict = "No fleet can be recommended: none that the budget buys may stand in this room." +
                    refused_in_words(study);
    return;
  }
  if (own == nullptr) {
    study.verdict =
        fmt::format("No {} is defined, so the rule is undecided.", objective_of(base.study).ranked);
    return;
  }
  const RuleJudgement judgement = judge_rule(study, *own);
  study.rule_status = judgement.status;
  study.rule_open.clear();
  for (const int c : judgement.open) study.rule_open.push_back(full_label(studied_candidate(study, c)));
  if (judgement.in_band >= 0) {
    study.loss_percent =
        Summary{judgement.loss.percent, judgement.loss.low, judgement.loss.high,
                figure_of(study, studied_candidate(study, judgement.in_band), own->k).n, "%"};
  }
  if (!speaks_of(study)) {
    study.rule_status = "undecided";
    study.rule_open.clear();
    study.loss_percent = Summary{kNan, kNan, kNan, 0, "%"};
  }
  const std::string opening = speaks_of(study) && !result_chain(base)
                                  ? std::string(
                                        "No class promotes to another, so the demand has no scale-up "
                                        "share and the first-order line says nothing.")
                              : speaks_of(study)
                                  ? first_order_sentence(study)
                                  : fmt::format(
                                        "The rule 66-80 / 20-33 splits money between two pools; "
                                        "this scenario has {}, so it is not judged.",
                                        study.bought_pools());
  // Doubt comes before any advice.
  const std::string doubt =
      study.credibility && !study.credibility->credible() ? study.credibility->sentence + " " : "";
  study.verdict = fmt::format("{}{} {}{}{}", doubt, opening, simulated(base, study, *own, judgement),
                              other_rules(study, *own), refused_in_words(study));
}

}  // namespace fleetsim
