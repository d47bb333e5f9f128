// What the report says, from dossiers that differ.
#include <algorithm>
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

/// The caption of a table or figure that contains `part`, or nothing.
std::string line_with(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos) return {};
  const std::size_t begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}
CandidateResult& recommended(Dossier& d) {
  return d.study.candidates[static_cast<std::size_t>(d.recommended_index)];
}

}  // namespace

TEST_CASE("a study's report holds every section in order") {
  const std::string text = report_markdown(test::study_dossier());
  std::size_t last = 0;
  for (const char* title :
       {"# Summary and decision", "# What we would buy", "# Three-year cost", "# How to split the budget",
        "## Best sets by sharing rule and k", "## Interval table: Overflow",
        "## Interval table: Strict partitions", "## Interval table: One pool", "# Queue waits by class",
        "# Utilisation", "# Energy", "# Scaling and network", "# Assumptions, sources and limits",
        "## Not yet evaluated", "# Reproducibility"}) {
    INFO(title);
    const std::size_t at = text.find(std::string("\n") + title + "\n");
    REQUIRE(at != std::string::npos);
    CHECK(at > last);
    last = at;
  }
}

TEST_CASE("the report opens with what to buy and for how much") {
  const std::string text = report_markdown(test::study_dossier());
  const std::string lead = line_with(text, "We recommend buying");
  CHECK(has(lead,
            "**We recommend buying 8+6: 8 × 8x RTX 3080 (proto) and 6 × 8x RTX 3090, water (scale), "
            "112\xC2\xA0GPUs in all, for "
            "$296,868, to be shared by the overflow rule.**"));
  CHECK(has(text, "does not hold here"));
}

TEST_CASE("all twelve fleets of each sharing rule are in its interval table") {
  const std::string text = report_markdown(test::study_dossier());
  const std::size_t begin = text.find("## Interval table: Strict"), end = text.find("## Interval table: One");
  const std::string table = text.substr(begin, end - begin);
  for (const auto& row : test::fleets())
    CHECK(has(table, "| " + std::to_string(row.proto) + "+" + std::to_string(row.scale) + " |"));
  CHECK(has(table, "end point"));
  CHECK(has(table, "saturated"));
}

TEST_CASE("a saturated fleet is never given a time to result") {
  const std::string text = report_markdown(test::study_dossier());
  const std::string row = line_with(text.substr(text.find("## Interval table: Strict")), "| 6+7 |");
  CHECK(has(row,
            "| 6+7 | 65\xC2\xA0% | \xE2\x80\x93 | \xE2\x80\x93 | \xE2\x80\x93 | \xE2\x80\x93 | 4.61 | "
            "saturated |"));
}

TEST_CASE("without a feasible fleet the report recommends no purchase") {
  const std::string text = report_markdown(test::hopeless_dossier());
  CHECK(has(text,
            "**We recommend no purchase yet: none of the 12\xC2\xA0"
            "fleets that $300,000 affords meets every requirement"));
  CHECK(has(text, "No fleet qualifies."));
  CHECK_FALSE(has(text, "We recommend buying"));
  CHECK_FALSE(has(text, "to approve now"));
  CHECK(has(text, "# What the fleet consists of"));
  CHECK_FALSE(has(text, "split_curve.svg"));
}

TEST_CASE("an undecided study says so in its first sentence and in a box") {
  Dossier d = test::study_dossier();
  for (BestSet& set : d.study.best_sets) {
    if (set.sharing == d.sharing && set.k == d.k) set.undecided = {15};
  }
  const std::string text = report_markdown(d);
  CHECK(has(line_with(text, "We recommend buying"), "provisionally"));
  CHECK(has(text, "Not fully decided."));
}

TEST_CASE("a run's report describes one fleet and recommends nothing") {
  const std::string text = report_markdown(test::run_dossier());
  CHECK(has(text, "describes one fleet and recommends nothing"));
  CHECK_FALSE(has(text, "# How to split the budget"));
  CHECK_FALSE(has(text, "We recommend buying"));
  CHECK(has(text, "Bill of materials"));
  CHECK(has(text, "# Queue waits by class"));
}

TEST_CASE("captions follow the data") {
  Dossier d = test::study_dossier();
  CHECK(has(report_markdown(d),
            "95 of 100 prototype jobs start within 42\xC2\xA0min, of scale\\_up jobs within 9.0\xC2\xA0h"));
  CHECK(has(report_markdown(d), "scale is the busier pool: 66\xC2\xA0%"));
  recommended(d).classes[1].metrics["wait_s_p95"] = test::summary(600.0, 60.0, "s");
  recommended(d).pool_utilisation[0] = test::summary(0.81, 0.01, "ratio");
  CHECK(has(report_markdown(d),
            "95 of 100 scale\\_up jobs start within 10\xC2\xA0min, of prototype jobs within 42\xC2\xA0min"));
  CHECK(has(report_markdown(d), "proto is the busier pool: 81\xC2\xA0%"));
}

TEST_CASE("one replication gives no interval and a warning") {
  Dossier d = test::study_dossier();
  d.replications = 1;
  for (CandidateResult& c : d.study.candidates) {
    for (ObjectiveValue& value : c.objective) {
      value.hours.n = 1;
      value.hours.ci95_low = -std::numeric_limits<double>::infinity();
      value.hours.ci95_high = std::numeric_limits<double>::infinity();
    }
  }
  const std::string text = report_markdown(d);
  CHECK(has(text, "One replication only."));
  CHECK(has(text, "one replication, no interval"));
  CHECK_FALSE(has(text, " inf"));
  CHECK_FALSE(has(text, " nan"));
}

TEST_CASE("an item without a price is named beside the total") {
  Dossier d = test::study_dossier();
  d.bill.unpriced = {"HDR switch, 40 ports"};
  d.bill.lines.push_back({"HDR switch, 40 ports", "fabric", 1, {}, false});
  const std::string text = report_markdown(d);
  CHECK(has(text, "No price is known for:"));
  CHECK(has(text, "| HDR switch, 40 ports | 1 | no price |"));
}

TEST_CASE("an empty dossier still gives a report") {
  Dossier d;
  d.kind = "study";
  CHECK(has(report_markdown(d), "We recommend no purchase"));
  d.kind = "run";
  CHECK(has(report_markdown(d), "recommends nothing"));
}

TEST_CASE("every figure has a name of its own, alt text and a caption that ends as a sentence") {
  const Doc doc = make_doc(test::study_dossier(), {});
  std::vector<std::string> names;
  for (const Block& block : doc.blocks) {
    const auto* drawing = std::get_if<Drawing>(&block);
    if (drawing == nullptr) continue;
    CHECK(std::find(names.begin(), names.end(), drawing->name) == names.end());
    names.push_back(drawing->name);
    CHECK_FALSE(drawing->alt.empty());
    REQUIRE_FALSE(drawing->caption.empty());
    CHECK(drawing->caption.back() == '.');
  }
  CHECK(names.size() == 8);
}

TEST_CASE("reasons that differ only in their figures are counted together") {
  Dossier d = test::hopeless_dossier();
  int i = 0;
  for (CandidateResult& c : d.study.candidates)
    c.reasons = {"wait_s_p95(prototype) <= 4 h: mean " + std::to_string(++i) + " h"};
  CHECK(has(report_markdown(d),
            "- 12\xC2\xA0"
            "fleets: wait\\_s\\_p95(prototype) \\<= 4 h\n"));
  for (CandidateResult& c : d.study.candidates)
    c.reasons = {std::to_string(++i) + ".5 % of the work is unserved (limit 1 %)"};
  CHECK(has(report_markdown(d),
            "- 12\xC2\xA0"
            "fleets: work is unserved (limit 1\xC2\xA0%)\n"));
}

TEST_CASE("only a maximal fleet is said to leave no room for a further node") {
  CHECK(has(report_markdown(test::study_dossier()), "buys no further node"));
  Dossier d = test::run_dossier();
  d.maximal_fleet = false;
  const std::string text = report_markdown(d);
  CHECK_FALSE(has(text, "further node"));
  CHECK(has(text, "stays unspent."));
}

TEST_CASE("without a budget no sentence speaks of one") {
  for (Dossier d : {test::run_dossier(), test::hopeless_dossier(), test::study_dossier()}) {
    d.budget = Money{};
    d.unspent.reset();
    d.maximal_fleet = false;
    d.candidates = "as-given";
    const std::string text = report_markdown(d);
    INFO(d.kind);
    CHECK_FALSE(has(text, "nspent"));
    CHECK_FALSE(has(text, "further node"));
    CHECK_FALSE(has(text, "$0 affords"));
    CHECK_FALSE(has(text, "the budget affords"));
    CHECK_FALSE(has(text, "raise the budget"));
    CHECK_FALSE(has(text, "node budget"));
  }
}

TEST_CASE("a study of the given fleet does not speak of every fleet of the budget") {
  Dossier d = test::study_dossier();
  d.candidates = "as-given";
  const std::string text = report_markdown(d);
  CHECK_FALSE(has(text, "so the budget affords"));
  CHECK(has(text, "The fleet that the scenario gives was the only one to be studied. It was simulated"));
}

TEST_CASE("a fleet that delivers nothing does not come nearest") {
  Dossier d = test::hopeless_dossier();
  for (CandidateResult& c : d.study.candidates) c.results_per_week = 0.0;
  const std::string text = report_markdown(d);
  CHECK(has(text, "None delivers a result."));
  CHECK_FALSE(has(text, "comes nearest"));
}
