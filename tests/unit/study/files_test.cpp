// Files: whole or absent, links kept, permissions kept, faults named.
#include "sim/study/files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "sim/study/errors.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

namespace fs = std::filesystem;
using namespace fleetsim;

namespace {

struct Folder : TemporaryFolder {
  [[nodiscard]] long entries() const {
    return std::distance(fs::directory_iterator(path), fs::directory_iterator{});
  }
};

unsigned mode_of(const fs::path& path) {
  struct stat about {};
  REQUIRE(::stat(path.c_str(), &about) == 0);
  return about.st_mode & 07777U;
}

template <class Work>
std::string fault_of(const Work& work) {
  try {
    work();
  } catch (const EnvironmentError& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("A file is written whole, read back byte for byte, and leaves no temporary file") {
  const Folder folder;
  const std::string text("a\0b\r\n\xFF", 6);
  write_file(folder.path / "x", text);
  CHECK(read_file(folder.path / "x") == text);
  write_file(folder.path / "x", "");
  CHECK(read_file(folder.path / "x").empty());
  CHECK(folder.entries() == 1);
}

TEST_CASE("A new file has the permissions of the umask, a replaced one those that it had") {
  const Folder folder;
  const mode_t before = ::umask(027);
  write_file(folder.path / "new", "1");
  CHECK(mode_of(folder.path / "new") == 0640);
  CHECK(::chmod((folder.path / "new").c_str(), 0604) == 0);
  write_file(folder.path / "new", "2");
  CHECK(mode_of(folder.path / "new") == 0604);
  write_file(folder.path / "made", "3");
  move_file(folder.path / "made", folder.path / "new");
  CHECK(mode_of(folder.path / "new") == 0604);
  CHECK(read_file(folder.path / "new") == "3");
  ::umask(before);
}

TEST_CASE("Writing goes through links, also chains and links to nothing, and the links stay") {
  const Folder folder;
  make_folder(folder.path / "far");
  fs::create_symlink("far/target", folder.path / "one");
  fs::create_symlink("one", folder.path / "two");
  write_file(folder.path / "two", "first");
  CHECK(read_file(folder.path / "far" / "target") == "first");
  write_file(folder.path / "made", "moved");
  move_file(folder.path / "made", folder.path / "two");
  CHECK(read_file(folder.path / "far" / "target") == "moved");
  CHECK(fs::is_symlink(folder.path / "one"));
  CHECK(fs::is_symlink(folder.path / "two"));
  fs::create_symlink("../up", folder.path / "far" / "back");
  write_file(folder.path / "far" / "back", "up");
  CHECK(read_file(folder.path / "up") == "up");
}

TEST_CASE("A file that cannot be written is named with the cause, before and after the work") {
  const Folder folder;
  fs::create_symlink("b", folder.path / "a");
  fs::create_symlink("a", folder.path / "b");
  const std::string place = folder.path.string();
  const auto fault = [&](const fs::path& path) {
    const std::string later = fault_of([&] { write_file(path, "x"); });
    CHECK(fault_of([&] { expect_writable(path); }) == later);
    return later;
  };
  CHECK(fault(folder.path / "a") == "cannot write " + place + "/a: Too many levels of symbolic links");
  CHECK(fault(folder.path) == "cannot write " + place + ": Is a directory");
  CHECK(fault(folder.path / "no" / "x") ==
        "cannot write " + place + "/no/x: the folder " + place + "/no does not exist");
  CHECK(fault(folder.path / std::string(256, 'n')).find("File name too long") != std::string::npos);
  CHECK(fault("") == "cannot write a file without a name: No such file or directory");
  CHECK(fault_of([] { write_file("/dev/full", "x"); }) == "cannot write /dev/full: No space left on device");
  CHECK(fault_of([&] { expect_writable(folder.path / "fine"); }).empty());
  CHECK(folder.entries() == 2);
}

TEST_CASE("A name of 255 bytes can be written although no longer one exists") {
  const Folder folder;
  write_file(folder.path / std::string(255, 'n'), "x");
  CHECK(folder.entries() == 1);
}

TEST_CASE("What has no end is not read to the end") {
  CHECK(fault_of([] { static_cast<void>(read_file("/dev/zero")); }) ==
        "cannot read /dev/zero: it is longer than 64 MiB");
  const Folder folder;
  // A file with a hole: nothing is stored, 5 GiB are said.
  write_file(folder.path / "hole", "");
  CHECK(::truncate((folder.path / "hole").c_str(), off_t{5} << 30) == 0);
  CHECK(fault_of([&] { static_cast<void>(read_file(folder.path / "hole")); }).find("longer than 4096 MiB") !=
        std::string::npos);
  CHECK(fault_of([&] { static_cast<void>(read_file(folder.path)); }) ==
        "cannot read " + folder.path.string() + ": it is a folder");
}

TEST_CASE("A folder is made with its parents, and a file in its place is a fault") {
  const Folder folder;
  make_folder(folder.path / "a" / "b");
  make_folder(folder.path / "a" / "b");
  CHECK(fs::is_directory(folder.path / "a" / "b"));
  write_file(folder.path / "file", "x");
  CHECK(fault_of([&] { make_folder(folder.path / "file"); }) ==
        "cannot make the folder " + (folder.path / "file").string() + ": a file stands there");
  CHECK(fault_of([&] { make_folder(folder.path / "file" / "x"); }).find("Not a directory") !=
        std::string::npos);
}

TEST_CASE("Control characters of a path do not reach the terminal") {
  CHECK(shown("a\x1b[31m\nb\x7f") == "a\\x1b[31m\\x0ab\\x7f");
  CHECK(shown("\xC3\xA9 '\"$") == "\xC3\xA9 '\"$");
}
