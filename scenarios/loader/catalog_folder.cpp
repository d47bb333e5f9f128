#include "scenarios/loader/catalog_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"

namespace fleetsim {
namespace {

constexpr const char* kKnown = "gpus, links, nodes, models, prices or systems";
/// Folders that belong to features to come; they may stand in a user's folder.
constexpr std::string_view kLater[] = {"mixes", "measured"};

/// Entries of a directory in the order of their names.
std::vector<std::filesystem::path> listing(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::directory_iterator it(folder, error);
  std::vector<std::filesystem::path> paths;
  while (!error && it != std::filesystem::directory_iterator{}) {
    paths.push_back(it->path());
    it.increment(error);
  }
  if (error)
    throw EnvironmentError(
        fmt::format("cannot read the catalogue folder {}: {}", folder.string(), error.message()));
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// `.yaml`, `.YML`: whatever somebody may have meant as a catalogue file.
bool looks_like_yaml(const std::filesystem::path& file) {
  std::string end = file.extension().string();
  std::transform(end.begin(), end.end(), end.begin(), [](unsigned char c) { return std::tolower(c); });
  return end == ".yaml" || end == ".yml";
}

class Folder {
 public:
  Folder(Diagnostics& diagnostics, std::map<std::string, std::string>* sources)
      : diagnostics_(diagnostics), sources_(sources), files(embedded_files()) {
    for (const Catalog::File& file : files) builtin_.insert(file.path);
  }

  void read(const std::filesystem::path& folder) {
    for (const std::filesystem::path& path : listing(folder)) {
      const std::string kind = path.filename().string();
      if (kind.starts_with('.') || std::count(std::begin(kLater), std::end(kLater), kind) != 0) continue;
      if (!std::filesystem::is_directory(path)) {
        // Others are a README, say.
        if (looks_like_yaml(path)) fail(path, fmt::format("a catalogue file must lie in {}", kKnown));
      } else if (is_kind(kind, path)) {
        for (const std::filesystem::path& file : listing(path)) read_file_of(kind, file);
      }
    }
  }

 private:
  void fail(const std::filesystem::path& at, const std::string& message, const std::string& hint = {}) {
    diagnostics_.error({at.string(), 0, 0}, "", message, hint);
  }

  bool is_kind(const std::string& word, const std::filesystem::path& path) {
    std::vector<std::string> known;
    for (const CatalogKind kind : kKindsToRead) known.emplace_back(to_string(kind));
    known.emplace_back("advice");
    if (std::count(known.begin(), known.end(), word) != 0) return true;
    const std::string near = did_you_mean(word, known);
    fail(path, fmt::format("unknown catalogue folder '{}'", word),
         near.empty() ? fmt::format("known are {}", kKnown) : fmt::format("did you mean '{}'?", near));
    return false;
  }

  void read_file_of(const std::string& kind, const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    if (name.starts_with('.')) return;
    if (std::filesystem::is_directory(file)) {
      diagnostics_.warning({file.string(), 0, 0}, "", "a folder within a catalogue folder is not read",
                           fmt::format("put its files into {}", kind));
      return;
    }
    if (file.extension() != ".yaml") {
      if (looks_like_yaml(file)) fail(file, "a catalogue file is called NAME.yaml");
      return;
    }
    std::string text = read_file(file);
    if (sources_ != nullptr) (*sources_)[file.string()] = text;
    const std::string path = fmt::format("{}/{}", kind, name);
    if (builtin_.count(path) != 0)
      diagnostics_.add({Severity::note,
                        {file.string(), 0, 0},
                        "",
                        fmt::format("replaces the built-in entry '{}' of {}", file.stem().string(), kind),
                        "",
                        1});
    files.push_back({path, file.string(), std::move(text)});
  }

  Diagnostics& diagnostics_;
  std::map<std::string, std::string>* sources_;
  std::set<std::string> builtin_;

 public:
  std::vector<Catalog::File> files;
};

}  // namespace

Catalog Catalog::with_folder(const std::filesystem::path& folder, Diagnostics& diagnostics,
                             std::map<std::string, std::string>* sources, const std::string& today) {
  Folder all(diagnostics, sources);
  all.read(folder);
  Catalog extended = from_files(all.files, diagnostics, today);
  extended.extended_ = true;
  return extended;
}

}  // namespace fleetsim
