// Whatever a user types: the loader answers with faults that lie inside the text, or with a scenario that
// survives its own dump. It never throws.
#include <rapidcheck.h>

#include <algorithm>

#include "scenarios/loader/fingerprint.hpp"
#include "tests/catch.hpp"
#include "tests/unit/scenarios/edited.hpp"

using namespace fleetsim;
using namespace fleetsim::test;

namespace {

const std::vector<std::string> kFragments = {
    "@",     "*a", "&a ",   "<<: ", "- ", "{", "}", "[",  "]",     ":",  "\t",   "\n",   "\"", "'",    "#",
    "---\n", "-1", "1e400", ".nan", "~",  "0", "|", "? ", "100 %", ", ", "\xC3", "null", "  ", "!!x ", ">"};

/// Removes, repeats or inserts a few pieces of the lab scenario.
std::string mutated() {
  std::string text = lab_text();
  const int edits = *rc::gen::inRange(1, 5);
  for (int i = 0; i < edits; ++i) {
    const auto at = static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(text.size())));
    const auto length = static_cast<std::size_t>(*rc::gen::inRange(0, 12));
    const int kind = *rc::gen::inRange(0, 3);
    if (kind == 0) {
      text.erase(at, length);
    } else if (kind == 1) {
      text.insert(at, text.substr(at, length));
    } else {
      text.replace(at, *rc::gen::inRange(0, 3), *rc::gen::elementOf(kFragments));
    }
  }
  return text;
}

}  // namespace

TEST_CASE("No text makes the loader throw, and every fault lies inside the text") {
  CHECK(rc::check("mutations of the lab scenario", [] {
    const std::string text = mutated();
    const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
    const Outcome outcome = load_text(text);
    const bool has_errors = std::any_of(outcome.diagnostics.begin(), outcome.diagnostics.end(),
                                        [](const Diagnostic& d) { return d.severity == Severity::error; });
    RC_ASSERT(outcome.loaded.has_value() != has_errors);
    for (const Diagnostic& d : outcome.diagnostics) {
      RC_ASSERT(d.pos.line >= 1);
      RC_ASSERT(d.pos.line <= lines + 1);
      RC_ASSERT(d.pos.column >= 1);
      RC_ASSERT(!render(d, text).empty());
    }
    if (!outcome.loaded) return;
    const Outcome again = load_text(outcome.loaded->canonical);
    RC_ASSERT(again.loaded.has_value());
    RC_ASSERT(again.loaded->canonical == outcome.loaded->canonical);
    RC_ASSERT(again.loaded->sha256 == outcome.loaded->sha256);
    RC_ASSERT(figures_text(again.loaded->scenario) == figures_text(outcome.loaded->scenario));
  }));
}

TEST_CASE("A scenario with other values survives its own dump") {
  // Values of every kind that a file may hold, put at random places of the lab scenario.
  static const std::vector<std::vector<std::string>> kChoices = {
      {"time.warm_up=0", "time.warm_up=1-12", "time.warm_up=33:20", "time.warm_up=1 us"},
      {"site.pue=1", "site.pue=1.1000000000000001", "site.pue=1e1", "site.pue='1.25'"},
      {"site.electricity=0", "site.electricity=0.0000019 USD/kWh", "site.electricity=120 USD/MWh"},
      {"site.power_limit=1e9 W", "site.power_limit=0.1 mW", "site.power_limit=123.456789 kW"},
      {"name='a: b'", "name=\"\\u00e9 \\\"q\\\"\"", "name=no", "name=2020", "name=~x"},
      {"seed=18446744073709551615", "seed=0", "seed=1_000"},
      {"scheduler.partitions.scale.max_time=infinite", "scheduler.partitions.scale.max_time=7-0:0:1"},
      {"workload.classes.prototype.gpus=3", "workload.classes.prototype.gpus={1: 33 %, 2: 0.67}"},
      {"workload.classes.prototype.wall_time={exponential: 2 h}",
       "workload.classes.prototype.wall_time={fixed: 1:30:00}"},
      {"workload.classes.prototype.arrivals.per_user=1e-7 /s",
       "workload.classes.prototype.arrivals.per_user=9 /week"},
      {"workload.classes.prototype.gpu_memory=1 B", "workload.classes.prototype.gpu_memory=10.5 GiB"},
      {"study.constraints=[]", "study.constraints=['results_per_week >= 0.5', 'wait_s <= 1-0']"},
      {"fleet.split={scale: 33.3333 %}", "fleet.counts={proto: 1, scale: 2}", "fleet.split={proto: 1e-3}"},
      {"fleet.existing=[]", "fleet.existing=[{node: desktop-4x-rtx3090, count: 1, bought: 2018-11-30}]"},
      {"fabric={shape: none}", "fabric.oversubscription=1.5", "fabric.hcas_per_node=2"}};
  CHECK(rc::check("choices", [] {
    LoadOptions options;
    for (const auto& choice : kChoices)
      if (*rc::gen::arbitrary<bool>()) options.set.push_back(*rc::gen::elementOf(choice));
    const Outcome first = load_text(lab_text(), options);
    for (const std::string& message : first.messages) RC_LOG(message);
    RC_ASSERT(first.loaded.has_value());
    const Outcome second = load_text(first.loaded->canonical);
    RC_ASSERT(second.loaded.has_value());
    RC_ASSERT(second.loaded->canonical == first.loaded->canonical);
    RC_ASSERT(second.loaded->sha256 == first.loaded->sha256);
    RC_ASSERT(figures_text(second.loaded->scenario) == figures_text(first.loaded->scenario));
    RC_ASSERT(second.loaded->scenario.request.share == first.loaded->scenario.request.share);
    RC_ASSERT(second.loaded->scenario.not_evaluated.size() == first.loaded->scenario.not_evaluated.size());
  }));
}
