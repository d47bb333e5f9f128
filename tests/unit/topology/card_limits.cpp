// What a power limit and heat do to a card's speed.
#include "topology/card_limits.hpp"

#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

NodeType four_cards(CardCooling cooling, int slots) {
  NodeType node;
  node.gpus = 4;
  node.gpu.board_power.value = Watts{250.0};
  node.gpu.slot_width.value = 2;
  node.cards = {cooling, 2, slots, {}};
  return node;
}

double temperature(const NodeType& node) {
  return card_temperature(node, std::nullopt, Celsius{22.0})->count();
}

}  // namespace

TEST_CASE("an RTX 3090 at 280 W keeps over 95 % of its speed") {
  const Span speed = capped_speed(Watts{280.0}, Watts{350.0});
  CHECK(speed.value == Approx(0.96));
  CHECK(speed.low >= 0.95 - 1e-12);
  CHECK(speed.high <= 1.0);
  // halfway between 0.7 (0.90) and 0.8 (0.96)
  CHECK(capped_speed(Watts{262.5}, Watts{350.0}).value == Approx(0.93));
  CHECK(capped_speed(Watts{350.0}, Watts{350.0}).value == 1.0);
  CHECK(capped_speed(Watts{500.0}, Watts{350.0}).value == 1.0);
}

TEST_CASE("less power never makes a card faster, and its range holds the value") {
  double before = 0.0;
  for (int w = 1; w <= 350; ++w) {
    const Span speed = capped_speed(Watts{static_cast<double>(w)}, Watts{350.0});
    CHECK(speed.value >= before);
    CHECK(speed.low <= speed.value);
    CHECK(speed.value <= speed.high);
    before = speed.value;
  }
}

TEST_CASE("four RTX 2080 Ti that touch pass 90 C, and a gap is worth 10 to 30 C") {
  const double touching = temperature(four_cards(CardCooling::open_air, 8));
  // 22 + 54 + 16
  CHECK(touching == Approx(92.0));
  // 11 - 8 = 3 free slots for 3 gaps; 10 - 8 = 2 leave one pair without
  const double spaced = temperature(four_cards(CardCooling::open_air, 11));
  CHECK(touching - spaced >= 10.0);
  CHECK(touching - spaced <= 30.0);
  CHECK(temperature(four_cards(CardCooling::open_air, 10)) == Approx(92.0));
  // water, blowers and risers solve it
  CHECK(throttled_speed(Celsius{spaced}) == 1.0);
  CHECK(throttled_speed(Celsius{temperature(four_cards(CardCooling::blower, 8))}) == 1.0);
  CHECK(throttled_speed(Celsius{temperature(four_cards(CardCooling::water, 8))}) == 1.0);
}

TEST_CASE("a throttling card loses 6 to 10 % at 87 C, nothing at 78 C, and never more than was seen") {
  CHECK(throttled_speed(Celsius{78.0}) == 1.0);
  CHECK(throttled_speed(Celsius{84.0}) == 1.0);
  // 1 - 3 x 8 % / 3
  CHECK(throttled_speed(Celsius{87.0}) == Approx(0.92));
  CHECK(throttled_speed(Celsius{95.25}) == Approx(0.70));
  CHECK(throttled_speed(Celsius{150.0}) == Approx(0.70));
  CHECK(kThrottleUnknown.count() == Approx(95.25));
}

TEST_CASE("a limit cools a card as it slows it") {
  const NodeType node = four_cards(CardCooling::open_air, 8);
  // 22 + 70 x 200 / 250 = 78 C: no throttling is left, the limit alone counts
  CHECK(card_temperature(node, Watts{200.0}, Celsius{22.0})->count() == Approx(78.0));
  CHECK(card_speed(node, Watts{200.0}, Celsius{22.0}) == Approx(0.96));
  // 1 - (92 - 84) x 0.08 / 3
  CHECK(card_speed(node, std::nullopt, Celsius{22.0}) == Approx(1.0 - 8.0 * 0.08 / 3.0));
}

TEST_CASE("cards of unknown cooling run at full speed, exactly; modules are cooled by their chassis") {
  NodeType node = four_cards(CardCooling::unknown, 0);
  CHECK(card_speed(node, std::nullopt, Celsius{60.0}) == 1.0);
  CHECK_FALSE(card_temperature(node, std::nullopt, Celsius{22.0}));
  node.gpu.slot_width.value = 0;
  CHECK(card_cooling(node) == CardCooling::passive);
  node.cooling = Cooling::water;
  CHECK(card_cooling(node) == CardCooling::water);
}

TEST_CASE("a slower card stretches the computing part of a job, not its communication") {
  // 0.8 of the step computes: 1 + 0.8 x (1 / 0.5 - 1)
  CHECK(slower_run_time(0.5, 0.8) == Approx(1.8));
  CHECK(slower_run_time(0.5, 1.0) == Approx(2.0));
  CHECK(slower_run_time(1.0, 0.3) == 1.0);
}
