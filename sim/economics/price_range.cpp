#include "sim/economics/price_range.hpp"

namespace fleetsim {

PriceRange price_range(const Bill& bill) {
  PriceRange range;
  for (const BillLine& line : bill.lines) {
    if (!line.priced) continue;
    const Figure<Money>& price = line.unit_price;
    const bool spread = price.low < price.high;
    range.low += (spread ? price.low : price.value) * line.quantity;
    range.high += (spread ? price.high : price.value) * line.quantity;
    if (price.from.estimate) range.estimated += line.total();
  }
  return range;
}

}  // namespace fleetsim
