#include "sim/cli/submission.hpp"

#include <fmt/format.h>

#include <exception>
#include <limits>
#include <nlohmann/json.hpp>

#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"

namespace fleetsim::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Json id_or_null(const std::string& id) {
  return id.empty() ? Json(nullptr) : Json(id);
}

std::string id_of(const Json& value) {
  return value.is_null() ? std::string{} : value.get<std::string>();
}

/// A whole number that submit itself could have written.
template <class Whole>
Whole whole(const Json& value, Whole least) {
  if (!value.is_number_integer() || value.get<std::int64_t>() < least ||
      value.get<std::int64_t>() > std::numeric_limits<Whole>::max())
    throw EnvironmentError(fmt::format("'{}' is no such number", value.dump()));
  return value.get<Whole>();
}

Submission from_json(const Json& j) {
  Submission s;
  s.engine = j.at("engine").get<std::string>();
  s.study = j.at("study").get<std::string>();
  s.scenario_sha256 = j.at("scenario_sha256").get<std::string>();
  s.copy_sha256 = j.at("copy_sha256").get<std::string>();
  s.catalog = j.at("catalog").get<bool>();
  s.shards = whole(j.at("shards"), 1);
  s.simulations = whole(j.at("simulations"), std::int64_t{1});
  s.at_once = whole(j.at("at_once"), 0);
  for (const auto& option : j.at("options"))
    s.options.emplace_back(option.at(0).get<std::string>(), option.at(1).get<std::string>());
  for (const auto& job : j.at("jobs"))
    s.jobs.push_back({whole(job.at("round"), 1), job.at("shards").get<std::vector<int>>(),
                      id_of(job.at("array")), id_of(job.at("merge"))});
  if (s.jobs.empty()) throw EnvironmentError("it names no jobs");
  return s;
}

}  // namespace

SubmitFolder::SubmitFolder(const std::string& out) : root(fs::absolute(out).lexically_normal()) {
  if (!root.has_filename()) root = root.parent_path();
}

std::string SubmitFolder::shard(int round, const std::string& number) {
  return (round > 1 ? fmt::format("round-{}/", round) : std::string{}) + "shard-" + number;
}

fs::path SubmitFolder::shard_store(int round, int number) const {
  return root / shard(round, std::to_string(number)) / "study.db";
}

std::optional<Submission> read_submission(const SubmitFolder& folder) {
  std::error_code ignored;
  if (!fs::exists(folder.record(), ignored)) return std::nullopt;
  const std::string text = read_file(folder.record());
  try {
    return from_json(Json::parse(text));
  } catch (const std::exception& e) {
    throw EnvironmentError(fmt::format("{} is no record of 'fleetsim submit', or damaged: {}",
                                       shown(folder.record()), e.what()));
  }
}

std::string to_json(const Submission& s) {
  Json options = Json::array(), jobs = Json::array();
  for (const auto& [name, value] : s.options) options.push_back({name, value});
  for (const SubmittedJobs& job : s.jobs)
    jobs.push_back({{"round", job.round},
                    {"shards", job.shards},
                    {"array", id_or_null(job.array)},
                    {"merge", id_or_null(job.merge)}});
  const Json j = {{"study", s.study},
                  {"engine", s.engine},
                  {"scenario_sha256", s.scenario_sha256},
                  {"copy_sha256", s.copy_sha256},
                  {"catalog", s.catalog},
                  {"shards", s.shards},
                  {"simulations", s.simulations},
                  {"at_once", s.at_once},
                  {"options", std::move(options)},
                  {"jobs", std::move(jobs)}};
  // A folder's name need not be UTF-8, but none is in here; options and names may hold anything.
  return j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_submission(const SubmitFolder& folder, const Submission& submission) {
  write_file(folder.record(), to_json(submission));
}

std::vector<std::string> job_ids(const Submission& submission) {
  std::vector<std::string> ids;
  for (const SubmittedJobs& job : submission.jobs) {
    for (const std::string& id : {job.array, job.merge})
      if (!id.empty()) ids.push_back(id);
  }
  return ids;
}

}  // namespace fleetsim::cli
