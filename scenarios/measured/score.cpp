#include "scenarios/measured/score.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

namespace fleetsim {
namespace {

double size_of(const Prediction& p) {
  return static_cast<double>(p.row->gpus) / std::max(1, p.row->base_gpus);
}

/// Nearest rank.
double quantile(const std::vector<double>& sorted, double q) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto rank =
      static_cast<std::size_t>(std::max(1.0, std::ceil(q * static_cast<double>(sorted.size()))));
  return sorted[std::min(sorted.size(), rank) - 1];
}

using Rows = std::vector<const Prediction*>;

void compare_constants(const Rows& rows, Scores& scores) {
  const auto loss = [&](double c) {
    double sum = 0.0;
    for (const Prediction* p : rows) sum += std::abs(std::log(c * size_of(*p) / p->measured));
    return sum;
  };
  double least = std::numeric_limits<double>::infinity();
  for (int i = 500; i < 1101; i += 5) {
    const double now = loss(i / 1000.0);
    if (now >= least) continue;
    least = now;
    scores.best_constant = i / 1000.0;
  }
  double own = 0.0;
  std::vector<double> errors;
  for (const Prediction* p : rows) {
    own += std::abs(std::log(*p->predicted / p->measured));
    errors.push_back(std::abs(scores.best_constant * size_of(*p) / p->measured - 1.0));
  }
  scores.constant = errors_of(std::move(errors));
  scores.skill = least > 0.0 ? 1.0 - own / least : std::numeric_limits<double>::quiet_NaN();
}

void compare_pairs(const Rows& rows, Scores& scores) {
  const double gap = std::log(1.1);
  int right = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Prediction& a = *rows[i];
    if (!a.row->batch_given) continue;
    for (std::size_t j = i + 1; j < rows.size(); ++j) {
      const Prediction& b = *rows[j];
      if (size_of(a) != size_of(b) || a.row->model != b.row->model) continue;
      const double measured = std::log(a.measured / b.measured);
      if (std::abs(measured) <= gap) continue;
      const double predicted = std::log(*a.predicted / *b.predicted);
      ++scores.contrasts;
      right += measured * predicted > 0.0 && std::abs(predicted) >= 0.25 * std::abs(measured);
    }
  }
  scores.contrasts_right = static_cast<double>(right) / std::max(1, scores.contrasts);
}

}  // namespace

const char* to_string(PathClass path) {
  switch (path) {
    case PathClass::nvlink:
      return "nvlink";
    case PathClass::pcie_p2p:
      return "pcie-p2p";
    case PathClass::pcie_no_p2p:
      return "pcie-no-p2p";
    case PathClass::multi_node:
      return "multi-node";
  }
  return "";
}

PathClass path_class(const Measurement& row) {
  if (row.nodes > 1) return PathClass::multi_node;
  std::string fabric = row.fabric;
  for (char& c : fabric) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto says = [&](const char* word) { return fabric.find(word) != std::string::npos; };
  if (says("nvlink") || says("nvswitch")) return PathClass::nvlink;
  return says("no p2p") ? PathClass::pcie_no_p2p : PathClass::pcie_p2p;
}

Errors errors_of(std::vector<double> errors) {
  std::sort(errors.begin(), errors.end());
  return {static_cast<int>(errors.size()), quantile(errors, 0.5), quantile(errors, 0.9)};
}

double relative_error(const Prediction& p) {
  return std::abs(*p.predicted / p.measured - 1.0);
}

Scores score(const std::vector<Prediction>& predictions) {
  Scores scores;
  Rows rows;
  for (const Prediction& p : predictions) {
    if (p.kind != RowKind::speedup || !p.row->speedup) continue;
    ++scores.rows;
    if (p.predicted) rows.push_back(&p);
  }
  scores.predicted = static_cast<int>(rows.size());
  std::vector<double> all, hard;
  std::array<std::vector<double>, 4> by_path;
  for (const Prediction* p : rows) {
    const double error = relative_error(*p);
    all.push_back(error);
    if (p->measured / size_of(*p) < 0.9) hard.push_back(error);
    by_path[static_cast<std::size_t>(path_class(*p->row))].push_back(error);
  }
  scores.all = errors_of(std::move(all));
  scores.hard = errors_of(std::move(hard));
  for (std::size_t i = 0; i < by_path.size(); ++i) scores.by_path[i] = errors_of(std::move(by_path[i]));
  compare_constants(rows, scores);
  compare_pairs(rows, scores);
  return scores;
}

}  // namespace fleetsim
