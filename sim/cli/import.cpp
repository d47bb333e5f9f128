// fleetsim import FORMAT: hands the rest of the command line to the reader of that format.
#include "sim/cli/import.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fleetsim::cli {

namespace {

std::vector<ImportFormat>& import_registry() {
  static std::vector<ImportFormat> all;
  return all;
}

/// Promised, and not there yet: said, instead of passing for a slip of the pen.
const std::vector<std::string>& planned_formats() {
  static const std::vector<std::string> all = {"swf",   "sacct", "sacct-json", "philly",
                                               "openb", "csv",   "slurm-conf"};
  return all;
}

std::string help_page() {
  std::string text =
      "usage: fleetsim import FORMAT FILE... [options]\n\n"
      "Turns a foreign file into one that fleetsim reads.\n\nFormats:\n";
  for (const ImportFormat& format : import_formats())
    text += fmt::format("  {:<12}{}\n", format.name, format.summary);
  return text +
         "\n'fleetsim import FORMAT --help' tells its options.\n\nExample:\n"
         "  fleetsim import quote offer.csv -o prices.yaml\n";
}

int import_file(const Arguments& arguments) {
  const std::string see = "see 'fleetsim import --help'";
  if (arguments.empty()) throw UsageError("which format?", see);
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h") {
    print(help_page());
    return kFine;
  }
  const std::vector<ImportFormat>& all = import_formats();
  const auto format = std::find_if(all.begin(), all.end(), [&](const auto& f) { return f.name == name; });
  if (format != all.end()) return format->run({arguments.begin() + 1, arguments.end()});
  const auto& planned = planned_formats();
  if (std::find(planned.begin(), planned.end(), name) != planned.end())
    throw UsageError(
        fmt::format("the import of '{}' is not built yet", name),
        name == "swf" ? "a scenario reads the file itself: workload: {trace: {file: jobs.swf}}" : see);
  std::vector<std::string> names = planned;
  for (const ImportFormat& f : all) names.push_back(f.name);
  const std::string near = did_you_mean(name, names);
  throw UsageError(fmt::format("'{}' is no format that can be imported", name),
                   near.empty() ? see : fmt::format("did you mean '{}'?", near));
}

const RegisterCommand kImport{
    {"import", "turns a foreign file, e.g. a vendor's quote, into one of fleetsim's", 65, import_file}};

}  // namespace

RegisterImport::RegisterImport(ImportFormat format) {
  auto& all = import_registry();
  const auto place =
      std::find_if(all.begin(), all.end(), [&](const auto& f) { return f.name > format.name; });
  all.insert(place, std::move(format));
}

const std::vector<ImportFormat>& import_formats() {
  return import_registry();
}

}  // namespace fleetsim::cli
