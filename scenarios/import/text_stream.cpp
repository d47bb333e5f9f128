#include "scenarios/import/text_stream.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>

namespace fleetsim {

namespace {

// Both fit into the second-level cache, so the text is parsed where it was unpacked.
constexpr std::size_t kIn = std::size_t{1} << 16;
constexpr std::size_t kOut = std::size_t{1} << 17;
constexpr char kMagic[] = {'\x1f', '\x8b'};

}  // namespace

struct TextStream::Inflater {
  z_stream stream{};
  bool ready = false;
  Inflater() : ready(inflateInit2(&stream, 15 + 16) == Z_OK) {}
  ~Inflater() {
    if (ready) inflateEnd(&stream);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
};

TextStream::TextStream(Source source) : source_(std::move(source)), in_(new char[kIn]) {}
TextStream::~TextStream() = default;

/// Moves what is left to the front and reads behind it.
void TextStream::refill() {
  const auto left = static_cast<std::size_t>(end_ - at_);
  if (left > 0) std::memmove(in_.get(), at_, left);
  const std::size_t got = source_ended_ ? 0 : source_(in_.get() + left, kIn - left);
  source_ended_ = got == 0;
  at_ = in_.get();
  end_ = at_ + left + got;
}

std::string_view TextStream::next() {
  if (!begun_) {
    begun_ = true;
    do refill();
    while (end_ - at_ < 2 && !source_ended_);
    gzip_ = end_ - at_ >= 2 && std::equal(kMagic, kMagic + 2, at_);
    if (gzip_) {
      out_.reset(new char[kOut]);
      inflater_ = std::make_unique<Inflater>();
      if (!inflater_->ready) fault_ = "there is no memory to unpack the gzip data";
    }
  }
  if (ended_ || !fault_.empty()) return {};
  if (gzip_) return inflated();
  if (at_ == end_) refill();
  const std::string_view piece(at_, static_cast<std::size_t>(end_ - at_));
  at_ = end_;
  return piece;
}

/// Behind a member: true when another one begins. Counts what is neither.
bool TextStream::next_member() {
  while (end_ - at_ < 2 && !source_ended_) refill();
  const auto left = static_cast<std::size_t>(end_ - at_);
  // A lone first byte of the magic number is the rest of a member that was cut off.
  if (left > 0 && std::equal(at_, at_ + std::min<std::size_t>(left, 2), kMagic)) {
    inflateReset(&inflater_->stream);
    return true;
  }
  while (at_ != end_) {
    trailing_ += end_ - at_;
    at_ = end_;
    refill();
  }
  ended_ = true;
  return false;
}

std::string_view TextStream::inflated() {
  z_stream& stream = inflater_->stream;
  stream.next_out = reinterpret_cast<Bytef*>(out_.get());
  stream.avail_out = static_cast<uInt>(kOut);
  while (stream.avail_out > 0) {
    if (at_ == end_) refill();
    // zlib's interface is not const-correct; it does not write to its input.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(at_));
    stream.avail_in = static_cast<uInt>(end_ - at_);
    const int status = inflate(&stream, Z_NO_FLUSH);
    at_ = reinterpret_cast<const char*>(stream.next_in);
    if (status == Z_STREAM_END) {
      if (!next_member()) break;
    } else if (status == Z_BUF_ERROR && at_ == end_ && source_ended_) {
      fault_ = "the gzip data end early: the file is truncated";
      break;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fault_ = "the gzip data are damaged";
      if (stream.msg != nullptr) fault_ += std::string(" (") + stream.msg + ")";
      break;
    }
  }
  return {out_.get(), kOut - stream.avail_out};
}

}  // namespace fleetsim
