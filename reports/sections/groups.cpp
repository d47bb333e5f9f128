// Groups of users: their jobs, waits and use of the fleet that the report is about.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/markdown.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

std::string range(const Summary* s, std::string (*one)(double)) {
  return s == nullptr ? std::string(kNone) : between(std::max(0.0, s->ci95_low), s->ci95_high, one);
}

std::string wait_of(const ClassSummary& group, const char* name) {
  const double seconds = mean(metric(group, name));
  return std::isfinite(seconds) ? wait(seconds) : std::string(kNone);
}

/// Who waits longest and shortest at the p95; empty where fewer than two groups have waits.
std::string finding(const std::vector<ClassSummary>& groups) {
  const ClassSummary *longest = nullptr, *shortest = nullptr;
  const auto p95 = [](const ClassSummary& g) { return mean(metric(g, "wait_s_p95")); };
  for (const ClassSummary& g : groups) {
    if (!std::isfinite(p95(g))) continue;
    if (longest == nullptr || p95(g) > p95(*longest)) longest = &g;
    if (shortest == nullptr || p95(g) < p95(*shortest)) shortest = &g;
  }
  if (longest == shortest) return "What each group of users got";
  return fmt::format("95 of 100 jobs of {} start within {}, of {} within {}", text(shortest->name),
                     wait(p95(*shortest)), text(longest->name), wait(p95(*longest)));
}

void groups_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  const CandidateResult* fleet = subject(d);
  if (fleet == nullptr || fleet->groups.empty()) return;
  out.emplace_back(Heading{1, "Waits and use by group of users"});
  const double fairness = mean(metric(*fleet, "group_fairness"));
  out.emplace_back(Paragraph{
      fmt::format("On {} ({}). The share of the use is of all GPU time that jobs held in the measured weeks.",
                  text(fleet->label), text(to_string(fleet->sharing))) +
      (std::isfinite(fairness)
           ? fmt::format(" Jain's index of GPU time per user over the groups is {}: 1 when every group has "
                         "equally much. It speaks of use, not of need.",
                         grouped(fairness, 3))
           : "")});
  Table table;
  table.columns = {{"Group"},
                   {"Jobs a replication", Align::right},
                   {"Mean wait", Align::right},
                   {"p95 wait", Align::right},
                   {"95 % interval", Align::right},
                   {"GPU-hours held", Align::right},
                   {"Share of the use", Align::right}};
  for (const ClassSummary& g : fleet->groups)
    table.rows.push_back({text(g.name), grouped(mean(metric(g, "tagged_jobs"))), wait_of(g, "wait_s"),
                          wait_of(g, "wait_s_p95"), range(metric(g, "wait_s_p95"), wait),
                          grouped(mean(metric(g, "gpu_hours_held"))),
                          percent(mean(metric(g, "use_share")), 1)});
  table.caption = finding(fleet->groups);
  out.emplace_back(std::move(table));
}

const RegisterSection kGroups{{51, "groups", groups_section}};

}  // namespace
}  // namespace fleetsim
