#include "sim/study/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <utility>

#include "sim/study/byte_source.hpp"
#include "sim/study/errors.hpp"

namespace fleetsim {

namespace fs = std::filesystem;

namespace {

constexpr int kMostLinks = 40;  // as the kernel allows on one path

[[noreturn]] void fail_to(const char* do_what, const fs::path& path, const std::string& cause) {
  throw EnvironmentError(fmt::format("cannot {} {}: {}", do_what, shown(path), cause));
}
[[noreturn]] void fail_to(const char* do_what, const fs::path& path, int cause) {
  fail_to(do_what, path, std::string(std::strerror(cause)));
}

/// A descriptor that closes itself; a writer closes by hand, to hear of faults.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

/// The temporary files of the writes under way, where a signal handler finds them. A further write at the
/// same time goes without.
struct UnfinishedFile {
  std::array<char, PATH_MAX> path{};
  std::atomic<int> state{0};  // 0 free, 1 being set, 2 set
};
std::array<UnfinishedFile, 4> unfinished;
static_assert(std::atomic<int>::is_always_lock_free);

class Unfinished {
 public:
  explicit Unfinished(const std::string& path) {
    for (UnfinishedFile& slot : unfinished) {
      int free = 0;
      if (path.size() >= slot.path.size() || !slot.state.compare_exchange_strong(free, 1)) continue;
      std::memcpy(slot.path.data(), path.c_str(), path.size() + 1);
      slot.state = 2;
      mine_ = &slot;
      return;
    }
  }
  ~Unfinished() {
    if (mine_ != nullptr) mine_->state = 0;
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

 private:
  UnfinishedFile* mine_ = nullptr;
};

/// Writes all of `text`; errno tells what failed.
bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// To the disk, where there is one: pipes, and some network file systems, cannot.
bool flush(int descriptor) {
  return ::fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
}

/// N of /dev/fd/N and /proc/self/fd/N, where /dev/stdout leads: an open file that is written to as it is. Its
/// name, when it has one, must not be renamed over: what is printed later would go to the file replaced. -1:
/// none.
int open_descriptor(const fs::path& path) {
  const std::string text = path.string();
  for (const std::string& folder :
       {std::string("/dev/fd/"), std::string("/proc/self/fd/"), fmt::format("/proc/{}/fd/", ::getpid())}) {
    if (text.rfind(folder, 0) != 0) continue;
    int number = -1;
    const char *begin = text.data() + folder.size(), *end = text.data() + text.size();
    const auto parsed = std::from_chars(begin, end, number);
    if (parsed.ec == std::errc{} && parsed.ptr == end && number >= 0) return number;
  }
  return -1;
}

/// What `path` means once its links are followed by hand: the last target may not exist yet.
fs::path through_links(const fs::path& path) {
  fs::path at = path;
  for (int links = 0;; ++links) {
    struct stat about {};
    if (open_descriptor(at) >= 0) return at;
    if (::lstat(at.c_str(), &about) != 0 || !S_ISLNK(about.st_mode)) return at;
    if (links == kMostLinks) fail_to("write", path, ELOOP);
    std::error_code error;
    const fs::path next = fs::read_symlink(at, error);
    if (error) fail_to("write", path, error.value());
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
}

fs::path folder_of(const fs::path& file) {
  const fs::path folder = file.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

/// ENOENT of a file to be written means its folder.
[[noreturn]] void fail_to_make(const fs::path& path, const fs::path& target, int cause) {
  struct stat about {};
  const fs::path folder = folder_of(target);
  if (cause == ENOENT && ::stat(folder.c_str(), &about) != 0)
    fail_to("write", path, fmt::format("the folder {} does not exist", shown(folder)));
  fail_to("write", path, cause);
}

/// The name must not be longer than the target's: a target of 255 bytes is legal.
int make_temporary(const fs::path& path, const fs::path& target, std::string& name) {
  for (int attempt = 0;; ++attempt) {
    name = (folder_of(target) / fmt::format(".fleetsim-{}-{}", ::getpid(), attempt)).string();
    const int out = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (out >= 0) return out;
    // Left behind by a process that was killed and had the same number.
    if (errno != EEXIST || attempt == 1000) fail_to_make(path, target, errno);
  }
}

/// What stands at the place of a file to be written. Throws when it cannot be written.
struct Target {
  fs::path file;        ///< the place itself, links followed
  int descriptor = -1;  ///< of an open file that is to be written to
  bool exists = false;
  struct stat old {};

  explicit Target(const fs::path& path) {
    if (path.empty()) fail_to("write", "a file without a name", ENOENT);
    file = through_links(path);
    descriptor = open_descriptor(file);
    if (descriptor >= 0) return;
    exists = ::stat(file.c_str(), &old) == 0;
    if (!exists) {
      if (errno != ENOENT) fail_to("write", path, errno);
      return;
    }
    if (S_ISDIR(old.st_mode)) fail_to("write", path, EISDIR);
    // A rename asks nobody whether the file that it replaces may be written.
    if (::access(file.c_str(), W_OK) != 0) fail_to("write", path, errno);
  }

  /// Gives the new file the permissions of the old one, and its owner where that is allowed.
  [[nodiscard]] bool hand_down(int to) const {
    if (!exists) return true;
    if (old.st_uid != ::geteuid() || old.st_gid != ::getegid())
      static_cast<void>(::fchown(to, old.st_uid, old.st_gid) == 0);
    return ::fchmod(to, old.st_mode & 07777U) == 0;
  }
};

/// The new name, too, survives a power cut. Some file systems cannot.
void flush_folder(const fs::path& file) {
  const Descriptor folder(::open(folder_of(file).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) static_cast<void>(flush(folder.get()));
}

}  // namespace

std::string shown(const fs::path& path) {
  std::string text;
  for (const char c : path.string()) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x20 || byte == 0x7F ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return text;
}

std::string read_file(const fs::path& path) {
  ByteSource in(path, ByteSource::Devices::allowed);
  const std::uint64_t most = in.is_file() ? kMostFileBytes : kMostStreamBytes;
  const auto too_long = [&] { fail_to("read", path, fmt::format("it is longer than {} MiB", most >> 20)); };
  const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(0, in.size()));
  if (size > most) too_long();
  std::string text;
  text.reserve(size);
  std::array<char, 1 << 16> part{};
  while (true) {
    const std::size_t got = in.read(part.data(), part.size());
    if (got == 0) return text;
    text.append(part.data(), got);
    if (text.size() > most) too_long();
  }
}

void write_file(const fs::path& path, std::string_view text) {
  stream_file(path, [text](const TextSink& sink) { sink(text); });
}

void stream_file(const fs::path& path, const std::function<void(const TextSink&)>& produce) {
  const Target target(path);
  const auto write_to = [&](int descriptor) {
    produce([&](std::string_view text) {
      if (!write_all(descriptor, text)) fail_to("write", path, errno);
    });
    if (!flush(descriptor)) fail_to("write", path, errno);
  };
  if (target.descriptor >= 0) return write_to(target.descriptor);
  if (target.exists && !S_ISREG(target.old.st_mode)) {
    Descriptor out(::open(target.file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (out.get() < 0) fail_to("write", path, errno);
    write_to(out.get());
    if (!out.close()) fail_to("write", path, errno);
    return;
  }

  std::string temporary;
  Descriptor out(make_temporary(path, target.file, temporary));
  const Unfinished marked(temporary);
  try {
    if (!target.hand_down(out.get())) fail_to_make(path, target.file, errno);
    write_to(out.get());
    if (!out.close()) fail_to_make(path, target.file, errno);
    if (::rename(temporary.c_str(), target.file.c_str()) != 0) fail_to_make(path, target.file, errno);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  flush_folder(target.file);
}

void move_file(const fs::path& from, const fs::path& path) {
  const Target target(path);
  if (target.descriptor >= 0 || (target.exists && !S_ISREG(target.old.st_mode)))
    return write_file(path, read_file(from));
  {
    Descriptor in(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
    if (in.get() < 0) fail_to("read", from, errno);
    if (!target.hand_down(in.get()) || !flush(in.get())) fail_to("write", path, errno);
  }
  if (::rename(from.c_str(), target.file.c_str()) == 0) return flush_folder(target.file);
  if (errno != EXDEV) fail_to_make(path, target.file, errno);
  write_file(path, read_file(from));  // a link led to another disk
}

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return;
  if (fs::exists(path, ignored)) fail_to("make the folder", path, "a file stands there");
  fail_to("make the folder", path, error ? error.value() : ENOENT);
}

void expect_writable(const fs::path& path) {
  const Target target(path);
  if (target.descriptor >= 0) {
    const int flags = ::fcntl(target.descriptor, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) fail_to("write", path, EBADF);
    return;
  }
  if (target.exists && !S_ISREG(target.old.st_mode)) return;
  if (::access(folder_of(target.file).c_str(), W_OK | X_OK) != 0) fail_to_make(path, target.file, errno);
}

void drop_unfinished_files() noexcept {
  for (const UnfinishedFile& slot : unfinished) {
    if (slot.state == 2) ::unlink(slot.path.data());
  }
}

}  // namespace fleetsim
