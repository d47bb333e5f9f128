// Any bytes as an SWF file, plain or gzip, under each policy: no crash, the counts add up, the jobs are
// sorted. The first byte chooses the policy, the field of the size and whether the rest is packed first.
#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "scenarios/import/swf.hpp"

using namespace fleetsim;

namespace {

std::string packed(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) std::abort();
  std::string in(text), out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) std::abort();
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

void must(bool holds) {
  if (!holds) std::abort();
}

void check(const Trace& trace, const Diagnostics& diagnostics, const Excerpt& excerpt) {
  std::int64_t reasons = 0;
  for (const auto& [name, times] : trace.by_reason) reasons += times;
  must(trace.rows == trace.kept + trace.repaired + trace.dropped);
  must(reasons == trace.repaired + trace.dropped);
  if (diagnostics.has_errors()) {
    must(trace.jobs.empty());
  } else {
    must(static_cast<std::int64_t>(trace.jobs.size()) == trace.kept + trace.repaired);
  }
  Instant before = kStart;
  for (const TraceJob& job : trace.jobs) {
    must(job.submit >= before && job.run >= Duration::zero() && job.processors > 0);
    must(job.has_limit == (job.limit > Duration::zero()));
    before = job.submit;
  }
  if (!trace.jobs.empty()) must(trace.jobs.front().submit == kStart);
  for (const Diagnostic& d : diagnostics.sorted()) {
    const auto line = excerpt.find(d.pos.line);
    must(!render_line(d, line == excerpt.end() ? std::string_view{} : line->second).empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  SwfOptions options;
  options.on_error = static_cast<OnError>(data[0] % 3);
  options.size_from = (data[0] & 4) != 0 ? SizeFrom::requested : SizeFrom::allocated;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  Diagnostics diagnostics;
  Excerpt excerpt;
  const Trace trace = read_swf_bytes(bytes, "fuzz", diagnostics, options, &excerpt);
  check(trace, diagnostics, excerpt);
  if ((data[0] & 8) == 0) return 0;
  // The packed text must give what the text gives, unless the text itself is taken for gzip.
  if (bytes.substr(0, 2) == "\x1f\x8b") return 0;
  Diagnostics again;
  const Trace unpacked = read_swf_bytes(packed(bytes), "fuzz", again, options, nullptr);
  must(unpacked.rows == trace.rows && unpacked.dropped == trace.dropped &&
       again.errors() == diagnostics.errors());
  must(unpacked.jobs.size() == trace.jobs.size() && unpacked.warnings == trace.warnings);
  return 0;
}
