#include "sim/study/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "sim/study/errors.hpp"

namespace fleetsim {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    throw EnvironmentError(fmt::format("cannot read {}: it is a folder", path.string()));
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in || in.bad()) {
    throw EnvironmentError(
        fmt::format("cannot read {}: {}", path.string(), std::strerror(errno ? errno : EIO)));
  }
  return std::move(text).str();
}

namespace {

/// Writes all of `text` and closes; errno tells what failed.
bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS;
}

}  // namespace

void write_file(const fs::path& path, std::string_view text) {
  std::error_code error;
  fs::path target = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
  if (error) target = path;
  const auto fail = [&](int cause) {
    throw EnvironmentError(fmt::format("cannot write {}: {}", path.string(), std::strerror(cause)));
  };
  if (fs::exists(target, error) && !fs::is_regular_file(target, error)) {
    // A device or pipe (/dev/stdout, /dev/full) cannot be renamed over.
    if (fs::is_directory(target, error)) fail(EISDIR);
    const int device = ::open(target.c_str(), O_WRONLY);
    if (device < 0) fail(errno);
    const bool written = write_all(device, text);
    const int cause = errno;
    if ((::close(device) != 0 || !written)) fail(written ? errno : cause);
    return;
  }
  const fs::path temporary = target.string() + fmt::format(".tmp-{}", ::getpid());
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (descriptor < 0) fail(errno);
  const bool written = write_all(descriptor, text);
  int cause = errno;
  const bool closed = ::close(descriptor) == 0;
  if (written && !closed) cause = errno;
  if (!written || !closed) {
    ::unlink(temporary.c_str());
    fail(cause);
  }
  if (::rename(temporary.c_str(), target.c_str()) != 0) {
    cause = errno;
    ::unlink(temporary.c_str());
    fail(cause);
  }
}

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error && !fs::is_directory(path)) error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    throw EnvironmentError(fmt::format("cannot make the folder {}: {}", path.string(), error.message()));
}

}  // namespace fleetsim
