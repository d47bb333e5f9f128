// What the SWF reader keeps, repairs, drops and says.
#include "scenarios/import/swf.hpp"

#include <unistd.h>
#include <zlib.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "sim/study/errors.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;
namespace fs = std::filesystem;

namespace {

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes)
      : path_(fs::temp_directory_path() /
              ("fleetsim-swf-" + std::to_string(::getpid()) + "-" + std::to_string(counter()++) + ".swf")) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { fs::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  static int& counter() {
    static int count = 0;
    return count;
  }
  fs::path path_;
};

struct Read {
  Trace trace;
  Diagnostics diagnostics;
};

Read read(const std::string& bytes) {
  const TemporaryFile file(bytes);
  Read out;
  out.trace = read_swf(file.path(), out.diagnostics);
  return out;
}

/// A job line: id, submit, wait, run, allocated, requested processors, requested time, status.
std::string line(const std::string& id, const std::string& submit, const std::string& run,
                 const std::string& allocated = "4", const std::string& requested = "4",
                 const std::string& time = "3600", const std::string& wait = "5",
                 const std::string& status = "1") {
  return id + " " + submit + " " + wait + " " + run + " " + allocated + " -1 -1 " + requested + " " + time +
         " -1 " + status + " 7 1 -1 1 -1 -1 -1\n";
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

bool warned(const Trace& trace, const std::string& words) {
  for (const std::string& warning : trace.warnings) {
    if (warning.find(words) != std::string::npos) return true;
  }
  return false;
}

std::string first_message(const Read& result) {
  return result.diagnostics.empty() ? "" : result.diagnostics.sorted().front().message;
}

}  // namespace

TEST_CASE("An SWF line becomes a job") {
  const Read r = read("; Version: 2.2\n" + line("12", "100", "250", "8", "9", "300", "17"));
  REQUIRE(r.trace.jobs.size() == 1);
  const TraceJob& job = r.trace.jobs.front();
  CHECK(job.source_id == 12);
  CHECK(to_seconds(job.submit) == 0.0);
  CHECK(r.trace.origin_s == 100.0);
  CHECK(to_seconds(job.run) == 250.0);
  CHECK(job.has_limit);
  CHECK(to_seconds(job.limit) == 300.0);
  CHECK(job.processors == 8);
  CHECK(job.user == 7);
  CHECK(job.recorded_wait_s == 17.0);
  CHECK(r.trace.whole_seconds);
  CHECK((r.trace.rows == 1 && r.trace.kept == 1 && r.trace.repaired == 0 && r.trace.dropped == 0));
}

TEST_CASE("B001: missing allocated processors are taken from the request, and counted") {
  const Read r = read(line("1", "0", "10", "-1", "8") + line("2", "1", "10", "0", "2") +
                      line("3", "2", "10", "-1", "-1"));
  REQUIRE(r.trace.jobs.size() == 2);
  CHECK(r.trace.jobs[0].processors == 8);
  CHECK(r.trace.repaired == 2);
  CHECK(r.trace.by_reason.at("processors_from_request") == 2);
  CHECK(r.trace.by_reason.at("no_processors") == 1);
  CHECK(r.trace.rows == r.trace.kept + r.trace.repaired + r.trace.dropped);
}

TEST_CASE("B003: run times pass through unchanged") {
  const Read r = read(line("1", "0", "100") + line("2", "0", "3600"));
  CHECK(to_seconds(r.trace.jobs[0].run) == 100.0);
  CHECK(to_seconds(r.trace.jobs[1].run) == 3600.0);
}

TEST_CASE("B005: lines that are no records are counted and the first is named") {
  const Read r = read("; c\n" + line("1", "0", "10") + "2 0 zebra\n" + line("3", "x", "10") + "4 5 6\n");
  CHECK(r.trace.jobs.size() == 1);
  CHECK(r.trace.by_reason.at("malformed") == 3);
  CHECK(warned(r.trace, "3 lines dropped"));
  CHECK(warned(r.trace, "line 3: field 3 is not a number"));
  CHECK(warned(read(line("1", "0", "10") + "4 5 6\n").trace, "line 2: 3 fields instead of 18"));
}

TEST_CASE("B005, B019: decimals and exponents are numbers") {
  const Read r = read(line("1", "10.5", "0.25", "4", "4", "1e2"));
  REQUIRE(r.trace.jobs.size() == 1);
  CHECK(r.trace.origin_s == 10.5);
  CHECK(r.trace.jobs[0].run == Duration(250'000));
  CHECK(to_seconds(r.trace.jobs[0].limit) == 100.0);
  CHECK_FALSE(r.trace.whole_seconds);
}

TEST_CASE("B006: a file without job lines is an error, not an empty result") {
  for (const char* text : {"", "\n\n", "; MaxProcs: 100\n;\n"}) {
    const Read r = read(text);
    CHECK(r.diagnostics.has_errors());
    CHECK(first_message(r) == "there is no job line in this SWF file");
  }
}

TEST_CASE("Lines of fields separated by ';' are not SWF") {
  const Read comments = read(";1;2;3;4;alice;6;7\n;2;2;3;4;bob;6;7\n");
  CHECK(comments.diagnostics.sorted().front().hint.find("separated by ';'") != std::string::npos);
  const Read fields = read("1;2;3;4;alice;6;7\n");
  CHECK(first_message(fields) == "none of the 1 line can be used: field 1 is not a number");
}

TEST_CASE("B008: source ids are kept and a preceding job is said to be ignored") {
  const Read r = read("70 0 5 10 4 -1 -1 4 60 -1 1 7 1 -1 1 -1 12 30\n" + line("99", "3", "10"));
  CHECK(r.trace.jobs[0].source_id == 70);
  CHECK(r.trace.jobs[1].source_id == 99);
  CHECK(warned(r.trace, "1 job names a preceding job"));
}

TEST_CASE("B012: records out of order are sorted, ties in file order, with a warning") {
  const Read r = read(line("1", "50", "10") + line("2", "20", "10") + line("3", "20", "11"));
  CHECK(r.trace.jobs[0].source_id == 2);
  CHECK(r.trace.jobs[1].source_id == 3);
  CHECK(r.trace.jobs[2].source_id == 1);
  CHECK(r.trace.origin_s == 20.0);
  CHECK(warned(r.trace, "not in the order of submission"));
}

TEST_CASE("B014: headers are read in every spacing") {
  for (const char* header : {"; MaxNodes: 128\n", ";MaxNodes:128\n", ";;  MaxNodes :\t   128  \r\n",
                             "; MaxNodes: 128 (of 130)\n"}) {
    CHECK(read(header + line("1", "0", "1")).trace.header.at("MaxNodes") == 128);
  }
  CHECK(read("; Note: none\n" + line("1", "0", "1")).trace.header.empty());
}

TEST_CASE("B015: eighteen fields are enough and more are tolerated") {
  std::string more = line("1", "0", "10");
  more.back() = ' ';
  const Read r = read(more + "{n1,n2} batch 3\n" + line("2", "1", "10"));
  CHECK(r.trace.jobs.size() == 2);
  CHECK(warned(r.trace, "1 line has more than 18 fields"));
}

TEST_CASE("B021: run time 0 is legal, -1 is unknown") {
  const Read r =
      read(line("1", "0", "0") + line("2", "0", "-1") + line("3", "0", "-1", "4", "4", "60", "5", "5") +
           line("4", "0", "0", "4", "4", "60", "5", "5"));
  REQUIRE(r.trace.jobs.size() == 2);
  CHECK(r.trace.jobs[0].run == Duration::zero());
  CHECK_FALSE(r.trace.jobs[0].cancelled_before_start);
  CHECK(r.trace.jobs[1].cancelled_before_start);
  CHECK(r.trace.by_reason.at("no_run_time") == 1);
  CHECK(r.trace.by_reason.at("cancelled_before_start") == 1);
}

TEST_CASE("B022: more processors than the machine has are pointed out") {
  const Read r = read("; MaxProcs: 100\n" + line("1", "0", "10") + line("2", "0", "10", "589824"));
  CHECK(r.trace.jobs.size() == 2);
  CHECK(warned(r.trace, "1 job has more processors than the header's MaxProcs of 100; the first is line 3"));
}

TEST_CASE("B028: a repeated job id is named with both lines") {
  const Read r = read(line("5", "0", "10") + line("6", "0", "10") + line("5", "3", "10"));
  CHECK(r.trace.jobs.size() == 3);
  CHECK(warned(r.trace, "id 5 at lines 1 and 3"));
}

TEST_CASE("A missing requested time and a missing wait stay unknown") {
  const Read r = read(line("1", "0", "10", "4", "4", "-1", "-1"));
  CHECK_FALSE(r.trace.jobs[0].has_limit);
  CHECK(r.trace.jobs[0].recorded_wait_s == -1.0);
  CHECK(warned(r.trace, "1 job has no requested time"));
}

TEST_CASE("Tabs, carriage returns, a byte order mark and a missing last newline change nothing") {
  std::string text = line("1", "0", "10") + line("2", "1", "20");
  const Read plain = read(text);
  for (char& c : text) {
    if (c == ' ') c = '\t';
  }
  text.insert(text.find('\n'), "\r");
  text.pop_back();
  const Read odd = read("\xEF\xBB\xBF" + text);
  REQUIRE(odd.trace.jobs.size() == plain.trace.jobs.size());
  CHECK(odd.trace.jobs[1].run == plain.trace.jobs[1].run);
  CHECK(odd.trace.warnings == plain.trace.warnings);
}

TEST_CASE("Gzip files of several members are read, damaged and truncated ones are errors") {
  std::string first, second;
  for (int j = 0; j < 20000; ++j)
    (j < 9000 ? first : second) += line(std::to_string(j), std::to_string(j), "10");
  // The members meet in the middle of a line.
  first += second.substr(0, 11);
  second.erase(0, 11);
  const std::string whole = gzip(first) + gzip(second);
  CHECK(read(whole).trace.jobs.size() == 20000);
  CHECK(first_message(read(whole.substr(0, whole.size() - 100))).find("truncated") != std::string::npos);
  CHECK(first_message(read(whole.substr(0, 5))).find("truncated") != std::string::npos);
  std::string damaged = whole;
  for (std::size_t i = 100; i < 140; ++i) damaged[i] = static_cast<char>(~damaged[i]);
  CHECK(read(damaged).diagnostics.has_errors());
}

TEST_CASE("A missing trace file is a fault of the environment") {
  Diagnostics diagnostics;
  CHECK_THROWS_AS(read_swf("/nonexistent/trace.swf", diagnostics), EnvironmentError);
}
