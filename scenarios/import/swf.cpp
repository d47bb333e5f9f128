// SWF files: plain or gzip with any number of members.
#include "scenarios/import/swf.hpp"

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "scenarios/import/swf_lines.hpp"
#include "sim/study/files.hpp"

namespace fleetsim {

namespace {

bool is_gzip(std::string_view bytes) {
  return bytes.substr(0, 2) == "\x1f\x8b";
}

/// Inflates piece by piece into `lines`. Returns a sentence when the data are damaged, else nothing.
std::string inflate_into(std::string_view bytes, SwfLines& lines) {
  constexpr std::size_t kPiece = std::size_t{1} << 18;
  constexpr std::size_t kInputStep = std::size_t{1} << 30;  // zlib counts in 32 bits
  const std::unique_ptr<char[]> piece(new char[kPiece]);
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) return "zlib cannot be initialised";
  const auto give = [&] {
    const std::size_t step = std::min(bytes.size(), kInputStep);
    // zlib's interface is not const-correct; it does not write to its input.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(step);
    bytes.remove_prefix(step);
  };
  std::string fault;
  for (bool ended = false; !ended && fault.empty();) {
    if (stream.avail_in == 0 && !bytes.empty()) give();
    stream.next_out = reinterpret_cast<Bytef*>(piece.get());
    stream.avail_out = static_cast<uInt>(kPiece);
    const int status = inflate(&stream, Z_NO_FLUSH);
    lines.feed({piece.get(), kPiece - stream.avail_out});
    if (status == Z_STREAM_END) {
      // Another member may follow; anything else behind the last one is padding.
      if (stream.avail_in == 0 && !bytes.empty()) give();
      const std::string_view rest(reinterpret_cast<const char*>(stream.next_in), stream.avail_in);
      ended = !is_gzip(rest);
      if (!ended) inflateReset(&stream);
    } else if (status == Z_BUF_ERROR ||
               (status == Z_OK && stream.avail_in == 0 && bytes.empty() && stream.avail_out == kPiece)) {
      fault = "the gzip data end early: the file is truncated";
    } else if (status != Z_OK) {
      fault = "the gzip data are damaged";
    }
  }
  inflateEnd(&stream);
  return fault;
}

}  // namespace

Trace read_swf(const std::filesystem::path& file, Diagnostics& diagnostics) {
  const std::string bytes = read_file(file);
  SwfLines lines(file.string());
  if (is_gzip(bytes)) {
    const std::string fault = inflate_into(bytes, lines);
    if (!fault.empty()) {
      diagnostics.error({file.string(), 0, 0}, "", fault);
      return {};
    }
  } else {
    lines.feed(bytes);
  }
  return lines.finish(diagnostics);
}

}  // namespace fleetsim
