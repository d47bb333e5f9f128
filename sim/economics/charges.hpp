// What is paid beside the bill of materials when a fleet is bought: discount, delivery, installation,
// storage, tax, contingency. Pure functions of the bill's total.
#pragma once

#include <string>
#include <vector>

#include "sim/economics/economics.hpp"

namespace fleetsim {

/// One line under the bill, in whole cents; a discount is below 0.
struct Charge {
  std::string item;
  Money amount;
  std::string basis;    ///< how it was computed, one sentence
  bool of_bill = true;  ///< false: an amount of its own, which no estimate on the bill moves
};

/// Lines that the scenario asks for, in the order in which they build on each other:
///   discount     = academic_discount x bill
///   installation = installation x (bill - discount)
///   tax          = tax x (bill - discount + delivery + installation + storage)
///   contingency  = contingency x (all of that + tax)
/// Each is rounded once, of its whole base, never item by item (rounding.hpp). No lines for a bill of 0.
[[nodiscard]] std::vector<Charge> charges_on(const EconomicsSpec& economics, Money bill);

/// The bill with its charges: what a budget must cover. Cost: O(1).
[[nodiscard]] Money purchase_of(const EconomicsSpec& economics, Money bill);

/// The largest bill, in whole cents, that `budget` pays for together with its charges; 0 when none. The
/// budget itself where nothing is charged. Cost: O(log budget).
[[nodiscard]] Money bill_within(const EconomicsSpec& economics, Money budget);

}  // namespace fleetsim
