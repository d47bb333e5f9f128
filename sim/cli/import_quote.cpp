// fleetsim import quote: a vendor's quote becomes prices of a scenario.
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "scenarios/import/quote.hpp"
#include "scenarios/loader/source_text.hpp"
#include "sim/base/units.hpp"
#include "sim/cli/catalog_option.hpp"
#include "sim/cli/import.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/table.hpp"
#include "sim/economics/economics.hpp"
#include "sim/study/files.hpp"

namespace fleetsim::cli {

namespace {

namespace po = boost::program_options;

struct QuoteArguments {
  std::string file, out, catalog;
  QuoteOptions options;
};

/// `EUR=1.18`.
void add_rate(const std::string& text, QuoteOptions& options) {
  const std::string hint = "write e.g. --exchange EUR=1.18: one EUR costs 1.18 USD";
  const std::size_t equals = text.find('=');
  const std::string currency = text.substr(0, equals);
  if (equals == std::string::npos || currency.size() != 3 ||
      currency.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string::npos || currency == "USD")
    throw UsageError(fmt::format("--exchange '{}' names no other currency", text), hint);
  const Parsed<Money> rate = parse_money(text.substr(equals + 1) + " USD");
  const Money* value = std::get_if<Money>(&rate);
  if (value == nullptr || *value <= Money{})
    throw UsageError(fmt::format("--exchange '{}' has no rate above 0", text), hint);
  if (!options.exchange.emplace(currency, *value).second)
    throw UsageError(fmt::format("--exchange gives {} twice", currency), "leave one of them out");
}

/// Empty: --help was printed.
std::optional<QuoteArguments> parse_quote(const Arguments& arguments) {
  CommandLine line(
      "import quote", "FILE.csv -o PRICES.yaml [options]",
      "Reads a quote with the columns item, quantity, unit_price, currency and date (YYYY-MM-DD),\n"
      "separated by comma, semicolon or tab, and writes prices that a scenario takes by\n"
      "prices: {file: "
      "PRICES.yaml}.\n"
      "An item that is a name or title of the catalogue replaces its price; any other is kept as a\n"
      "line of its own. A column 'total' is checked.",
      "fleetsim import quote offer.csv -o prices.yaml --exchange EUR=1.18");
  QuoteArguments a;
  std::vector<std::string> rates;
  line.options.add_options()("file", po::value(&a.file), "")(
      "output,o", po::value(&a.out)->value_name("FILE.yaml"), "the prices")(
      "currency", po::value(&a.options.currency)->value_name("CUR"),
      "currency of every line, e.g. EUR; a line in another is a fault")(
      "exchange", po::value(&rates)->composing()->value_name("CUR=RATE"),
      "what one unit of another currency costs in USD; repeatable")(
      "catalog", po::value(&a.catalog)->value_name("DIR"), "added to the built-in catalogue");
  line.positional.add("file", 1);
  po::variables_map values;
  if (!line.parse(arguments, values)) return std::nullopt;
  const std::string see = "see 'fleetsim import quote --help'";
  if (a.file.empty()) throw UsageError("which quote?", see);
  if (a.out.empty()) throw UsageError("-o needs the name of the file of prices", see);
  for (const std::string& rate : rates) add_rate(rate, a.options);
  refuse_same_file({{"the quote", a.file}, {"-o", a.out}});
  a.options.today = today();
  return a;
}

std::string summary(const Quote& quote, const std::string& out) {
  Rows rows = {{"item", "quantity", "unit price", "used"}};
  int own = 0;
  for (const QuoteLine& line : quote.lines) {
    own += line.known ? 0 : 1;
    rows.push_back({line.item, fmt::format("{}", line.quantity), money_text(line.unit_price),
                    line.known ? "instead of the catalogue's price; the fleet says how many"
                               : "not in the catalogue: a line of its own"});
  }
  return fmt::format("{} of the quote in {}, {} of them not in the catalogue\n{}",
                     counted(static_cast<long long>(quote.lines.size()), "line"), out, own,
                     aligned(rows, 1, true));
}

int import_quote(const Arguments& arguments) {
  const auto a = parse_quote(arguments);
  if (!a) return kFine;
  const CatalogOption catalog = catalog_option(a->catalog);
  if (!catalog.usable) return kWrongInput;
  const std::string text = plain_lines(read_file(a->file));
  Diagnostics diagnostics;
  const Quote quote = read_quote(a->file, text, catalog.catalog(), a->options, diagnostics);
  if (report(diagnostics, text) != kFine) return kWrongInput;
  write_file(a->out, quote_yaml(quote, std::filesystem::path(a->file).filename().string()));
  print(summary(quote, a->out));
  return kFine;
}

const RegisterImport kQuote{{"quote", "a vendor's quote (CSV) becomes prices of a scenario", import_quote}};

}  // namespace

}  // namespace fleetsim::cli
