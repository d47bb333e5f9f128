// Sharing rule `private`: every user has one machine and one queue, and nobody else's. Private to the room.
#pragma once

#include <string>

#include "sim/engine/engine.hpp"
#include "sim/metrics/gpu_time.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/scenario.hpp"

namespace fleetsim {

/// Whether the scenario asks for it.
[[nodiscard]] bool has_private_machines(const Scenario& scenario);

/// The same lab as the engine sees it: a pool of one node and a partition of its own for every user, shared
/// strictly. Queue and pool of a job are then its user's number. Precondition: private_problem() is empty.
[[nodiscard]] Scenario one_pool_a_user(const Scenario& scenario);

/// What was measured on the users' machines, told of the one pool that the scenario has: they are equally
/// large, so shares of their time are means.
void as_one_pool(const Scenario& scenario, Metrics& metrics, EngineResult& outcome);

}  // namespace fleetsim
