#include "sim/cli/pooling_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/cli/table.hpp"
#include "sim/economics/economics.hpp"

namespace fleetsim::cli {

namespace {

std::string hours(double seconds) {
  return std::isfinite(seconds) ? fmt::format("{:.2f}", seconds / 3600.0) : "-";
}

std::vector<std::string> row(const std::string& name, const PoolSize& size, bool compared) {
  const WaitSummary& d = size.difference;
  std::vector<std::string> cells{
      name,
      fmt::format("{}", size.machines),
      hours(size.p95.mean_s),
      compared ? hours(d.mean_s) : "-",
      compared && std::isfinite(d.low_s) ? fmt::format("{} to {}", hours(d.low_s), hours(d.high_s)) : "-",
      std::isfinite(size.utilisation) ? fmt::format("{:.1f} %", 100.0 * size.utilisation) : "-",
      money_text(to_cents(size.purchase)),
      money_text(to_cents(size.three_year_cost))};
  cells.push_back(compared ? size.answer : "");
  return cells;
}

}  // namespace

std::string pooling_text(const StudyResult& study) {
  const Pooling& pooling = *study.pooling;
  Rows rows{{"", "machines", "p95 wait h", "to private h", "95 %", "utilisation", "purchase",
             years_text(static_cast<std::size_t>(study.years)), "waits"}};
  rows.push_back(row("private", pooling.apart, false));
  for (const PoolSize& size : pooling.sizes) rows.push_back(row("pool", size, true));
  std::string text =
      "Private machines against a shared pool of them, the same users and jobs\n" + aligned(rows, 1, true);
  text += fmt::format(
      "\np95 wait: 95 % of the jobs wait at most this long; to private: paired difference over {}, with "
      "its 95 % t interval\n",
      counted(study.replications, "replication"));
  for (const CandidateResult& c : study.candidates)
    for (const std::string& law : c.broken_laws) text += fmt::format("BROKEN LAW: {}: {}\n", c.label, law);
  return text + utilisation_bands() + "\n\nVerdict: " + study.verdict + "\n";
}

}  // namespace fleetsim::cli
