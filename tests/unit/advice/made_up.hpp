// A tree with two cards, two parts of the text and three bands: small enough to see what must come out.
#pragma once

#include <string>

#include "sim/advice/advise.hpp"

namespace fleetsim::test {

inline AdvisedPart part(const std::string& card, std::int64_t memory_gb, double low = 1.0,
                        double high = 1.0) {
  AdvisedPart p;
  p.node = "8x-" + card;
  p.title = p.short_name = "8x " + card;
  p.gpu.name = p.gpu.title = card;
  p.gpu.memory.value = Bytes{memory_gb * 1'000'000'000};
  p.machine.name = p.node;
  p.machine.gpus = 8;
  p.share_low = low;
  p.share_high = high;
  return p;
}

inline AdviceRule rule(const std::string& name, AdviceStep step, AdviceCondition when,
                       std::vector<AdviceOption> options, const std::string& claim) {
  AdviceRule r;
  r.name = name;
  r.guide = {claim};
  r.step = step;
  r.when = std::move(when);
  r.says = name + " says so";
  if (!options.empty()) r.verdict = "buy by " + name;
  r.options = std::move(options);
  return r;
}

inline SizeBand band(const std::string& name, const std::string& part_of_text, int from,
                     std::optional<int> below) {
  SizeBand b;
  b.name = name;
  b.part = part_of_text;
  b.from = from;
  b.below = below;
  b.as_written = name + " in words";
  return b;
}

/// Small below 100; large from 100 by the first part, from 50 by the second; huge from 1000 by both. The
/// second part's "large" is written for 50 only.
inline AdviceTree tree() {
  AdviceTree t;
  t.name = "made-up";
  t.parts = {"first", "second"};
  t.bands = {band("small-first", "first", 0, 100), band("small-second", "second", 0, 50),
             band("large-first", "first", 100, std::nullopt),
             band("large-second", "second", 50, std::nullopt), band("huge", "", 1000, std::nullopt)};
  t.bands[3].written_below = 51;
  const AdviceOption mixed{{part("cheap", 10, 0.66, 0.80), part("dear", 24, 0.20, 0.34)}, ""};
  const AdviceOption dear{{part("dear", 24)}, ""}, giant{{part("giant", 40)}, ""};
  t.rules = {rule("habit", AdviceStep::use, {{"lab"}, {}, {}, {}, {}}, {mixed}, "U1"),
             rule("need", AdviceStep::memory, {}, {}, "M1"),
             rule("huge", AdviceStep::hardware, {{"lab"}, {"huge"}, {}, {}, {}}, {giant}, "H3"),
             rule("large", AdviceStep::hardware, {{"lab"}, {"large-first", "large-second"}, {}, {}, {}},
                  {dear}, "H2"),
             rule("barred", AdviceStep::hardware, {{"lab"}, {"small-first", "small-second"}, {}, true, {}},
                  {giant}, "H1"),
             rule("small", AdviceStep::hardware, {{"lab"}, {"small-first", "small-second"}, {}, {}, {}},
                  {mixed}, "H0"),
             rule("hot", AdviceStep::checks, {{}, {}, false, {}, {}}, {}, "C1")};
  return t;
}

inline AdviceFacts facts(int gpus) {
  AdviceFacts f;
  f.buyer.value = "lab";
  f.gpus.value = f.gpus_least = f.gpus_most = gpus;
  f.cooling_solved.value = true;
  return f;
}

}  // namespace fleetsim::test
