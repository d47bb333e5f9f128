// Flip prices and shares of draws on a pricing whose answers are known by hand. Nothing is simulated: the
// time to a result of a fleet is given as a function of its counts.
#include "sim/study/judge_prices.hpp"

#include <cmath>
#include <cstdlib>

#include "sim/study/prices_json.hpp"
#include "sim/study/selection.hpp"
#include "sim/study/verdict.hpp"
#include "tests/catch.hpp"
#include "tests/unit/study/made_up.hpp"

using namespace fleetsim;

namespace {

/// 100,000 USD; nodes of `proto` at 10,000 USD, of `scale` at 20,000 USD, nothing else is charged.
Scenario lab() {
  Scenario s = made_up::scenario(0, 0);
  s.scheduler.sharing = SharingRule::overflow;
  s.time.replications = 4;
  s.study.price_draws = 40;
  for (NodePool& pool : s.pools) {
    for (Figure<Watts>* figure : {&pool.node.base_power_load, &pool.node.base_power_idle})
      figure->low = figure->high = figure->value;
  }
  return s;
}

void set_range(Scenario& s, std::size_t pool, double low, double high) {
  Figure<Money>& price = s.pools[pool].node.price_parts[0].unit_price;
  price.low = usd(low);
  price.high = usd(high);
  s.pools[pool].node.price_parts[0].item = s.pools[pool].node.title;
}

class Fleets : public CandidateSource {
 public:
  explicit Fleets(Scenario base) : base_(std::move(base)), counts_(maximal_fleets(base_)) {}
  [[nodiscard]] std::size_t size() const override { return counts_.size(); }
  [[nodiscard]] Candidate make(std::size_t i) const override {
    return fleet(counts_[i], base_.scheduler.sharing);
  }
  [[nodiscard]] Candidate fleet(const std::vector<int>& counts, SharingRule sharing) const override {
    Candidate c{fmt::format("{}+{}", counts[0], counts[1]), base_, ""};
    c.scenario.scheduler.sharing = sharing;
    c.scenario.pools[0].count = counts[0];
    c.scenario.pools[1].count = counts[1];
    c.key = c.label;
    return c;
  }

 private:
  Scenario base_;
  std::vector<std::vector<int>> counts_;
};

using Hours = double (*)(int proto, int scale);

struct MadePrices {
  StudyResult study;
  PricePlan plan;
  PriceRobustness prices;
};

PoolUseRange half_used() {
  const PoolUse use{{0.5, 0.5}, 0.0};
  return {use, use, use};
}

/// The study and its price draws as run_study makes them, had the queue given these hours in every
/// replication.
MadePrices robustness(const Scenario& base, Hours hours, const PoolUseRange& use = half_used()) {
  const Fleets source(base);
  MadePrices made;
  made.plan = plan_prices(base, source);
  made.study.replications = base.time.replications;
  made.study.pool_names = {"proto", "scale"};
  made.study.scale_pool = "scale";
  made.study.ks = {base.study.prototypes_per_result};
  std::vector<SimulatedFleet> fleets;
  std::vector<CandidateValues> ranked;
  for (std::size_t i = 0; i < made.plan.fleets.size(); ++i) {
    const std::vector<int>& counts = made.plan.fleets[i];
    const int n = i < made.plan.own ? base.time.replications : draw_replications(base);
    // About these hours, by a swing of each fleet's own: a few equal differences would decide nothing.
    std::vector<double> values;
    for (int r = 0; r < n; ++r)
      values.push_back(hours(counts[0], counts[1]) + (r % 2 == 0 ? 1.0 : -1.0) * (0.01 + 0.0013 * counts[0]));
    fleets.push_back({fmt::format("{}+{}", counts[0], counts[1]), true, values, Keeps::surely, use});
    if (i >= made.plan.own) continue;
    CandidateResult c;
    c.label = fleets.back().label;
    c.sharing = base.scheduler.sharing;
    c.counts = counts;
    c.keeps = Keeps::surely;
    const double money = 10'000.0 * counts[0] + 20'000.0 * counts[1];
    c.share = 20'000.0 * counts[1] / money;
    c.objective = {{made.study.ks[0], summarise(values, "h")}};
    c.pool_utilisation.assign(2, Summary{0.5, 0.5, 0.5, 4, "ratio"});
    made.study.candidates.push_back(c);
    ranked.push_back({static_cast<int>(i), values});
  }
  made.study.best_sets = {
      select_best(base.scheduler.sharing, made.study.ks[0], ranked, base.study.indifference)};
  made.study.best_sets[0].band = judge_band_of(made.study, base.scheduler.sharing, ranked);
  conclude(base, made.study);
  made.prices = judge_prices(base, made.study, made.plan, fleets);
  return made;
}

double fastest_with_two(int, int scale) {
  return 50.0 + 10.0 * std::abs(scale - 2);
}
double fastest_with_most(int, int scale) {
  return 100.0 - 10.0 * scale;
}

const PriceRobustness::Flip* flip(const PriceRobustness& prices, const std::string& item,
                                  const std::string& what, bool above) {
  for (const PriceRobustness::Quantity& q : prices.quantities) {
    if (q.item != item) continue;
    for (const PriceRobustness::Flip& f : q.flips)
      if (f.what == what && (f.at > q.value) == above) return &f;
  }
  return nullptr;
}

}  // namespace

TEST_CASE(
    "the price at which the budget no longer pays for the fleet, and the one at which more of it is better") {
  Scenario base = lab();
  set_range(base, 1, 15'000.0, 30'000.0);
  const MadePrices made = robustness(base, fastest_with_most);
  REQUIRE(made.prices.recommended == "0+5");
  // 5 p <= 100,000 holds up to p = 20,000
  const auto* above = flip(made.prices, "dear", "fleet", true);
  REQUIRE(above != nullptr);
  CHECK(above->at == 20'001.0);
  CHECK(above->to == "the budget does not pay for it, 1+4 is best");
  // 6 p <= 100,000 from p = 16,666.67 down; the whole dollar below
  const auto* below = flip(made.prices, "dear", "fleet", false);
  REQUIRE(below != nullptr);
  CHECK(below->at == 16'666.0);
  CHECK(below->from == "in the best set");
  CHECK(below->to == "worse than 0+6");
  CHECK(flip(made.prices, "dear", "rule", true) == nullptr);  // refuted wherever it can be judged
}

TEST_CASE("the best fleet at both ends of a range is the one that these prices pay for") {
  Scenario base = lab();
  set_range(base, 1, 15'000.0, 30'000.0);
  const MadePrices made = robustness(base, fastest_with_most);
  CHECK(made.prices.at_values.best == "0+5");
  CHECK(made.prices.at_values.hours == Approx(50.0));  // 100 - 10 x 5
  REQUIRE(made.prices.quantities.size() == 1);
  const PriceRobustness::Choice& low = made.prices.quantities[0].at_low;
  CHECK(low.best == "1+6");          // 6 x 15,000 + 10,000 = 100,000
  CHECK(low.hours == Approx(40.0));  // 100 - 10 x 6
  CHECK(low.share == Approx(0.9));   // 90,000 / 100,000
  const PriceRobustness::Choice& high = made.prices.quantities[0].at_high;
  CHECK(high.best == "1+3");  // 3 x 30,000 + 10,000 = 100,000
  CHECK(high.hours == Approx(70.0));
  CHECK(high.share == Approx(0.9));
  CHECK(high.rule == "refuted");
}

TEST_CASE("a price that changes the fleets on offer need not flip anything") {
  Scenario base = lab();
  set_range(base, 0, 9'000.0, 11'000.0);
  const MadePrices made = robustness(base, fastest_with_most);  // 0+5 buys none of these nodes
  REQUIRE(made.prices.quantities.size() == 1);
  CHECK(made.prices.quantities[0].flips.empty());
  CHECK(made.prices.quantities[0].moves_fleets);
  CHECK(made.prices.affordable == Approx(1.0));
  CHECK(made.prices.in_best_set == Approx(1.0));
  CHECK(price_clause(made.prices).find("No single estimate flips the recommendation") != std::string::npos);
}

TEST_CASE("the price at which the rule flips is where the best fleet's share enters the band") {
  Scenario base = lab();
  set_range(base, 1, 14'000.0, 26'000.0);
  const MadePrices made = robustness(base, fastest_with_two);
  REQUIRE(made.prices.recommended == "6+2");
  REQUIRE(made.study.rule_status ==
          "refuted");  // 6+2: 40 / 100 = 40 %; 8+1 in the band takes 60 h against 50 h
  // 2 p / (60,000 + 2 p) <= 0.34  <=>  p <= 0.34 x 60,000 / (2 x 0.66) = 15,454.5
  const auto* rule = flip(made.prices, "dear", "rule", false);
  REQUIRE(rule != nullptr);
  CHECK(rule->at == 15'454.0);
  CHECK(rule->from == "refuted");
  CHECK(rule->to == "holds");
  // 60,000 + 2 p <= 100,000
  const auto* fleet = flip(made.prices, "dear", "fleet", true);
  REQUIRE(fleet != nullptr);
  CHECK(fleet->at == 20'001.0);
  // Below 15,000 the budget also pays for 7+2, as good as 6+2, which stays in the best set.
  CHECK(flip(made.prices, "dear", "fleet", false) == nullptr);
}

TEST_CASE("shares of draws are those of the drawn prices, and quantiles those of the purchase") {
  Scenario base = lab();
  set_range(base, 1, 15'000.0, 30'000.0);
  const MadePrices made = robustness(base, fastest_with_two);
  REQUIRE(made.prices.draws == 40);
  int pays = 0;
  std::vector<double> purchase;
  for (const PricePlan::Draw& draw : made.plan.draws) {
    const double price = draw.values[0];
    CHECK(price >= 15'000.0);
    CHECK(price <= 30'000.0);
    pays += 60'000.0 + 2.0 * price <= 100'000.0 ? 1 : 0;
    purchase.push_back(60'000.0 + 2.0 * price);
  }
  CHECK(made.prices.affordable == Approx(pays / 40.0));
  std::sort(purchase.begin(), purchase.end());
  CHECK(made.prices.capex_usd.p5 == Approx(purchase[1]));    // nearest rank: 0.05 x 40 = 2nd
  CHECK(made.prices.capex_usd.p50 == Approx(purchase[19]));  // 20th
  CHECK(made.prices.capex_usd.p95 == Approx(purchase[37]));  // 38th
  CHECK(made.prices.holds + made.prices.refuted + made.prices.rule_undecided == Approx(1.0));
}

TEST_CASE("the cap of a year is judged at the prices of a draw, and its flip price is told") {
  Scenario base = lab();
  base.budget = usd(105'000.0);  // 6+2 costs 100,000
  set_range(base, 1, 15'000.0, 30'000.0);
  const auto running_of = [&](int proto, int scale) {
    Scenario fleet = base;
    fleet.pools[0].count = proto;
    fleet.pools[1].count = scale;
    const Bill bill = bill_of_materials(fleet);
    return cost_of_use(fleet, bill, half_used().mean).total_by_year.at(0) - purchase_money(fleet, bill);
  };
  const Money running = running_of(6, 2);
  REQUIRE(running > Money{});
  base.economics.budget_by_year = {usd(102'000.0) + running};
  const MadePrices made = robustness(base, fastest_with_two);
  REQUIRE(made.prices.recommended == "6+2");
  // 60,000 + 2 p <= 102,000 holds up to p = 21,000; the budget itself pays up to 22,500.
  const auto* above = flip(made.prices, "dear", "fleet", true);
  REQUIRE(above != nullptr);
  CHECK(above->at == 21'001.0);
  // 4 nodes and 3 at 21,001 are 103,003 and draw less power; they take as long as 8+1.
  REQUIRE(usd(103'003.0) + running_of(4, 3) <= base.economics.budget_by_year[0]);
  CHECK(above->to == "it breaks the cap of a year, 4+3 is best");
  int pays = 0;
  for (const PricePlan::Draw& draw : made.plan.draws) pays += draw.values[0] <= 21'000.0 ? 1 : 0;
  REQUIRE(pays < 40);
  CHECK(made.prices.affordable == Approx(pays / 40.0));
}

TEST_CASE("a cap that the best fleets only perhaps keep leaves the rule open in every draw") {
  Scenario base = lab();
  const auto first_year = [&](int proto, int scale, double busy) {
    Scenario fleet = base;
    fleet.pools[0].count = proto;
    fleet.pools[1].count = scale;
    return cost_of_use(fleet, bill_of_materials(fleet), {{busy, busy}, 0.0}).total_by_year.at(0);
  };
  const PoolUseRange use{{{0.5, 0.5}, 0.0}, {{0.5, 0.5}, 0.0}, {{1.0, 1.0}, 0.0}};
  const Money cap = first_year(10, 0, 0.5);  // the fleet with the most nodes
  REQUIRE(first_year(6, 2, 1.0) > cap);
  REQUIRE(robustness(base, fastest_with_two, use).prices.refuted == Approx(1.0));
  base.economics.budget_by_year = {cap};
  const MadePrices made = robustness(base, fastest_with_two, use);
  CHECK(made.prices.affordable == Approx(1.0));  // by its mean use
  CHECK(made.prices.rule_undecided == Approx(1.0));
}

TEST_CASE("without ranges every draw is the study itself") {
  const MadePrices made = robustness(lab(), fastest_with_two);
  CHECK(made.plan.extra() == 0);
  CHECK(made.prices.in_best_set == Approx(1.0));
  CHECK(made.prices.best == Approx(1.0));
  CHECK(made.prices.affordable == Approx(1.0));
  CHECK(made.prices.refuted == Approx(1.0));
  CHECK(made.prices.quantities.empty());
  CHECK(made.prices.load.p5 == made.prices.load.p95);
}

TEST_CASE("jobs stay and prices move, so the load of a draw moves with its prices") {
  Scenario base = lab();
  base.scheduler.sharing = SharingRule::one_pool;
  set_range(base, 0, 9'000.0, 12'000.0);
  const MadePrices made = robustness(base, fastest_with_two);
  for (const PricePlan::Draw& draw : made.plan.draws) {
    const OfferedLoad expected = offered_load(with_quantities(base, made.plan.quantities, draw.values));
    CHECK(draw.load == expected.load);
    CHECK(draw.s == expected.s);
  }
  // Both classes run cheapest on `proto`, so their money, and with it the load, goes with its price; s does
  // not.
  const PricePlan::Draw& first = made.plan.draws.front();
  CHECK(first.load / offered_load(base).load == Approx(first.values[0] / 10'000.0));
  CHECK(made.prices.load.p5 < made.prices.load.p95);
  CHECK(made.prices.s.p5 == Approx(made.prices.s.p95));
}

TEST_CASE("price robustness read back from its JSON is what was written") {
  Scenario base = lab();
  set_range(base, 1, 14'000.0, 26'000.0);
  set_range(base, 0, 9'000.0, 11'000.0);
  const MadePrices made = robustness(base, fastest_with_two);
  const nlohmann::json json = prices_json(made.prices);
  CHECK(prices_json(prices_from_json(json)) == json);
  bool flipped = false;
  for (const auto& row : json.at("flips")) flipped = flipped || !row.at("flips_at").is_null();
  CHECK(flipped);
  CHECK(json.at("capex").at("affordable") == made.prices.affordable);
  CHECK_THROWS_AS(prices_from_json(nlohmann::json{{"draws", "many"}}), std::runtime_error);
}
