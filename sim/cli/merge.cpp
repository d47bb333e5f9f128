// fleetsim merge: joins the stores of a study's shards.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/cli/command.hpp"
#include "sim/cli/table.hpp"
#include "sim/study/files.hpp"
#include "sim/study/merge.hpp"

namespace fleetsim::cli {

namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

struct MergeArguments {
  std::vector<std::string> stores;
  std::string out, format;
};

/// Empty: --help was printed.
std::optional<MergeArguments> parse_merge(const Arguments& arguments) {
  CommandLine line(
      "merge", "DB... -o DB [options]",
      "Joins the stores (study.db) of a study's shards. What the -o file holds already is kept. The\n"
      "stores must be of one scenario and one build of fleetsim. Ends with 1 when runs are missing.",
      "fleetsim merge shard-*/study.db -o out/study.db");
  MergeArguments a;
  line.options.add_options()("stores", po::value(&a.stores), "")(
      "output,o", po::value(&a.out)->value_name("DB"), "the joined store")(
      "format", po::value(&a.format)->default_value("text")->value_name("text|json"), "what is printed");
  line.positional.add("stores", -1);
  po::variables_map values;
  if (!line.parse(arguments, values)) return std::nullopt;
  const std::string see = "see 'fleetsim merge --help'";
  if (a.stores.empty()) throw UsageError("which stores?", see);
  if (a.out.empty()) throw UsageError("-o needs the name of the joined store", see);
  if (a.format != "text" && a.format != "json")
    throw UsageError(fmt::format("--format '{}' is neither text nor json", a.format), see);
  std::error_code ignored;
  for (const std::string& store : a.stores) {
    if (fs::equivalent(store, a.out, ignored))
      throw UsageError(fmt::format("{} is both an input and the output -o", store),
                       "give -o another name; what an existing -o holds is kept anyway");
  }
  return a;
}

std::string merge_text(const MergeResult& result, std::size_t stores, const std::string& out) {
  std::string text = fmt::format("{} joined in {}: {}, {} of them in more than one\n",
                                 counted(static_cast<long long>(stores), "store"), out,
                                 counted(result.runs, "run"), result.duplicates);
  constexpr std::size_t kMostLines = 20;
  for (const MergeResult::Study& s : result.studies) {
    const std::int64_t wanted = s.candidates * s.replications;
    text += fmt::format("{}, engine {}: {} x {} = {}, {} missing\n", s.name, s.engine,
                        counted(s.candidates, "candidate"), counted(s.replications, "replication"),
                        counted(wanted, "run"), s.missing_runs);
    for (std::size_t i = 0; i < std::min(kMostLines, s.missing.size()); ++i)
      text += fmt::format("  missing: {}, replications {}\n", s.missing[i].label,
                          number_ranges(s.missing[i].replications, ", "));
    if (s.missing.size() > kMostLines)
      text += fmt::format("  and of {}\n",
                          counted(static_cast<long long>(s.missing.size() - kMostLines), "more candidate"));
  }
  return text;
}

std::string merge_json(const MergeResult& result, std::size_t stores, const std::string& out) {
  nlohmann::json studies = nlohmann::json::array();
  for (const MergeResult::Study& s : result.studies) {
    nlohmann::json missing = nlohmann::json::array();
    for (const MergeResult::Missing& m : s.missing)
      missing.push_back({{"label", m.label}, {"replications", m.replications}});
    studies.push_back({{"name", s.name},
                       {"engine", s.engine},
                       {"candidates", s.candidates},
                       {"replications", s.replications},
                       {"missing_runs", s.missing_runs},
                       {"missing", std::move(missing)}});
  }
  const nlohmann::json j = {{"store", out},
                            {"stores", stores},
                            {"runs", result.runs},
                            {"duplicates", result.duplicates},
                            {"studies", std::move(studies)}};
  return j.dump(1) + "\n";
}

int merge(const Arguments& arguments) {
  const auto parsed = parse_merge(arguments);
  if (!parsed) return kFine;
  const MergeArguments& a = *parsed;
  MergeResult result;
  if (const auto folder = std::filesystem::path(a.out).parent_path(); !folder.empty()) make_folder(folder);
  try {
    result = merge_stores(a.stores, a.out, &interrupted());
  } catch (const MergeRefused& e) {
    throw UsageError(e.what(), fmt::format("{} was not changed", a.out));
  }
  print(a.format == "json" ? merge_json(result, a.stores.size(), a.out)
                           : merge_text(result, a.stores.size(), a.out));
  const bool whole = std::all_of(result.studies.begin(), result.studies.end(),
                                 [](const MergeResult::Study& s) { return s.missing_runs == 0; });
  return whole ? kFine : kAnsweredNo;
}

const RegisterCommand kMerge{{"merge", "joins the results stores of a study's shards", 45, merge}};

}  // namespace

}  // namespace fleetsim::cli
