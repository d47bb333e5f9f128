// Comma-separated text with a header line (RFC 4180): quotes, CRLF, a byte order mark, fields over several
// lines.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostic.hpp"

namespace fleetsim {

struct CsvRecord {
  int line = 0;  ///< 1-based, where the record begins
  std::vector<std::string> fields;
  /// Where each field begins, its quote included: 1-based line and column in characters.
  struct Place {
    int line = 0, column = 0;
  };
  std::vector<Place> places{};
};

struct CsvTable {
  std::vector<std::string> columns;                       ///< of the header, blanks around them removed
  std::vector<CsvRecord> records;                         ///< empty lines are left out
  std::map<std::string, std::size_t, std::less<>> place;  ///< column -> index

  [[nodiscard]] bool has(std::string_view column) const { return place.contains(column); }
  /// The field, blanks around it removed; empty where the record is too short or the column unknown.
  [[nodiscard]] std::string at(const CsvRecord& record, std::string_view column) const;
};

/// Faults (an open quote, text after a closing quote, a column twice, more fields than columns, no header) go
/// to `diagnostics` with their line. Cost: O(text).
[[nodiscard]] CsvTable read_csv(const std::string& file, std::string_view text, Diagnostics& diagnostics,
                                char separator = ',');

}  // namespace fleetsim
