// SWF files and SWF bytes: where the text comes from.
#include "scenarios/import/swf.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/import/swf_lines.hpp"
#include "scenarios/import/text_stream.hpp"
#include "sim/study/byte_source.hpp"

namespace fleetsim {

namespace {

/// Text seldom packs better than this; a larger size in the file's last bytes is not believed.
constexpr std::int64_t kBestPacking = 16;

Trace read_all(TextStream& text, SwfLines& lines, std::int64_t bytes, std::int64_t last_word) {
  bool begun = false;
  for (std::string_view piece = text.next(); !piece.empty(); piece = text.next()) {
    if (!begun) lines.expect(text.gzip() ? std::min(last_word, kBestPacking * bytes) : bytes);
    begun = true;
    if (!lines.feed(piece)) return lines.finish();
  }
  if (!text.fault().empty()) lines.break_off(text.fault());
  if (text.trailing() > 0) {
    lines.warn(fmt::format("{} byte{} behind the gzip data {} ignored", text.trailing(),
                           text.trailing() == 1 ? "" : "s", text.trailing() == 1 ? "was" : "were"));
  }
  return lines.finish();
}

}  // namespace

const char* to_string(SizeFrom field) {
  return field == SizeFrom::requested ? "requested" : "allocated";
}

Trace read_swf(const std::filesystem::path& file, Diagnostics& diagnostics, const SwfOptions& options,
               Excerpt* excerpt) {
  ByteSource source(file);
  TextStream text([&](char* to, std::size_t room) { return source.read(to, room); });
  SwfLines lines(file.string(), options, diagnostics, excerpt);
  return read_all(text, lines, source.size(), source.last_word());
}

Trace read_swf_bytes(std::string_view bytes, const std::string& name, Diagnostics& diagnostics,
                     const SwfOptions& options, Excerpt* excerpt) {
  std::string_view rest = bytes;
  TextStream text([&](char* to, std::size_t room) {
    const std::size_t step = rest.copy(to, room);
    rest.remove_prefix(step);
    return step;
  });
  SwfLines lines(name, options, diagnostics, excerpt);
  return read_all(text, lines, static_cast<std::int64_t>(bytes.size()), 0);
}

}  // namespace fleetsim
