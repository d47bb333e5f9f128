// fleetsim report DIR: the procurement report from a study (study.json) or a run (result.json).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/pipeline.hpp"
#include "scenarios/loader/load.hpp"
#include "sim/cli/advise_text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/guide_tables.hpp"
#include "sim/cli/results_file.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/study/dossier.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"

namespace fleetsim::cli {
namespace {

namespace fs = std::filesystem;

/// --to md,html,pdf
std::vector<ReportFormat> formats_of(const std::string& list) {
  std::vector<ReportFormat> formats;
  std::size_t begin = 0;
  while (begin <= list.size()) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    const std::string word = list.substr(begin, comma - begin);
    begin = comma + 1;
    if (word == "md") {
      formats.push_back(ReportFormat::markdown);
    } else if (word == "html") {
      formats.push_back(ReportFormat::html);
    } else if (word == "pdf") {
      formats.push_back(ReportFormat::pdf);
    } else if (word == "xlsx" || word == "explorer") {
      throw UsageError(fmt::format("--to {} is not built yet", word), "use md, html, pdf");
    } else {
      throw UsageError(fmt::format("--to: unknown format '{}'", word),
                       "use md, html, pdf, separated by commas");
    }
  }
  return formats;
}

bool is_results(const fs::path& path) {
  return path.filename() == "study.json" || path.filename() == "result.json";
}

/// A file where a folder is wanted: a scenario is the likeliest.
[[noreturn]] void refuse_file(const fs::path& path) {
  const fs::path kind = path.extension();
  const bool scenario = kind == ".yaml" || kind == ".yml";
  throw UsageError(fmt::format("{} is {}; report wants the folder that a study or a run wrote", shown(path),
                               scenario ? "a scenario" : "a file"),
                   fmt::format("'fleetsim study {} --out out' makes one; then 'fleetsim report out'",
                               scenario ? shell_quoted(path.string()) : "SCENARIO"));
}

std::string how_to_make(const fs::path& dir) {
  return fmt::format(
      "first run 'fleetsim study SCENARIO --out {0}' (every fleet) or 'fleetsim run SCENARIO --out {0}' "
      "(one)",
      shown(dir));
}

/// The file of results: DIR's, of which a study goes before a run, or the one that is named itself.
fs::path results_in(const fs::path& dir) {
  std::error_code ignored;
  if (fs::exists(dir, ignored) && !fs::is_directory(dir, ignored)) {
    if (!is_results(dir)) refuse_file(dir);
    return dir;
  }
  if (!fs::is_directory(dir, ignored)) {
    throw UsageError(fmt::format("{} is not a folder", shown(dir)), how_to_make(dir));
  }
  const bool study = fs::exists(dir / "study.json", ignored), run = fs::exists(dir / "result.json", ignored);
  if (study && run)
    note(fmt::format(
        "note: {0} holds a study and a run; this is the report of study.json. For the run: fleetsim "
        "report {1}",
        shown(dir), shell_quoted((dir / "result.json").string())));
  if (study || run) return dir / (study ? "study.json" : "result.json");
  throw UsageError(fmt::format("{} holds neither study.json nor result.json", shown(dir)), how_to_make(dir));
}

/// The scenario of the results. Empty, with a note of what the report then lacks, when it names entries that
/// neither the built-in catalogue nor the folder `catalog` has.
std::optional<Scenario> scenario_of(const Dossier& dossier, const std::string& catalog,
                                    std::vector<std::string>& notes) {
  LoadOptions options;
  options.open_files = false;
  options.catalog_folder = catalog;
  Diagnostics diagnostics;
  auto loaded = load_scenario_text("scenario", dossier.canonical_scenario, options, diagnostics);
  if (loaded && !diagnostics.has_errors()) return std::move(loaded->scenario);
  const std::vector<Diagnostic> said = diagnostics.sorted();
  const auto error = std::find_if(said.begin(), said.end(),
                                  [](const Diagnostic& d) { return d.severity == Severity::error; });
  notes.push_back(
      fmt::format("the figure of the interconnect and what the guide says are left out: the scenario does "
                  "not load with {}"
                  "{}{}",
                  catalog.empty() ? "the built-in catalogue; --catalog DIR adds one"
                                  : "the catalogue of " + shown(catalog),
                  error == said.end() ? "" : ": ", error == said.end() ? "" : error->message));
  return std::nullopt;
}

int report_command(const Arguments& arguments) {
  CommandLine line(
      "report", "DIR [options]",
      "Makes the procurement report of a study or a run: Markdown with its figures (each beside its data and "
      "script), HTML, PDF.\nThe date is SOURCE_DATE_EPOCH where it is set, else today; with it the files are "
      "the "
      "same bytes every time.\nIn a folder that holds both, study.json goes before result.json; "
      "DIR/result.json asks "
      "for the run.",
      "fleetsim report out --to pdf");
  namespace po = boost::program_options;
  line.options.add_options()("dir", po::value<std::string>(), "folder with study.json or result.json")(
      "to", po::value<std::string>()->default_value("md,html,pdf")->value_name("LIST"),
      "formats, separated by commas: md, html, pdf")("out", po::value<std::string>()->value_name("DIR"),
                                                     "folder of the report (default: DIR/report)")(
      "catalog", po::value<std::string>()->value_name("DIR"),
      "added to the built-in catalogue, as for the study")(
      "diff", po::value<std::string>()->value_name("DIR"), "not built yet");
  line.positional.add("dir", 1);
  po::variables_map values;
  if (!line.parse(arguments, values)) return kFine;
  if (values.count("dir") == 0) throw UsageError("report needs a folder", "see 'fleetsim report --help'");
  if (values.count("diff") != 0)
    throw UsageError("--diff is not built yet", "make two reports and compare their Markdown");
  ReportRequest request;
  request.formats = formats_of(values["to"].as<std::string>());
  const fs::path results = results_in(values["dir"].as<std::string>());
  request.out =
      values.count("out") != 0 ? fs::path(values["out"].as<std::string>()) : results.parent_path() / "report";
  Dossier dossier = dossier_in(results);
  request.epoch_s = report_epoch();
  request.stop = &interrupted();
  std::string made;
  std::vector<std::string> notes;
  const std::string catalog = values.count("catalog") != 0 ? values["catalog"].as<std::string>() : "";
  if (const auto scenario = scenario_of(dossier, catalog, notes)) {
    dossier.interconnect = interconnect_of(*scenario);
    if (dossier.kind == "study") dossier.advice = advice_of(dossier, *scenario, results.filename().string());
  }
  for (const fs::path& path : make_report(dossier, request, &notes)) made += path.string() + "\n";
  print(made);
  for (const std::string& line_of_note : notes) note("note: " + line_of_note);
  return kFine;
}

const RegisterCommand kReport{{"report", "the procurement report of a study or a run", 50, report_command}};

}  // namespace
}  // namespace fleetsim::cli
