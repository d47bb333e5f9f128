// Drawn prices, for every scenario and seed.
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "sim/economics/economics.hpp"
#include "sim/economics/price_draw.hpp"
#include "tests/catch.hpp"
#include "tests/unit/economics/fixture.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;

namespace {

const UncertainQuantity* find(const std::vector<UncertainQuantity>& all, const std::string& item) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& q) { return q.item == item; });
  return found == all.end() ? nullptr : &*found;
}

Money part_price(const Scenario& scenario, std::size_t pool, const std::string& item) {
  for (const PricePart& part : scenario.pools[pool].node.price_parts)
    if (part.item == item) return part.unit_price.value;
  return {};
}

}  // namespace

TEST_CASE("every drawn price lies in its range, in whole cents") {
  CHECK(rc::check([] {
    const auto quantities = uncertain_quantities(lab());
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const auto values = draw_quantities(quantities, seed, *rc::gen::arbitrary<std::uint32_t>());
    RC_ASSERT(values.size() == quantities.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      RC_ASSERT(values[i] >= quantities[i].low);
      RC_ASSERT(values[i] <= quantities[i].high);
      if (quantities[i].unit == "USD")
        RC_ASSERT(std::abs(values[i] * 100.0 - std::round(values[i] * 100.0)) < 1e-6);
    }
  }));
}

TEST_CASE("a draw depends on seed, number and item alone, not on what else is drawn or in which order") {
  CHECK(rc::check([] {
    auto quantities = uncertain_quantities(lab());
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const auto draw = *rc::gen::arbitrary<std::uint32_t>();
    const auto all = draw_quantities(quantities, seed, draw);
    const auto i = *rc::gen::inRange<std::size_t>(0, quantities.size());
    RC_ASSERT(draw_quantities({quantities[i]}, seed, draw).front() == all[i]);
    std::reverse(quantities.begin(), quantities.end());
    auto reversed = draw_quantities(quantities, seed, draw);
    std::reverse(reversed.begin(), reversed.end());
    RC_ASSERT(reversed == all);
  }));
}

TEST_CASE("one item has one price in all nodes of a draw, and the total is that of the drawn prices") {
  CHECK(rc::check([] {
    const Scenario nominal = lab();
    const auto quantities = uncertain_quantities(nominal);
    const auto values = draw_quantities(quantities, nominal.seed, *rc::gen::arbitrary<std::uint32_t>());
    const Scenario drawn = with_quantities(nominal, quantities, values);
    for (const char* item : {"barebone 8-GPU 4U with power supplies", "two CPUs", "local NVMe"})
      RC_ASSERT(part_price(drawn, 0, item) == part_price(drawn, 1, item));
    // total(drawn) - total(nominal) = sum over quantities of (drawn - value) x pieces
    const auto pieces = [&](const std::string& item) { return item == "water cooling for 8 cards" ? 3 : 16; };
    double difference = 0.0;
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      if (!quantities[i].purchase) continue;
      const bool node = quantities[i].places.front().kind == FigurePlace::Kind::part ||
                        quantities[i].places.front().kind == FigurePlace::Kind::adapter;
      difference += (values[i] - quantities[i].value) * (node ? pieces(quantities[i].item) : 1);
    }
    const double billed = to_usd(bill_of_materials(drawn).total) - to_usd(bill_of_materials(nominal).total);
    RC_ASSERT(std::abs(billed - difference) < 1e-3);
    RC_ASSERT(drawn.budget == nominal.budget);
  }));
}

TEST_CASE("the triangular quantile runs from low over the mode to high, and never falls") {
  CHECK(rc::check([] {
    const double low = *rc::gen::inRange(0, 1000), left = *rc::gen::inRange(0, 1000),
                 right = *rc::gen::inRange(1, 1000);
    const double mode = low + left, high = mode + right;
    RC_ASSERT(triangular(0.0, low, mode, high) == low);
    RC_ASSERT(triangular(1.0, low, mode, high) == high);
    // F(mode) = (mode - low) / (high - low)
    RC_ASSERT(std::abs(triangular(left / (left + right), low, mode, high) - mode) < 1e-9 * (1.0 + mode));
    const double u = *rc::gen::inRange(0, 1000) / 1000.0;
    RC_ASSERT(triangular(u, low, mode, high) <= triangular(u + 0.001, low, mode, high));
    // F(x) = (x - low)^2 / ((high - low)(mode - low)) below the mode, 1 - (high - x)^2 / (...) above it.
    const double x = triangular(u, low, mode, high);
    const double f = x < mode ? (x - low) * (x - low) / ((high - low) * (mode - low))
                              : 1.0 - (high - x) * (high - x) / ((high - low) * (high - mode));
    RC_ASSERT(std::abs(f - u) < 1e-9);
  }));
}

TEST_CASE("the mean of many draws is that of the triangular distribution") {
  // E = (low + mode + high) / 3, variance (a2 + b2 + c2 - ab - ac - bc) / 18; 4000 draws: 5 standard errors
  const auto quantities = uncertain_quantities(lab());
  const UncertainQuantity* water = find(quantities, "water cooling for 8 cards");
  REQUIRE(water != nullptr);
  double sum = 0.0;
  for (std::uint32_t draw = 0; draw < 4000; ++draw) sum += draw_quantities({*water}, 2020, draw).front();
  const double a = 2000.0, b = 6500.0, c = 3600.0;
  const double deviation = std::sqrt((a * a + b * b + c * c - a * b - a * c - b * c) / 18.0);
  CHECK(std::abs(sum / 4000.0 - (a + b + c) / 3.0) < 5.0 * deviation / std::sqrt(4000.0));
}
