// Before any advice: what the simulator makes of the recorded trace, beside what was recorded.
#include <fmt/format.h>

#include "reports/markdown.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

std::string bare_hours(double seconds) {
  return grouped(seconds / 3600.0, 2);
}

void credibility_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  if (!d.study.credibility) return;
  const Credibility& c = *d.study.credibility;
  out.emplace_back(Heading{1, "Can the simulation be believed?"});
  out.emplace_back(Paragraph{text(c.sentence)});
  if (c.waits.empty()) return;
  Table table;
  table.columns = {{"Jobs"},
                   {"Number", Align::right},
                   {"Recorded mean, h", Align::right},
                   {"Median, h", Align::right},
                   {"95th percentile, h", Align::right},
                   {"Simulated mean, h", Align::right},
                   {"Median, h", Align::right},
                   {"95th percentile, h", Align::right}};
  for (const WaitPair& w : c.waits)
    table.rows.push_back({text(w.jobs), grouped(static_cast<double>(w.n)), bare_hours(w.recorded_mean_s),
                          bare_hours(w.recorded_p50_s), bare_hours(w.recorded_p95_s),
                          bare_hours(w.simulated_mean_s), bare_hours(w.simulated_p50_s),
                          bare_hours(w.simulated_p95_s)});
  table.caption = fmt::format(
      "Waits of {} as recorded and as simulated on the nodes that are there ({}): they {}", text(c.trace),
      text(c.policy), c.credible() ? "agree well enough" : "are too far apart for a confident verdict");
  if (c.not_run > 0) table.caption += fmt::format("; {} cannot run there", count(c.not_run, "job"));
  if (c.without_wait > 0)
    table.caption += fmt::format("; {} without a recorded wait", count(c.without_wait, "job"));
  out.emplace_back(table);
}

const RegisterSection kCredibility{{5, "credibility", credibility_section}};

}  // namespace
}  // namespace fleetsim
