// Why a job could start: every start has one documented reason.
#pragma once

#include <cstdint>

namespace fleetsim {

/// head: neither an earlier job of its queue nor the pool held a reservation. backfill: it passed one without
/// delaying it. overflow: on idle GPUs of a pool that is not its queue's own. burst: on
/// rented GPUs outside the fleet, after it had waited too long.
enum class StartReason : std::uint8_t { none, head, backfill, overflow, burst };
[[nodiscard]] const char* to_string(StartReason reason);

}  // namespace fleetsim
