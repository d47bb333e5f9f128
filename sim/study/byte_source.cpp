#include "sim/study/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"

namespace fleetsim {

namespace {

constexpr int kPatience_ms = 5000;
constexpr int kStep_ms = 50;

/// What `mode` is when it must not be read.
const char* refused_kind(mode_t mode, ByteSource::Devices devices) {
  if (S_ISDIR(mode)) return "it is a folder";
  if (S_ISSOCK(mode)) return "it is a socket";
  if (S_ISREG(mode) || S_ISFIFO(mode) || devices == ByteSource::Devices::allowed) return nullptr;
  return "it is a device, not a file";
}

}  // namespace

void ByteSource::fail(const std::string& cause) const {
  throw EnvironmentError(fmt::format("cannot read {}: {}", shown(path_), cause));
}

ByteSource::ByteSource(const std::filesystem::path& path, Devices devices) : path_(path.string()) {
  struct stat about {};
  if (::stat(path_.c_str(), &about) != 0) fail(std::strerror(errno));
  if (const char* kind = refused_kind(about.st_mode, devices)) fail(kind);
  // Opening a pipe without O_NONBLOCK would wait for a writer for ever.
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor_ < 0) fail(std::strerror(errno));
  pipe_ = S_ISFIFO(about.st_mode);
  file_ = S_ISREG(about.st_mode);
  size_ = file_ ? static_cast<std::int64_t>(about.st_size) : 0;
}

ByteSource::~ByteSource() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t ByteSource::read(char* to, std::size_t room) {
  int waited_ms = 0;
  for (;;) {
    const ssize_t got = ::read(descriptor_, to, room);
    if (got < 0 && errno != EAGAIN && errno != EINTR) fail(std::strerror(errno));
    begun_ = begun_ || got > 0 || !pipe_;
    if (got > 0 || (got == 0 && begun_)) return static_cast<std::size_t>(got);
    // A pipe that no writer has opened yet reads as ended, too, but does not say that a writer hung up. Only
    // that state is timed: whoever has opened the pipe may take as long as he likes.
    pollfd state{descriptor_, POLLIN, 0};
    if (::poll(&state, 1, got == 0 ? kStep_ms : -1) < 0 && errno != EINTR) fail(std::strerror(errno));
    if (got == 0 && (state.revents & (POLLHUP | POLLIN)) == POLLHUP) return 0;
    waited_ms = got == 0 ? waited_ms + kStep_ms : 0;
    if (waited_ms > kPatience_ms) fail("nobody writes into this pipe");
  }
}

std::int64_t ByteSource::last_word() const {
  std::array<unsigned char, 4> bytes{};
  if (size_ < 4) return 0;
  if (::pread(descriptor_, bytes.data(), bytes.size(), size_ - 4) != 4) return 0;
  std::int64_t word = 0;
  for (int i = 3; i >= 0; --i) word = word << 8 | bytes[static_cast<std::size_t>(i)];
  return word;
}

}  // namespace fleetsim
