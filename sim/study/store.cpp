#include "sim/study/store.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <bit>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

#include "sim/base/hash.hpp"
#include "sim/study/database.hpp"
#include "sim/study/files.hpp"
#include "sim/study/record.hpp"
#include "sim/study/store_layout.hpp"
#include "sim/study/store_rows.hpp"

namespace fleetsim {

namespace {

/// SQLite integers are signed; the bits stay.
std::int64_t stored(std::uint64_t bits) {
  return std::bit_cast<std::int64_t>(bits);
}

}  // namespace

std::uint64_t StoredRun::digest() const {
  ReplayHash hash;
  hash.mix(candidate);
  hash.mix(engine);
  hash.mix(label);
  hash.mix(static_cast<std::uint64_t>(replication));
  hash.mix(replay_hash);
  hash.mix(events);
  hash.mix(metrics);
  return hash.value();
}

std::string StoredStudy::id() const {
  ReplayHash hash;
  hash.mix(name);
  hash.mix(scenario);
  hash.mix(scenario_sha256);
  hash.mix(seed);
  for (const Entry& entry : candidates) {
    hash.mix(entry.key);
    hash.mix(entry.label);
  }
  return fmt::format("{:016x}", hash.value());
}

struct ResultStore::Connection {
  Database db;
  std::string engine;
  bool empty = false;  ///< read-only, and no table was made yet
  std::optional<Statement> insert, list, select;
  std::int64_t data_version = 0;

  Connection(const std::string& path, std::string engine_, Mode mode, const std::atomic<bool>* stop)
      : db(path, mode == Mode::create ? Database::Mode::create : Database::Mode::read_only, stop),
        engine(std::move(engine_)) {
    if (mode == Mode::create) {
      create();
    } else if (has_no_tables(db)) {
      empty = true;
      return;
    }
    expect_layout(db);
    list.emplace(db, "SELECT replication FROM run WHERE candidate = ?1 AND engine = ?2 ORDER BY replication");
    select.emplace(db,
                   std::string(kRunColumns) + "WHERE candidate = ?1 AND engine = ?2 AND replication = ?3");
    if (mode == Mode::create) {
      insert.emplace(db, "INSERT OR IGNORE INTO run VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
      data_version = db.number("PRAGMA data_version");
    }
  }

  /// Under the write lock, so that of two processes that start at once one makes the tables.
  void create() {
    if (has_no_tables(db)) {
      // The write-ahead log lets readers and a writer work at once, but only processes of one machine.
      if (!db.on_network_disk()) set_write_ahead();
      Transaction making(db);
      if (has_no_tables(db)) make_tables(db);
      making.commit();
    }
    db.run("PRAGMA synchronous = NORMAL");
  }

  /// SQLite does not wait for other processes here, and two that start at once meet.
  void set_write_ahead() {
    constexpr int kOpenAttempts = 3000;
    for (int attempt = 0;; ++attempt) {
      const int code = sqlite3_exec(db.handle(), "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
      if ((code & 0xFF) != SQLITE_BUSY || attempt == kOpenAttempts || db.stopped()) return db.check(code);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  [[nodiscard]] std::string name_of(const StoredRun& run) const {
    return fmt::format("replication {} of {} ({})", run.replication, shown(run.label),
                       shown(run.candidate.substr(0, 12)));
  }

  std::optional<ReadRun> look_up(const std::string& candidate, const std::string& of_engine,
                                 int replication) {
    if (empty) return std::nullopt;
    select->bind(1, candidate).bind(2, of_engine).bind(3, std::int64_t{replication});
    if (!select->step()) return std::nullopt;
    ReadRun found = read_run(*select);
    select->reset();
    return found;
  }

  void put(const StoredRun& run) {
    insert->bind(1, run.candidate).bind(2, run.engine).bind(3, std::int64_t{run.replication});
    insert->bind(4, run.label).bind(5, stored(run.replay_hash)).bind(6, stored(run.events));
    insert->bind(7, run.metrics).bind(8, stored(run.digest()));
    run.wall_s ? insert->bind(9, *run.wall_s) : insert->bind_null(9);
    insert->run();
    if (db.changes() != 0) return;
    const auto there = look_up(run.candidate, run.engine, run.replication);
    if (there && there->whole && there->run.digest() != run.digest()) {
      db.fail(
          fmt::format("{} is there already with another result, though the same build made both: a fault "
                      "of the machine, or of fleetsim",
                      name_of(run)));
    }
    if (there && there->whole) return;
    erase(run.candidate, run.engine, run.replication);
    insert->run();
  }

  void erase(const std::string& candidate, const std::string& of_engine, int replication) {
    Statement(db, "DELETE FROM run WHERE candidate = ?1 AND engine = ?2 AND replication = ?3")
        .bind(1, candidate)
        .bind(2, of_engine)
        .bind(3, std::int64_t{replication})
        .run();
  }

  [[noreturn]] void damaged(const StoredRun& run) const {
    throw DamagedRow(fmt::format("cannot use the results store {}: {} is damaged", db.path(), name_of(run)));
  }
};

ResultStore::ResultStore(const std::string& path, std::string engine, Mode mode,
                         const std::atomic<bool>* stop)
    : connection_(std::make_unique<Connection>(path, std::move(engine), mode, stop)) {}

ResultStore::~ResultStore() = default;

const std::string& ResultStore::path() const {
  return connection_->db.path();
}

StoredRun ResultStore::encode(const Row& row) const {
  return {row.candidate,
          connection_->engine,
          row.label,
          row.replication,
          row.result.replay_hash,
          row.result.events,
          encode_metrics(row.result.metrics),
          row.wall_s};
}

void ResultStore::put(const std::vector<Row>& rows) {
  std::vector<StoredRun> runs;
  for (const Row& row : rows) runs.push_back(encode(row));
  put(runs);
}

void ResultStore::put(const std::vector<StoredRun>& runs) {
  if (runs.empty()) return;
  Transaction writing(connection_->db);
  for (const StoredRun& run : runs) connection_->put(run);
  writing.commit();
}

std::vector<int> ResultStore::replications(const std::string& candidate) const {
  return replications(candidate, connection_->engine);
}

std::vector<int> ResultStore::replications(const std::string& candidate, const std::string& engine) const {
  std::vector<int> found;
  if (connection_->empty) return found;
  Statement& list = *connection_->list;
  list.bind(1, candidate).bind(2, engine);
  while (list.step()) found.push_back(static_cast<int>(list.number(0)));
  return found;
}

std::optional<RunResult> ResultStore::get(const std::string& candidate, int replication) const {
  const auto found = connection_->look_up(candidate, connection_->engine, replication);
  if (!found) return std::nullopt;
  if (!found->whole) connection_->damaged(found->run);
  RunResult result;
  result.replay_hash = found->run.replay_hash;
  result.events = found->run.events;
  try {
    result.metrics = decode_metrics(found->run.metrics);
  } catch (const std::runtime_error&) {
    connection_->damaged(found->run);
  }
  return result;
}

void ResultStore::erase(const std::string& candidate, int replication) {
  connection_->erase(candidate, connection_->engine, replication);
}

void ResultStore::for_each_present(const std::function<void(const std::string&, int)>& visit) const {
  if (connection_->empty) return;
  Statement all(connection_->db, "SELECT candidate, replication FROM run WHERE engine = ?1");
  all.bind(1, connection_->engine);
  while (all.step()) visit(all.text(0), static_cast<int>(all.number(1)));
}

bool ResultStore::changed_by_others() {
  const std::int64_t now = connection_->db.number("PRAGMA data_version");
  return std::exchange(connection_->data_version, now) != now;
}

std::int64_t ResultStore::rows_of_other_engines() const {
  if (connection_->empty) return 0;
  Statement count(connection_->db, "SELECT count(*) FROM run WHERE engine <> ?1");
  count.bind(1, connection_->engine);
  return count.step() ? count.number(0) : 0;
}

std::optional<double> ResultStore::mean_wall_s() const {
  if (connection_->empty) return std::nullopt;
  Statement mean(connection_->db,
                 "SELECT CAST(1e6 * avg(wall_s) AS INTEGER), count(wall_s) FROM run WHERE engine = ?1");
  mean.bind(1, connection_->engine);
  if (!mean.step() || mean.number(1) == 0) return std::nullopt;
  return 1e-6 * static_cast<double>(mean.number(0));
}

void ResultStore::note(const StoredStudy& study) {
  const Database& db = connection_->db;
  const std::string id = study.id();
  Transaction writing(db);
  // Written anew each time, so that a damaged entry mends itself.
  int replications = study.replications;
  Statement old(db, "SELECT replications FROM study WHERE study = ?1 AND engine = ?2");
  old.bind(1, id).bind(2, study.engine);
  if (old.step()) replications = std::max(replications, static_cast<int>(old.number(0)));
  old.reset();
  Statement entry(db, "INSERT OR REPLACE INTO study VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  entry.bind(1, id).bind(2, study.engine).bind(3, study.name).bind(4, study.scenario);
  entry.bind(5, study.scenario_sha256).bind(6, fmt::format("{}", study.seed));
  entry.bind(7, std::int64_t{replications});
  entry.run();
  Statement(db, "DELETE FROM candidate WHERE study = ?1").bind(1, id).run();
  Statement candidate(db, "INSERT INTO candidate VALUES (?1, ?2, ?3, ?4)");
  for (std::size_t i = 0; i < study.candidates.size(); ++i) {
    candidate.bind(1, id).bind(2, static_cast<std::int64_t>(i));
    candidate.bind(3, study.candidates[i].key).bind(4, study.candidates[i].label);
    candidate.run();
  }
  writing.commit();
}

std::vector<StoredStudy> ResultStore::studies() const {
  std::vector<StoredStudy> all;
  if (connection_->empty) return all;
  const Database& db = connection_->db;
  for_each_study(db, [&](const StoredStudy& study, const std::string& id) {
    if (study.id() != id)
      db.fail(fmt::format("its entry of the study '{}' is damaged; 'fleetsim study' mends it",
                          shown(study.name)));
    all.push_back(study);
  });
  return all;
}

ResultStore::Removed ResultStore::remove_damaged() {
  return {remove_damaged_runs(connection_->db), remove_damaged_studies(connection_->db)};
}

void ResultStore::for_each(const std::function<bool(const StoredRun&)>& visit) const {
  if (connection_->empty) return;
  Statement all(connection_->db, std::string(kRunColumns) + "ORDER BY candidate, engine, replication");
  while (all.step()) {
    const ReadRun row = read_run(all);
    if (!row.whole) connection_->damaged(row.run);
    if (!visit(row.run)) return;
  }
}

std::optional<StoredRun> ResultStore::find(const std::string& candidate, const std::string& engine,
                                           int replication) const {
  auto found = connection_->look_up(candidate, engine, replication);
  if (!found) return std::nullopt;
  if (!found->whole) connection_->damaged(found->run);
  return std::move(found->run);
}

}  // namespace fleetsim
