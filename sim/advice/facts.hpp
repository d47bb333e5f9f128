// What a tree of advice asks of a scenario, each answer with where it comes from.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario.hpp"

namespace fleetsim {

/// An answer, and why.
template <class T>
struct Answer {
  T value{};
  std::string because;
};

struct MemoryNeed {
  std::string job_class;
  Bytes each_gpu{};
  int most_gpus = 1;  ///< of its largest job
};

struct AdvicePool {
  std::string name, node, title;
  GpuType gpu;
  int gpus = 0, count = 0;  ///< a node; nodes
};

struct AdviceFacts {
  Answer<std::string> buyer;
  Answer<int> gpus;                   ///< of the scenario's own fleet
  int gpus_least = 0, gpus_most = 0;  ///< over all fleets of the budget
  std::size_t fleets = 1;             ///< how many these are
  Answer<bool> cooling_solved, geforce_barred, model_parallel;
  std::vector<MemoryNeed> memory;  ///< a class that says what it needs
  std::vector<AdvicePool> pools;
};

/// Pure. Least and most GPUs are those of the maximal fleets of the budget where the study would try them,
/// else of the one fleet. Cost: lists the maximal fleets once.
[[nodiscard]] AdviceFacts advice_facts(const Scenario& scenario);

}  // namespace fleetsim
