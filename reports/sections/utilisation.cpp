// How busy the fleet is: over the hours of the week, and by pool.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "reports/markdown.hpp"
#include "reports/money.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

constexpr std::size_t kHoursOfWeek = 168;

std::string moment(std::size_t hour) {
  static const std::array<const char*, 7> kDays{"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                "Friday", "Saturday", "Sunday"};
  return fmt::format("{} {:02}:00", kDays[hour / 24 % 7], hour % 24);
}

void week(const CandidateResult& fleet, std::vector<Block>& out) {
  const auto& busy = fleet.utilisation_by_hour;
  if (busy.size() != kHoursOfWeek ||
      !std::all_of(busy.begin(), busy.end(), [](double u) { return std::isfinite(u); }))
    return;
  std::string csv = "hour_of_week,busy_pct\n";
  for (std::size_t h = 0; h <= kHoursOfWeek; ++h)
    csv += fmt::format("{},{:.2f}\n", h, 100.0 * busy[h % kHoursOfWeek]);
  const auto [least, most] = std::minmax_element(busy.begin(), busy.end());
  const double average = std::accumulate(busy.begin(), busy.end(), 0.0) / static_cast<double>(kHoursOfWeek);
  const auto hour = [&](auto it) { return static_cast<std::size_t>(it - busy.begin()); };
  const std::string caption =
      *most - *least < 0.02
          ? fmt::format("Allocation is even over the week, {} on average.", percent(average))
          : fmt::format("On average {} of GPU time is allocated: from {} ({}) to {} ({}).", percent(average),
                        percent(*least), moment(hour(least)), percent(*most), moment(hour(most)));
  out.emplace_back(Drawing{
      "util",
      "util",
      csv,
      {},
      fmt::format("Line of allocated GPU time over the 168 hours of the week: mean {}, least {} on {}, "
                  "most {} on {}.",
                  percent(average), percent(*least), moment(hour(least)), percent(*most), moment(hour(most))),
      caption});
}

void pools(const Dossier& d, const CandidateResult& fleet, std::vector<Block>& out) {
  Table table;
  table.columns = {{"Pool"},
                   {"Nodes", Align::right},
                   {"GPUs", Align::right},
                   {"Allocated", Align::right},
                   {"95 % interval", Align::right}};
  const Summary* lowest = nullptr;
  const Summary* highest = nullptr;
  std::string low_name, high_name;
  for (std::size_t i = 0; i < fleet.pool_utilisation.size() && i < d.pools.size(); ++i) {
    const Summary& s = fleet.pool_utilisation[i];
    const PoolInfo& pool = d.pools[i];
    if (pool.count == 0 || s.n == 0 || !std::isfinite(s.mean)) continue;
    const auto one = [](double v) { return percent(v, 1); };
    table.rows.push_back({text(pool.name), grouped(pool.count), grouped(pool.count * pool.gpus_per_node),
                          percent(s.mean, 1), between(s.ci95_low, s.ci95_high, one)});
    if (lowest == nullptr || s.mean < lowest->mean) lowest = &s, low_name = pool.name;
    if (highest == nullptr || s.mean > highest->mean) highest = &s, high_name = pool.name;
  }
  if (table.rows.empty()) return;
  const Summary* all = metric(fleet, "utilisation_allocated");
  if (all != nullptr && all->n > 0 && table.rows.size() > 1) {
    const auto one = [](double v) { return percent(v, 1); };
    table.total_rows.push_back(static_cast<int>(table.rows.size()));
    int nodes = 0;
    for (const PoolInfo& pool : d.pools) nodes += pool.count;
    table.rows.push_back({"All", grouped(nodes), grouped(gpus_of(d)), percent(all->mean, 1),
                          between(all->ci95_low, all->ci95_high, one)});
  }
  table.caption =
      lowest == highest || high_name == low_name
          ? fmt::format("{} of the GPU time of {} is allocated", percent(highest->mean), text(high_name))
          : fmt::format("{} is the busier pool: {} of its GPU time is allocated, {} of {}", text(high_name),
                        percent(highest->mean), percent(lowest->mean), text(low_name));
  out.emplace_back(table);
}

void utilisation_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  const CandidateResult* fleet = subject(d);
  if (fleet == nullptr) return;
  std::vector<Block> body;
  week(*fleet, body);
  pools(d, *fleet, body);
  if (body.empty()) return;
  out.emplace_back(Heading{1, "Utilisation"});
  out.insert(out.end(), body.begin(), body.end());
  out.emplace_back(
      Paragraph{"Allocated means held by a job. It does not rank fleets: the smallest fleet, or one that "
                "cannot keep up, is the busiest."});
}

const RegisterSection kUtilisation{{60, "utilisation", utilisation_section}};

}  // namespace
}  // namespace fleetsim
