#include "scenarios/import/quote.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <optional>

#include "scenarios/import/amount.hpp"
#include "scenarios/import/csv.hpp"
#include "scenarios/loader/document.hpp"
#include "scenarios/loader/price_names.hpp"
#include "scenarios/loader/source_text.hpp"
#include "sim/base/utf8.hpp"
#include "sim/economics/economics.hpp"
#include "sim/economics/rounding.hpp"

namespace fleetsim {
namespace {

constexpr const char* kColumns[] = {"item", "quantity", "unit_price", "currency", "date", "total"};
constexpr std::int64_t kMostPieces = 1'000'000;
/// A plain YAML key ends at 1024 characters; no thing that is bought needs a tenth of it.
constexpr std::size_t kLongestItem = 200;

/// `Unit price` -> `unit_price`.
std::string column_word(const std::string& written) {
  std::string word;
  for (const char c : written)
    word += c == ' ' || c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

bool is_day(const std::string& t) {
  if (t.size() != 10 || t[4] != '-' || t[7] != '-') return false;
  for (const std::size_t i : {0, 1, 2, 3, 5, 6, 8, 9})
    if (std::isdigit(static_cast<unsigned char>(t[i])) == 0) return false;
  const auto two = [&](std::size_t at) { return (t[at] - '0') * 10 + (t[at + 1] - '0'); };
  using namespace std::chrono;
  return (year(100 * two(0) + two(2)) / month(static_cast<unsigned>(two(5))) /
          day(static_cast<unsigned>(two(8))))
      .ok();
}

/// Reads the records of one table; every fault has the place of its field.
class QuoteReader {
 public:
  QuoteReader(const std::string& file, const CsvTable& table, Decimals decimals, const Catalog& catalog,
              const QuoteOptions& options, Diagnostics& diagnostics)
      : file_(file),
        table_(table),
        decimals_(decimals),
        catalog_(catalog),
        options_(options),
        diagnostics_(diagnostics) {}

  Quote read() {
    find_columns();
    Quote quote;
    if (diagnostics_.has_errors()) return quote;
    for (const CsvRecord& record : table_.records) {
      const int before = diagnostics_.errors();
      QuoteLine line = read_line(record);
      check_repeated(record, line, quote);
      if (diagnostics_.errors() == before) quote.lines.push_back(std::move(line));
    }
    if (quote.lines.empty() && !diagnostics_.has_errors())
      diagnostics_.error({file_, 1, 1}, "", "the quote has no lines below its header");
    return quote;
  }

 private:
  void find_columns() {
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      const std::string word = column_word(table_.columns[i]);
      if (std::find(std::begin(kColumns), std::end(kColumns), word) == std::end(kColumns)) {
        diagnostics_.warning({file_, 1, 1}, "",
                             fmt::format("column '{}' is not read", printable(table_.columns[i])));
      } else if (!place_.emplace(word, i).second) {
        diagnostics_.error({file_, 1, 1}, "", fmt::format("column '{}' is there twice", word));
      }
    }
    for (const std::string column : kColumns) {
      if (place_.contains(column) || column == "total") continue;
      if (column == "currency" && !options_.currency.empty()) continue;
      diagnostics_.error({file_, 1, 1}, "", fmt::format("the header has no column '{}'", column),
                         column == "currency" ? "or name it with --currency"
                                              : "needed: item, quantity, unit_price, currency, date");
    }
  }

  [[nodiscard]] std::string at(const CsvRecord& record, const std::string& column) const {
    const auto place = place_.find(column);
    return place == place_.end() || place->second >= record.fields.size()
               ? std::string{}
               : trimmed(record.fields[place->second]);
  }

  void fail(const CsvRecord& record, std::size_t field, const std::string& message, const std::string& hint) {
    SourcePos pos{file_, record.line, 1};
    int width = 1;
    if (field < record.places.size()) {
      pos.line = record.places[field].line;
      pos.column = record.places[field].column;
      width = std::max(1, characters(trimmed(record.fields[field])));
    }
    diagnostics_.error(pos, "", message, hint, width);
  }
  void fail_at(const CsvRecord& record, const std::string& column, const std::string& message,
               const std::string& hint) {
    const auto place = place_.find(column);
    fail(record, place == place_.end() ? record.places.size() : place->second, message, hint);
  }

  /// True when a cell would be run by a spreadsheet that opens the file; a negative number is none.
  bool check_formulas(const CsvRecord& record) {
    bool found = false;
    for (std::size_t i = 0; i < record.fields.size(); ++i) {
      const std::string cell = trimmed(record.fields[i]);
      if (cell.empty() || std::string_view("=+-@").find(cell.front()) == std::string_view::npos) continue;
      const bool negative =
          cell.size() > 1 && cell[0] == '-' && cell.find_first_not_of("0123456789.,", 1) == std::string::npos;
      if (negative) continue;
      fail(record, i, fmt::format("the cell begins with '{}': a spreadsheet runs it as a formula", cell[0]),
           "a quote holds plain words and numbers");
      found = true;
    }
    return found;
  }

  QuoteLine read_line(const CsvRecord& record) {
    QuoteLine line;
    line.line = record.line;
    if (check_formulas(record)) return line;
    line.item = trimmed(at(record, "item"));
    if (line.item.empty()) {
      fail_at(record, "item", "the line names no item", "leave out empty lines and sums");
    } else if (const char* fault = unfit_in_name(line.item)) {
      fail_at(record, "item", fmt::format("the item holds {}", fault), "write it on one line");
    } else if (const auto name = known_price_name(line.item, catalog_)) {
      line.item = *name;
      line.known = true;
    } else if (line.item.size() > kLongestItem) {
      fail_at(record, "item", fmt::format("the item has more than {} characters", kLongestItem),
              "shorten it");
    } else if (const auto like = resembled_price_name(line.item, catalog_)) {
      diagnostics_.warning(
          {file_, record.line, 1}, "",
          fmt::format("'{}' is no name of the catalogue, but looks like '{}': as a line of its "
                      "own it is bought beside what the catalogue prices",
                      line.item, *like),
          fmt::format("write '{}' to replace that price", *like));
    }
    const Parsed<std::int64_t> pieces = parse_integer(at(record, "quantity"));
    const auto* count = std::get_if<std::int64_t>(&pieces);
    if (count == nullptr || *count < 1 || *count > kMostPieces) {
      fail_at(record, "quantity", fmt::format("'{}' is not a number of pieces", at(record, "quantity")),
              "a whole number, at least 1");
    } else {
      line.quantity = static_cast<int>(*count);
    }
    read_price(record, line);
    read_date(record, line);
    return line;
  }

  std::optional<Money> amount(const CsvRecord& record, const std::string& column, const std::string& what) {
    const std::string text = at(record, column);
    if (!text.empty() && text[0] == '-') {
      fail_at(record, column, fmt::format("{} must not be negative, but is {}", what, text),
              "subtract a discount from the prices, or give economics.academic_discount");
      return std::nullopt;
    }
    const Parsed<Money> parsed = parse_amount(text, decimals_);
    if (const auto* fault = std::get_if<UnitError>(&parsed)) {
      fail_at(record, column, text.empty() ? fmt::format("{} is missing", what) : fault->message,
              fault->hint);
      return std::nullopt;
    }
    const Money money = std::get<Money>(parsed);
    if (money == to_cents(money)) return money;
    fail_at(record, column, fmt::format("{} has more than two decimals", what),
            "quote a larger piece, e.g. a box of 100");
    return std::nullopt;
  }

  void read_price(const CsvRecord& record, QuoteLine& line) {
    const std::string currency = place_.contains("currency") ? at(record, "currency") : options_.currency;
    const std::optional<Money> unit = amount(record, "unit_price", "the unit price");
    const std::optional<Money> rate = rate_of(record, currency);
    if (unit && *unit == Money{})
      fail_at(record, "unit_price", "a price cannot be 0", "leave out what costs nothing");
    if (!unit) return;
    if (!at(record, "total").empty()) check_total(record, line, *unit);
    if (!rate) return;
    line.unit_price = currency == "USD" ? *unit : to_cents(exchanged(*unit, *rate));
    if (currency != "USD")
      line.conversion = fmt::format("{} {} at {}", money_digits(*unit), currency, to_text(*rate));
  }

  void check_total(const CsvRecord& record, const QuoteLine& line, Money unit) {
    const std::optional<Money> total = amount(record, "total", "the total");
    if (!total || *total == unit * line.quantity) return;
    fail_at(record, "total",
            fmt::format("the total is not {} x the unit price, which is {}", line.quantity,
                        money_digits(unit * line.quantity)),
            "ask the vendor which of the three is right");
  }

  std::optional<Money> rate_of(const CsvRecord& record, const std::string& currency) {
    if (currency.size() != 3 ||
        currency.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string::npos) {
      fail_at(record, "currency", fmt::format("'{}' is not a currency", currency),
              "three capital letters, e.g. EUR");
      return std::nullopt;
    }
    if (!options_.currency.empty() && currency != options_.currency) {
      fail_at(record, "currency",
              fmt::format("the line is in {}, but --currency says {}", currency, options_.currency),
              "one quote has one currency");
      return std::nullopt;
    }
    if (currency == "USD") return usd(std::int64_t{1});
    const auto rate = options_.exchange.find(currency);
    if (rate != options_.exchange.end()) return rate->second;
    fail_at(record, "currency", fmt::format("there is no exchange rate for {}", currency),
            fmt::format("give what one costs in USD: --exchange {}=1.18", currency));
    return std::nullopt;
  }

  void read_date(const CsvRecord& record, QuoteLine& line) {
    line.date = at(record, "date");
    if (!is_day(line.date)) {
      fail_at(record, "date", fmt::format("'{}' is not a date", line.date), "write YYYY-MM-DD");
    } else if (!options_.today.empty() && line.date > options_.today) {
      fail_at(record, "date", fmt::format("'{}' lies in the future", line.date),
              fmt::format("the date of the quote; today is {}", options_.today));
    }
  }

  void check_repeated(const CsvRecord& record, const QuoteLine& line, const Quote& quote) {
    if (line.item.empty()) return;
    const auto same = std::find_if(quote.lines.begin(), quote.lines.end(),
                                   [&](const QuoteLine& other) { return other.item == line.item; });
    if (same == quote.lines.end()) return;
    fail_at(record, "item",
            fmt::format("'{}' is quoted twice, in lines {} and {}", line.item, same->line, line.line),
            "one of them, or one line with both");
  }

  const std::string& file_;
  const CsvTable& table_;
  Decimals decimals_;
  const Catalog& catalog_;
  const QuoteOptions& options_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::size_t> place_;
};

char separator_of(std::string_view text) {
  const std::string_view header = text.substr(0, text.find('\n'));
  for (const char c : {';', '\t'})
    if (header.find(c) != std::string_view::npos) return c;
  return ',';
}

}  // namespace

Quote read_quote(const std::string& file, const std::string& text, const Catalog& catalog,
                 const QuoteOptions& options, Diagnostics& diagnostics) {
  if (!check_characters(file, text, diagnostics)) return {};
  const char separator = separator_of(text);
  const CsvTable table = read_csv(file, text, diagnostics, separator);
  if (diagnostics.has_errors()) return {};
  const Decimals decimals = separator == ';' ? Decimals::comma : Decimals::point;
  return QuoteReader(file, table, decimals, catalog, options, diagnostics).read();
}

}  // namespace fleetsim
