// Which jobs may go to rented GPUs, how long they run there, and what the engine is told of it.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/simulate.hpp"
#include "sim/workload/from_trace.hpp"
#include "topology/step_time_book.hpp"

namespace fleetsim {

namespace {

const JobClass* class_of(const Scenario& scenario, const JobShape& shape) {
  return shape.job_class == kNoClass ? nullptr : &scenario.workload.classes[index(shape.job_class)];
}

/// What keeps the shape off the rented node, before any step time is asked for.
std::string plain_obstacle(const Scenario& scenario, const JobShape& shape) {
  const BurstSpec& burst = *scenario.scheduler.burst;
  const auto& may = burst.classes;
  if (!may.empty() &&
      (shape.job_class == kNoClass || std::find(may.begin(), may.end(), index(shape.job_class)) == may.end()))
    return "'scheduler.burst.classes' does not name them";
  const NodeType& node = burst.node;
  if (const JobClass* job_class = class_of(scenario, shape);
      job_class != nullptr && job_class->gpu_memory > node.gpu.memory.value)
    return fmt::format("a GPU of {} has {:.3g} GB, the job needs {:.3g} GB", node.title,
                       static_cast<double>(node.gpu.memory.value.count()) / 1e9,
                       static_cast<double>(job_class->gpu_memory.count()) / 1e9);
  if (shape.gpus > node.gpus)
    return fmt::format("{} has {} GPU{}, and no network between rented nodes is modelled", node.title,
                       node.gpus, node.gpus == 1 ? "" : "s");
  return {};
}

struct OnNode {
  double ratio = 1.0, efficiency = 1.0;
};

/// Throws std::invalid_argument where the speed of the model on the rented GPU is not known.
OnNode timed(const Scenario& scenario, const JobShape& shape, StepTimeBook& book) {
  const NodeType& node = scenario.scheduler.burst->node;
  const JobClass* job_class = class_of(scenario, shape);
  if (job_class == nullptr) return {recorded_time_ratio(scenario.workload, node.gpu), 1.0};
  OnNode out;
  if (!job_class->model) return out;
  if (job_class->wall_time.reference)
    out.ratio =
        book.run_time_ratio(*job_class->model, shape.gpus, node, *job_class->wall_time.reference, false);
  out.efficiency = book.efficiency(*job_class->model, shape.gpus, node);
  return out;
}

}  // namespace

std::string burst_obstacle(const Scenario& scenario, const JobShape& shape) {
  if (std::string plain = plain_obstacle(scenario, shape); !plain.empty()) return plain;
  StepTimeBook book(scenario.fabric);
  try {
    static_cast<void>(timed(scenario, shape, book));
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return {};
}

BurstTable burst_table(const Scenario& scenario, const std::vector<JobShape>& shapes) {
  BurstTable table;
  if (!scenario.scheduler.burst) return table;
  table.ratio.assign(shapes.size(), -1.0);
  table.efficiency.assign(shapes.size(), 1.0);
  StepTimeBook book(scenario.fabric);
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    if (!plain_obstacle(scenario, shapes[s]).empty()) continue;
    try {
      const OnNode on = timed(scenario, shapes[s], book);
      table.ratio[s] = on.ratio;
      table.efficiency[s] = on.efficiency;
    } catch (const std::invalid_argument&) {
      continue;  // burst_obstacle() says why
    }
  }
  return table;
}

std::optional<Bursting> bursting(const Scenario& scenario, const BurstTable& table,
                                 std::uint32_t replication) {
  const std::optional<BurstSpec>& burst = scenario.scheduler.burst;
  if (!burst) return std::nullopt;
  Bursting out;
  out.above_wait = burst->above_wait;
  out.ratio = table.ratio;
  if (burst->terms == RentTerms::spot) out.interruptions = burst->interruptions;
  out.seed = scenario.seed;
  out.replication = replication;
  return out;
}

}  // namespace fleetsim
