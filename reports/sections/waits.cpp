// Queue waits by job class: median, p90 and p95 with their intervals.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/markdown.hpp"
#include "reports/money.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

constexpr const char* kQuantiles[] = {"wait_s_p50", "wait_s_p90", "wait_s_p95"};

bool has_waits(const ClassSummary& c) {
  return std::all_of(std::begin(kQuantiles), std::end(kQuantiles), [&](const char* name) {
    const Summary* s = metric(c, name);
    return s != nullptr && s->n > 0 && std::isfinite(s->mean);
  });
}

std::vector<const ClassSummary*> classes_of(const CandidateResult& fleet) {
  std::vector<const ClassSummary*> classes;
  for (const ClassSummary& c : fleet.classes)
    if (has_waits(c)) classes.push_back(&c);
  return classes;
}

double low(const Summary& s) {
  return std::isfinite(s.ci95_low) ? std::max(0.0, s.ci95_low) : s.mean;
}
double high(const Summary& s) {
  return std::isfinite(s.ci95_high) ? s.ci95_high : s.mean;
}

std::string range(const Summary& s) {
  return std::isfinite(s.ci95_low) && std::isfinite(s.ci95_high) ? between(low(s), high(s), wait) : kNone;
}

/// The longest and the shortest p95 in a sentence.
std::string finding(const std::vector<const ClassSummary*>& classes) {
  const auto p95 = [](const ClassSummary* c) { return metric(*c, "wait_s_p95")->mean; };
  const auto by_p95 = [&](const ClassSummary* a, const ClassSummary* b) { return p95(a) < p95(b); };
  const ClassSummary* shortest = *std::min_element(classes.begin(), classes.end(), by_p95);
  const ClassSummary* longest = *std::max_element(classes.begin(), classes.end(), by_p95);
  if (classes.size() == 1)
    return fmt::format("95 of 100 {} jobs start within {}", text(longest->name), wait(p95(longest)));
  return fmt::format("95 of 100 {} jobs start within {}, of {} jobs within {}", text(shortest->name),
                     wait(p95(shortest)), text(longest->name), wait(p95(longest)));
}

/// What half of the jobs wait, class by class.
std::string half_of(const std::vector<const ClassSummary*>& classes) {
  std::vector<std::string> parts;
  for (const ClassSummary* c : classes) {
    const double p50 = metric(*c, "wait_s_p50")->mean;
    parts.push_back(p50 <= 0.0 ? fmt::format("of {} at once", text(c->name))
                               : fmt::format("of {} within {}", text(c->name), wait(p50)));
  }
  return "Half of the jobs start: " + listed(parts);
}

Drawing chart(const std::vector<const ClassSummary*>& classes) {
  std::string csv = "class,p50,p50_lo,p50_hi,p90,p90_lo,p90_hi,p95,p95_lo,p95_hi\n", alt;
  for (const ClassSummary* c : classes) {
    csv += csv_cell(c->name);
    alt += fmt::format(" {}: median {}, p90 {}, p95 {}.", c->name, wait(metric(*c, kQuantiles[0])->mean),
                       wait(metric(*c, kQuantiles[1])->mean), wait(metric(*c, kQuantiles[2])->mean));
    for (const char* name : kQuantiles) {
      const Summary& s = *metric(*c, name);
      csv += fmt::format(",{:.4f},{:.4f},{:.4f}", s.mean / 3600.0, low(s) / 3600.0, high(s) / 3600.0);
    }
    csv += "\n";
  }
  return Drawing{"waits",
                 "waits",
                 csv,
                 {},
                 "Queue wait by job class, log scale." + alt,
                 finding(classes) + ". Bars are 95 % intervals of each quantile over the replications."};
}

void waits_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  const CandidateResult* fleet = subject(d);
  if (fleet == nullptr) return;
  const auto classes = classes_of(*fleet);
  out.emplace_back(Heading{1, "Queue waits by class"});
  if (classes.empty()) {
    out.emplace_back(Paragraph{"No class of this fleet has started jobs, so there are no waits to show."});
    return;
  }
  out.emplace_back(
      Paragraph{fmt::format("Waits on {}, from submission to start, of the jobs submitted in the measured "
                            "weeks ({}).",
                            text(fleet->label), text(to_string(fleet->sharing)))});
  out.emplace_back(chart(classes));
  Table table;
  table.columns = {{"Class"}};
  for (const char* title : {"Median", "p90", "p95"}) {
    table.columns.push_back({title, Align::right});
    table.columns.push_back({"95 % interval", Align::right});
  }
  for (const ClassSummary* c : classes) {
    std::vector<std::string> row{text(c->name)};
    for (const char* name : kQuantiles) {
      const Summary& s = *metric(*c, name);
      row.push_back(wait(s.mean));
      row.push_back(range(s));
    }
    table.rows.push_back(row);
  }
  table.caption = half_of(classes);
  out.emplace_back(table);
}

const RegisterSection kWaits{{50, "waits", waits_section}};

}  // namespace
}  // namespace fleetsim
