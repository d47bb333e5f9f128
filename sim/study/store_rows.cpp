#include "sim/study/store_rows.hpp"

#include <bit>
#include <limits>
#include <utility>
#include <vector>

#include "sim/study/database.hpp"

namespace fleetsim {

namespace {

/// Seeds run to 2^64 - 1, so they are kept as text.
std::uint64_t seed_of(const std::string& digits) {
  std::uint64_t seed = 0;
  for (const char c : digits) seed = seed * 10 + static_cast<std::uint64_t>(c - '0');
  return seed;
}

/// SQLite converts what has another type than was asked for, so that a changed value may look unchanged.
bool has_types(const Statement& row) {
  for (const int column : {0, 1, 3, 6})
    if (!row.is_text(column)) return false;
  for (const int column : {2, 4, 5, 7})
    if (!row.is_integer(column)) return false;
  return row.number(2) >= 0 && row.number(2) <= std::numeric_limits<int>::max();
}

}  // namespace

ReadRun read_run(const Statement& row) {
  ReadRun r;
  const bool typed = has_types(row);  // before the reading, which converts
  r.run.candidate = row.text(0);
  r.run.engine = row.text(1);
  r.run.replication = static_cast<int>(row.number(2));
  r.run.label = row.text(3);
  r.run.replay_hash = std::bit_cast<std::uint64_t>(row.number(4));
  r.run.events = std::bit_cast<std::uint64_t>(row.number(5));
  r.run.metrics = row.text(6);
  r.whole = typed && r.run.digest() == std::bit_cast<std::uint64_t>(row.number(7));
  return r;
}

void for_each_study(const Database& db,
                    const std::function<void(const StoredStudy&, const std::string&)>& visit) {
  Statement list(db,
                 "SELECT study, engine, name, scenario, scenario_sha256, seed, replications FROM study "
                 "ORDER BY study, engine");
  Statement candidates(db, "SELECT candidate, label FROM candidate WHERE study = ?1 ORDER BY place");
  while (list.step()) {
    StoredStudy study{list.text(1),
                      list.text(2),
                      list.text(3),
                      list.text(4),
                      seed_of(list.text(5)),
                      static_cast<int>(list.number(6)),
                      {}};
    candidates.bind(1, list.text(0));
    while (candidates.step()) study.candidates.push_back({candidates.text(0), candidates.text(1)});
    visit(study, list.text(0));
  }
}

std::int64_t remove_damaged_runs(const Database& db) {
  Statement all(db, kRunColumns);
  std::int64_t damaged = 0;
  while (all.step()) damaged += read_run(all).whole ? 0 : 1;
  if (damaged == 0) return 0;
  // Once more under the write lock: another process may have mended some by now. SQLite allows to delete the
  // row that a statement stands on. A changed key may stand at the wrong place of the tree, where a search by
  // key misses it; then the whole table is looked through ('+' keeps SQLite from the key).
  Transaction mending(db);
  Statement by_key(db, "DELETE FROM run WHERE candidate IS ?1 AND engine IS ?2 AND replication IS ?3");
  Statement by_look(db, "DELETE FROM run WHERE +candidate IS ?1 AND +engine IS ?2 AND +replication IS ?3");
  std::int64_t removed = 0;
  while (all.step()) {
    for (Statement* remove : {&by_key, &by_look})  // before the reading, which converts
      for (const int column : {0, 1, 2}) remove->bind_column(column + 1, all, column);
    if (read_run(all).whole) continue;
    for (Statement* remove : {&by_key, &by_look}) {
      remove->run();
      if (db.changes() > 0) break;
    }
    if (db.changes() == 0) db.fail("a damaged row cannot be removed: restore the file, or remove it");
    ++removed;
  }
  mending.commit();
  return removed;
}

std::int64_t remove_damaged_studies(const Database& db) {
  std::vector<std::string> damaged;
  const auto look = [&] {
    damaged.clear();
    for_each_study(db, [&](const StoredStudy& study, const std::string& id) {
      if (study.id() != id) damaged.push_back(id);
    });
  };
  look();
  if (damaged.empty()) return 0;
  Transaction mending(db);
  look();
  for (const std::string& id : damaged) {
    Statement(db, "DELETE FROM study WHERE study = ?1").bind(1, id).run();
    Statement(db, "DELETE FROM candidate WHERE study = ?1").bind(1, id).run();
  }
  mending.commit();
  return static_cast<std::int64_t>(damaged.size());
}

}  // namespace fleetsim
