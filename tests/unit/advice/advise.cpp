#include "sim/advice/advise.hpp"

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/unit/advice/made_up.hpp"

namespace fleetsim {
namespace {

using namespace test;

std::vector<std::string> rules_at(const AdviceTree& tree, const AdviceFacts& facts) {
  std::vector<std::string> names;
  for (const AdviceVerdict& v : advise(tree, facts).own.verdicts) names.push_back(v.rule);
  return names;
}

using Names = std::vector<std::string>;

bool some_contains(const Names& all, const std::string& text) {
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& one) { return one.find(text) != std::string::npos; });
}

TEST_CASE("A band is half-open: its first size belongs to it, the first beyond does not") {
  // small-first [0, 100), large-first [100, ...): 49 and 100 are the last and the first of the second part's,
  // 99 and 100 of the first part's
  CHECK(rules_at(tree(), facts(49)) == Names{"small"});
  CHECK(rules_at(tree(), facts(99)) == Names{"small", "large"});
  CHECK(rules_at(tree(), facts(100)) == Names{"large"});
}

TEST_CASE("Where the parts of the text differ each has its verdict and the contradiction is said") {
  const Advice a = advise(tree(), facts(60));
  REQUIRE(a.own.verdicts.size() == 2);
  CHECK(a.own.verdicts[0].parts == Names{"first"});
  CHECK(a.own.verdicts[1].parts == Names{"second"});
  CHECK(
      some_contains(a.contradictions, "At 60 GPUs the text contradicts itself: its first says buy by small"));
}

TEST_CASE("A size that the text itself does not name is marked as our reading") {
  CHECK_FALSE(advise(tree(), facts(50)).own.verdicts[1].stretched);
  CHECK(advise(tree(), facts(51)).own.verdicts[1].stretched);
  CHECK(some_contains(advise(tree(), facts(51)).contradictions, "leaves a gap"));
  // An edge that the scenario sets is its own business.
  const AdviceTree moved = with_bands(tree(), {{"large-second", 40, std::nullopt}});
  CHECK_FALSE(advise(moved, facts(51)).own.verdicts[1].stretched);
  // Of the second part two bands then overlap, and "large" stands first.
  CHECK(rules_at(moved, facts(40)) == Names{"small", "large"});
}

TEST_CASE("Of overlapping bands the rule that stands first decides and the other is named") {
  const Advice a = advise(tree(), facts(1000));
  CHECK(rules_at(tree(), facts(1000)) == Names{"huge"});
  CHECK(some_contains(a.contradictions, "bands overlap: large-first in words also calls for buy by large"));
}

TEST_CASE("The fleets of a budget are cut at every size where the verdict changes, without gap or overlap") {
  AdviceFacts f = facts(60);
  f.gpus_least = 30;
  f.gpus_most = 1200;
  const Advice a = advise(tree(), f);
  CHECK(a.segments.front().first == 30);
  CHECK(a.segments.back().last == 1200);
  for (std::size_t i = 1; i < a.segments.size(); ++i)
    CHECK(a.segments[i].first == a.segments[i - 1].last + 1);
  std::vector<int> firsts;
  for (const AdviceSegment& s : a.segments) firsts.push_back(s.first);
  CHECK(firsts == std::vector<int>{30, 50, 51, 100, 1000});
}

TEST_CASE("Conditions beside the size are asked as well") {
  AdviceFacts barred = facts(10);
  barred.geforce_barred.value = true;
  CHECK(rules_at(tree(), barred) == Names{"barred"});
  AdviceFacts hobby = facts(10);
  hobby.buyer.value = "kaggle";
  CHECK(rules_at(tree(), hobby).empty());
  AdviceFacts hot = facts(10);
  hot.cooling_solved.value = false;
  CHECK(advise(tree(), hot).steps.back().rule == "hot");
  CHECK(advise(tree(), facts(10)).steps.back().rule == "small");
}

TEST_CASE("G12: steps come in the order use, memory, hardware, checks") {
  AdviceFacts hot = facts(10);
  hot.cooling_solved.value = false;
  std::vector<AdviceStep> steps;
  for (const AdviceTaken& taken : advise(tree(), hot).steps) steps.push_back(taken.step);
  CHECK(steps == std::vector<AdviceStep>{AdviceStep::use, AdviceStep::memory, AdviceStep::hardware,
                                         AdviceStep::checks});
}

TEST_CASE("The memory that a class needs is held against every card of the verdict") {
  AdviceFacts f = facts(10);
  f.memory = {{"prototype", Bytes{8'000'000'000}, 1}, {"scale_up", Bytes{22'000'000'000}, 8}};
  const Advice a = advise(tree(), f);
  CHECK(a.memory[0].held_by == Names{"8x cheap", "8x dear"});
  CHECK(a.memory[1].held_by == Names{"8x dear"});
  CHECK(a.memory[1].too_small == Names{"8x cheap"});
}

TEST_CASE("A verdict whose cards miss the text's own rule for memory contradicts it") {
  AdviceTree t = tree();  // the largest card of "small" has 24 GB
  t.rules[1].memory = Bytes{24'000'000'000};
  CHECK_FALSE(some_contains(advise(t, facts(10)).contradictions, "its own verdict"));
  t.rules[1].memory = Bytes{25'000'000'000};
  CHECK(some_contains(advise(t, facts(10)).contradictions,
                      "asks for 25 GB here (M1), and the largest card of its own verdict has 24 GB"));
}

}  // namespace
}  // namespace fleetsim
