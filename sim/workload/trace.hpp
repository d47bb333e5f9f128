// A recorded workload as plain data, whatever file it came from.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/time.hpp"

namespace fleetsim {

/// 48 bytes: a trace may have millions of jobs.
struct TraceJob {
  std::int64_t source_id = 0;     ///< as in the file, kept in every output
  Instant submit{};               ///< relative to the first kept job's origin (see Trace::origin_s)
  Duration run{};                 ///< recorded run time; 0 is legal
  Duration limit{};               ///< requested time; `has_limit` false: unknown
  double recorded_wait_s = -1.0;  ///< -1: unknown
  std::int32_t processors = 1;    ///< GPUs (or processors) asked for
  std::int32_t user : 30 = 0;     ///< shares its word with the two flags
  bool has_limit : 1 = false;
  bool cancelled_before_start : 1 = false;
};

/// Sorted by submit, ties in file order. `counts`: rows, kept, repaired, dropped, and by reason.
struct Trace {
  std::vector<TraceJob> jobs;
  std::vector<std::int32_t> groups;  ///< by job: id of the group that its user belongs to; -1: unknown
  double origin_s = 0.0;             ///< submit of the first job in the file's own time
  bool whole_seconds = true;
  std::map<std::string, std::int64_t> header;  ///< numeric headers: MaxProcs, MaxNodes, ...
  std::string time_zone;                       ///< as the header says; empty: not stated
  std::int64_t rows = 0, kept = 0, repaired = 0, dropped = 0;
  std::map<std::string, std::int64_t> by_reason;
  std::vector<std::string> warnings;
};

/// Keeps the jobs that were submitted from `from` on and before `to`, both counted from the trace's first
/// job; nothing given: all from the beginning, or all to the end. The first job kept is the new origin.
/// Returns how many were left out; the counts of what was read stay as they are. Cost: O(jobs).
std::int64_t cut_to_window(Trace& trace, std::optional<Duration> from, std::optional<Duration> to);

}  // namespace fleetsim
