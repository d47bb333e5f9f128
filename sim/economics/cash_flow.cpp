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
  Money capital;
  for (std::size_t i = 0; i < cost.capital_lines && i < cost.lines.size(); ++i)
    for (const Money money : cost.lines[i].by_year) capital += money;
  double later = 0.0, factor = 1.0;
  for (std::size_t y = 0; y < cost.total_by_year.size(); ++y) {
    factor /= 1.0 + economics.discount_rate;
    Money running;
    for (std::size_t i = cost.capital_lines; i < cost.lines.size(); ++i) running += cost.lines[i].by_year[y];
    later += to_usd(running) * factor;
  }
  return to_cents(capital + usd(later));
}

}  // namespace fleetsim
