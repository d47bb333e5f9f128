// How well step_time predicts published speed-ups: the figures of `fleetsim validate scaling` on the kept
// measurements, as the report prints them. tests/cli/prediction_record.sh holds them equal to the command.
#pragma once

namespace fleetsim::prediction {

inline constexpr const char* kAsOf = "2026-11-30";
inline constexpr int kRows = 216;              ///< measured speed-ups that were predicted; 0: not recorded
inline constexpr double kMedianPercent = 2.3;  ///< median of |predicted / measured - 1|
inline constexpr double kP90Percent = 14.0;    ///< nine of ten rows err less
inline constexpr double kHardMedianPercent = 9.9;  ///< median over rows of measured efficiency below 90 %
inline constexpr double kSkill = 0.336;            ///< 1 - loss over the loss of the best constant efficiency
inline constexpr int kContrasts = 364;  ///< pairs of one model and size that measured over 10 % apart
inline constexpr double kContrastsPercent = 47.5;  ///< of them: right sign and a quarter of the gap or more
inline constexpr double kConstantMedianPercent = 3.6;  ///< median error of the best constant efficiency

}  // namespace fleetsim::prediction
