#include "sim/study/store_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/study/database.hpp"
#include "sim/study/files.hpp"

namespace fleetsim {

namespace {

constexpr int kApplication = 0x464C5331;  // "FLS1": marks the file as ours
constexpr int kLayout = 2;

constexpr const char* kTables =
    "CREATE TABLE run ("
    " candidate TEXT NOT NULL, engine TEXT NOT NULL, replication INTEGER NOT NULL,"
    " label TEXT NOT NULL, replay_hash INTEGER NOT NULL, events INTEGER NOT NULL,"
    " metrics TEXT NOT NULL, digest INTEGER NOT NULL, wall_s REAL,"
    " PRIMARY KEY (candidate, engine, replication)) WITHOUT ROWID;"
    "CREATE TABLE study ("
    " study TEXT NOT NULL, engine TEXT NOT NULL, name TEXT NOT NULL, scenario TEXT NOT NULL,"
    " scenario_sha256 TEXT NOT NULL, seed TEXT NOT NULL, replications INTEGER NOT NULL,"
    " PRIMARY KEY (study, engine)) WITHOUT ROWID;"
    "CREATE TABLE candidate ("
    " study TEXT NOT NULL, place INTEGER NOT NULL, candidate TEXT NOT NULL, label TEXT NOT NULL,"
    " PRIMARY KEY (study, place)) WITHOUT ROWID;";

struct LayoutColumn {
  std::string table, name, kind, place;
  friend bool operator==(const LayoutColumn&, const LayoutColumn&) = default;
};

/// In the order of the tables' names and of the columns, which an INSERT relies on. SQLite's own tables (of
/// ANALYZE) do not count; neither do the indexes and views that a user made.
std::vector<LayoutColumn> columns(const Database& db) {
  std::vector<LayoutColumn> all;
  Statement list(db,
                 "SELECT t.name, c.name, upper(c.type) || ' ' || c.\"notnull\" || ' ' || c.pk, c.cid "
                 "FROM sqlite_master AS t, pragma_table_info(t.name) AS c "
                 "WHERE t.type = 'table' AND substr(t.name, 1, 7) <> 'sqlite_' ORDER BY t.name, c.cid");
  while (list.step()) all.push_back({list.text(0), list.text(1), list.text(2), list.text(3)});
  return all;
}

/// What `here` has and `there` has not: a table, a column, or a column of that kind and place. Empty:
/// nothing.
std::string surplus(const std::vector<LayoutColumn>& here, const std::vector<LayoutColumn>& there) {
  for (const LayoutColumn& c : here) {
    if (std::find(there.begin(), there.end(), c) != there.end()) continue;
    const bool table =
        std::any_of(there.begin(), there.end(), [&](const LayoutColumn& o) { return o.table == c.table; });
    if (!table) return fmt::format("the table '{}'", shown(c.table));
    return fmt::format("the column '{}' of '{}'", shown(c.name), shown(c.table));
  }
  return {};
}

constexpr const char* kHint = "give another --out, or remove the file";

}  // namespace

bool has_no_tables(const Database& db) {
  return db.number("SELECT count(*) FROM sqlite_master") == 0;
}

void make_tables(const Database& db) {
  db.run(kTables);
  db.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication, kLayout));
}

void expect_layout(const Database& db) {
  if (db.number("PRAGMA application_id") != kApplication)
    db.fail(fmt::format("it is a database, but no store of fleetsim; {}", kHint));
  if (const auto layout = db.number("PRAGMA user_version"); layout != kLayout)
    db.fail(fmt::format("its layout has number {}, this fleetsim writes {}; {}", layout, kLayout, kHint));
  const Database fresh("", Database::Mode::create);
  fresh.run(kTables);
  const std::vector<LayoutColumn> wanted = columns(fresh), found = columns(db);
  if (found == wanted) return;
  const std::string lacking = surplus(wanted, found), more = surplus(found, wanted);
  db.fail(fmt::format("it is no store of this version: it {}{}; {}",
                      lacking.empty() ? "has besides " : "lacks ", lacking.empty() ? more : lacking, kHint));
}

}  // namespace fleetsim
