// The bytes of a file or pipe, piece by piece, so that no file has to fit into memory; the one place that
// opens what a user names for reading, since a pipe can keep its reader waiting for ever.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace fleetsim {

/// A regular file or a pipe, and a device where that is allowed (/dev/stdin of a terminal). Folders and
/// sockets are refused.
class ByteSource {
 public:
  enum class Devices { refused, allowed };
  /// Throws EnvironmentError naming the path and the cause.
  explicit ByteSource(const std::filesystem::path& path, Devices devices = Devices::refused);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// At most `room` bytes to `to`; 0: the end. Throws EnvironmentError. A pipe into which nobody writes for
  /// five seconds is an error; a slow writer is waited for.
  [[nodiscard]] std::size_t read(char* to, std::size_t room);
  /// Of a regular file; 0 for others.
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] bool is_file() const { return file_; }
  /// The last four bytes as a little-endian number: in a gzip file the size of its text, modulo 2^32. 0 for
  /// others and shorter files.
  [[nodiscard]] std::int64_t last_word() const;

 private:
  [[noreturn]] void fail(const std::string& cause) const;

  std::string path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
  bool file_ = false, pipe_ = false;
  bool begun_ = false;
};

}  // namespace fleetsim
