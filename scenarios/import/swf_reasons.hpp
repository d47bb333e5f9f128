// Why a record of an SWF file is repaired or dropped. docs/traces.md explains each; a test compares.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace fleetsim {

/// What happens to a record that cannot be taken as it stands.
enum class OnError : std::uint8_t {
  skip,    ///< it is dropped
  repair,  ///< it is mended where there is a rule for it, else dropped
  fail     ///< the file is refused
};
[[nodiscard]] const char* to_string(OnError policy);

enum class SwfReason : std::uint8_t {
  malformed,
  job_id_out_of_range,
  no_submit_time,
  negative_submit_time,
  submit_time_out_of_range,
  partial_execution,
  cancelled_before_start,
  no_run_time,
  negative_run_time,
  run_time_out_of_range,
  no_processors,
  processors_out_of_range,
  processors_from_request,
  processors_from_allocation,
  wait_ignored,
  limit_out_of_range,
};
inline constexpr std::size_t kSwfReasons = 16;

enum class SwfRemedy : std::uint8_t {
  none,   ///< dropped under every policy but fail
  mend,   ///< repaired under OnError::repair
  normal  ///< no fault at all: a record that is no job; dropped under every policy
};

struct SwfReasonInfo {
  SwfReason reason{};
  const char* name = "";  ///< in by_reason
  SwfRemedy remedy{};
  int field = 0;          ///< the field to point at, counted from 1
  const char* text = "";  ///< what is the matter
};
[[nodiscard]] const std::array<SwfReasonInfo, kSwfReasons>& swf_reasons();
[[nodiscard]] const SwfReasonInfo& about(SwfReason reason);

}  // namespace fleetsim
