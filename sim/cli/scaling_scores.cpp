#include "sim/cli/scaling_scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/cli/table.hpp"

namespace fleetsim::cli {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr RowKind kApart[] = {RowKind::control,  RowKind::bus_bandwidth, RowKind::time_to_train,
                              RowKind::megatron, RowKind::efficiency,    RowKind::excluded};

/// The key of a kind's section.
const char* section(RowKind kind) {
  switch (kind) {
    case RowKind::control:
      return "control";
    case RowKind::bus_bandwidth:
      return "bus_bandwidth";
    case RowKind::time_to_train:
      return "time_to_train";
    case RowKind::megatron:
      return "megatron";
    case RowKind::efficiency:
      return "efficiency_only";
    default:
      return "excluded";
  }
}

/// A number of JSON, or null for what has no rows.
OrderedJson number(double value) {
  return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr);
}

OrderedJson errors_json(const Errors& e) {
  return {{"rows", e.rows}, {"median", number(e.median)}, {"p90", number(e.p90)}};
}

std::vector<const Prediction*> of_kind(const ScalingReport& report, RowKind kind) {
  std::vector<const Prediction*> out;
  for (const Prediction& p : report.predictions) {
    if (p.kind == kind) out.push_back(&p);
  }
  return out;
}

bool comparable(const Prediction& p) {
  return p.predicted && p.measured > 0.0;
}

Errors errors_of_rows(const std::vector<const Prediction*>& rows) {
  std::vector<double> errors;
  for (const Prediction* p : rows) {
    if (comparable(*p)) errors.push_back(relative_error(*p));
  }
  return errors_of(std::move(errors));
}

OrderedJson points_json(const std::vector<const Prediction*>& rows) {
  OrderedJson points = OrderedJson::array();
  for (const Prediction* p : rows) {
    if (!p->predicted) continue;
    OrderedJson point = {{"row_id", p->row->row_id}, {"measured", p->measured}, {"predicted", *p->predicted}};
    if (!p->row->unit.empty() && !p->row->speedup) point["unit"] = p->row->unit;
    points.push_back(std::move(point));
  }
  return points;
}

std::string percent(double share) {
  return std::isfinite(share) ? fmt::format("{:.1f} %", 100.0 * share) : "-";
}

void add_errors(Rows& rows, const std::string& what, const Errors& e) {
  if (e.rows > 0) rows.push_back({"  " + what, fmt::format("{}", e.rows), percent(e.median), percent(e.p90)});
}

std::string worst_text(const ScalingReport& report) {
  std::vector<const Prediction*> rows;
  for (const Prediction* p : of_kind(report, RowKind::speedup)) {
    if (comparable(*p)) rows.push_back(p);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Prediction* a, const Prediction* b) {
    return relative_error(*a) > relative_error(*b);
  });
  constexpr std::size_t kWorst = 12;
  rows.resize(std::min(rows.size(), kWorst));
  if (rows.empty()) return {};
  Rows table = {{"  row", "GPUs", "measured", "model", "error", "workload, machine"}};
  for (const Prediction* p : rows) {
    table.push_back({"  " + printable(p->row->row_id), fmt::format("{}", p->row->gpus),
                     fmt::format("{:.2f}", p->measured), fmt::format("{:.2f}", *p->predicted),
                     fmt::format("{:+.1f} %", 100.0 * (*p->predicted / p->measured - 1.0)),
                     printable(p->row->model + ", " + p->row->system)});
  }
  return fmt::format("\nFarthest off\n{}", aligned(table, 1, true));
}

std::string summary_sentence(const Scores& s) {
  if (s.all.rows == 0) return "No row could be predicted.\n";
  return fmt::format(
      "Half of the speed-ups are predicted within {}, nine in ten within {}. Where much is lost (measured\n"
      "efficiency under 90 %) half are within {}: the model finds which machines lose, less well how much.\n"
      "The best constant, {:.3f} x GPUs, has {} and {}; the model is {} closer to the measurements than it\n"
      "(mean logarithmic error). It gets {} of {} contrasts right: pairs of one model and size that "
      "measured\n"
      "over 10 % apart, of which the faster is predicted faster by at least a quarter of the measured gap\n"
      "(predictions shuffled among such rows: about a fifth; a constant: none).\n",
      percent(s.all.median), percent(s.all.p90), percent(s.hard.median), s.best_constant,
      percent(s.constant.median), percent(s.constant.p90), percent(s.skill), percent(s.contrasts_right),
      s.contrasts);
}

}  // namespace

ScalingReport scaling_report(std::vector<Prediction> predictions, const std::vector<std::string>& unused) {
  ScalingReport report;
  report.predictions = std::move(predictions);
  for (const Prediction& p : report.predictions) {
    if (!p.predicted) ++report.skipped[p.skipped];
  }
  for (const std::string& why : unused) ++report.skipped[why];
  report.scores = score(report.predictions);
  return report;
}

OrderedJson scaling_json(const ScalingReport& report) {
  const Scores& s = report.scores;
  OrderedJson skipped = OrderedJson::object();
  for (const auto& [why, rows] : report.skipped) skipped[why] = rows;
  OrderedJson summary = {{"rows", s.rows},
                  {"coverage", s.coverage()},
                  {"median", number(s.all.median)},
                  {"p90", number(s.all.p90)},
                  {"hard_rows", s.hard.rows},
                  {"hard_median", number(s.hard.median)},
                  {"hard_p90", number(s.hard.p90)},
                  {"best_constant_efficiency", s.best_constant},
                  {"constant_median", number(s.constant.median)},
                  {"constant_p90", number(s.constant.p90)},
                  {"skill_over_constant", number(s.skill)},
                  {"contrasts", s.contrasts},
                  {"contrasts_right", s.contrasts_right}};
  for (std::size_t i = 0; i < kPathClasses.size(); ++i)
    summary[to_string(kPathClasses[i])] = errors_json(s.by_path[i]);
  OrderedJson out = {{"rows", s.rows},
              {"predicted", s.predicted},
              {"skipped", std::move(skipped)},
              {"summary", std::move(summary)},
              {"points", points_json(of_kind(report, RowKind::speedup))}};
  for (const RowKind kind : kApart) {
    const auto rows = of_kind(report, kind);
    OrderedJson part = errors_json(errors_of_rows(rows));
    if (kind == RowKind::control) {
      double least = INFINITY, most = -INFINITY;
      for (const Prediction* p : rows) {
        if (!p->predicted) continue;
        const double efficiency = *p->predicted * std::max(1, p->row->base_gpus) / p->row->gpus;
        least = std::min(least, efficiency);
        most = std::max(most, efficiency);
      }
      part["predicted_efficiency"] = {number(least), number(most)};
    }
    part["points"] = points_json(rows);
    out[section(kind)] = std::move(part);
  }
  return out;
}

std::string scaling_text(const ScalingReport& report) {
  const Scores& s = report.scores;
  std::string text = fmt::format("{} of {} speed-ups predicted.\n", s.predicted, s.rows);
  text += summary_sentence(s);
  Rows table = {{"\nError of the speed-up", "rows", "median", "p90"}};
  table[0][0] = "  speed-up over the base row";
  add_errors(table, "all", s.all);
  for (std::size_t i = 0; i < kPathClasses.size(); ++i)
    add_errors(table, to_string(kPathClasses[i]), s.by_path[i]);
  add_errors(table, "measured under 90 %", s.hard);
  add_errors(table, "best constant", s.constant);
  text += "\nRelative error of the prediction\n" + aligned(table);
  Rows apart = {{"  apart", "rows", "median", "p90"}};
  for (const RowKind kind : kApart) add_errors(apart, to_string(kind), errors_of_rows(of_kind(report, kind)));
  if (apart.size() > 1) text += "\nNot counted above\n" + aligned(apart);
  text += worst_text(report);
  if (!report.skipped.empty()) {
    text += "\nWithout a prediction\n";
    Rows rows;
    for (const auto& [why, count] : report.skipped)
      rows.push_back({fmt::format("  {}", counted(count, "row")), why});
    text += aligned(rows, 1, true);
  }
  return text;
}

}  // namespace fleetsim::cli
