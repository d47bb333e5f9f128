// fleetsim schema: what a scenario file may say, for editors and for people.
#include <fmt/format.h>

#include "sim/cli/command.hpp"
#include "sim/cli/schema_text.hpp"

namespace fleetsim::cli {

namespace {

namespace po = boost::program_options;

int schema(const Arguments& arguments) {
  CommandLine line(
      "schema", "[options]",
      "Prints the JSON Schema of scenario files (draft 2020-12), for editors and validators, or the\n"
      "reference page. Both come from the description that the reader of scenarios uses.",
      "fleetsim schema > scenario.schema.json");
  std::string format;
  line.options.add_options()("format", po::value(&format)->default_value("json")->value_name("json|markdown"),
                             "what is printed");
  po::variables_map values;
  if (!line.parse(arguments, values)) return kFine;
  if (format != "json" && format != "markdown")
    throw UsageError(fmt::format("--format '{}' is neither json nor markdown", format),
                     "see 'fleetsim schema --help'");
  print(format == "json" ? schema_json() : schema_page());
  return kFine;
}

const RegisterCommand kSchema{{"schema", "JSON Schema and reference of scenario files", 75, schema}};

}  // namespace

}  // namespace fleetsim::cli
