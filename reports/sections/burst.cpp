// Jobs that waited too long and went to rented GPUs: how many, what was rented for them, what it cost.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/markdown.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

using Metrics = std::map<std::string, Summary>;

double mean_of(const Metrics& metrics, const char* name) {
  const auto found = metrics.find(name);
  return found == metrics.end() || !std::isfinite(found->second.mean) ? 0.0 : found->second.mean;
}

std::vector<std::string> row(const std::string& name, const Metrics& m, bool interrupted) {
  const double jobs = mean_of(m, "tagged_jobs"), sent = mean_of(m, "burst_jobs");
  std::vector<std::string> cells{
      name, grouped(sent, 1), jobs > 0.0 ? percent(sent / jobs, 1) : std::string(kNone),
      grouped(mean_of(m, "burst_gpu_hours"), 1), cents(usd(mean_of(m, "burst_cost")))};
  if (interrupted) {
    cells.push_back(grouped(mean_of(m, "burst_interruptions"), 1));
    cells.push_back(grouped(mean_of(m, "burst_lost_gpu_hours"), 1));
  }
  return cells;
}

Table by_class(const CandidateResult& fleet) {
  const bool interrupted = mean_of(fleet.metrics, "burst_interruptions") > 0.0;
  Table table;
  table.columns = {{"Class"},
                   {"Jobs sent", Align::right},
                   {"Of its jobs", Align::right},
                   {"GPU hours paid", Align::right},
                   {"Rent", Align::right}};
  if (interrupted) {
    table.columns.push_back({"Interruptions", Align::right});
    table.columns.push_back({"GPU hours lost", Align::right});
  }
  for (const ClassSummary& one : fleet.classes)
    table.rows.push_back(row(text(one.name), one.metrics, interrupted));
  table.total_rows.push_back(static_cast<int>(table.rows.size()));
  table.rows.push_back(row("All", fleet.metrics, interrupted));
  table.caption = fmt::format("{} jobs went to rented GPUs in the measurement window, on average",
                              grouped(mean_of(fleet.metrics, "burst_jobs"), 1));
  return table;
}

void burst_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  const CandidateResult* fleet = subject(d);
  if (fleet == nullptr || fleet->metrics.count("burst_jobs") == 0) return;
  out.emplace_back(Heading{1, "Burst to the cloud"});
  out.emplace_back(by_class(*fleet));
  const auto line = std::find_if(d.cost.lines.begin(), d.cost.lines.end(),
                                 [](const CostLine& l) { return l.item == kBurstItem; });
  std::string text_of =
      "Jobs are counted by their submission in the window; hours and rent by the time in the window, "
      "whoever's "
      "job it is. Rented GPUs are no GPUs of the fleet: its utilisation and its energy do not hold their "
      "hours. ";
  text_of += line == d.cost.lines.end()
                 ? "Nothing was rented in the window, so the cost by year has no line for it."
                 : fmt::format("Of a year that makes {}, a line of the cost by year: {}",
                               exact_dollars(line->by_year.front()), sentence(line->basis));
  out.emplace_back(Paragraph{text_of});
}

const RegisterSection kBurst{{62, "burst", burst_section}};

}  // namespace
}  // namespace fleetsim
