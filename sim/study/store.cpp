#include "sim/study/store.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <bit>
#include <filesystem>
#include <stdexcept>

#include "sim/study/errors.hpp"
#include "sim/study/record.hpp"

namespace fleetsim {

namespace {

constexpr int kApplication = 0x464C5331;  // "FLS1": marks the file as ours
constexpr int kSchema = 1;
constexpr int kBusyMilliseconds = 60'000;

constexpr const char* kTables =
    "CREATE TABLE IF NOT EXISTS run ("
    " candidate TEXT NOT NULL, version TEXT NOT NULL, replication INTEGER NOT NULL,"
    " label TEXT NOT NULL, replay_hash INTEGER NOT NULL, events INTEGER NOT NULL,"
    " metrics TEXT NOT NULL, wall_s REAL NOT NULL,"
    " PRIMARY KEY (candidate, version, replication)) WITHOUT ROWID";

}  // namespace

struct ResultStore::Database {
  std::string path, version;
  sqlite3* handle = nullptr;
  sqlite3_stmt *insert = nullptr, *list = nullptr, *select = nullptr;

  ~Database() { close(); }
  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void close() {
    for (sqlite3_stmt** s : {&insert, &list, &select}) {
      sqlite3_finalize(*s);
      *s = nullptr;
    }
    sqlite3_close(handle);
    handle = nullptr;
  }

  [[noreturn]] void fail(const std::string& cause) const {
    throw EnvironmentError(fmt::format("cannot use the results store {}: {}", path, cause));
  }
  void check(int code) const {
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
    fail(handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code));
  }
  void run(const char* sql) const { check(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr)); }
  [[nodiscard]] sqlite3_stmt* prepare(const char* sql) const {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v3(handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr));
    return statement;
  }
  [[nodiscard]] int number(const char* sql) const {
    sqlite3_stmt* statement = prepare(sql);
    const int code = sqlite3_step(statement);
    const int value = code == SQLITE_ROW ? sqlite3_column_int(statement, 0) : 0;
    sqlite3_finalize(statement);
    check(code);
    return value;
  }
  static void bind(sqlite3_stmt* statement, int place, const std::string& text) {
    sqlite3_bind_text(statement, place, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }

  void open(Mode mode) {
    const int flags =
        mode == Mode::read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    // A name with a leading ':' would be special to SQLite.
    const std::string name = path.empty()                                ? ":memory:"
                             : std::filesystem::path(path).is_absolute() ? path
                                                                         : "./" + path;
    check(sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr));
    sqlite3_busy_timeout(handle, kBusyMilliseconds);
    if (mode == Mode::create) create();
    if (number("PRAGMA application_id") != kApplication) fail("it is a database, but no store of fleetsim");
    if (const int schema = number("PRAGMA user_version"); schema != kSchema) {
      fail(fmt::format(
          "its layout has number {}, this fleetsim writes {}; give another --out or remove the file", schema,
          kSchema));
    }
    list = prepare("SELECT replication FROM run WHERE candidate = ?1 AND version = ?2 ORDER BY replication");
    select = prepare(
        "SELECT replay_hash, events, metrics FROM run WHERE candidate = ?1 AND version = ?2 AND replication "
        "= ?3");
    if (mode == Mode::create)
      insert = prepare("INSERT OR IGNORE INTO run VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
  }

  /// Under the write lock, so that of two processes that start at once one makes the tables.
  void create() {
    if (number("SELECT count(*) FROM sqlite_master") == 0) {
      run("PRAGMA journal_mode = WAL");
      run("BEGIN IMMEDIATE");
      if (number("SELECT count(*) FROM sqlite_master") == 0) {
        run(kTables);
        run(fmt::format("PRAGMA application_id = {}", kApplication).c_str());
        run(fmt::format("PRAGMA user_version = {}", kSchema).c_str());
      }
      run("COMMIT");
    }
    run("PRAGMA synchronous = NORMAL");
  }
};

ResultStore::ResultStore(const std::string& path, std::string version, Mode mode)
    : database_(std::make_unique<Database>()) {
  database_->path = path;
  database_->version = std::move(version);
  database_->open(mode);
}

ResultStore::~ResultStore() = default;

void ResultStore::put(const std::vector<Row>& rows) {
  if (rows.empty()) return;
  Database& db = *database_;
  db.run("BEGIN IMMEDIATE");
  try {
    for (const Row& row : rows) {
      Database::bind(db.insert, 1, row.candidate);
      Database::bind(db.insert, 2, db.version);
      sqlite3_bind_int(db.insert, 3, row.replication);
      Database::bind(db.insert, 4, row.label);
      // SQLite integers are signed; the bits stay.
      sqlite3_bind_int64(db.insert, 5, std::bit_cast<std::int64_t>(row.result.replay_hash));
      sqlite3_bind_int64(db.insert, 6, std::bit_cast<std::int64_t>(row.result.events));
      Database::bind(db.insert, 7, encode_metrics(row.result.metrics));
      sqlite3_bind_double(db.insert, 8, row.wall_s);
      const int code = sqlite3_step(db.insert);
      sqlite3_reset(db.insert);
      db.check(code);
    }
    db.run("COMMIT");
  } catch (...) {
    sqlite3_exec(db.handle, "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

std::vector<int> ResultStore::replications(const std::string& candidate) const {
  const Database& db = *database_;
  Database::bind(db.list, 1, candidate);
  Database::bind(db.list, 2, db.version);
  std::vector<int> found;
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(db.list)) == SQLITE_ROW) found.push_back(sqlite3_column_int(db.list, 0));
  sqlite3_reset(db.list);
  db.check(code);
  return found;
}

std::optional<RunResult> ResultStore::get(const std::string& candidate, int replication) const {
  const Database& db = *database_;
  Database::bind(db.select, 1, candidate);
  Database::bind(db.select, 2, db.version);
  sqlite3_bind_int(db.select, 3, replication);
  const int code = sqlite3_step(db.select);
  std::optional<RunResult> result;
  std::string fault;
  if (code == SQLITE_ROW) {
    result.emplace();
    result->replay_hash = std::bit_cast<std::uint64_t>(sqlite3_column_int64(db.select, 0));
    result->events = std::bit_cast<std::uint64_t>(sqlite3_column_int64(db.select, 1));
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(db.select, 2));
    try {
      const int bytes = sqlite3_column_bytes(db.select, 2);
      result->metrics = decode_metrics(text != nullptr ? std::string(text, static_cast<std::size_t>(bytes))
                                                       : std::string{});
    } catch (const std::runtime_error& e) {
      fault = e.what();
    }
  }
  sqlite3_reset(db.select);
  db.check(code);
  if (!fault.empty()) db.fail(fmt::format("replication {} of {} is {}", replication, candidate, fault));
  return result;
}

}  // namespace fleetsim
