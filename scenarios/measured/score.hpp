// How well predicted speed-ups agree with measured ones.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "scenarios/measured/predict.hpp"

namespace fleetsim {

/// Where the GPUs of a row meet.
enum class PathClass { nvlink, pcie_p2p, pcie_no_p2p, multi_node };
inline constexpr std::array<PathClass, 4> kPathClasses{PathClass::nvlink, PathClass::pcie_p2p,
                                                       PathClass::pcie_no_p2p, PathClass::multi_node};
[[nodiscard]] const char* to_string(PathClass path);  ///< nvlink, pcie-p2p, pcie-no-p2p, multi-node
/// From the row's number of nodes and the text of its fabric.
[[nodiscard]] PathClass path_class(const Measurement& row);

/// Relative errors |predicted / measured - 1|.
struct Errors {
  int rows = 0;
  double median = 0.0, p90 = 0.0;  ///< nearest rank; NaN without rows
};
[[nodiscard]] Errors errors_of(std::vector<double> errors);
[[nodiscard]] double relative_error(const Prediction& prediction);

struct Scores {
  int rows = 0, predicted = 0;
  Errors all;
  Errors hard;                    ///< rows that measured less than 90 % efficiency
  std::array<Errors, 4> by_path;  ///< as kPathClasses
  /// The best predictor of the form c x GPUs over base GPUs, and its errors.
  double best_constant = 1.0;
  Errors constant;
  /// 1 - sum |ln(predicted/measured)| / the same of the best constant.
  double skill = 0.0;
  /// Pairs of rows of one model and size whose measurements differ by over 10 %, and the share of them that
  /// the prediction orders alike, by at least a quarter of the gap.
  int contrasts = 0;
  double contrasts_right = 0.0;

  [[nodiscard]] double coverage() const { return rows == 0 ? 0.0 : static_cast<double>(predicted) / rows; }
};

/// Over the rows of kind `speedup`. Cost: O(rows^2) for the contrasts.
[[nodiscard]] Scores score(const std::vector<Prediction>& predictions);

}  // namespace fleetsim
