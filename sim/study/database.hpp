// A thin layer over SQLite for the files of this room: opening with care, and every fault as a sentence.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace fleetsim {

/// One connection; for one thread at a time. Every fault is an EnvironmentError that names the path.
class Database {
 public:
  enum class Mode { create, read_only };
  /// An empty path keeps everything in memory. Refuses what is no regular file, which SQLite would open (a
  /// pipe: and wait for ever), and a folder on a file system without file locks, where it would wait for ever
  /// or two writers would destroy the file. While another process has the file locked, `stop` is looked at,
  /// and once it is set the call that waits throws Interrupted after at most a second.
  Database(const std::string& path, Mode mode, const std::atomic<bool>* stop = nullptr);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// How long a lock of another process is waited for; a minute unless told otherwise.
  void wait_at_most(int milliseconds) { patience_ms_ = milliseconds; }
  [[noreturn]] void fail(const std::string& cause) const;
  void check(int code) const;
  void run(const std::string& sql) const;
  [[nodiscard]] std::int64_t number(const std::string& sql) const;
  /// Rows that the last INSERT, UPDATE or DELETE changed.
  [[nodiscard]] int changes() const;
  /// The disk belongs to another machine (NFS and the like), as far as the kernel tells.
  [[nodiscard]] bool on_network_disk() const;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool stopped() const;
  [[nodiscard]] sqlite3* handle() const { return handle_; }

 private:
  void close();
  static int wait_for_lock(void* database, int attempt);
  std::string path_;
  const std::atomic<bool>* stop_;
  int patience_ms_ = 60'000, waited_ms_ = 0, waited_stopped_ms_ = 0;
  sqlite3* handle_ = nullptr;
};

/// A prepared statement; places and columns count from 1 and 0, as in SQLite.
class Statement {
 public:
  Statement(const Database& database, const std::string& sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int place, const std::string& text);
  Statement& bind(int place, std::int64_t value);
  Statement& bind(int place, double value);
  Statement& bind_null(int place);
  /// The value of a column of the row that `from` stands on, whatever its type.
  Statement& bind_column(int place, const Statement& from, int column);
  /// False: no further row, and the statement may be bound and run again.
  [[nodiscard]] bool step();
  /// For statements that give no rows, and to leave one before its last row.
  void run();
  void reset();
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::int64_t number(int column) const;
  /// As it is kept; text() and number() convert. Ask before them.
  [[nodiscard]] bool is_text(int column) const;
  [[nodiscard]] bool is_integer(int column) const;

 private:
  const Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

/// BEGIN IMMEDIATE now; rolled back unless commit() was reached.
class Transaction {
 public:
  explicit Transaction(const Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  const Database& database_;
  bool open_ = true;
};

}  // namespace fleetsim
