// What the report says of a Pareto front and of groups of users.
#include <string>

#include "fixture.hpp"
#include "reports/markdown.hpp"
#include "reports/section.hpp"
#include "tests/catch.hpp"
#include "tests/unit/reports/report_text.hpp"

using namespace fleetsim;
using test::has;
using test::report_markdown;

namespace {

FrontFleet fleet(int candidate, const char* label, FrontStanding standing, double wait_s, double price) {
  FrontFleet f;
  f.candidate = candidate;
  f.label = label;
  f.standing = standing;
  f.values = {FrontValue{wait_s, wait_s - 360.0, wait_s + 360.0, 20}, FrontValue{price, price, price, 20}};
  return f;
}

}  // namespace

TEST_CASE("the report names the fleets on the front, what dominates the others, and who is left out why") {
  Dossier d = test::study_dossier();
  CHECK_FALSE(has(report_markdown(d), "No fleet is better in both"));
  Front front;
  front.axes = {FrontAxis{"wait_s_p95(prototype)", "s", false, false},
                FrontAxis{"capex", "USD", false, true}};
  FrontOfRule rule;
  rule.sharing = d.sharing;
  rule.fleets = {fleet(0, "13+3 overflow", FrontStanding::on_front, 7200.0, 290000.0),
                 fleet(1, "9+5 overflow", FrontStanding::dominated, 9000.0, 295000.0),
                 fleet(2, "8+6 overflow", FrontStanding::undecided, 7100.0, 299000.0),
                 fleet(3, "1+9 overflow", FrontStanding::left_out, 90000.0, 280000.0)};
  rule.fleets[1].by = rule.fleets[2].by = "13+3 overflow";
  rule.fleets[1].rivals = 2;
  rule.fleets[2].rivals = 1;
  rule.fleets[3].reason = "saturated: the backlog grows";
  front.rules = {rule};
  d.study.front = front;
  const std::string text = report_markdown(d);
  CHECK(has(text, "# No fleet is better in both: "));
  CHECK(has(text, "Certainly on the front: 13+3 overflow; undecided: 8+6 overflow"));
  CHECK(has(text, "dominated by 13+3 overflow and 1 more"));
  CHECK(has(text, "undecided: 13+3 overflow may dominate it"));
  CHECK(has(text, "left out: saturated: the backlog grows"));
  CHECK(has(text, "290,000"));
  CHECK(has(text, "1.90 to 2.10"));  // hours
  CHECK(has(text, "](front.svg)"));
}

TEST_CASE("the report tells waits and use of each group of users, and nothing without groups") {
  Dossier d = test::study_dossier();
  CHECK_FALSE(has(report_markdown(d), "by group of users"));
  const auto group = [](const char* name, double p95_h, double share) {
    ClassSummary g;
    g.name = name;
    g.metrics["tagged_jobs"] = {120.0, 110.0, 130.0, 20, "jobs"};
    g.metrics["wait_s"] = {600.0, 500.0, 700.0, 20, "s"};
    g.metrics["wait_s_p95"] = {p95_h * 3600.0, p95_h * 3000.0, p95_h * 4200.0, 20, "s"};
    g.metrics["gpu_hours_held"] = {5000.0 * share, 0.0, 9000.0, 20, "GPU h"};
    g.metrics["use_share"] = {share, 0.1, 0.9, 20, "ratio"};
    return g;
  };
  CandidateResult& best = d.study.candidates[static_cast<std::size_t>(d.recommended_index)];
  best.groups = {group("vision", 2.0, 0.7), group("nlp", 5.0, 0.3)};
  best.metrics["group_fairness"] = {0.91, 0.9, 0.92, 20, "ratio"};
  const std::string text = report_markdown(d);
  CHECK(has(text, "# Waits and use by group of users"));
  CHECK(has(text, "95 of 100 jobs of vision start within 2.0\xC2\xA0h, of nlp within 5.0\xC2\xA0h"));
  CHECK(has(text, "Jain's index of GPU time per user over the groups is 0.910"));
  CHECK(has(text, "70.0\xC2\xA0%"));
}
