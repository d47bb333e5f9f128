#include "sim/study/database.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "sim/study/errors.hpp"

namespace fleetsim {

namespace fs = std::filesystem;

namespace {

constexpr int kBusyMilliseconds = 60'000;

/// Whether files in the folder of `path` can be locked. Asked on a nameless file of our own: closing any
/// descriptor of a database would drop the locks that SQLite holds on it. Where none can be made (a read-only
/// or full disk) the answer is yes, and SQLite finds out what else is wrong.
bool can_lock_beside(const fs::path& path) {
  const fs::path folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
  int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) {
    const std::string name = (folder / fmt::format(".fleetsim-locks-{}", ::getpid())).string();
    file = ::open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0) return true;
    ::unlink(name.c_str());
  }
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_len = 1;
  const bool locked = ::fcntl(file, F_SETLK, &lock) == 0;
  const bool refused = !locked && errno != EAGAIN && errno != EACCES && errno != EINTR;
  ::close(file);
  return !refused;
}

}  // namespace

Database::Database(const std::string& path, Mode mode) : path_(path) {
  const int flags =
      mode == Mode::read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  // A name with a leading ':' would be special to SQLite.
  const std::string name = path.empty() ? ":memory:" : fs::path(path).is_absolute() ? path : "./" + path;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail("it is a folder");
  if (!path.empty() && !can_lock_beside(path)) {
    fail(
        "its file system cannot lock files, which a store needs; put it on another disk (several machines: "
        "'fleetsim study --shard K/N' with a folder each, then 'fleetsim merge')");
  }
  const int code = sqlite3_open_v2(name.c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  try {
    check(code);
    sqlite3_busy_timeout(handle_, kBusyMilliseconds);
  } catch (...) {
    close();
    throw;
  }
}

Database::~Database() {
  close();
}

void Database::close() {
  sqlite3_close(handle_);
  handle_ = nullptr;
}

void Database::fail(const std::string& cause) const {
  throw EnvironmentError(fmt::format("cannot use the results store {}: {}", path_, cause));
}

void Database::check(int code) const {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  const std::string said = handle_ != nullptr ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
  switch (code & 0xFF) {
    case SQLITE_BUSY:
      fail(fmt::format("another process has kept it locked for {} s ({})", kBusyMilliseconds / 1000, said));
    case SQLITE_CORRUPT:
      fail(said + "; the file is damaged: restore it, or remove it and let the runs be simulated again");
    case SQLITE_NOTADB:
      fail(said + "; the file is damaged or no store: give another --out, or remove it");
    default:
      // "disk I/O error" says little; what the system said of the file says why.
      const int cause = handle_ != nullptr ? sqlite3_system_errno(handle_) : 0;
      fail(cause != 0 ? fmt::format("{} ({})", said, std::strerror(cause)) : said);
  }
}

void Database::run(const std::string& sql) const {
  check(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr));
}

std::int64_t Database::number(const std::string& sql) const {
  Statement statement(*this, sql);
  return statement.step() ? statement.number(0) : 0;
}

int Database::changes() const {
  return sqlite3_changes(handle_);
}

bool Database::on_network_disk() const {
  // statfs(2): NFS, SMB, CIFS, SMB2, Lustre, GPFS, BeeGFS, Ceph, AFS, 9P.
  constexpr std::array<std::uint32_t, 10> kNetwork = {0x6969,     0x517B,     0xFF534D42, 0xFE534D42,
                                                      0x0BD00BD0, 0x47504653, 0x19830326, 0x00C36400,
                                                      0x5346414F, 0x01021997};
  struct statfs about {};
  if (path_.empty() || ::statfs(path_.c_str(), &about) != 0) return false;
  return std::find(kNetwork.begin(), kNetwork.end(), static_cast<std::uint32_t>(about.f_type)) !=
         kNetwork.end();
}

Statement::Statement(const Database& database, const std::string& sql) : database_(database) {
  database.check(sqlite3_prepare_v3(database.handle(), sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT,
                                    &statement_, nullptr));
}
Statement::~Statement() {
  sqlite3_finalize(statement_);
}

Statement& Statement::bind(int place, const std::string& text) {
  database_.check(
      sqlite3_bind_text64(statement_, place, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}
Statement& Statement::bind(int place, std::int64_t value) {
  database_.check(sqlite3_bind_int64(statement_, place, value));
  return *this;
}
Statement& Statement::bind(int place, double value) {
  database_.check(sqlite3_bind_double(statement_, place, value));
  return *this;
}
Statement& Statement::bind_null(int place) {
  database_.check(sqlite3_bind_null(statement_, place));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(statement_);
    return false;
  }
  try {
    database_.check(code);  // before the reset, which the message would not survive
  } catch (...) {
    sqlite3_reset(statement_);
    throw;
  }
  return false;
}

void Statement::run() {
  while (step()) {
  }
}

void Statement::reset() {
  sqlite3_reset(statement_);
}

std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  const int bytes = sqlite3_column_bytes(statement_, column);
  return text == nullptr ? std::string{} : std::string(text, static_cast<std::size_t>(bytes));
}

std::int64_t Statement::number(int column) const {
  return sqlite3_column_int64(statement_, column);
}

Transaction::Transaction(const Database& database) : database_(database) {
  database.run("BEGIN IMMEDIATE");
}
Transaction::~Transaction() {
  if (open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}
void Transaction::commit() {
  database_.run("COMMIT");
  open_ = false;
}

}  // namespace fleetsim
