// Plain or gzip bytes as text, in pieces of a fixed buffer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace fleetsim {

/// What is gzip is told by its first two bytes, whatever the name of the file. Any number of members.
class TextStream {
 public:
  /// Up to `room` bytes to `to`; 0: the end.
  using Source = std::function<std::size_t(char* to, std::size_t room)>;

  explicit TextStream(Source source);
  ~TextStream();
  TextStream(const TextStream&) = delete;
  TextStream& operator=(const TextStream&) = delete;

  /// The next piece, valid until the next call. Empty: the end, or `fault()` says why not.
  [[nodiscard]] std::string_view next();
  [[nodiscard]] bool gzip() const { return gzip_; }
  /// Why the text ends before its end; empty: it does not.
  [[nodiscard]] const std::string& fault() const { return fault_; }
  /// Bytes behind the last gzip member, which belong to nothing.
  [[nodiscard]] std::int64_t trailing() const { return trailing_; }

 private:
  struct Inflater;
  void refill();
  [[nodiscard]] std::string_view inflated();
  [[nodiscard]] bool next_member();

  Source source_;
  std::unique_ptr<char[]> in_, out_;
  const char* at_ = nullptr;  ///< the bytes of in_ not yet used: [at_, end_)
  const char* end_ = nullptr;
  bool begun_ = false, source_ended_ = false, ended_ = false;
  bool gzip_ = false;
  std::string fault_;
  std::int64_t trailing_ = 0;
  std::unique_ptr<Inflater> inflater_;
};

}  // namespace fleetsim
