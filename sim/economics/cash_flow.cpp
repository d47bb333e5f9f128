#include "sim/economics/cash_flow.hpp"

#include <fmt/format.h>

#include "sim/economics/rounding.hpp"

namespace fleetsim {

std::vector<CashYear> cash_flow(const EconomicsSpec& economics, const CostTable& cost) {
  std::vector<CashYear> years;
  for (std::size_t y = 0; y < cost.total_by_year.size(); ++y) {
    years.push_back({cost.total_by_year[y], std::nullopt});
    if (y < economics.budget_by_year.size()) years.back().cap = economics.budget_by_year[y];
  }
  return years;
}

std::vector<std::string> broken_caps(const EconomicsSpec& economics, const CostTable& cost) {
  std::vector<std::string> sentences;
  const std::vector<CashYear> years = cash_flow(economics, cost);
  for (std::size_t y = 0; y < years.size(); ++y) {
    const CashYear& year = years[y];
    if (!year.cap || year.paid <= *year.cap) continue;
    sentences.push_back(fmt::format("year {} costs {}, which is {} more than its cap of {}", y + 1,
                                    money_text(year.paid), money_text(year.paid - *year.cap),
                                    money_text(*year.cap)));
  }
  return sentences;
}

Money present_cost(const EconomicsSpec& economics, const CostTable& cost) {
  double present = 0.0, at_start = 1.0;
  for (std::size_t y = 0; y < cost.total_by_year.size(); ++y) {
    const double at_end = at_start / (1.0 + economics.discount_rate);
    Money capital, running;
    for (std::size_t i = 0; i < cost.lines.size(); ++i)
      (i < cost.capital_lines ? capital : running) += cost.lines[i].by_year[y];
    present += to_usd(capital) * at_start + to_usd(running) * at_end;
    at_start = at_end;
  }
  return to_cents(usd(present));
}

}  // namespace fleetsim
