// fleetsim validate guide: what the guide of 2020 says about interconnects and prices, what the model says,
// what was measured.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "reports/charts/interconnect.hpp"
#include "reports/charts/picture.hpp"
#include "sim/cli/catalog_option.hpp"
#include "sim/cli/guide_tables.hpp"
#include "sim/cli/table.hpp"
#include "sim/cli/validation.hpp"
#include "sim/study/files.hpp"

namespace fleetsim::cli {
namespace {

namespace po = boost::program_options;
using OrderedJson = nlohmann::ordered_json;

std::string number(double value, const std::string& unit) {
  const std::string text = unit == "%" ? fmt::format("{:+.1f}", value) : fmt::format("{:.2f}", value);
  return text == "-0.0" ? "+0.0" : text;
}

std::string measured_text(const GuideTable& table, const GuideRow& row) {
  std::string text;
  for (const Measured& m : row.measured) {
    const std::string low = number(m.low, table.unit), high = number(m.high, table.unit);
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", table.columns.at(m.column),
                        low == high ? low : low + " to " + high);
  }
  return text.empty() ? "no measurement" : text;
}

std::string table_text(const GuideTable& table) {
  std::string text = fmt::format("{} {}\n", table.id, table.title);
  if (!table.guide.empty()) text += fmt::format("  guide says  {}\n", table.guide);
  if (!table.verdict.empty()) text += fmt::format("  model says  {}\n", table.verdict);
  if (!table.measured_note.empty()) text += fmt::format("  measured    {}\n", table.measured_note);
  if (!table.rows.empty()) {
    Rows rows = {{"  model says"}};
    for (const std::string& column : table.columns)
      rows[0].push_back(column + (table.unit == "%" ? ", %" : ", x"));
    rows[0].emplace_back("measured");
    for (const GuideRow& row : table.rows) {
      rows.push_back({"  " + row.what});
      for (const double value : row.model) rows.back().push_back(number(value, table.unit));
      rows.back().push_back(measured_text(table, row));
    }
    text += aligned(rows, 1, true);
  }
  std::vector<std::string> sources;
  for (const GuideRow& row : table.rows) {
    if (row.source.empty()) continue;
    const std::string line = row.source + (row.note.empty() ? "" : " (" + row.what + ": " + row.note + ")");
    if (std::find(sources.begin(), sources.end(), line) == sources.end()) sources.push_back(line);
  }
  for (const std::string& source : sources) text += fmt::format("  source: {}\n", source);
  for (const std::string& why : table.omitted) text += fmt::format("  left out: {}\n", why);
  return text;
}

OrderedJson table_json(const GuideTable& table) {
  OrderedJson bands = OrderedJson::array(), rows = OrderedJson::array();
  for (const GuideBand& band : table.bands)
    bands.push_back({{"column", table.columns.at(band.column)}, {"low", band.low}, {"high", band.high}});
  for (const GuideRow& row : table.rows) {
    OrderedJson model = OrderedJson::object(), measured = OrderedJson::array();
    for (std::size_t c = 0; c < row.model.size(); ++c) model[table.columns[c]] = row.model[c];
    for (const Measured& m : row.measured)
      measured.push_back({{"column", table.columns.at(m.column)}, {"low", m.low}, {"high", m.high}});
    rows.push_back({{"case", row.what},
                    {"model", std::move(model)},
                    {"measured", std::move(measured)},
                    {"source", row.source.empty() ? OrderedJson(nullptr) : OrderedJson(row.source)},
                    {"note", row.note.empty() ? OrderedJson(nullptr) : OrderedJson(row.note)}});
  }
  return {{"id", table.id},           {"title", table.title},        {"guide", table.guide},
          {"unit", table.unit},       {"columns", table.columns},    {"guide_bands", std::move(bands)},
          {"rows", std::move(rows)},  {"model_says", table.verdict}, {"measured", table.measured_note},
          {"left_out", table.omitted}};
}

/// The curves of the tables' models.
std::string figure_svg(const Catalog& catalog) {
  std::vector<std::string> missing;
  const auto curves = interconnect_curves(catalog, Shelf(catalog).figure_models(), missing);
  for (const std::string& why : missing) note("fleetsim: left out of the figure: " + why);
  const auto drawing = interconnect_drawing(curves);
  if (!drawing) throw UsageError("the catalogue has nothing to draw the figure from");
  return svg_of(*drawing);
}

int guide(const Arguments& arguments) {
  CommandLine line(
      "validate guide", "[options]",
      "What the guide of 2020 says about interconnects and prices, what the model says on the catalogue's\n"
      "hardware, and what was measured. The model's figures come from the same step time as\n"
      "every simulated run.",
      "fleetsim validate guide --figure interconnect.svg");
  std::string format, catalog_folder, figure;
  line.options.add_options()("format", po::value(&format)->default_value("text")->value_name("text|json"),
                             "what is printed")("figure", po::value(&figure)->value_name("FILE.svg"),
                                                "draws what NVLink, PCIe 4.0 and EDR are worth")(
      "catalog", po::value(&catalog_folder)->value_name("DIR"), "added to the built-in catalogue");
  po::variables_map values;
  if (!line.parse(arguments, values)) return kFine;
  if (format != "text" && format != "json")
    throw UsageError(fmt::format("--format '{}' is neither text nor json", format),
                     "see 'fleetsim validate guide --help'");
  const auto own = catalog_option(catalog_folder);
  if (!own.usable) return kWrongInput;
  const Catalog& catalog = own.catalog();
  if (!figure.empty()) {
    expect_writable(figure);
    write_file(figure, figure_svg(catalog));
  }
  const std::vector<GuideTable> tables = guide_tables(catalog);
  if (format == "json") {
    OrderedJson all = OrderedJson::array();
    for (const GuideTable& table : tables) all.push_back(table_json(table));
    print(OrderedJson{{"guide", "T. Dettmers, Which GPU(s) to Get for Deep Learning, 2020-09-07"},
               {"tables", std::move(all)}}
              .dump(2) +
          "\n");
    return kFine;
  }
  std::string text;
  for (const GuideTable& table : tables) text += (text.empty() ? "" : "\n") + table_text(table);
  print(text);
  return kFine;
}

const RegisterValidation kGuide{
    {"guide", "what the guide of 2020 says about interconnects and prices, beside the model and measurements",
     20, guide}};

}  // namespace
}  // namespace fleetsim::cli
