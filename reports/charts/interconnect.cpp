#include "reports/charts/interconnect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "reports/money.hpp"
#include "reports/numbers.hpp"

namespace fleetsim {
namespace {

/// As many as the palette tells apart.
constexpr std::size_t kMostModels = 6;

const ValueCurve::Point* last_up_to(const ValueCurve& curve, int gpus) {
  const ValueCurve::Point* out = nullptr;
  for (const auto& point : curve.points)
    if (point.gpus <= gpus) out = &point;
  return out;
}

/// "NVLink +0.3 to +21.0 % at 8 GPUs"
std::string range_at(const std::vector<const ValueCurve*>& curves, const std::string& technology, int gpus) {
  double low = 0.0, high = 0.0;
  bool any = false;
  for (const ValueCurve* curve : curves) {
    if (curve->technology != technology) continue;
    const auto* point = last_up_to(*curve, gpus);
    if (point == nullptr) continue;
    low = any ? std::min(low, point->gain_percent) : point->gain_percent;
    high = any ? std::max(high, point->gain_percent) : point->gain_percent;
    any = true;
  }
  if (!any) return "";
  const std::string least = grouped(low, 1), most = grouped(high, 1);
  return fmt::format("{} {}{}", technology, least == most ? least : least + " to " + most, kNbsp) + "%";
}

}  // namespace

std::optional<Drawing> interconnect_drawing(const std::vector<ValueCurve>& curves) {
  std::vector<std::string> models, technologies;
  std::vector<const ValueCurve*> drawn;
  for (const ValueCurve& curve : curves) {
    if (std::find(models.begin(), models.end(), curve.model) == models.end()) {
      if (models.size() == kMostModels) continue;
      models.push_back(curve.model);
    }
    if (std::find(technologies.begin(), technologies.end(), curve.technology) == technologies.end())
      technologies.push_back(curve.technology);
    drawn.push_back(&curve);
  }
  if (drawn.empty()) return std::nullopt;
  std::string csv = "technology,basis,model,gpus,gain_pct\n";
  for (const ValueCurve* curve : drawn) {
    for (const auto& point : curve->points)
      csv += fmt::format("{},{},{},{},{:.3f}\n", csv_cell(curve->technology), csv_cell(curve->basis),
                         csv_cell(curve->model), point.gpus, point.gain_percent);
  }
  const auto sentence = [&](int gpus) {
    std::string text;
    for (const std::string& technology : technologies) {
      const std::string range = range_at(drawn, technology, gpus);
      if (!range.empty()) text += (text.empty() ? "" : ", ") + range;
    }
    return fmt::format("{} at {}", text, count(gpus, "GPU"));
  };
  Drawing out;
  out.name = "interconnect";
  out.chart = "interconnect";
  out.data = std::move(csv);
  out.alt = fmt::format("Gain in speed against GPUs in the job, one panel each for {}. {}. {}.",
                        fmt::join(technologies, ", "), sentence(8), sentence(128));
  out.caption =
      fmt::format("What the interconnect is worth by the model: {}; {}.", sentence(8), sentence(128));
  return out;
}

}  // namespace fleetsim
