// The table of published measurements as the scaling tests need it, and constants fitted to it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "scenarios/measured/score.hpp"
#include "sim/study/files.hpp"
#include "tests/catch.hpp"
#include "tests/shared_data.hpp"

namespace fleetsim::test {

inline std::vector<Measurement> measured_rows(const std::string& file) {
  Diagnostics diagnostics;
  std::vector<Measurement> rows = read_measurements(file, read_file(file), diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  return rows;
}

/// A fitted constant: where it is, and its physical range.
struct Fitted {
  double ScalingConstants::*place;
  double low, high;
};
/// All constants that were fitted, at most eight. The aggregate of host memory is the catalogue's estimate
/// for EPYC hosts (20 to 30 GB/s); hosts that have more by another source keep it.
inline const std::array<Fitted, 6>& fitted() {
  using C = ScalingConstants;
  static const std::array<Fitted, 6> all{
      {{&C::staging_rate, scaling::kStagingRate.low, scaling::kStagingRate.high},
       {&C::epyc_staging, 20e9, 30e9},
       {&C::sync_s, scaling::kSyncCost.low, scaling::kSyncCost.high},
       {&C::optimiser_bytes, scaling::kOptimiserBytes.low, scaling::kOptimiserBytes.high},
       {&C::spread_fixed, scaling::kSpreadFixed.low, scaling::kSpreadFixed.high},
       {&C::spread_variable, scaling::kSpreadVariable.low, scaling::kSpreadVariable.high}}};
  return all;
}

/// Mean |ln(predicted / measured)| over the given rows.
inline double loss(Predictor& predictor, const std::vector<const Measurement*>& rows,
                   const ScalingConstants& c) {
  double sum = 0.0;
  int n = 0;
  for (const Measurement* row : rows) {
    const Prediction p = predictor.one(*row, c);
    if (!p.predicted) continue;
    sum += std::abs(std::log(*p.predicted / p.measured));
    ++n;
  }
  return n == 0 ? 0.0 : sum / n;
}

/// Coordinate descent from the middle of the physical ranges (geometric mean), each constant in turn by
/// golden section; ends when a round gains nothing.
inline ScalingConstants fit(Predictor& predictor, const std::vector<const Measurement*>& rows) {
  ScalingConstants c;
  for (const Fitted& f : fitted()) c.*(f.place) = std::sqrt(f.low * f.high);
  double best = loss(predictor, rows, c);
  for (int round = 0; round < 4; ++round) {
    const double before = best;
    for (const Fitted& f : fitted()) {
      const double ratio = 0.5 * (std::sqrt(5.0) - 1.0);
      double a = f.low, b = f.high;
      const auto at = [&](double x) {
        ScalingConstants trial = c;
        trial.*(f.place) = x;
        return loss(predictor, rows, trial);
      };
      double x1 = b - ratio * (b - a), x2 = a + ratio * (b - a), f1 = at(x1), f2 = at(x2);
      for (int i = 0; i < 8; ++i) {
        if (f1 <= f2) {
          b = x2, x2 = x1, f2 = f1;
          x1 = b - ratio * (b - a), f1 = at(x1);
        } else {
          a = x1, x1 = x2, f1 = f2;
          x2 = a + ratio * (b - a), f2 = at(x2);
        }
      }
      const double now = std::min(f1, f2);
      if (now < best) {
        best = now;
        c.*(f.place) = f1 <= f2 ? x1 : x2;
      }
    }
    if (before - best < 1e-5) break;
  }
  return c;
}

/// Rows that count: throughput over a base row.
inline std::vector<const Measurement*> counted_rows(Predictor& predictor,
                                                    const std::vector<Measurement>& rows) {
  std::vector<const Measurement*> out;
  for (const Measurement& row : rows) {
    if (row.role != "point" || !row.speedup) continue;
    if (predictor.one(row).kind == RowKind::speedup) out.push_back(&row);
  }
  return out;
}

}  // namespace fleetsim::test
