#include "sim/economics/presence.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace fleetsim {
namespace {

std::optional<std::chrono::sys_days> day_of(const std::string& date) {
  const auto number = [&](std::size_t at, std::size_t size) {
    int value = 0;
    std::from_chars(date.data() + at, date.data() + at + size, value);
    return value;
  };
  if (date.size() != 7 && date.size() != 10) return std::nullopt;
  using namespace std::chrono;
  const year_month_day day{year(number(0, 4)), month(static_cast<unsigned>(number(5, 2))),
                           std::chrono::day(date.size() == 7 ? 1U : static_cast<unsigned>(number(8, 2)))};
  if (!day.ok()) return std::nullopt;
  return sys_days(day);
}

}  // namespace

std::optional<int> days_from_start(const std::string& starts, const std::string& date) {
  const auto from = day_of(starts), to = day_of(date);
  if (!from || !to) return std::nullopt;
  return static_cast<int>((*to - *from).count());
}

std::vector<Stay> stays_of(const Scenario& scenario, std::size_t pool, std::int32_t nodes) {
  std::vector<Stay> stays(static_cast<std::size_t>(nodes));
  std::vector<Delivery> deliveries;
  for (const Delivery& delivery : scenario.availability.deliveries)
    if (delivery.pool == pool) deliveries.push_back(delivery);
  std::stable_sort(deliveries.begin(), deliveries.end(),
                   [](const Delivery& a, const Delivery& b) { return a.at > b.at; });
  std::size_t left = stays.size();
  for (const Delivery& delivery : deliveries)
    for (int i = 0; i < delivery.nodes && left > 0; ++i) stays[--left].from = kStart + delivery.at;
  const auto days = days_from_start(scenario.availability.starts, scenario.pools[pool].retires);
  if (!days) return stays;
  for (Stay& stay : stays) stay.until = kStart + std::max(*days, 0) * kDay;
  return stays;
}

bool nodes_come_or_go(const Scenario& scenario) {
  return !scenario.availability.deliveries.empty() ||
         std::any_of(scenario.pools.begin(), scenario.pools.end(), [&](const NodePool& pool) {
           return days_from_start(scenario.availability.starts, pool.retires).has_value();
         });
}

std::vector<std::vector<double>> presence_by_year(const Scenario& scenario, std::size_t years) {
  constexpr Duration kYear = 365 * kDay;
  std::vector<std::vector<double>> presence;
  if (!nodes_come_or_go(scenario)) return {scenario.pools.size(), std::vector<double>(years, 1.0)};
  for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
    std::vector<double>& of_pool = presence.emplace_back(years, 1.0);
    if (scenario.pools[p].count == 0) continue;
    const std::vector<Stay> stays = stays_of(scenario, p, scenario.pools[p].count);
    for (std::size_t y = 0; y < years; ++y) {
      const Instant begins = kStart + static_cast<std::int64_t>(y) * kYear, ends = begins + kYear;
      double there = 0.0;
      for (const Stay& stay : stays) {
        const Instant from = std::max(stay.from, begins), until = std::min(stay.until, ends);
        if (from < until) there += to_seconds(until - from);
      }
      of_pool[y] = there / (to_seconds(kYear) * static_cast<double>(stays.size()));
    }
  }
  return presence;
}

}  // namespace fleetsim
