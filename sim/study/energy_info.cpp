#include "sim/study/energy_info.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/economics/carbon.hpp"
#include "sim/economics/economics.hpp"
#include "sim/study/study.hpp"

namespace fleetsim {
namespace {

double mean_of(const std::map<std::string, Summary>& metrics, const std::string& name) {
  const auto found = metrics.find(name);
  return found != metrics.end() && std::isfinite(found->second.mean) ? found->second.mean : 0.0;
}

/// Prices and rounds one year of a class.
class Year {
 public:
  explicit Year(const Scenario& scenario)
      : per_kwh_(scenario.site.electricity.count()),
        years_(to_hours(scenario.time.measure) / kHoursPerYear) {}
  [[nodiscard]] double of_window(double amount) const { return amount / years_; }
  [[nodiscard]] Money cost(double kwh) const { return to_cents(scaled(per_kwh_, kwh)); }
  [[nodiscard]] EnergyLine line(const std::string& name, double gpu_hours, double kwh,
                                double carbon_kg) const {
    return {name, of_window(gpu_hours), std::round(of_window(kwh)), cost(of_window(kwh)),
            std::round(of_window(carbon_kg))};
  }

 private:
  Money per_kwh_;
  double years_;
};

bool nodes_come_or_go(const Scenario& scenario) {
  const AvailabilitySpec& there = scenario.availability;
  return !there.deliveries.empty() ||
         (!there.starts.empty() && std::any_of(scenario.pools.begin(), scenario.pools.end(),
                                               [](const NodePool& pool) { return !pool.retires.empty(); }));
}

}  // namespace

EnergyInfo energy_info(const Scenario& scenario, const CandidateResult* fleet, double kwh_a_year) {
  EnergyInfo info;
  const Year year(scenario);
  // Where nodes come or go, the year is the window's pace: nodes that are not there draw nothing.
  const bool varies = fleet != nullptr && nodes_come_or_go(scenario);
  if (varies) kwh_a_year = year.of_window(mean_of(fleet->metrics, "energy_kwh"));
  info.kwh = std::round(kwh_a_year);
  info.cost = year.cost(kwh_a_year);
  if (carbon_asked(scenario)) {
    const CarbonSpec& carbon = scenario.site.facility.carbon;
    info.grid = grid_text(carbon);
    info.grid_source = carbon.source;
    info.grid_as_of = carbon.as_of;
    if (fleet != nullptr)
      info.operational_kg = std::round(year.of_window(mean_of(fleet->metrics, "carbon_kg")));
    const Figure<double> embodied = embodied_carbon(scenario);
    info.embodied_kg = embodied.value;
    info.embodied_low_kg = embodied.low;
    info.embodied_high_kg = embodied.high;
    info.embodied_basis = embodied.from.note;
  }
  if (fleet == nullptr) return info;

  for (const ClassSummary& c : fleet->classes)
    info.lines.push_back(year.line(c.name, mean_of(c.metrics, "gpu_hours_held"),
                                   mean_of(c.metrics, "energy_kwh"), mean_of(c.metrics, "carbon_kg")));
  double gpus = 0.0;
  for (const NodePool& pool : scenario.pools) gpus += static_cast<double>(pool.count) * pool.node.gpus;
  double there_h = gpus * kHoursPerYear;
  if (varies) {
    double held = 0.0;
    for (const EnergyLine& line : info.lines) held += line.gpu_hours;
    const double allocated = mean_of(fleet->metrics, "utilisation_allocated");
    there_h = allocated > 0.0 ? held / allocated : held;
  }
  EnergyLine idle{"idle", there_h, info.kwh, info.cost, info.operational_kg};
  for (const EnergyLine& line : info.lines) {
    idle.gpu_hours -= line.gpu_hours;
    idle.kwh -= line.kwh;
    idle.cost -= line.cost;
    idle.carbon_kg -= line.carbon_kg;
  }
  info.lines.push_back(idle);
  return info;
}

}  // namespace fleetsim
