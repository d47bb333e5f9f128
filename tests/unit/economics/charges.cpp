// What is charged on a bill, and the one rounding rule.
#include "sim/economics/charges.hpp"
#include "sim/economics/rounding.hpp"
#include "tests/catch.hpp"
#include "tests/unit/economics/fixture.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;

namespace {

Money amount_of(const std::vector<Charge>& charges, const std::string& item) {
  for (const Charge& charge : charges)
    if (charge.item == item) return charge.amount;
  return Money{};
}

}  // namespace

TEST_CASE("B163: tax is rounded once, of the total, halves up, and never by the noise of binary fractions") {
  // 3 lines of 0.83: 20 % of 2.49 = 0.498 -> 0.50; line by line it would be 3 x 0.17 = 0.51.
  EconomicsSpec taxed;
  taxed.tax = 0.20;
  CHECK(amount_of(charges_on(taxed, usd(0.83) * 3), "Tax") == usd(0.50));
  // 20 % of 302.00 = 60.40 exactly; 302 x 0.2 in binary is 60.400000000000006.
  CHECK(amount_of(charges_on(taxed, usd(302L)), "Tax") == usd(60.40));
  CHECK(money_text(amount_of(charges_on(taxed, usd(302L)), "Tax")) == "60.40 USD");
  // 19 % of 0.50 = 0.095: half a cent goes up, although 0.5 x 0.19 in binary is just below it.
  taxed.tax = 0.19;
  CHECK(amount_of(charges_on(taxed, usd(0.50)), "Tax") == usd(0.10));
  // 8.1 % of 2.50 = 0.2025 -> 0.20; 1.1 % of 50.00 = 0.55 exactly.
  CHECK(share_of(usd(2.50), 0.081) == usd(0.20));
  CHECK(share_of(usd(50L), 0.011) == usd(0.55));
}

TEST_CASE("Halves of a cent go away from zero on both sides") {
  CHECK(to_cents(Money{5'000}) == usd(0.01));
  CHECK(to_cents(Money{4'999}) == Money{});
  CHECK(to_cents(Money{-5'000}) == usd(-0.01));
  CHECK(share_of(usd(-0.50), 0.19) == usd(-0.10));
}

TEST_CASE("Charges build on each other in the order discount, installation, tax, contingency") {
  EconomicsSpec e;
  e.academic_discount = 0.10;
  e.delivery = usd(1200L);
  e.installation = 0.03;
  e.storage = usd(20000L);
  e.tax = 0.19;
  e.contingency = 0.05;
  const std::vector<Charge> charges = charges_on(e, usd(100000L));
  // 100,000 - 10 % = 90,000; installation 3 % of it = 2,700
  CHECK(amount_of(charges, "Academic discount") == usd(-10000L));
  CHECK(amount_of(charges, "Installation") == usd(2700L));
  // tax = 19 % x (90,000 + 1,200 + 2,700 + 20,000) = 19 % x 113,900 = 21,641
  CHECK(amount_of(charges, "Tax") == usd(21641L));
  // contingency = 5 % x (113,900 + 21,641) = 6,777.05
  CHECK(amount_of(charges, "Contingency") == usd(6777.05));
  // 113,900 + 21,641 + 6,777.05
  CHECK(purchase_of(e, usd(100000L)) == usd(142318.05));
}

TEST_CASE("A scenario without charges pays its bill and nothing else") {
  CHECK(charges_on(EconomicsSpec{}, usd(298992L)).empty());
  CHECK(purchase_of(EconomicsSpec{}, usd(298992L)) == usd(298992L));
  CHECK(bill_within(EconomicsSpec{}, usd(300000L)) == usd(300000L));
}

TEST_CASE("The largest bill that a budget pays for is one cent below what it does not") {
  EconomicsSpec e;
  e.tax = 0.19;
  e.delivery = usd(1200L);
  // bill + 1,200 + 19 % x (bill + 1,200) <= 300,000  <=>  bill <= 300,000/1.19 - 1,200 = 250,900.84
  const Money most = bill_within(e, usd(300000L));
  CHECK(most == usd(250900.84));
  CHECK(purchase_of(e, most) <= usd(300000L));
  CHECK(purchase_of(e, most + usd(0.01)) > usd(300000L));
  // A discount pays for a bill above the budget: bill x 0.9 <= 9,000.
  EconomicsSpec cheap;
  cheap.academic_discount = 0.10;
  CHECK(bill_within(cheap, usd(9000L)) == usd(10000L));
  // Delivery alone is more than the budget.
  CHECK(bill_within(e, usd(1000L)) == Money{});
}

TEST_CASE("Another currency is exchanged to the micro-dollar, halves away from zero") {
  // 649.99 x 1.1834 = 769.198166
  CHECK(exchanged(usd(649.99), usd(1.1834)) == Money{769'198'166});
  CHECK(exchanged(Money{1}, Money{500'000}) == Money{1});
}
