// Desktops or a pool: the answer, and what each size of pool makes of the waits.
#include <fmt/format.h>

#include <cmath>

#include "reports/markdown.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

std::string in_hours(double seconds) {
  return std::isfinite(seconds) ? grouped(seconds / 3600.0, 2) : std::string(kNone);
}

std::vector<std::string> row(const std::string& name, const PoolSize& size, bool compared) {
  const WaitSummary& d = size.difference;
  const bool interval = compared && std::isfinite(d.low_s);
  return {name,
          grouped(size.machines),
          in_hours(size.p95.mean_s),
          interval ? fmt::format("{} to {}", in_hours(d.low_s), in_hours(d.high_s)) : std::string(kNone),
          percent(size.utilisation, 1),
          dollars(size.three_year_cost),
          compared ? size.answer : std::string(kNone)};
}

void pooling_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  if (!d.study.pooling) return;
  const Pooling& pooling = *d.study.pooling;
  const PoolSize* pool = least_pool(pooling);
  out.emplace_back(Heading{1, "Summary and decision"});
  out.emplace_back(
      Paragraph{(pool != nullptr ? bold(fmt::format("We recommend a shared pool of {} instead of {}.",
                                                    count(pool->machines, "machine"),
                                                    count(pooling.apart.machines, "private machine")))
                                 : bold("We recommend no pool yet.")) +
                " " + sentence(d.study.verdict)});
  if (pool == nullptr || pooling.first_open < pooling.least)
    out.emplace_back(Callout{bold("Not fully decided.") +
                             " Of some sizes the interval is too wide to say; more replications narrow it."});
  Table table;
  table.columns = {{"Machines"},
                   {"Number", Align::right},
                   {"p95 wait, h", Align::right},
                   {"To private, h (95 %)", Align::right},
                   {"Allocated", Align::right},
                   {fmt::format("Cost in {}", years_text(d.cost.total_by_year.size())), Align::right},
                   {"Waits"}};
  table.rows.push_back(row("private", pooling.apart, false));
  for (const PoolSize& size : pooling.sizes) table.rows.push_back(row("pool", size, true));
  table.caption = pool != nullptr
                      ? fmt::format("{} serve the same users as {} private ones",
                                    count(pool->machines, "shared machine"), pooling.apart.machines)
                      : "No size of pool surely waits no longer than the private machines";
  out.emplace_back(table);
  out.emplace_back(
      Paragraph{"Each row faces the same jobs of the same users; the difference to the private machines is "
                "taken replication by replication. " +
                text(utilisation_bands())});
}

const RegisterSection kPooling{{10, "pooling", pooling_section}};

}  // namespace
}  // namespace fleetsim
