// A thin layer over SQLite for the files of this room: opening with care, and every fault as a sentence.
#pragma once

#include <cstdint>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace fleetsim {

/// One connection; for one thread at a time. Every fault is an EnvironmentError that names the path.
class Database {
 public:
  enum class Mode { create, read_only };
  /// An empty path keeps everything in memory. Refuses a folder on a file system without file locks, where
  /// SQLite would wait for ever or two writers would destroy the file.
  Database(const std::string& path, Mode mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  [[noreturn]] void fail(const std::string& cause) const;
  void check(int code) const;
  void run(const std::string& sql) const;
  [[nodiscard]] std::int64_t number(const std::string& sql) const;
  /// Rows that the last INSERT, UPDATE or DELETE changed.
  [[nodiscard]] int changes() const;
  /// The disk belongs to another machine (NFS and the like), as far as the kernel tells.
  [[nodiscard]] bool on_network_disk() const;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] sqlite3* handle() const { return handle_; }

 private:
  void close();
  std::string path_;
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
  /// False: no further row, and the statement may be bound and run again.
  [[nodiscard]] bool step();
  /// For statements that give no rows, and to leave one before its last row.
  void run();
  void reset();
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::int64_t number(int column) const;

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
