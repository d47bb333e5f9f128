#include "sim/economics/charges.hpp"

#include <fmt/format.h>

#include "sim/economics/rounding.hpp"

namespace fleetsim {

std::vector<Charge> charges_on(const EconomicsSpec& e, Money bill) {
  std::vector<Charge> charges;
  if (bill <= Money{}) return charges;
  Money sum = bill;
  const auto add = [&](const char* item, Money amount, const std::string& basis, bool of_bill = true) {
    if (amount == Money{}) return;
    sum += amount;
    charges.push_back({item, amount, basis, of_bill});
  };
  const auto share = [&](const char* item, double rate, Money base, const char* of) {
    add(item, share_of(base, rate), fmt::format("{:.6g} % of {}, {}", 100.0 * rate, money_text(base), of));
  };
  if (e.academic_discount > 0.0) {
    add("Academic discount", -share_of(bill, e.academic_discount),
        fmt::format("{:.6g} % of {}, the bill of materials", 100.0 * e.academic_discount, money_text(bill)));
  }
  const Money goods = sum;
  add("Delivery", to_cents(e.delivery), "as the scenario says, once", false);
  share("Installation", e.installation, goods, "the bill after the discount");
  add("Storage", to_cents(e.storage), "as the scenario says, once", false);
  share("Tax", e.tax, sum, "the sum of the lines above, rounded once");
  share("Contingency", e.contingency, sum, "the sum of the lines above with tax");
  return charges;
}

Money purchase_of(const EconomicsSpec& economics, Money bill) {
  Money sum = bill;
  for (const Charge& charge : charges_on(economics, bill)) sum += charge.amount;
  return sum;
}

Money bill_within(const EconomicsSpec& economics, Money budget) {
  if (purchase_of(economics, budget) == budget) return budget;
  // A discount makes room for more than the budget; without one the budget is the most.
  std::int64_t low = 0;
  std::int64_t high = budget.count() / kMicrosPerCent;
  const auto pays = [&](std::int64_t cents) {
    return purchase_of(economics, Money{cents * kMicrosPerCent}) <= budget;
  };
  while (high > 0 && pays(high)) {
    low = high;
    high *= 2;
  }
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    if (pays(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return Money{low * kMicrosPerCent};
}

}  // namespace fleetsim
