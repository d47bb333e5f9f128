// Time to result against share: the chart's data and the sentence below it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/markdown.hpp"
#include "reports/money.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/sections/split.hpp"

namespace fleetsim::split {
namespace {

struct Drawn {
  std::string csv, alt;
  int points = 0, unranked = 0, omitted = 0;
};

/// Ranked fleets first decide the scale; unranked ones are drawn while they stay within three times of it.
Drawn data(const Dossier& d) {
  const StudyResult& study = d.study;
  double most = 0.0;
  for (const CandidateResult& c : study.candidates) {
    const double time = mean(time_to_result(c, d.k));
    if (c.feasible && !c.saturated && std::isfinite(time)) most = std::max(most, time);
  }
  Drawn out;
  out.csv = "policy,share_pct,hours,lo,hi,best,ranked\n";
  for (const SharingRule rule : sharing_rules(d)) {
    const BestSet* set = best_set(study, rule, d.k);
    std::string rows;
    int ranked_here = 0;
    for (const int i : candidates_of(study, rule)) {
      const CandidateResult& c = study.candidates[static_cast<std::size_t>(i)];
      const Summary* time = time_to_result(c, d.k);
      const bool ranked = c.feasible && !c.saturated;
      if (time == nullptr || time->n == 0 || !std::isfinite(time->mean) || c.saturated || c.end_point ||
          (!ranked && time->mean > 3.0 * most)) {
        ++out.omitted;
        continue;
      }
      const bool interval = std::isfinite(time->ci95_low) && std::isfinite(time->ci95_high);
      const bool best =
          set != nullptr && std::find(set->members.begin(), set->members.end(), i) != set->members.end();
      rows += fmt::format("{},{:.1f},{:.3f},{:.3f},{:.3f},{},{}\n", csv_cell(title_of(rule)), 100.0 * c.share,
                          time->mean, interval ? std::max(time->ci95_low, 0.05 * time->mean) : time->mean,
                          interval ? time->ci95_high : time->mean, best ? 1 : 0, ranked ? 1 : 0);
      (ranked ? ranked_here : out.unranked) += 1;
    }
    if (ranked_here == 0) continue;  // a rule without a ranked fleet has no line to draw
    out.csv += rows;
    out.points += ranked_here;
    if (set != nullptr && set->best >= 0) {
      const CandidateResult& best = study.candidates[static_cast<std::size_t>(set->best)];
      out.alt += fmt::format(" {}: lowest {} at {}, best set {}.", title_of(rule),
                             hours(mean(time_to_result(best, d.k))), percent(best.share),
                             share_range(study, set->members));
    }
  }
  return out;
}

std::string finding(const Dossier& d) {
  const StudyResult& study = d.study;
  std::vector<std::string> parts;
  for (const SharingRule rule : sharing_rules(d)) {
    const BestSet* set = best_set(study, rule, d.k);
    if (set == nullptr || set->best < 0) continue;
    std::string name = title_of(rule);
    if (!parts.empty()) name[0] = static_cast<char>(name[0] - 'A' + 'a');
    const CandidateResult& best = study.candidates[static_cast<std::size_t>(set->best)];
    parts.push_back(fmt::format("{}: best at {} ({})", name, percent(best.share),
                                hours(mean(time_to_result(best, d.k)))));
  }
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : "; ") + part;
  return out;
}

}  // namespace

void curve(const Dossier& d, std::vector<Block>& out) {
  if (!objective_of(d.study).of_k) return;  // the chart's axis is a time
  const Drawn drawn = data(d);
  if (drawn.points < 3) return;
  std::string caption = finding(d) + ". Filled points form the best set; bars are 95 % intervals.";
  if (drawn.unranked > 0) caption += fmt::format(" Grey points break a requirement ({}).", drawn.unranked);
  if (drawn.omitted > 0)
    caption += fmt::format(" Not drawn: {} that saturate, are end points or lie off the scale.",
                           count(drawn.omitted, "point"));
  const auto band = [](double share) { return fmt::format("{:g}", std::round(share * 1000.0) / 10.0); };
  out.emplace_back(Drawing{
      "split_curve", "split_curve", drawn.csv,
      d.study.bought_pools() == 2
          ? std::vector<std::string>{band(d.study.band_low), band(d.study.band_high), k_text(d.k)}
          : std::vector<std::string>{"0", "0", k_text(d.k)},
      fmt::format("Time to result against the share of node money, k = {}, with 95 % intervals; the guide's "
                  "band {} is shaded.",
                  k_text(d.k), band_text(d.study)) +
          drawn.alt,
      caption});
}

}  // namespace fleetsim::split
