// The bytes of a file or pipe, piece by piece, so that no file has to fit into memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace fleetsim {

/// A regular file or a pipe. Folders, devices and sockets are refused: a trace cannot be endless.
class ByteSource {
 public:
  /// Throws EnvironmentError naming the path and the cause.
  explicit ByteSource(const std::filesystem::path& path);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// At most `room` bytes to `to`; 0: the end. Throws EnvironmentError. A pipe into which nobody writes for
  /// five seconds is an error; a slow writer is waited for.
  [[nodiscard]] std::size_t read(char* to, std::size_t room);
  /// Of a regular file; 0 for pipes.
  [[nodiscard]] std::int64_t size() const { return size_; }
  /// The last four bytes as a little-endian number: in a gzip file the size of its text, modulo 2^32. 0 for
  /// pipes and shorter files.
  [[nodiscard]] std::int64_t last_word() const;

 private:
  [[noreturn]] void fail(const std::string& cause) const;

  std::string path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
  bool pipe_ = false;
  bool begun_ = false;
};

}  // namespace fleetsim
