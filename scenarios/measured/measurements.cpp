#include "scenarios/measured/measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>

#include "scenarios/import/csv.hpp"
#include "sim/base/number_text.hpp"

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

/// Takes the commas out of a number of thousands at the start of `text`: "1,024" and "65,536".
std::string without_commas(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size() && is_digit(text[i])) ++i;
  std::string out(text.substr(0, i));
  const auto group = [&](std::size_t at) {
    for (std::size_t k = 1; k <= 3; ++k) {
      if (at + k >= text.size() || !is_digit(text[at + k])) return false;
    }
    return at + 4 >= text.size() || !is_digit(text[at + 4]);
  };
  if (i == 0 || i > 3) return std::string(text);
  for (; i < text.size() && text[i] == ',' && group(i); i += 4) out += text.substr(i + 1, 3);
  return out + std::string(text.substr(i));
}

/// Takes a number off the start of `text`, more than 0 and at most 1e15; "4k" is 4000. Nothing when there is
/// none.
std::optional<double> take_number(std::string& text) {
  text.erase(0, text.find_first_not_of(" :="));
  const std::string plain = without_commas(text);
  double value = 0.0;
  auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (error != std::errc{}) return std::nullopt;
  const auto at = static_cast<std::size_t>(end - plain.data());
  const bool thousands = at < plain.size() && plain[at] == 'k';
  const bool alone = at + 1 >= plain.size() || std::isalnum(static_cast<unsigned char>(plain[at + 1])) == 0;
  if (thousands && alone) value *= 1000.0;
  text = plain.substr(at + (thousands && alone ? 1 : 0));
  if (!std::isfinite(value) || value <= 0.0 || value > 1e15) return std::nullopt;
  return value;
}

std::optional<double> leading_number(std::string_view text) {
  std::string rest(text);
  return take_number(rest);
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
  if (row.fault.empty()) row.fault = row.batch.fault;
  if (row.fault.empty() && row.split.empty()) row.fault = "the split is empty: write dev, control or exclude";
  if (row.role != "base" && row.role != "point")
    row.fault = fmt::format("the role '{}' is neither base nor point", printable(row.role));
  return row;
}

/// "864/928" is one figure of each of two GPUs: their mean.
void read_per_gpu(const std::string& text, BatchText& batch) {
  if (text.find_first_of("0123456789+-.") != text.find_first_not_of(' ') || text.empty()) return;  // words
  std::string rest = text;
  batch.per_gpu = take_number(rest);
  bool whole = batch.per_gpu.has_value();
  if (whole && rest.starts_with("/")) {
    rest.erase(0, 1);
    const std::optional<double> other = take_number(rest);
    whole = other.has_value();
    if (whole) batch.per_gpu = 0.5 * (*batch.per_gpu + *other);
  }
  if (whole && (rest.empty() || rest.find_first_of(" (;") == 0)) return;
  batch.per_gpu.reset();
  batch.fault = fmt::format("batch_per_gpu '{}' is not a batch", printable(text));
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
  read_per_gpu(text, batch);
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
  if (table.records.empty()) {
    diagnostics.error({file, 1, 1}, "", "the table has a header line and no rows");
  }
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
