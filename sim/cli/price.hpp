// What `fleetsim price` found out of a fleet, and its two faces: the text of a quotation, and JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/economics/cash_flow.hpp"
#include "sim/economics/charges.hpp"
#include "sim/economics/economics.hpp"

namespace fleetsim::cli {

struct Priced {
  Bill bill;
  OfferedLoad demand;
  CostTable cost;
  std::vector<Charge> charges;
  Money purchase;                 ///< the bill with its charges
  Money present;                  ///< the cost of all years, discounted
  std::vector<Money> book_value;  ///< of the nodes at the end of every year; empty: no life is given
  std::vector<CashYear> cash;
  std::vector<std::string> broken_caps;
  double utilisation = 0.0;
  std::string utilisation_basis;
  int gpus = 0;
  double kwh_year = 0.0;
  std::vector<Money> opex_by_year;
  std::optional<Money> gpu_hour;  ///< none: no GPU-hour is used
};

/// What a GPU-hour is, wherever one is priced.
inline constexpr const char* kCostBasis =
    "a GPU-hour counts while a job holds the GPU, packed with others on its node: what jobs run, not what "
    "they "
    "request";

/// The bill, the cost and what they rest on. `utilisation`: as given, else the load of the fleet.
[[nodiscard]] Priced price_of(const Scenario& scenario, std::optional<double> utilisation);

[[nodiscard]] std::string price_text(const Scenario& scenario, const Priced& priced);
[[nodiscard]] std::string price_json(const Scenario& scenario, const Priced& priced);

}  // namespace fleetsim::cli
