#include "scenarios/import/csv.hpp"

#include <fmt/format.h>

namespace fleetsim {
namespace {

std::string without_blanks(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return std::string(text);
}

/// Splits text into records, quotes resolved.
class Splitter {
 public:
  Splitter(const std::string& file, std::string_view text, Diagnostics& diagnostics, char separator)
      : file_(file), text_(text), diagnostics_(diagnostics), separator_(separator) {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    if (text_.starts_with(kMark)) text_.remove_prefix(kMark.size());
  }

  std::vector<CsvRecord> split() {
    std::vector<CsvRecord> records;
    while (at_ < text_.size()) {
      CsvRecord record{line_, {}, {}};
      while (!read_field(record)) {
      }
      const bool empty_line = record.fields.size() == 1 && without_blanks(record.fields[0]).empty();
      if (!empty_line) records.push_back(std::move(record));
    }
    return records;
  }

 private:
  void fail(const std::string& what, const std::string& hint) {
    diagnostics_.error({file_, line_, 1}, "", what, hint);
  }

  void begin_line() {
    ++line_;
    line_begins_ = at_;
  }

  [[nodiscard]] CsvRecord::Place place() const {
    int column = 1;
    for (std::size_t i = line_begins_; i < at_; ++i)
      if ((static_cast<unsigned char>(text_[i]) & 0xC0U) != 0x80U) ++column;
    return {line_, column};
  }

  /// True when the record ends behind this field.
  bool read_field(CsvRecord& record) {
    std::string field;
    record.places.push_back(place());
    if (at_ < text_.size() && text_[at_] == '"') {
      read_quoted(field);
    } else {
      while (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\n') field += text_[at_++];
    }
    record.fields.push_back(std::move(field));
    if (at_ >= text_.size()) return true;
    const char end = text_[at_++];
    if (end == '\n') begin_line();
    return end == '\n';
  }

  void read_quoted(std::string& field) {
    const int begun = line_;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
        ++at_;  // a doubled quote is one
      }
      if (text_[at_] == '\n') {
        ++line_;
        line_begins_ = at_ + 1;
      }
      field += text_[at_];
    }
    if (at_ >= text_.size()) {
      diagnostics_.error({file_, begun, 1}, "", "a quote is opened and never closed",
                         "write \"\" for a quote inside a quoted field");
      return;
    }
    ++at_;
    const std::size_t after = at_;
    while (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\n') ++at_;
    if (!without_blanks(text_.substr(after, at_ - after)).empty())
      fail("text stands behind a closing quote", "write \"\" for a quote inside a quoted field");
  }

  const std::string& file_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  char separator_;
  std::size_t line_begins_ = 0;
  int line_ = 1;
};

}  // namespace

std::string CsvTable::at(const CsvRecord& record, std::string_view column) const {
  const auto it = place.find(column);
  return it == place.end() || it->second >= record.fields.size() ? std::string{}
                                                                 : without_blanks(record.fields[it->second]);
}

CsvTable read_csv(const std::string& file, std::string_view text, Diagnostics& diagnostics, char separator) {
  CsvTable table;
  std::vector<CsvRecord> records = Splitter(file, text, diagnostics, separator).split();
  if (records.empty()) {
    diagnostics.error({file, 1, 1}, "", "the file has no header line");
    return table;
  }
  for (const std::string& name : records.front().fields) {
    const std::string column = without_blanks(name);
    if (!table.place.emplace(column, table.columns.size()).second)
      diagnostics.error({file, records.front().line, 1}, "",
                        fmt::format("column '{}' is there twice", printable(column)));
    table.columns.push_back(column);
  }
  for (std::size_t i = 1; i < records.size(); ++i) {
    if (records[i].fields.size() > table.columns.size()) {
      diagnostics.error(
          {file, records[i].line, 1}, "",
          fmt::format("{} fields in a table of {} columns", records[i].fields.size(), table.columns.size()),
          fmt::format("a '{}' inside a field needs quotes around it", separator));
      continue;
    }
    table.records.push_back(std::move(records[i]));
  }
  return table;
}

}  // namespace fleetsim
