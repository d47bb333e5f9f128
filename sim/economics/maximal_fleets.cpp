// Every fleet under the budget, or every one to which no further node can be added.
#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "sim/economics/economics.hpp"
#include "sim/economics/fleet_cost.hpp"

namespace fleetsim {
namespace {

class Search {
 public:
  Search(const Scenario& scenario, const FleetCost& cost, bool only_maximal)
      : cost_(cost), bought_(bought_pools(scenario)), only_maximal_(only_maximal) {
    for (const NodePool& pool : scenario.pools) counts_.push_back(pool.existing ? pool.count : 0);
  }

  std::vector<std::vector<int>> run() && {
    choose(bought_ - 1);
    return std::move(found_);
  }

 private:
  /// Tries every affordable count of `pool`, then of the pools before it; the first pool takes the rest.
  void choose(std::size_t pool) {
    const int most = cost_.most(counts_, pool);
    if (pool == 0) {
      for (counts_[0] = only_maximal_ ? most : 0; counts_[0] <= most; ++counts_[0])
        if (counts_[0] >= 0 && buys() && (!only_maximal_ || is_maximal())) found_.push_back(counts_);
      counts_[0] = 0;
      return;
    }
    for (int count = 0; count <= most; ++count) {
      counts_[pool] = count;
      choose(pool - 1);
    }
    counts_[pool] = 0;
  }

  bool is_maximal() {
    for (std::size_t pool = 1; pool < bought_; ++pool) {
      ++counts_[pool];
      const bool fits = cost_.affordable(counts_);
      --counts_[pool];
      if (fits) return false;
    }
    return true;
  }

  [[nodiscard]] bool buys() const {
    return std::any_of(counts_.begin(), counts_.begin() + static_cast<std::ptrdiff_t>(bought_),
                       [](int count) { return count > 0; });
  }

  const FleetCost& cost_;
  std::size_t bought_;
  bool only_maximal_;
  std::vector<int> counts_;
  std::vector<std::vector<int>> found_;
};

std::vector<std::vector<int>> fleets_of(const Scenario& scenario, bool only_maximal) {
  const std::size_t bought = bought_pools(scenario);
  if (bought == 0) return {};
  const FleetCost cost(scenario);
  for (std::size_t i = 0; i < bought; ++i) {
    if (cost.node_price(i) <= Money{}) throw std::invalid_argument(not_for_sale(scenario.pools[i]));
  }
  std::vector<std::vector<int>> fleets = Search(scenario, cost, only_maximal).run();
  const std::size_t last = bought - 1;
  const auto share = [&](const std::vector<int>& counts) {
    return cost.node_price(last) * counts[last] / cost.node_money(counts);
  };
  std::sort(fleets.begin(), fleets.end(), [&](const auto& a, const auto& b) {
    const double share_a = share(a), share_b = share(b);
    return share_a != share_b ? share_a < share_b : a < b;
  });
  return fleets;
}

}  // namespace

std::vector<std::vector<int>> maximal_fleets(const Scenario& scenario) {
  return fleets_of(scenario, true);
}

std::vector<std::vector<int>> affordable_fleets(const Scenario& scenario) {
  return fleets_of(scenario, false);
}

}  // namespace fleetsim
