#include <algorithm>

#include "sim/economics/economics.hpp"
#include "tests/catch.hpp"
#include "tests/unit/economics/fixture.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;

TEST_CASE(
    "affordable fleets are all that the budget pays for, each once, and the maximal ones are among them") {
  Scenario s = lab();
  s.budget = usd(100'000L);
  const auto fleets = affordable_fleets(s);
  const auto has = [&](const std::vector<int>& counts) {
    return std::count(fleets.begin(), fleets.end(), counts);
  };
  std::size_t affordable = 0;
  for (int proto = 0; proto <= 10; ++proto) {
    for (int scale = 0; scale <= 10; ++scale) {
      const Scenario one = with_counts(s, {proto, scale});
      const bool pays = proto + scale > 0 && purchase_money(one, bill_of_materials(one)) <= s.budget;
      INFO(proto << "+" << scale);
      CHECK(has({proto, scale}) == (pays ? 1 : 0));
      affordable += pays ? 1 : 0;
    }
  }
  CHECK(fleets.size() == affordable);
  CHECK(affordable > 8);
  for (const auto& counts : maximal_fleets(s)) CHECK(has(counts) == 1);
  const auto share = [&](const std::vector<int>& counts) {
    const double a = to_usd(node_price(s, PoolId{0})) * counts[0],
                 b = to_usd(node_price(s, PoolId{1})) * counts[1];
    return b / (a + b);
  };
  CHECK(std::is_sorted(fleets.begin(), fleets.end(),
                       [&](const auto& a, const auto& b) { return share(a) < share(b); }));
}
