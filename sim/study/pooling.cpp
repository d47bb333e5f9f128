#include "sim/study/pooling.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/assert.hpp"
#include "sim/economics/economics.hpp"
#include "sim/study/statistics.hpp"
#include "sim/study/study.hpp"

namespace fleetsim {
namespace {

WaitSummary of(const std::vector<double>& seconds) {
  const Summary s = summarise(seconds, "s");
  return {s.mean, s.ci95_low, s.ci95_high, s.n};
}

PoolSize described(const StudyResult& study, std::size_t i, const std::vector<double>& p95_s) {
  const CandidateResult& c = study.candidates[i];
  PoolSize out;
  out.candidate = static_cast<int>(i);
  out.machines = c.counts.front();
  out.p95 = of(p95_s);
  const auto busy = c.metrics.find("utilisation_allocated");
  out.utilisation = busy == c.metrics.end() ? std::nan("") : busy->second.mean;
  out.purchase = c.capex;
  out.three_year_cost = c.three_year_cost;
  return out;
}

/// Equal differences prove no more than their number does.
std::string answer_of(const WaitSummary& difference) {
  if (difference.low_s == difference.high_s && tie_confidence(difference.n) < 0.95) return "undecided";
  if (difference.n > 0 && difference.high_s <= 0.0) return "no longer";
  return difference.n > 0 && difference.low_s > 0.0 ? "longer" : "undecided";
}

std::string wait_text(double seconds) {
  const double minutes = seconds / 60.0;
  return std::abs(minutes) < 90.0 ? fmt::format("{:.1f} min", minutes)
                                  : fmt::format("{:.1f} h", minutes / 60.0);
}

std::string machines_text(int n) {
  return fmt::format("{} machine{}", n, n == 1 ? "" : "s");
}

/// What is not decided below the least pool.
std::string below(const Pooling& pooling) {
  const int most_open = pooling.least > 0 ? pooling.least - 1 : static_cast<int>(pooling.sizes.size());
  std::string text;
  if (pooling.first_open <= most_open) {
    text += pooling.first_open == most_open
                ? fmt::format("; {} is undecided: the interval is too wide to say", machines_text(most_open))
                : fmt::format("; {} to {} machines are undecided: the intervals are too wide to say",
                              pooling.first_open, most_open);
  }
  if (pooling.first_open > 1) text += fmt::format("; with fewer than {} it waits longer", pooling.first_open);
  return text;
}

}  // namespace

Pooling compare_pools(const StudyResult& study, const std::vector<std::vector<double>>& p95_s) {
  FLEETSIM_ASSERT(!p95_s.empty() && p95_s.size() == study.candidates.size());
  Pooling out;
  out.apart = described(study, 0, p95_s[0]);
  for (std::size_t i = 1; i < p95_s.size(); ++i) {
    PoolSize size = described(study, i, p95_s[i]);
    std::vector<double> difference_s;
    for (std::size_t r = 0; r < p95_s[i].size(); ++r) difference_s.push_back(p95_s[i][r] - p95_s[0][r]);
    size.difference = of(difference_s);
    size.answer = answer_of(size.difference);
    out.sizes.push_back(std::move(size));
  }
  for (std::size_t i = out.sizes.size(); i > 0 && out.sizes[i - 1].answer == "no longer"; --i)
    out.least = out.sizes[i - 1].machines;
  out.first_open = 1;
  for (const PoolSize& size : out.sizes) {
    if (size.answer != "longer") break;
    out.first_open = size.machines + 1;
  }
  return out;
}

const PoolSize* least_pool(const Pooling& pooling) {
  for (const PoolSize& size : pooling.sizes)
    if (size.machines == pooling.least) return &size;
  return nullptr;
}

std::string pooling_verdict(const Pooling& pooling, int years) {
  const PoolSize& apart = pooling.apart;
  const PoolSize* pool = least_pool(pooling);
  if (std::isnan(apart.p95.mean_s))
    return fmt::format("No job of these users starts on {} private ones, so no pool is compared with them.",
                       apart.machines);
  if (pool == nullptr) {
    return fmt::format("No pool of up to {} surely waits no longer than {} private ones (p95 {}){}.",
                       machines_text(static_cast<int>(pooling.sizes.size())), apart.machines,
                       wait_text(apart.p95.mean_s), below(pooling));
  }
  std::string text = fmt::format("A pool of {} of {} waits no longer than {} private ones: p95 {} against {}",
                                 pool->machines, machines_text(apart.machines), apart.machines,
                                 wait_text(pool->p95.mean_s), wait_text(apart.p95.mean_s));
  if (std::isfinite(pool->difference.low_s))
    text += fmt::format(" (difference {}, 95 %: {} to {})", wait_text(pool->difference.mean_s),
                        wait_text(pool->difference.low_s), wait_text(pool->difference.high_s));
  text += below(pooling);
  return text + fmt::format(
                    ". The private machines are {:.1f} % allocated, the pool {:.1f} %; over {} they "
                    "cost {} and {}.",
                    100.0 * apart.utilisation, 100.0 * pool->utilisation,
                    years_text(static_cast<std::size_t>(years)), money_text(to_cents(apart.three_year_cost)),
                    money_text(to_cents(pool->three_year_cost)));
}

std::string utilisation_bands() {
  return "The guide expects below 15 % of a desktop, above 35 % of a Slurm cluster of PhD students and above "
         "60 % of "
         "a company's.";
}

}  // namespace fleetsim
