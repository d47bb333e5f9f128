// Running other programs: each way in which one can fail has its own sentence.
#include "reports/tool.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

namespace fs = std::filesystem;
using namespace fleetsim;

namespace {

struct ToolFolder : TemporaryFolder {
  /// A program that runs this shell text.
  [[nodiscard]] std::string program(const std::string& text) const {
    const fs::path file = path / "tool";
    write_file(file, "#!/bin/sh\n" + text + "\n");
    REQUIRE(::chmod(file.c_str(), 0755) == 0);
    return file.string();
  }
};

std::string fault_of(const ToolRun& run) {
  try {
    run_tool(run);
  } catch (const EnvironmentError& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a tool that a signal killed is not taken for one that was too slow") {
  const ToolFolder folder;
  for (const auto& [signal, words] : {std::pair{"KILL", "was killed by signal 9 (Killed)"},
                                      std::pair{"SEGV", "was killed by signal 11 (Segmentation fault)"},
                                      std::pair{"TERM", "was killed by signal 15 (Terminated)"}}) {
    const std::string said = fault_of({{folder.program(std::string("kill -") + signal + " $$")},
                                       folder.path,
                                       folder.path / "log",
                                       20,
                                       {},
                                       {}});
    INFO(said);
    CHECK(said.find(words) != std::string::npos);
  }
}

TEST_CASE("a tool that is too slow is ended and named") {
  const ToolFolder folder;
  const std::string said =
      fault_of({{folder.program("exec sleep 30")}, folder.path, folder.path / "log", 1, {}, {}});
  CHECK(said.find("did not finish within 1 s") != std::string::npos);
}

TEST_CASE("a tool that ends well without its output is named") {
  const ToolFolder folder;
  for (const char* text : {"echo done", ": >made"}) {  // nothing, or an empty file
    const std::string said =
        fault_of({{folder.program(text)}, folder.path, folder.path / "log", 20, {}, "made"});
    INFO(said);
    CHECK(said.find("ended without an error but did not write made") != std::string::npos);
    CHECK((said.find("its log is") != std::string::npos) == (std::string(text) == "echo done"));
  }
  CHECK(
      fault_of({{folder.program("echo x >made")}, folder.path, folder.path / "log", 20, {}, "made"}).empty());
}

TEST_CASE("a tool that fails says its code and its last line") {
  const ToolFolder folder;
  const std::string said = fault_of({{folder.program("echo first; echo 'the reason' >&2; exit 7")},
                                     folder.path,
                                     folder.path / "log",
                                     20,
                                     {},
                                     {}});
  CHECK(said.find("failed (exit code 7): the reason; its log is") != std::string::npos);
}

TEST_CASE("a tool runs under one language and time zone, with a temporary folder that exists") {
  const ToolFolder folder;
  ::setenv("LC_ALL", "de_DE.UTF-8", 1);
  ::setenv("TZ", "Asia/Kathmandu", 1);
  run_tool({{folder.program("echo $LC_ALL $TZ $TMPDIR $OWN; trap")},
            folder.path,
            folder.path / "log",
            20,
            {{"OWN", "given"}},
            {}});
  ::unsetenv("LC_ALL");
  ::unsetenv("TZ");
  CHECK(read_file(folder.path / "log") == "C.UTF-8 UTC " + folder.path.string() + " given\n");
}

TEST_CASE("a tool that hands its surroundings on sees those of the user") {
  const ToolFolder folder;
  ::setenv("TZ", "Asia/Kathmandu", 1);
  ::setenv("TMPDIR", "/users/own", 1);
  ToolRun run{{folder.program("echo $TZ $TMPDIR $PWD; trap")}, folder.path, folder.path / "log", 20, {}, {}};
  run.as_user = true;
  run_tool(run);
  ::unsetenv("TZ");
  ::unsetenv("TMPDIR");
  CHECK(read_file(folder.path / "log") == "Asia/Kathmandu /users/own " + folder.path.string() + "\n");
}

TEST_CASE("a tool that said no is told apart from one that could not run") {
  const ToolFolder folder;
  ToolRun run{{folder.program("exit 1")}, folder.path, folder.path / "log", 20, {}, {}};
  CHECK_THROWS_AS(run_tool(run), ToolFailed);
  run.arguments = {folder.program("kill -9 $$")};
  CHECK_THROWS_AS(run_tool(run), EnvironmentError);
  try {
    run_tool(run);
  } catch (const ToolFailed&) {
    FAIL("a killed tool said nothing");
  } catch (const EnvironmentError&) {
  }
}

TEST_CASE("a wish to stop ends the tool that runs and starts no other") {
  const ToolFolder folder;
  std::atomic<bool> stop{false};
  const StopTools stop_tools(&stop);
  std::thread later([&] {
    ::usleep(200'000);
    stop = true;
  });
  const ToolRun slow{{folder.program("exec sleep 30")}, folder.path, folder.path / "log", 60, {}, {}};
  CHECK_THROWS_AS(run_tool(slow), Interrupted);
  later.join();
  fs::remove(folder.path / "log");
  CHECK_THROWS_AS(run_tool(slow), Interrupted);
  CHECK_FALSE(fs::exists(folder.path / "log"));
}
