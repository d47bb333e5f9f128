#include "sim/cli/availability_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/units.hpp"
#include "sim/checkpoints.hpp"
#include "sim/cli/table.hpp"
#include "sim/economics/economics.hpp"

namespace fleetsim::cli {

namespace {

/// Expected time of a job over its work, as a share on top; "> 1000 %" where it is hopeless.
std::string stretch_text(double stretch) {
  return stretch < 11.0 ? fmt::format("{:+.2f} %", 100.0 * (stretch - 1.0)) : "> 1000 %";
}

}  // namespace

std::string checkpoint_text(const Scenario& scenario) {
  const auto all = checkpoint_advice(scenario);
  if (all.empty()) return {};
  const FailureSpec& spec = *scenario.availability.failures;
  const bool given = spec.checkpoint_interval > Duration{};
  std::string text = fmt::format(
      "Checkpoints that take {}: best interval by Young and by Daly; given: {}. Expected time beyond the "
      "work of "
      "long jobs:\n",
      to_text(spec.checkpoint_cost), given ? to_text(spec.checkpoint_interval) : "none");
  Rows rows{{"class", "GPUs", "nodes", "MTBF h", "Young h", "Daly h", "at Daly's", "at the given"}};
  for (const CheckpointAdvice& a : all) {
    rows.push_back({a.job_class, fmt::format("{}", a.gpus), fmt::format("{}", a.nodes),
                    fmt::format("{:.0f}", a.mtbf_s / 3600.0), fmt::format("{:.2f}", a.young_s / 3600.0),
                    fmt::format("{:.2f}", a.daly_s / 3600.0), stretch_text(a.stretch_daly),
                    given ? stretch_text(a.stretch_given) : "-"});
  }
  return text + aligned(rows);
}

nlohmann::ordered_json checkpoint_json(const Scenario& scenario) {
  auto out = nlohmann::ordered_json::array();
  for (const CheckpointAdvice& a : checkpoint_advice(scenario)) {
    out.push_back(
        {{"class", a.job_class},
         {"pool", a.pool},
         {"gpus", a.gpus},
         {"nodes", a.nodes},
         {"mtbf_h", a.mtbf_s / 3600.0},
         {"young_h", a.young_s / 3600.0},
         {"daly_h", a.daly_s / 3600.0},
         {"stretch_daly", a.stretch_daly},
         {"stretch_given", a.stretch_given > 0.0 ? nlohmann::ordered_json(a.stretch_given) : nullptr}});
  }
  return out;
}

std::string growth_text(const Scenario& scenario) {
  const double growth = scenario.availability.demand_growth;
  if (growth == 0.0 || scenario.workload.classes.empty()) return {};
  const auto factor = [&](Duration at) { return std::pow(1.0 + growth, to_hours(at) / kHoursPerYear); };
  return fmt::format(
      "these figures hold at t = 0; demand grows by {:.4g} % a year: x {:.3f} when the measurement begins, x "
      "{:.3f} when it "
      "ends\n",
      100.0 * growth, factor(scenario.time.warm_up), factor(scenario.time.warm_up + scenario.time.measure));
}

}  // namespace fleetsim::cli
