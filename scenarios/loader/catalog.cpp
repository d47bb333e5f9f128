#include "scenarios/loader/catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "scenarios/loader/catalog_records.hpp"
#include "sim/base/assert.hpp"
#include "sim/base/embedded.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"

namespace fleetsim {

std::span<const EmbeddedFile> embedded_catalog();  // generated, see .cmake/embed.cmake

namespace {

constexpr CatalogKind kKinds[] = {CatalogKind::gpus, CatalogKind::links, CatalogKind::nodes,
                                  CatalogKind::models, CatalogKind::prices};
/// Folders that belong to features to come; they may stand in a user's folder.
constexpr std::string_view kLater[] = {"mixes", "measured"};

std::vector<Catalog::File> embedded_files() {
  std::vector<Catalog::File> files;
  for (const EmbeddedFile& file : embedded_catalog())
    files.push_back({std::string(file.path), fmt::format("catalog/{}", file.path), std::string(file.text)});
  return files;
}

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

}  // namespace

const char* to_string(CatalogKind kind) {
  switch (kind) {
    case CatalogKind::gpus:
      return "gpus";
    case CatalogKind::nodes:
      return "nodes";
    case CatalogKind::links:
      return "links";
    case CatalogKind::models:
      return "models";
    case CatalogKind::prices:
      return "prices";
  }
  return "";
}

/// Reads files kind by kind, so that whatever a record names has been read before it.
struct Catalog::Builder {
  Catalog& catalog;
  Diagnostics& diagnostics;
  Broken broken;

  void read(CatalogKind kind, const std::map<std::string, const File*>& files) {
    const std::string folder = fmt::format("{}/", to_string(kind));
    for (const auto& [path, file] : files) {
      if (path.compare(0, folder.size(), folder) != 0) continue;
      const std::string name = std::filesystem::path(path).stem().string();
      if (!read_one(kind, name, *file)) broken.insert(folder + name);
    }
  }

  bool read_one(CatalogKind kind, const std::string& name, const File& file) {
    const YamlPtr document = parse_yaml(file.shown, file.text, diagnostics);
    if (document == nullptr) return false;
    ReadContext context(diagnostics);
    Reader reader(context, document);
    if (!reader.expect_map()) return false;
    switch (kind) {
      case CatalogKind::gpus:
        return keep(catalog.gpus_, name, read_gpu(reader, name));
      case CatalogKind::links:
        return keep(catalog.links_, name, read_link(reader, name));
      case CatalogKind::nodes:
        return keep(catalog.nodes_, name, read_node(reader, name, catalog, broken));
      case CatalogKind::models:
        return keep(catalog.models_, name, read_model(reader, name, catalog, broken));
      case CatalogKind::prices:
        if (!read_price(reader, name, catalog.prices_)) return false;
        catalog.price_names_.insert(name);
        return true;
    }
    return false;
  }

  template <class T>
  static bool keep(std::map<std::string, T, std::less<>>& all, const std::string& name,
                   std::optional<T> record) {
    if (record) all.insert_or_assign(name, std::move(*record));
    return record.has_value();
  }
};

Catalog Catalog::from_files(const std::vector<File>& files, Diagnostics& diagnostics) {
  std::map<std::string, const File*> last;
  for (const File& file : files) last[file.path] = &file;
  Catalog catalog;
  Builder builder{catalog, diagnostics, {}};
  for (const CatalogKind kind : kKinds) builder.read(kind, last);
  for (auto& [name, model] : catalog.models_) fill_measured_cards(model, catalog);
  catalog.faulty_ = builder.broken;
  return catalog;
}

const Catalog& Catalog::builtin() {
  static const Catalog catalog = [] {
    Diagnostics diagnostics;
    Catalog all = from_files(embedded_files(), diagnostics);
    FLEETSIM_ASSERT(!diagnostics.has_errors());
    return all;
  }();
  return catalog;
}

Catalog Catalog::with_folder(const std::filesystem::path& folder, Diagnostics& diagnostics,
                             std::map<std::string, std::string>* sources) {
  std::vector<File> files = embedded_files();
  std::vector<std::string> folders;
  for (const CatalogKind kind : kKinds) folders.emplace_back(to_string(kind));
  for (const std::filesystem::path& path : listing(folder)) {
    const std::string kind = path.filename().string();
    if (kind.starts_with('.') || std::count(std::begin(kLater), std::end(kLater), kind) != 0) continue;
    if (!std::filesystem::is_directory(path)) {
      if (path.extension() == ".yaml" || path.extension() == ".yml") {
        diagnostics.error({path.string(), 0, 0}, "",
                          "a catalogue file must lie in gpus, links, nodes, models or prices");
      }
      continue;  // a README, say
    }
    if (std::count(folders.begin(), folders.end(), kind) == 0) {
      const std::string near = did_you_mean(kind, folders);
      diagnostics.error({path.string(), 0, 0}, "", fmt::format("unknown catalogue folder '{}'", kind),
                        near.empty() ? "known are gpus, links, nodes, models and prices"
                                     : fmt::format("did you mean '{}'?", near));
      continue;
    }
    for (const std::filesystem::path& file : listing(path)) {
      if (file.extension() == ".yml")
        diagnostics.error({file.string(), 0, 0}, "", "a catalogue file is called NAME.yaml");
      if (file.extension() != ".yaml") continue;
      std::string text = read_file(file);
      if (sources != nullptr) (*sources)[file.string()] = text;
      files.push_back({fmt::format("{}/{}", kind, file.filename().string()), file.string(), std::move(text)});
    }
  }
  return from_files(files, diagnostics);
}

namespace {

template <class T>
const T* find_in(const std::map<std::string, T, std::less<>>& all, std::string_view name) {
  const auto it = all.find(name);
  return it == all.end() ? nullptr : &it->second;
}

}  // namespace

const GpuType* Catalog::gpu(std::string_view name) const {
  return find_in(gpus_, name);
}
const LinkType* Catalog::link(std::string_view name) const {
  return find_in(links_, name);
}
const NodeType* Catalog::node(std::string_view name) const {
  return find_in(nodes_, name);
}
const ModelType* Catalog::model(std::string_view name) const {
  return find_in(models_, name);
}

bool Catalog::is_faulty(CatalogKind kind, const std::string& name) const {
  return faulty_.contains(fmt::format("{}/{}", to_string(kind), name));
}

std::vector<std::string> Catalog::names(CatalogKind kind) const {
  std::vector<std::string> out;
  const auto collect = [&](const auto& all) {
    for (const auto& entry : all) out.push_back(entry.first);
  };
  switch (kind) {
    case CatalogKind::gpus:
      collect(gpus_);
      break;
    case CatalogKind::links:
      collect(links_);
      break;
    case CatalogKind::nodes:
      collect(nodes_);
      break;
    case CatalogKind::models:
      collect(models_);
      break;
    case CatalogKind::prices:
      out.assign(price_names_.begin(), price_names_.end());
      break;
  }
  return out;
}

}  // namespace fleetsim
