// Pieces of make_dossier. Private to the room.
#pragma once

#include <vector>

#include "sim/study/dossier.hpp"

namespace fleetsim {

/// Every figure that drives the result, each once, in the order: price, power, speed, workload.
[[nodiscard]] std::vector<Assumption> assumptions_of(const Scenario& scenario);

/// The part of them that the room's checks rest on: supplies, heat, power limits.
[[nodiscard]] std::vector<Assumption> room_figures(const Scenario& scenario);
/// Which pools run slower by heat or power limit, in one sentence.
[[nodiscard]] std::string throttling_limitation(const Scenario& scenario);

/// A GPU without the memory that the class needs never runs it, so its speed drives nothing.
[[nodiscard]] bool may_hold(const GpuType& gpu, const JobClass& job_class);

/// What the result leaves out, one sentence each.
[[nodiscard]] std::vector<std::string> limitations_of(const Scenario& scenario, const StudyResult& study);

/// Efficiency of each class's model on the nodes of each pool that holds it by memory, at the sizes of its
/// jobs and the powers of two up to the largest, as far as the pool has GPUs. A series is a model and a node
/// title.
[[nodiscard]] std::vector<ScalingPoint> scaling_of(const Scenario& scenario);

}  // namespace fleetsim
