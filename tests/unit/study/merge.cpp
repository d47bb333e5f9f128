#include "sim/study/merge.hpp"

#include <algorithm>

#include "sim/study/files.hpp"
#include "sim/study/store.hpp"
#include "tests/catch.hpp"
#include "tests/unit/study/made_up.hpp"

using namespace fleetsim;

namespace {

const std::vector<StoredStudy::Entry> kCandidates = {{"aa", "1+2 strict"}, {"bb", "2+1 strict"}};

StoredStudy study(std::uint64_t seed = 7, const std::string& engine = "e1") {
  return {engine, "lab", "name: lab\n", "5a", seed, 3, kCandidates};
}

ResultStore::Row row_of(const std::string& candidate, int replication, double hours = 1.0) {
  const std::string label = candidate == "aa" ? "1+2 strict" : "2+1 strict";
  return {candidate, label, replication, made_up::run(hours + replication, 10.0), 0.5 * replication};
}

void store(const std::string& file, const StoredStudy& of, const std::vector<ResultStore::Row>& rows) {
  ResultStore made(file, of.engine);
  made.note(of);
  made.put(rows);
}

std::string refusal(const std::vector<std::string>& inputs, const std::string& out) {
  try {
    static_cast<void>(merge_stores(inputs, out));
    return "merged";
  } catch (const MergeRefused& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("merged stores are the same bytes however the rows were split and in whatever order they come") {
  const made_up::Folder folder;
  const auto f = [&](const std::string& name) { return folder.file(name); };
  store(
      f("all"), study(),
      {row_of("bb", 2), row_of("aa", 0), row_of("aa", 1), row_of("bb", 0), row_of("aa", 2), row_of("bb", 1)});
  store(f("a"), study(), {row_of("aa", 0), row_of("aa", 2)});
  store(f("b"), study(), {row_of("bb", 1), row_of("aa", 1), row_of("aa", 2)});
  store(f("c"), study(), {row_of("bb", 2), row_of("bb", 0)});
  const MergeResult one = merge_stores({f("all")}, f("one.db"));
  CHECK(one.runs == 6);
  CHECK(one.studies.at(0).missing_runs == 0);
  std::vector<std::string> inputs = {f("a"), f("b"), f("c")};
  do {
    const MergeResult many = merge_stores(inputs, f("many.db"));
    CHECK(many.runs == 6);
    CHECK(many.duplicates == 1);
    CHECK(read_file(f("one.db")) == read_file(f("many.db")));
    std::filesystem::remove(f("many.db"));
  } while (std::next_permutation(inputs.begin(), inputs.end()));
  const ResultStore merged(f("one.db"), "e1", ResultStore::Mode::read_only);
  CHECK(merged.get("bb", 2)->metrics.classes[0].values[0].value == 3.0 * 3600.0);
}

TEST_CASE("an existing output is completed, and what is still missing is named") {
  const made_up::Folder folder;
  const auto f = [&](const std::string& name) { return folder.file(name); };
  store(f("a"), study(), {row_of("aa", 0)});
  store(f("b"), study(), {row_of("aa", 1), row_of("bb", 1)});
  MergeResult result = merge_stores({f("a")}, f("out.db"));
  CHECK(result.studies.at(0).missing_runs == 5);
  result = merge_stores({f("b")}, f("out.db"));
  CHECK(result.runs == 3);
  REQUIRE(result.studies.at(0).missing.size() == 2);
  CHECK(result.studies[0].missing[0].label == "1+2 strict");
  CHECK(result.studies[0].missing[0].replications == std::vector<int>{2});
  CHECK(result.studies[0].missing[1].replications == std::vector<int>{0, 2});
  CHECK_FALSE(std::filesystem::exists(f("out.db-wal")));
}

TEST_CASE("stores of another seed or another build are refused by name, and nothing is written") {
  const made_up::Folder folder;
  const auto f = [&](const std::string& name) { return folder.file(name); };
  store(f("a"), study(), {row_of("aa", 0)});
  store(f("seed"), study(8), {row_of("aa", 1)});
  store(f("build"), study(7, "e2"), {row_of("aa", 1)});
  CHECK_THAT(refusal({f("a"), f("seed")}, f("out.db")),
             Catch::Contains(f("a") + " and " + f("seed") + " hold different scenarios") &&
                 Catch::Contains("seed 7") && Catch::Contains("seed 8"));
  CHECK_THAT(refusal({f("build"), f("a")}, f("out.db")), Catch::Contains("different builds") &&
                                                             Catch::Contains("engine e1") &&
                                                             Catch::Contains("engine e2"));
  write_file(f("empty"), "");
  CHECK_THAT(refusal({f("a"), f("empty")}, f("out.db")), Catch::Contains("holds no study"));
  CHECK_FALSE(std::filesystem::exists(f("out.db")));
}

TEST_CASE("two results for one row are refused with the row and both stores, a damaged row is named") {
  const made_up::Folder folder;
  const auto f = [&](const std::string& name) { return folder.file(name); };
  store(f("a"), study(), {row_of("aa", 0)});
  store(f("b"), study(), {row_of("bb", 0)});
  store(f("c"), study(), {row_of("bb", 0, 2.0)});
  CHECK_THAT(refusal({f("a"), f("b"), f("c")}, f("out.db")),
             Catch::Contains(f("b") + " and " + f("c") + " differ in replication 0 of 2+1 strict"));
  write_file(f("text"), std::string(9000, 'x'));
  CHECK_THROWS_AS(merge_stores({f("a"), f("text")}, f("out.db")), EnvironmentError);
  CHECK_THROWS_AS(merge_stores({f("a"), f("absent")}, f("out.db")), EnvironmentError);
  CHECK_FALSE(std::filesystem::exists(f("out.db")));
  for (const auto& left : std::filesystem::directory_iterator(std::filesystem::path(f("a")).parent_path()))
    CHECK(left.path().filename().string().find(".fleetsim") == std::string::npos);
}

TEST_CASE("an output in use by another process is refused, and so is a stop") {
  const made_up::Folder folder;
  const auto f = [&](const std::string& name) { return folder.file(name); };
  store(f("a"), study(), {row_of("aa", 0)});
  store(f("out.db"), study(), {row_of("aa", 1)});
  {
    const ResultStore user(f("out.db"), "e1");
    static_cast<void>(user.replications("aa"));
    CHECK_THROWS_AS(merge_stores({f("a")}, f("out.db")), EnvironmentError);
  }
  const std::atomic<bool> stop{true};
  CHECK_THROWS_AS(merge_stores({f("a")}, f("out.db"), &stop), Interrupted);
  CHECK(merge_stores({f("a")}, f("out.db")).runs == 2);
}
