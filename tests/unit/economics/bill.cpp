// The bill of materials against sums made by hand.
#include "fixture.hpp"
#include "sim/economics/economics.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;

namespace {

int quantity(const Bill& bill, const std::string& group, const std::string& item) {
  for (const BillLine& line : bill.lines) {
    if (line.group == group && line.item == item) return line.quantity;
  }
  return -1;
}

Money sum(const Bill& bill) {
  Money total;
  for (const BillLine& line : bill.lines) total += line.total();
  return total;
}

}  // namespace

TEST_CASE("a node's price is its parts and its network adapter") {
  // 8 x 699 + 5000 + 2000 + 1800 + 800 + 870
  CHECK(node_price(lab(), PoolId{0}) == usd(16062L));
  // 8 x 1499 + 5000 + 2000 + 1800 + 800 + 3600 + 870
  CHECK(node_price(lab(), PoolId{1}) == usd(26062L));
}

TEST_CASE("a node without a fabric has no adapter to pay for") {
  Scenario scenario = lab();
  scenario.fabric.shape = FabricShape::none;
  // 16062 - 870
  CHECK(node_price(scenario, PoolId{0}) == usd(15192L));
  const Bill bill = bill_of_materials(scenario);
  // 13 x 15192 + 3 x 25192; no EDR switch: 1500 + 2500
  CHECK(bill.node_money == usd(273072L));
  CHECK(bill.fixed_money == usd(4000L));
}

TEST_CASE("thirteen and three nodes cost 298,992 USD with one switch, and every line is priced") {
  const Bill bill = bill_of_materials(lab());
  CHECK(quantity(bill, "proto", "rtx3080") == 104);  // 13 x 8
  CHECK(quantity(bill, "scale", "rtx3090") == 24);   // 3 x 8
  CHECK(quantity(bill, "scale", "water cooling for 8 cards") == 3);
  CHECK(quantity(bill, "proto", "InfiniBand EDR adapter with cable") == 13);
  CHECK(quantity(bill, "scale", "InfiniBand EDR adapter with cable") == 3);
  CHECK(quantity(bill, "fabric", "InfiniBand EDR switch, 36 ports") == 1);
  CHECK(quantity(bill, "fabric", "InfiniBand EDR cable between switches") == -1);
  // 13 x 16062 + 3 x 26062
  CHECK(bill.node_money == usd(286992L));
  // 8000 + 1500 + 2500
  CHECK(bill.fixed_money == usd(12000L));
  CHECK(bill.total == usd(298992L));
  CHECK(sum(bill) == bill.total);
  CHECK(bill.unpriced.empty());
}

TEST_CASE("a pool without nodes has no lines and an empty fleet no bill") {
  const Bill bill = bill_of_materials(with_counts(lab(), {17, 0}));
  for (const BillLine& line : bill.lines) CHECK(line.group != "scale");
  // 17 x 16062 + 12000
  CHECK(bill.total == usd(285054L));
  const Bill none = bill_of_materials(with_counts(lab(), {0, 0}));
  CHECK(none.lines.empty());
  CHECK(none.total == Money{});
}

TEST_CASE("forty nodes need three leaves and two spines, and the cables between them have no price") {
  const Bill bill = bill_of_materials(with_counts(lab(), {40, 0}));
  // 18 of 36 ports down: leaves = ceil(40/18) = 3, uplinks 18 + 18 + 4 = 40 > 36 ports, so 2 spines
  CHECK(quantity(bill, "fabric", "InfiniBand EDR switch, 36 ports") == 5);
  CHECK(quantity(bill, "fabric", "InfiniBand EDR cable between switches") == 40);
  REQUIRE(bill.unpriced.size() == 1);
  CHECK(bill.unpriced[0] == "InfiniBand EDR cable between switches (fabric)");
  // 40 x 16062 + 5 x 8000 + 1500 + 2500
  CHECK(bill.total == usd(686480L));
}

TEST_CASE("a node without a price is one unpriced line") {
  Scenario scenario = lab();
  scenario.pools[1].node.price_parts.clear();
  const Bill bill = bill_of_materials(scenario);
  REQUIRE(bill.unpriced.size() == 1);
  CHECK(bill.unpriced[0] == "8x rtx3090 (scale)");
  CHECK(quantity(bill, "scale", "8x rtx3090") == 3);
  CHECK(node_price(scenario, PoolId{1}) == Money{});
}

TEST_CASE("racks fill up pool after pool with whole nodes, by power and by height") {
  Scenario scenario = lab();
  scenario.site.rack = {42, Watts{12000.0}, false};
  // 3110 W a node: 3 a rack, 13 nodes leave 8890 W in rack 5; 2 of 3350 W fit there, the third takes rack 6
  CHECK(racks_needed(scenario) == 6);
  CHECK(quantity(bill_of_materials(scenario), "room", "rack with power distribution") == 6);
  scenario.site.rack.power = Watts{1e6};
  // 42 / 4 = 10 a rack: 13 nodes leave 42 - 12 = 30 units in rack 2
  CHECK(racks_needed(scenario) == 2);
  scenario.site.rack.power = Watts{3000.0};
  // no node fits: each takes a rack of its own
  CHECK(racks_needed(scenario) == 16);
  scenario.site.rack = {42, Watts{3 * 3110.0}, false};
  // power for exactly three: ceil(13/3) = 5 racks, then 3 x 3350 > 9330, so 2 a rack and one fits beside the
  // 13th
  CHECK(racks_needed(scenario) == 6);
}

TEST_CASE("money is printed with thousands separators and with cents only where there are any") {
  CHECK(money_text(usd(16062L)) == "16,062 USD");
  CHECK(money_text(usd(300000L)) == "300,000 USD");
  CHECK(money_text(usd(999L)) == "999 USD");
  CHECK(money_text(usd(1234567L)) == "1,234,567 USD");
  CHECK(money_text(Money{}) == "0 USD");
  CHECK(money_text(usd(0.3149)) == "0.31 USD");
  CHECK(money_text(usd(12.5)) == "12.50 USD");
  CHECK(money_text(usd(-1008L)) == "-1,008 USD");
  CHECK(money_text(usd(-0.001)) == "0 USD");
}
