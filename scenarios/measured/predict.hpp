// The scaling model's speed-up for each row of a table of measurements, from the catalogue's hardware and the
// row of one GPU (or the smallest group) of the same series.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/measured/measurements.hpp"
#include "scenarios/measured/names.hpp"
#include "topology/all_reduce.hpp"
#include "topology/scaling_constants.hpp"
#include "topology/step_time.hpp"

namespace fleetsim {

/// What a row is compared with.
enum class RowKind {
  speedup,        ///< throughput over the series' base row
  control,        ///< the same, but replicas that exchange nothing
  excluded,       ///< the table says that it is not to be used
  time_to_train,  ///< minutes to a target: convergence and evaluation are in it
  megatron,       ///< share of the peak or TFLOP/s of a GPU, in tensor, pipeline and data parallelism
  bus_bandwidth,  ///< of an all-reduce alone, GB/s
  efficiency,     ///< only a percentage is published, no throughput
};
[[nodiscard]] const char* to_string(RowKind kind);

struct Prediction {
  const Measurement* row = nullptr;
  RowKind kind = RowKind::speedup;
  double measured = 0.0;
  std::optional<double> predicted;
  std::string skipped;  ///< why there is no prediction, in words
};

/// Predicts point rows. Constants can be changed between calls; exchanges that do not depend on them are
/// kept. Uses of a series its base row only (or what the point row repeats of it).
class Predictor {
 public:
  Predictor(const std::vector<Measurement>& rows, const Catalog& catalog, const MeasuredNames& names);
  ~Predictor();

  /// One entry a row with role `point`, in the table's order.
  [[nodiscard]] std::vector<Prediction> all(const ScalingConstants& constants = {});
  /// Why a row that is no point is not used (a role that is none, a base row without a usable throughput), a
  /// sentence a row in the table's order.
  [[nodiscard]] std::vector<std::string> unused() const;
  [[nodiscard]] Prediction one(const Measurement& row, const ScalingConstants& constants = {});

 private:
  struct Machine;
  struct Case;
  [[nodiscard]] const Measurement* base_of(const Measurement& row, Measurement& repeated) const;
  [[nodiscard]] std::unique_ptr<Case> case_of(const Measurement& row, const Measurement& base,
                                              std::string& skipped);
  [[nodiscard]] StepTime timed(const Case& work, Machine& on, const ScalingConstants& c);
  bool solve(Case& work, double target_s, const ScalingConstants& c);
  std::optional<double> speedup(const Measurement& row, const ScalingConstants& c, std::string& skipped);
  std::optional<double> train_ratio(const Measurement& row, const ScalingConstants& c, std::string& skipped);
  std::optional<double> efficiency(const Measurement& row, const ScalingConstants& c, std::string& skipped);
  std::optional<double> bus_gb_per_s(const Measurement& row, const ScalingConstants& c, std::string& skipped);
  std::optional<double> megatron(const Measurement& row, const ScalingConstants& c, std::string& skipped);
  Machine* machine(const std::string& system, int gpus, int nodes, std::string& skipped);

  const std::vector<Measurement>& rows_;
  const Catalog& catalog_;
  const MeasuredNames& names_;
  std::map<std::string, const Measurement*> bases_;  ///< series -> its base row
  std::map<std::string, std::unique_ptr<Machine>> machines_;
};

/// Bytes of "message 64 MiB" in a microbenchmark's name; nothing when it names none.
[[nodiscard]] std::optional<double> message_bytes(const std::string& name);

}  // namespace fleetsim
