// Whatever a user types: the loader answers with faults that lie inside the text, or with a scenario that
// survives its own dump. It never throws.
#include <rapidcheck.h>

#include <algorithm>

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
  }));
}
