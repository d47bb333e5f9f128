// Where SWF text comes from: files, pipes, gzip, line ends; all in bounded memory.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "scenarios/import/swf.hpp"
#include "sim/study/errors.hpp"
#include "tests/catch.hpp"
#include "tests/swf_text.hpp"
#include "tests/temporary_folder.hpp"

using namespace fleetsim;
using namespace fleetsim::swf_text;
namespace fs = std::filesystem;

namespace {

std::string many(int first, int last) {
  std::string text;
  for (int j = first; j < last; ++j) text += line(std::to_string(j), std::to_string(j), "10");
  return text;
}

std::string unreadable(const fs::path& path) {
  Diagnostics diagnostics;
  try {
    static_cast<void>(read_swf(path, diagnostics));
  } catch (const EnvironmentError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Every kind of line end, a missing last one and a byte order mark give the same jobs") {
  const std::string text = "; MaxProcs: 9\n" + many(0, 3000);
  const Read plain = read(text);
  for (const char* end : {"\r\n", "\r", "\n\n", "\r\r\n"}) {
    std::string other = "\xEF\xBB\xBF";
    for (const char c : text) {
      if (c == '\n')
        other += end;
      else
        other += c == ' ' ? '\t' : c;
    }
    while (other.back() == '\r' || other.back() == '\n') other.pop_back();
    const Read r = read(other);
    REQUIRE(r.trace.jobs.size() == 3000);
    CHECK(r.trace.jobs[2999].submit == plain.trace.jobs[2999].submit);
    CHECK(r.trace.header == plain.trace.header);
    CHECK(r.trace.warnings == plain.trace.warnings);
  }
}

TEST_CASE("B143: a byte order mark is no part of the first field or header") {
  CHECK(read("\xEF\xBB\xBF" + line("7", "0", "10")).trace.jobs[0].source_id == 7);
  CHECK(read("\xEF\xBB\xBF; MaxNodes: 4\n" + line("7", "0", "10")).trace.header.at("MaxNodes") == 4);
}

TEST_CASE("Lines are counted across pieces, whatever the line ends") {
  for (const char* end : {"\n", "\r\n", "\r"}) {
    std::string text;
    for (int j = 0; j < 30000; ++j) text += std::string("; comment ") + std::to_string(j) + end;
    text += std::string("1 2 3") + end;
    CHECK(read(text + line("1", "0", "1")).warned("the first is line 30001, column 6: 3 fields"));
    CHECK(read(gzip(text + line("1", "0", "1"))).warned("the first is line 30001, column 6: 3 fields"));
  }
}

TEST_CASE("Gzip files of several members are read, wherever they meet") {
  const std::string text = many(0, 20000);
  for (const std::size_t cut : {std::size_t{0}, std::size_t{1}, text.size() / 2 + 11, text.size()}) {
    const Read r = read(gzip(text.substr(0, cut)) + gzip("") + gzip(text.substr(cut)));
    CHECK(r.trace.jobs.size() == 20000);
    CHECK(r.trace.warnings.empty());
  }
}

TEST_CASE("A gzip file that is cut off anywhere is an error, never half a trace") {
  const std::string whole = gzip(many(0, 300)) + gzip(many(300, 600));
  const std::size_t first = gzip(many(0, 300)).size();
  for (std::size_t size = 2; size < whole.size(); ++size) {
    const Read r = read(whole.substr(0, size));
    if (size == first) continue;  // a whole file of one member
    INFO(size);
    REQUIRE(r.first_message() == "the gzip data end early: the file is truncated");
    REQUIRE(r.diagnostics.sorted().front().pos.line > 0);
    REQUIRE(r.trace.jobs.empty());
  }
}

TEST_CASE("A flipped bit in gzip data is an error, wherever it is") {
  const std::string whole = gzip(many(0, 200));
  const Read sound = read(whole);
  int taken = 0;
  for (std::size_t byte = 10; byte < whole.size();
       ++byte) {  // behind the header, of which only some bits count
    std::string damaged = whole;
    damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << (byte % 8)));
    const Read r = read(damaged);
    taken += r.diagnostics.has_errors() ? 0 : 1;
    if (!r.diagnostics.has_errors()) REQUIRE(r.trace.jobs.size() == sound.trace.jobs.size());
  }
  CHECK(taken <= 1);  // padding bits behind the last code carry no data
}

TEST_CASE("Bytes behind the gzip data are counted and told") {
  CHECK(
      read(gzip(many(0, 9)) + std::string(512, '\0')).warned("512 bytes behind the gzip data were ignored"));
  CHECK(read(gzip(many(0, 9)) + "x").warned("1 byte behind the gzip data was ignored"));
  CHECK(read(gzip(gzip(many(0, 9)))).first_message().find("gzip inside gzip") != std::string::npos);
}

TEST_CASE("The name of a file does not decide whether it is gzip") {
  const TemporaryFolder folder;
  Diagnostics diagnostics;
  CHECK(read_swf(folder.write("packed.swf", gzip(many(0, 5))), diagnostics).jobs.size() == 5);
  CHECK(read_swf(folder.write("plain.swf.gz", many(0, 5)), diagnostics).jobs.size() == 5);
  CHECK(diagnostics.empty());
}

TEST_CASE("An endless line ends the reading") {
  const std::string blanks(70'000, ' '), digits(200'000, '7');
  for (const std::string& longest : {digits, ";" + digits, "1" + blanks + "2", blanks}) {
    const Read r = read(many(0, 3) + longest + "\n" + many(3, 5));
    CHECK(r.first_message().find("the line is longer than 65536 bytes") == 0);
    CHECK(r.diagnostics.sorted().front().pos.line == 4);
    CHECK(r.trace.jobs.empty());
  }
  // The longest that is allowed.
  std::string line_of_blanks = line("9", "9", "9");
  line_of_blanks.insert(1, std::string(65'536 - (line_of_blanks.size() - 1), ' '));
  CHECK(read(line_of_blanks).trace.jobs.size() == 1);
}

TEST_CASE("What is no file is a fault of the environment that names path and cause") {
  const TemporaryFolder folder;
  CHECK(unreadable("/nonexistent/trace.swf").find("/nonexistent/trace.swf: No such file") !=
        std::string::npos);
  CHECK(unreadable(folder.path).find("it is a folder") != std::string::npos);
  CHECK(unreadable("/dev/zero").find("it is a device, not a file") != std::string::npos);
}

TEST_CASE("A pipe is read to its end, and one without a writer is not waited for") {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(120));  // the reader is there first
    std::ofstream(pipe, std::ios::binary) << gzip(many(0, 20000));
  });
  Diagnostics diagnostics;
  const Trace trace = read_swf(pipe, diagnostics);
  writer.join();
  CHECK(trace.jobs.size() == 20000);
  CHECK(unreadable(pipe).find("nobody writes into this pipe") != std::string::npos);
}

TEST_CASE("Every reason of the reader is explained in docs/traces.md, and no other") {
  std::ifstream page(fs::path(FLEETSIM_SOURCE_DIR) / "docs" / "traces.md");
  REQUIRE(page);
  std::set<std::string> explained, known;
  for (std::string text; std::getline(page, text);) {
    if (text.rfind("| `", 0) == 0) explained.insert(text.substr(3, text.find('`', 3) - 3));
  }
  for (const SwfReasonInfo& info : swf_reasons()) known.insert(info.name);
  CHECK(known.size() == kSwfReasons);
  CHECK(explained == known);
  for (std::size_t i = 0; i < kSwfReasons; ++i) CHECK(static_cast<std::size_t>(swf_reasons()[i].reason) == i);
}
