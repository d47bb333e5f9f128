// Conservative backfilling with a bound on the number of reservations.
#pragma once

#include <cstddef>
#include <memory>

#include "sim/policies/policy.hpp"

namespace fleetsim {

/// Jobs that hold a reservation at most, so that the work of a pass is bounded however long the queue grows.
inline constexpr std::size_t kReservationDepth = 1000;

[[nodiscard]] std::unique_ptr<Policy> make_conservative(std::size_t depth);

}  // namespace fleetsim
