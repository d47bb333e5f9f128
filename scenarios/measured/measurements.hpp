// A table of published multi-GPU measurements: one row a machine, model and number of GPUs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostic.hpp"

namespace fleetsim {

/// What the text of the batch column says; nothing where it does not.
struct BatchText {
  std::optional<double> per_gpu;    ///< samples of one pass on one GPU; of two figures ("864/928") their mean
  bool in_tokens = false;           ///< `per_gpu` counts tokens
  std::optional<double> global;     ///< samples of one optimiser step over all GPUs
  std::optional<int> accumulation;  ///< passes before each exchange, the first figure where there are several
  bool fixed_global = false;        ///< the global batch stays the same as GPUs are added
  std::string fault;                ///< begins as a number and is none, in words; empty: fine
};
/// "256 (accum 32)", "864/928", "global 3264", "2560 tokens", "64 (global 65536; accumulation 64/16/4/2)",
/// "1,024", "4k", "see source". Words are unknown; what begins as a number and is none is the `fault`.
[[nodiscard]] BatchText read_batch(std::string_view text);

struct Measurement {
  int line = 0;
  std::string row_id, series_id, role, split, system, gpu, fabric, model, precision, mode, unit;
  int gpus = 0, nodes = 0;  ///< 0: not given
  BatchText batch;
  bool batch_given = false;
  double throughput = 0.0;  ///< in `unit`
  int base_gpus = 0;        ///< of the series' base row; 0: there is none
  double base_throughput = 0.0;
  std::optional<double> speedup;  ///< over the base row
  double efficiency_percent = 0.0;
  std::string fault;  ///< why a row cannot be used whatever the model, in words; empty: it can
};

/// Reads a table with at least the columns row_id, series_id, role, split, system, gpus, nodes, fabric,
/// model, batch_per_gpu, throughput, throughput_unit, base_gpus and speedup_vs_base. Absent columns, broken
/// quotes and a row_id given twice are errors with their line, and so is a table without rows; a number that
/// is none, a role that is neither base nor point or an empty split is the row's `fault`.
[[nodiscard]] std::vector<Measurement> read_measurements(const std::string& file, std::string_view text,
                                                         Diagnostics& diagnostics);

}  // namespace fleetsim
