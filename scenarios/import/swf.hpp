// Standard Workload Format (Feitelson et al.), version 2.2, plain or gzip. docs/traces.md says what becomes
// of each kind of record.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "scenarios/import/swf_reasons.hpp"
#include "sim/base/diagnostic.hpp"
#include "sim/workload/trace.hpp"

namespace fleetsim {

/// Which field is the size of a job; the other one stands for it where it is missing.
enum class SizeFrom : std::uint8_t { allocated, requested };
[[nodiscard]] const char* to_string(SizeFrom field);

struct SwfOptions {
  OnError on_error = OnError::repair;
  SizeFrom size_from = SizeFrom::allocated;
};

/// Lines that diagnostics point at, by number: the file is gone when they are printed.
using Excerpt = std::map<int, std::string>;

/// Reads a whole trace, piece by piece: in memory are the jobs and one piece. Records that cannot be used are
/// dropped, repaired ones kept, both counted by reason; never silently. A file without records is a trace
/// without jobs and a warning. What is no SWF, damaged or cut off is an error in `diagnostics`, and then the
/// trace is empty. Throws EnvironmentError when unreadable.
[[nodiscard]] Trace read_swf(const std::filesystem::path& file, Diagnostics& diagnostics,
                             const SwfOptions& options = {}, Excerpt* excerpt = nullptr);

/// The same for bytes in memory, plain or gzip. `name` stands in the messages.
[[nodiscard]] Trace read_swf_bytes(std::string_view bytes, const std::string& name, Diagnostics& diagnostics,
                                   const SwfOptions& options = {}, Excerpt* excerpt = nullptr);

}  // namespace fleetsim
