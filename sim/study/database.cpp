#include "sim/study/database.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include "sim/study/errors.hpp"

namespace fleetsim {

namespace fs = std::filesystem;

namespace {

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

/// Empty for a regular file and for nothing at all.
std::string no_file(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0 || S_ISREG(about.st_mode)) return {};
  if (S_ISDIR(about.st_mode)) return "it is a folder";
  if (S_ISFIFO(about.st_mode)) return "it is a pipe, and a store must be a file";
  if (S_ISSOCK(about.st_mode)) return "it is a socket, and a store must be a file";
  return "it is a device, and a store must be a file";
}

/// Whether SQLite cannot make the files beside `path` that it reads through, and needs none: the disk is
/// read-only and no runs wait in a log there, or the folder is another's and no process has the store open.
/// Should one open it while this one reads, the rows' digests tell what was torn.
bool unchanging(const fs::path& path) {
  std::error_code none;
  const fs::path folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
  if (!fs::exists(path, none) || ::access(folder.c_str(), W_OK) == 0) return false;
  const bool read_only_disk = errno == EROFS;
  const fs::path log = path.string() + "-wal";
  return !fs::exists(log, none) || (read_only_disk && fs::file_size(log, none) == 0);
}

/// A file name as SQLite's URI of a file that does not change.
std::string immutable_uri(const std::string& name) {
  std::string uri = "file:";
  for (const char c : name) {
    const bool special = c == '%' || c == '?' || c == '#';
    uri += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return uri + "?immutable=1";
}

}  // namespace

Database::Database(const std::string& path, Mode mode, const std::atomic<bool>* stop)
    : path_(path), stop_(stop) {
  int flags = mode == Mode::read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  // A name with a leading ':' would be special to SQLite.
  std::string name = path.empty() ? ":memory:" : fs::path(path).is_absolute() ? path : "./" + path;
  if (!path.empty()) {
    if (const std::string kind = no_file(path); !kind.empty()) fail(kind);
    // SQLite opens these, too, where they exist.
    for (const char* tail : {"-journal", "-wal", "-shm"})
      if (const std::string kind = no_file(path + tail); !kind.empty())
        fail(fmt::format("of {}{} beside it: {}", fs::path(path).filename().string(), tail, kind));
  }
  if (!path.empty() && !can_lock_beside(path)) {
    fail(
        "its file system cannot lock files, which a store needs; put it on another disk (several machines: "
        "'fleetsim study --shard K/N' with a folder each, then 'fleetsim merge')");
  }
  if (mode == Mode::read_only && !path.empty() && unchanging(path)) {
    name = immutable_uri(name);
    flags |= SQLITE_OPEN_URI;
  }
  const int code = sqlite3_open_v2(name.c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  try {
    check(code);
    sqlite3_busy_handler(handle_, wait_for_lock, this);
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

bool Database::stopped() const {
  return stop_ != nullptr && stop_->load(std::memory_order_relaxed);
}

/// SQLite's own busy timeout cannot be cut short by a signal.
int Database::wait_for_lock(void* database, int attempt) {
  // Two processes on one store that are stopped together meet at their last write: it gets a second.
  constexpr int kLongestStep_ms = 20, kPatienceWhenStopped_ms = 1000;
  auto* self = static_cast<Database*>(database);
  if (attempt == 0) self->waited_ms_ = self->waited_stopped_ms_ = 0;
  const bool stopped = self->stopped();
  if (self->waited_ms_ >= self->patience_ms_ || self->waited_stopped_ms_ >= kPatienceWhenStopped_ms) return 0;
  const int step_ms = std::min({1 + attempt, kLongestStep_ms, self->patience_ms_ - self->waited_ms_});
  std::this_thread::sleep_for(std::chrono::milliseconds(step_ms));
  self->waited_ms_ += step_ms;
  if (stopped) self->waited_stopped_ms_ += step_ms;
  return 1;
}

void Database::fail(const std::string& cause) const {
  throw EnvironmentError(fmt::format("cannot use the results store {}: {}", path_, cause));
}

void Database::check(int code) const {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  const std::string said = handle_ != nullptr ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
  switch (code & 0xFF) {
    case SQLITE_BUSY:
      if (stopped())
        throw Interrupted(fmt::format("interrupted while another process kept {} locked", path_));
      fail(fmt::format("another process has kept it locked for {} s ({})", patience_ms_ / 1000, said));
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

Statement& Statement::bind_column(int place, const Statement& from, int column) {
  database_.check(sqlite3_bind_value(statement_, place, sqlite3_column_value(from.statement_, column)));
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

bool Statement::is_text(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_TEXT;
}
bool Statement::is_integer(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_INTEGER;
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
