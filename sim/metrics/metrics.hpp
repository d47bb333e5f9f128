// What a replication is summarised to. Names are those of docs and files: unit last (`wait_s_p95`).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/engine/engine.hpp"

namespace fleetsim {

/// A named number. NaN: not defined in this replication (no such jobs).
struct Metric {
  std::string name;
  std::string unit;  ///< "s", "ratio", "GPU h", "kWh", "1/week", ...
  double value = 0.0;
};

/// Metrics of one job class (all pools) or of the whole run.
struct MetricSet {
  std::string scope;  ///< class name, or "" for the whole run
  std::vector<Metric> values;
  [[nodiscard]] const Metric* find(const std::string& name) const;
  [[nodiscard]] double value(const std::string& name) const;  ///< NaN when absent
};

struct PoolMetrics {
  std::string pool;
  double utilisation_allocated = 0.0;  ///< allocated GPU time over GPU time in the window
  double backlog_growth =
      0.0;  ///< waiting GPU-hours at the end less the start of the window, over the pool's GPU-hours in it
  double present = 1.0;  ///< GPU time in the window of nodes delivered and not retired, over that of all
};

struct Metrics {
  MetricSet all;
  std::vector<MetricSet> classes;  ///< index = ClassId
  std::vector<MetricSet> groups;   ///< of users, see group_scopes(); empty where the scenario names none
  std::vector<PoolMetrics> pools;  ///< index = PoolId
  std::array<std::int64_t, kJobStates>
      states{};  ///< submitted jobs per final state; dormant and pending are 0
  std::array<std::int64_t, kJobStates> tagged_states{};
  std::int64_t submitted = 0;
  std::int64_t tagged = 0;
  std::vector<double> utilisation_by_hour;  ///< 168 entries, hour 0 = Monday 00:00, mean over the window
  std::vector<std::string>
      broken_laws;  ///< Little's law, GPU-second conservation: a sentence for each that fails
};

}  // namespace fleetsim
