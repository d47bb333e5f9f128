// The comment lines of an SWF file: `; Key: value`, in every spelling that occurs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fleetsim {

/// Keys are recognised whatever their case and blanks. Only what a simulation can use is kept; everything
/// else is free text.
class SwfHeader {
 public:
  /// `text` begins with ';'.
  void line(std::string_view text, std::int64_t number);

  /// MaxJobs, MaxRecords, MaxNodes, MaxProcs, MaxRuntime, MaxMemory, MaxQueues, MaxPartitions,
  /// UnixStartTime and TimeZone, as far as they are numbers. Of a repeated key the first value holds.
  [[nodiscard]] const std::map<std::string, std::int64_t>& numbers() const { return numbers_; }
  [[nodiscard]] std::int64_t number(const std::string& key) const;  ///< 0: absent
  /// TimeZoneString, or else TimeZone as `UTC+3600 s`; empty: not stated.
  [[nodiscard]] std::string time_zone() const;
  /// Comment lines that look like records whose fields are separated by ';'.
  [[nodiscard]] std::int64_t semicolon_records() const { return semicolon_records_; }
  /// Values that are no numbers, repeated keys that differ, an implausible machine.
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  void value(const std::string& key, std::string_view text, std::int64_t number);

  std::map<std::string, std::int64_t> numbers_;
  std::map<std::string, std::int64_t> line_of_;
  std::string time_zone_;
  std::string pending_;  ///< a key whose value may stand on the next comment line
  std::int64_t semicolon_records_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace fleetsim
