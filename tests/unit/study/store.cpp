#include "sim/study/store.hpp"

#include <sqlite3.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"
#include "sim/study/record.hpp"
#include "tests/catch.hpp"
#include "tests/unit/study/made_up.hpp"

using namespace fleetsim;

namespace {

ResultStore::Row row(const std::string& candidate, int replication, double hours) {
  return {candidate, "label of " + candidate, replication, made_up::run(hours, 10.0), 0.25};
}

void sql(const std::string& file, const char* statement) {
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &db) == SQLITE_OK);
  REQUIRE(sqlite3_exec(db, statement, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(db);
}

/// Opening it must fail with a message that names the path.
std::string fault(const std::string& file) {
  try {
    const ResultStore store(file, "1");
    return "opened";
  } catch (const EnvironmentError& e) {
    CHECK_THAT(e.what(), Catch::Contains(file));
    return e.what();
  }
}

}  // namespace

TEST_CASE("a record of a replication reads back to the same bytes, undefined values included") {
  Metrics m = made_up::run(1.0 / 3.0, 0.1 + 0.2).metrics;
  m.all.values.push_back({"chain_slowdown", "ratio", std::numeric_limits<double>::quiet_NaN()});
  m.broken_laws = {"Little's law: 3 against 4"};
  const std::string text = encode_metrics(m);
  const Metrics back = decode_metrics(text);
  CHECK(encode_metrics(back) == text);
  CHECK(back.classes[0].values[0].value == m.classes[0].values[0].value);
  CHECK(back.classes[1].values[0].unit == "s");
  CHECK(std::isnan(back.all.values.back().value));
  CHECK(back.pools[1].utilisation_allocated == 0.25);
  CHECK(back.states == m.states);
  CHECK(back.broken_laws == m.broken_laws);
  CHECK_THROWS_AS(decode_metrics("{}"), std::runtime_error);
  CHECK_THROWS_AS(decode_metrics("not JSON"), std::runtime_error);
}

TEST_CASE("rows put into a store come back after it was closed") {
  const made_up::Folder folder;
  const std::string file = folder.file("study.db");
  {
    ResultStore store(file, "1");
    store.put({row("aa", 3, 2.0), row("aa", 0, 1.0), row("bb", 0, 9.0)});
  }
  const ResultStore store(file, "1", ResultStore::Mode::read_only);
  CHECK(store.replications("aa") == std::vector<int>{0, 3});
  CHECK(store.replications("cc").empty());
  const auto found = store.get("aa", 3);
  REQUIRE(found);
  CHECK(found->replay_hash == 0xF000000000000001ULL);
  CHECK(found->events == 10);
  CHECK(encode_metrics(found->metrics) == encode_metrics(made_up::run(2.0, 10.0).metrics));
  CHECK_FALSE(store.get("aa", 1));
}

TEST_CASE("a row that is there already stays, and rows of another engine are not seen but counted") {
  const made_up::Folder folder;
  const std::string file = folder.file("study.db");
  ResultStore store(file, "1");
  store.put({row("aa", 0, 1.0)});
  store.put({row("aa", 0, 1.0), row("aa", 1, 2.0)});
  CHECK(store.replications("aa") == std::vector<int>{0, 1});
  CHECK(store.rows_of_other_engines() == 0);
  ResultStore next(file, "2");
  CHECK(next.replications("aa").empty());
  CHECK(next.rows_of_other_engines() == 2);
  CHECK(next.replications("aa", "1") == std::vector<int>{0, 1});
}

TEST_CASE("the same build giving two results for one row is an error, and all of that write is undone") {
  const made_up::Folder folder;
  ResultStore store(folder.file("study.db"), "1");
  store.put({row("aa", 0, 1.0)});
  try {
    store.put({row("bb", 0, 1.0), row("aa", 0, 5.0)});
    FAIL("it was accepted");
  } catch (const EnvironmentError& e) {
    CHECK_THAT(e.what(),
               Catch::Contains("replication 0 of label of aa") && Catch::Contains("another result"));
  }
  CHECK(store.get("aa", 0)->metrics.classes[0].values[0].value == 3600.0);
  CHECK(store.replications("bb").empty());
}

TEST_CASE("each column of a row is covered by its digest") {
  const made_up::Folder folder;
  const std::string file = folder.file("study.db");
  for (const char* change : {"label = 'x'", "replay_hash = replay_hash + 1", "events = events + 1",
                             "metrics = replace(metrics, '7', '8')", "digest = digest + 1"}) {
    INFO(change);
    std::filesystem::remove(file);
    ResultStore store(file, "1");
    store.put({row("aa", 0, 1.0)});
    sql(file, fmt::format("UPDATE run SET {}", change).c_str());
    CHECK_THROWS_AS(store.get("aa", 0), DamagedRow);
    CHECK_THROWS_AS(store.for_each([](const StoredRun&) { return true; }), DamagedRow);
    store.put({row("aa", 0, 1.0)});  // written anew
    CHECK(store.get("aa", 0)->events == 10);
    sql(file, "UPDATE run SET wall_s = 99");  // measured, not a result
    CHECK(store.get("aa", 0));
  }
}

TEST_CASE(
    "damaged rows and entries are removed wherever the damage is, in the key too, and merge is not refused "
    "for ever") {
  const made_up::Folder folder;
  const std::string file = folder.file("study.db");
  const StoredStudy study{"1", "lab", "name: lab\n", "abc", 3, 4, {{"aa", "label of aa"}}};
  for (const char* change :
       {"candidate = 'zz'", "engine = 'zz'", "engine = CAST('1' AS BLOB)", "candidate = CAST('aa' AS BLOB)",
        "replication = 7", "replication = 4294967297", "replication = -1", "replication = 'one'",
        "label = 'x'", "events = events + 0.5", "metrics = CAST(metrics AS BLOB)", "digest = digest + 1"}) {
    INFO(change);
    std::filesystem::remove(file);
    ResultStore store(file, "1");
    store.note(study);
    store.put({row("aa", 0, 1.0), row("aa", 1, 1.0), row("bb", 1, 2.0)});
    CHECK(store.remove_damaged().runs == 0);
    sql(file, fmt::format("UPDATE run SET {} WHERE candidate = 'aa' AND replication = 1", change).c_str());
    CHECK_THROWS_AS(store.for_each([](const StoredRun&) { return true; }), DamagedRow);
    CHECK(store.remove_damaged().runs == 1);
    CHECK(store.remove_damaged().runs == 0);
    CHECK(store.replications("aa") == std::vector<int>{0});
    CHECK(store.replications("bb") == std::vector<int>{1});
    int whole = 0;
    store.for_each([&](const StoredRun&) { return ++whole > 0; });
    CHECK(whole == 2);
  }
  ResultStore store(file, "1");
  sql(file, "UPDATE candidate SET label = 'x'");
  CHECK_THROWS_AS(store.studies(), EnvironmentError);
  CHECK(store.remove_damaged().studies == 1);
  CHECK(store.studies().empty());
}

TEST_CASE("a key that changed on the disk, where no search finds it, is removed too") {
  const made_up::Folder folder;
  const std::string file = folder.file("study.db");
  {
    ResultStore store(file, "1");
    for (int r = 0; r < 40; ++r) store.put({row("aaaa", r, 1.0), row("mmmm", r, 1.0)});
  }
  sql(file, "PRAGMA journal_mode = DELETE");
  std::string bytes = read_file(file);
  // The label holds the key as well; only the key is behind another byte than the blank of "label of aaaa".
  std::size_t at = bytes.find("aaaa");
  while (at != std::string::npos && bytes[at - 1] == ' ') at = bytes.find("aaaa", at + 1);
  REQUIRE(at != std::string::npos);
  bytes[at] = 'z';
  write_file(file, bytes);
  ResultStore store(file, "1");
  CHECK_THROWS_AS(store.for_each([](const StoredRun&) { return true; }), DamagedRow);
  CHECK(store.remove_damaged().runs == 1);
  int whole = 0;
  store.for_each([&](const StoredRun&) { return ++whole > 0; });
  CHECK(whole == 79);
}

TEST_CASE("a store tells which studies it holds, with the most replications that were asked for") {
  const made_up::Folder folder;
  StoredStudy study{"1",
                    "lab",
                    "name: lab\n",
                    "5a",
                    18446744073709551615ULL,
                    4,
                    {{"aa", "1+2 strict"}, {"bb", "2+1 strict"}}};
  ResultStore store(folder.file("study.db"), "1");
  CHECK(store.studies().empty());
  store.note(study);
  study.replications = 2;
  store.note(study);
  study.engine = std::string("2");
  store.note(study);
  const auto found = store.studies();
  REQUIRE(found.size() == 2);
  CHECK(found[0].replications == 4);
  CHECK(found[1].replications == 2);
  CHECK(found[0].id() == study.id());
  CHECK(found[0].seed == 18446744073709551615ULL);
  CHECK(found[0].candidates == study.candidates);
  sql(folder.file("study.db"), "UPDATE candidate SET label = 'x' WHERE place = 1");
  CHECK_THROWS_AS(store.studies(), EnvironmentError);
  store.note(study);
  CHECK(store.studies().size() == 2);
}

TEST_CASE("two writers of one store lose no rows") {
  const made_up::Folder folder;
  ResultStore a(folder.file("study.db"), "1"), b(folder.file("study.db"), "1");
  for (int r = 0; r < 20; r += 2) {
    a.put({row("aa", r, 1.0)});
    b.put({row("aa", r + 1, 1.0)});
  }
  CHECK(a.replications("aa").size() == 20);
  CHECK(b.replications("aa").size() == 20);
}

TEST_CASE("a store says what is wrong with its file and names it") {
  const made_up::Folder folder;
  write_file(folder.file("text.db"), std::string(5000, 'x'));
  CHECK_THAT(fault(folder.file("text.db")), Catch::Contains("not a database"));

  sql(folder.file("other.db"), "CREATE TABLE cats (name TEXT)");
  CHECK_THAT(fault(folder.file("other.db")), Catch::Contains("no store of fleetsim"));

  { const ResultStore made(folder.file("old.db"), "1"); }
  sql(folder.file("old.db"), "PRAGMA user_version = 99");
  CHECK_THAT(fault(folder.file("old.db")), Catch::Contains("99"));

  const auto changed = [&](const char* change) {
    std::filesystem::remove(folder.file("changed.db"));
    { const ResultStore made(folder.file("changed.db"), "1"); }
    sql(folder.file("changed.db"), change);
    return fault(folder.file("changed.db"));
  };
  const std::string other = "it is no store of this version: it ",
                    hint = "; give another --out, or remove the file";
  CHECK_THAT(changed("ALTER TABLE run DROP COLUMN wall_s"),
             Catch::Contains(other + "lacks the column 'wall_s' of 'run'" + hint));
  CHECK_THAT(changed("ALTER TABLE run RENAME COLUMN events TO incidents"),
             Catch::Contains(other + "lacks the column 'events' of 'run'" + hint));
  CHECK_THAT(changed("ALTER TABLE study ADD COLUMN colour TEXT"),
             Catch::Contains(other + "has besides the column 'colour' of 'study'" + hint));
  CHECK_THAT(changed("DROP TABLE candidate"), Catch::Contains(other + "lacks the table 'candidate'" + hint));
  CHECK_THAT(changed("CREATE TABLE cats (name TEXT)"),
             Catch::Contains(other + "has besides the table 'cats'" + hint));
  CHECK(changed("CREATE INDEX by_label ON run (label); ANALYZE; CREATE VIEW v AS SELECT label FROM run") ==
        "opened");

  CHECK(fault(folder.file("missing/study.db")) != "opened");
  CHECK(fault(folder.file("text.db/study.db")) != "opened");
}

TEST_CASE("a damaged row or page is reported, never read as a result") {
  const made_up::Folder folder;
  const std::string file = folder.file("study.db");
  {
    ResultStore store(file, "1");
    store.put({row("aa", 0, 1.0)});
  }
  sql(file, "UPDATE run SET metrics = '{\"all\": 3}'");
  {
    const ResultStore store(file, "1");
    CHECK_THROWS_AS(store.get("aa", 0), EnvironmentError);
  }
  std::string bytes = read_file(file);
  for (std::size_t i = 4096; i < bytes.size(); ++i) bytes[i] = '\x7f';
  write_file(file, bytes);
  try {
    const ResultStore store(file, "1");
    static_cast<void>(store.get("aa", 0));
    FAIL("a damaged file was read");
  } catch (const EnvironmentError& e) {
    CHECK_THAT(e.what(), Catch::Contains(file));
  }
}

TEST_CASE("a store that was not filled yet reads as empty") {
  const made_up::Folder folder;
  write_file(folder.file("empty.db"), "");
  const ResultStore store(folder.file("empty.db"), "1", ResultStore::Mode::read_only);
  CHECK(store.replications("aa").empty());
  CHECK_FALSE(store.get("aa", 0));
  CHECK(store.studies().empty());
}

TEST_CASE("a store notices that another connection wrote") {
  const made_up::Folder folder;
  ResultStore a(folder.file("study.db"), "1"), b(folder.file("study.db"), "1");
  static_cast<void>(a.changed_by_others());
  a.put({row("aa", 0, 1.0)});
  CHECK_FALSE(a.changed_by_others());
  b.put({row("aa", 1, 1.0)});
  CHECK(a.changed_by_others());
  CHECK_FALSE(a.changed_by_others());
}

TEST_CASE("an empty path keeps the rows in memory") {
  ResultStore store("", "1");
  store.put({row("aa", 0, 1.0)});
  CHECK(store.replications("aa") == std::vector<int>{0});
}
