// The baseline's event: (instant, rank, sequence), 24 bytes, for std::priority_queue.
#pragma once

#include <compare>
#include <cstdint>

namespace fleetsim {

struct Triple {
  std::int64_t at = 0;
  std::uint64_t rank = 0;
  std::uint64_t sequence = 0;
  friend auto operator<=>(const Triple&, const Triple&) = default;
};
static_assert(sizeof(Triple) == 24);

}  // namespace fleetsim
