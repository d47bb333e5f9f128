// Energy and carbon: who uses the energy of a year, what that emits, and what making the fleet emitted.
#include <fmt/format.h>

#include "reports/markdown.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

std::string unit(double value, const char* name) {
  return grouped(value) + kNbsp + name;
}

/// Classes of jobs, then what stands idle.
Table by_class(const EnergyInfo& energy) {
  const bool carbon = !energy.grid.empty();
  Table table;
  table.columns = {{"Used by"},
                   {"GPU hours", Align::right},
                   {"kWh", Align::right},
                   {"Share", Align::right},
                   {"Cost", Align::right}};
  if (carbon) table.columns.push_back({"kg CO2e", Align::right});
  double gpu_hours = 0.0;
  for (const EnergyLine& line : energy.lines) {
    gpu_hours += line.gpu_hours;
    std::vector<std::string> row{line.name == "idle" ? "Idle power of all nodes" : text(line.name),
                                 grouped(line.gpu_hours), grouped(line.kwh),
                                 energy.kwh > 0.0 ? percent(line.kwh / energy.kwh, 1) : std::string(kNone),
                                 cents(line.cost)};
    if (carbon) row.push_back(grouped(line.carbon_kg));
    table.rows.push_back(row);
  }
  std::vector<std::string> total{"Meter", grouped(gpu_hours), grouped(energy.kwh),
                                 energy.kwh > 0.0 ? percent(1.0, 1) : std::string(kNone), cents(energy.cost)};
  if (carbon) total.push_back(grouped(energy.operational_kg));
  table.total_rows.push_back(static_cast<int>(table.rows.size()));
  table.rows.push_back(total);
  const double idle = energy.lines.back().kwh;
  table.caption = fmt::format("{} a year at the meter", unit(energy.kwh, "kWh"));
  if (energy.kwh > 0.0)
    table.caption += fmt::format("; {} of it is drawn whether jobs run or not", percent(idle / energy.kwh));
  return table;
}

std::string carbon_text(const EnergyInfo& energy) {
  std::string from = "a year, from a grid that emits " + energy.grid;
  from += energy.grid_source.empty() ? " (the scenario gives no source for it)"
                                     : fmt::format(" ({}{})", energy.grid_source,
                                                   energy.grid_as_of.empty() ? "" : ", " + energy.grid_as_of);
  return fmt::format("{} {} {}", bold("Operational carbon:"), unit(energy.operational_kg, "kg CO2e"),
                     text(from + "."));
}

std::string embodied_text(const EnergyInfo& energy) {
  if (energy.embodied_kg <= 0.0) {
    return bold("Embodied carbon:") + " none: no node is made for this fleet.";
  }
  return fmt::format(
      "{} making the nodes that are bought emitted about {}, once ({} to {}; an estimate: {}). "
      "It is not added to the operational carbon.",
      bold("Embodied carbon:"), unit(energy.embodied_kg, "kg CO2e"), grouped(energy.embodied_low_kg),
      grouped(energy.embodied_high_kg), text(energy.embodied_basis));
}

void energy_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  const EnergyInfo& energy = d.energy;
  if (energy.lines.empty()) return;
  out.emplace_back(Heading{1, energy.grid.empty() ? "Energy" : "Energy and carbon"});
  out.emplace_back(by_class(energy));
  out.emplace_back(Paragraph{
      "A class of jobs pays for what its GPUs draw above idle; the idle power of the fleet belongs to "
      "nobody and is a line of its own, which also carries the rounding of the others. GPU hours of "
      "the idle line are those that no job held."});
  if (energy.grid.empty()) return;
  out.emplace_back(BulletList{{carbon_text(energy), embodied_text(energy)}});
}

const RegisterSection kEnergy{{65, "energy", energy_section}};

}  // namespace
}  // namespace fleetsim
