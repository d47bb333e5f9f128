#include "reports/sections/scaling_value.hpp"

#include <fmt/format.h>

#include "reports/charts/interconnect.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "sim/study/prediction_record.hpp"

namespace fleetsim {

void prediction_box(std::vector<Block>& out) {
  namespace p = prediction;
  if (p::kRows == 0) return;
  const auto pc = [](double value) { return grouped(value, 1) + kNbsp + "%"; };
  const std::string facts = fmt::format(
      "Against {} published speed-ups (checked {}) the predicted speed-up errs by {} in the median, and by "
      "less "
      "than {} in nine of ten. Most published runs scale almost perfectly, so a constant efficiency already "
      "errs "
      "by only {} in the median; over it the model explains {} of the error. Where a run keeps less than "
      "90{}% of "
      "perfect scaling the median error is {}.",
      grouped(p::kRows), p::kAsOf, pc(p::kMedianPercent), pc(p::kP90Percent), pc(p::kConstantMedianPercent),
      pc(100.0 * p::kSkill), kNbsp, pc(p::kHardMedianPercent));
  // Shuffled predictions: docs/scaling-model.md.
  const std::string contrasts = fmt::format(
      "Of {} pairs of runs of one model and size that differ by more than 10{}%, the model gets {} right: "
      "the "
      "faster one is predicted faster, by at least a quarter of the measured gap. Guesses, predictions dealt "
      "out "
      "at random among those runs, get about a fifth right. It finds which machines lose speed with which "
      "models, hardly how much they lose.",
      grouped(p::kContrasts), kNbsp, pc(p::kContrastsPercent));
  out.emplace_back(
      Callout{fmt::format("{} {} {}", bold("How well the model predicts measurements."), facts, contrasts)});
}

void interconnect(const Dossier& dossier, std::vector<Block>& out) {
  const auto drawing = interconnect_drawing(dossier.interconnect);
  if (!drawing) return;
  out.emplace_back(
      Paragraph{"What NVLink, PCIe 4.0 and EDR InfiniBand add to the speed of a job depends on its model and "
                "size. The figure "
                "compares catalogue machines with and without each of them, for the models of this workload; "
                "it is not a "
                "statement on the fleet above."});
  out.emplace_back(*drawing);
}

}  // namespace fleetsim
