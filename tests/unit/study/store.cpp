#include "sim/study/store.hpp"

#include <sqlite3.h>

#include <cmath>
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

TEST_CASE("of two equal rows the first stays, and rows of another version are not seen") {
  const made_up::Folder folder;
  const std::string file = folder.file("study.db");
  ResultStore store(file, "1");
  store.put({row("aa", 0, 1.0)});
  store.put({row("aa", 0, 5.0)});
  CHECK(store.get("aa", 0)->metrics.classes[0].values[0].value == 3600.0);
  ResultStore next(file, "2");
  CHECK(next.replications("aa").empty());
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

TEST_CASE("an empty path keeps the rows in memory") {
  ResultStore store("", "1");
  store.put({row("aa", 0, 1.0)});
  CHECK(store.replications("aa") == std::vector<int>{0});
}
