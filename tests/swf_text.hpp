// SWF lines and gzip bytes for the tests of its reader.
#pragma once

#include <zlib.h>

#include <string>

#include "scenarios/import/swf.hpp"

namespace fleetsim::swf_text {

struct Read {
  Trace trace;
  Diagnostics diagnostics;
  Excerpt excerpt;
  [[nodiscard]] std::string first_message() const {
    return diagnostics.empty() ? "" : diagnostics.sorted().front().message;
  }
  /// All diagnostics as a user sees them.
  [[nodiscard]] std::string shown() const {
    std::string all;
    for (const Diagnostic& d : diagnostics.sorted()) {
      const auto line = excerpt.find(d.pos.line);
      all += render_line(d, line == excerpt.end() ? "" : line->second);
    }
    return all;
  }
  [[nodiscard]] bool warned(const std::string& words) const {
    for (const std::string& warning : trace.warnings) {
      if (warning.find(words) != std::string::npos) return true;
    }
    return false;
  }
  [[nodiscard]] std::int64_t times(const char* reason) const {
    const auto found = trace.by_reason.find(reason);
    return found == trace.by_reason.end() ? 0 : found->second;
  }
};

inline Read read(const std::string& bytes, OnError on_error = OnError::repair,
                 SizeFrom size_from = SizeFrom::allocated) {
  Read out;
  out.trace = read_swf_bytes(bytes, "t.swf", out.diagnostics, {on_error, size_from}, &out.excerpt);
  return out;
}

/// A job line: id, submit, run, allocated, requested processors, requested time, wait, status.
inline std::string line(const std::string& id, const std::string& submit, const std::string& run,
                        const std::string& allocated = "4", const std::string& requested = "4",
                        const std::string& time = "3600", const std::string& wait = "5",
                        const std::string& status = "1") {
  return id + " " + submit + " " + wait + " " + run + " " + allocated + " -1 -1 " + requested + " " + time +
         " -1 " + status + " 7 1 -1 1 -1 -1 -1\n";
}

/// Empty when zlib fails.
inline std::string gzip(const std::string& text) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return {};
  std::string out(deflateBound(&stream, text.size()) + 64, '\0'), in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const bool whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  out.resize(whole ? stream.total_out : 0);
  deflateEnd(&stream);
  return out;
}

}  // namespace fleetsim::swf_text
