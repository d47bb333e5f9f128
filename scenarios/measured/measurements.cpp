#include "scenarios/measured/measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>

#include "scenarios/import/csv.hpp"

namespace fleetsim {
namespace {

constexpr std::string_view kNeeded[] = {
    "row_id", "series_id", "role",          "split",      "system",          "gpus",      "nodes",
    "fabric", "model",     "batch_per_gpu", "throughput", "throughput_unit", "base_gpus", "speedup_vs_base"};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// A number at the start of `text`, at most 1e15; nothing when there is none.
std::optional<double> leading_number(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == ':' || text.front() == '='))
    text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value) || value <= 0.0 || value > 1e15) return std::nullopt;
  return value;
}

/// The number behind the first `word`.
std::optional<double> number_after(const std::string& text, std::string_view word) {
  const auto at = text.find(word);
  return at == std::string::npos ? std::nullopt
                                 : leading_number(std::string_view(text).substr(at + word.size()));
}

/// Reads one row's numbers and keeps the first complaint.
class RowReader {
 public:
  RowReader(const CsvTable& table, const CsvRecord& record, Measurement& row)
      : table_(table), record_(record), row_(row) {}

  std::string text(std::string_view column) const { return table_.at(record_, column); }

  /// Empty is 0: unknown.
  double number(std::string_view column) {
    const std::string field = text(column);
    if (field.empty()) return 0.0;
    double value = 0.0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    const bool whole = error == std::errc{} && end == field.data() + field.size();
    if (whole && std::isfinite(value) && value >= 0.0 && value <= 1e15) return value;
    if (row_.fault.empty()) row_.fault = fmt::format("{} is not a number", column);
    return 0.0;
  }

  int count(std::string_view column) {
    const double value = number(column);
    if (value == std::floor(value) && value <= 1e6) return static_cast<int>(value);
    if (row_.fault.empty()) row_.fault = fmt::format("{} is not a count", column);
    return 0;
  }

 private:
  const CsvTable& table_;
  const CsvRecord& record_;
  Measurement& row_;
};

Measurement read_row(const CsvTable& table, const CsvRecord& record) {
  Measurement row;
  row.line = record.line;
  RowReader in(table, record, row);
  row.row_id = in.text("row_id");
  row.series_id = in.text("series_id");
  row.role = lower(in.text("role"));
  row.split = lower(in.text("split"));
  row.system = in.text("system");
  row.gpu = in.text("gpu");
  row.fabric = in.text("fabric");
  row.model = in.text("model");
  row.precision = in.text("precision");
  row.mode = in.text("scaling_mode");
  row.unit = in.text("throughput_unit");
  row.gpus = in.count("gpus");
  row.nodes = in.count("nodes");
  row.batch_given = !in.text("batch_per_gpu").empty();
  row.batch = read_batch(in.text("batch_per_gpu"));
  row.throughput = in.number("throughput");
  row.base_gpus = in.count("base_gpus");
  row.base_throughput = in.number("base_throughput");
  const double speedup = in.number("speedup_vs_base");
  if (speedup > 0.0) row.speedup = speedup;
  row.efficiency_percent = in.number("efficiency_pct");
  return row;
}

}  // namespace

BatchText read_batch(std::string_view written) {
  const std::string text = lower(written);
  BatchText batch;
  batch.global = number_after(text, "global batch");
  if (!batch.global) batch.global = number_after(text, "global");
  batch.fixed_global = text.find("global") != std::string::npos;
  if (const auto passes = number_after(text, "accumulation"); passes && *passes <= 1e6)
    batch.accumulation = static_cast<int>(*passes);
  else if (const auto few = number_after(text, "accum"); few && *few <= 1e6)
    batch.accumulation = static_cast<int>(*few);
  if (batch.accumulation && *batch.accumulation < 1) batch.accumulation.reset();
  batch.per_gpu = leading_number(text);
  if (batch.per_gpu) {
    const auto slash = text.find_first_not_of("0123456789.");
    if (slash != std::string::npos && text[slash] == '/') {
      if (const auto other = leading_number(std::string_view(text).substr(slash + 1)))
        batch.per_gpu = 0.5 * (*batch.per_gpu + *other);
    }
  }
  batch.in_tokens = text.find("token") != std::string::npos;
  return batch;
}

std::vector<Measurement> read_measurements(const std::string& file, std::string_view text,
                                           Diagnostics& diagnostics) {
  const CsvTable table = read_csv(file, text, diagnostics);
  std::string absent;
  for (const std::string_view column : kNeeded) {
    if (!table.has(column)) absent += fmt::format("{}{}", absent.empty() ? "" : ", ", column);
  }
  if (!absent.empty() && !table.columns.empty()) {
    diagnostics.error({file, 1, 1}, "", fmt::format("the table has no column {}", absent),
                      "the header line names the columns; see 'fleetsim validate scaling --help'");
  }
  std::vector<Measurement> rows;
  if (diagnostics.has_errors()) return rows;
  std::map<std::string, int, std::less<>> seen;
  for (const CsvRecord& record : table.records) {
    Measurement row = read_row(table, record);
    if (row.row_id.empty()) {
      diagnostics.error({file, record.line, 1}, "", "a row has no row_id");
    } else if (const auto [it, is_new] = seen.emplace(row.row_id, record.line); !is_new) {
      diagnostics.error({file, record.line, 1}, "",
                        fmt::format("row '{}' is in line {} already", printable(row.row_id), it->second));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace fleetsim
