#include "scenarios/measured/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "scenarios/loader/document.hpp"
#include "scenarios/loader/figure_reader.hpp"
#include "sim/base/assert.hpp"
#include "sim/base/embedded.hpp"
#include "sim/study/files.hpp"

namespace fleetsim {

std::span<const EmbeddedFile> embedded_catalog();  // generated, see .cmake/embed.cmake

namespace {

using namespace figure;

/// The entry's names, each new.
template <class T>
std::vector<std::string> read_names(Reader& entry, const std::map<std::string, T, std::less<>>& known) {
  std::vector<std::string> names;
  auto list = entry.require("names");
  if (!list) return names;
  for (const Reader& item : list->one_or_many()) {
    const std::string name = item.text().value_or("");
    if (known.contains(name)) item.error(fmt::format("'{}' is there already", name));
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

std::string choose(Reader& entry, const std::string& key, const Catalog& catalog, CatalogKind kind,
                   const char* what) {
  const auto value = entry.find(key);
  if (!value) return {};
  const std::vector<std::string> names = catalog.names(kind);
  const auto i = value->choose(names, what);
  return i ? names[*i] : std::string{};
}

template <class T, class Get>
std::optional<T> maybe(Reader& entry, const std::string& key, const Get& get) {
  Figure<T> figure;
  if (!optional_figure(entry, key, get, figure)) return std::nullopt;
  return figure.value;
}

void read_systems(Reader& list, const Catalog& catalog, MeasuredNames& out) {
  for (Reader& entry : list.items()) {
    if (!entry.expect_map()) continue;
    MeasuredSystem system;
    const std::vector<std::string> names = read_names(entry, out.systems);
    need(entry, "node");
    system.node = choose(entry, "node", catalog, CatalogKind::nodes, "node");
    system.link = choose(entry, "link", catalog, CatalogKind::links, "link");
    if (!system.link.empty()) system.adapters = kCount(entry, "adapters").value_or(1);
    system.torus = entry.boolean("torus").value_or(false);
    system.from = read_provenance(entry);
    entry.accept("note");
    entry.finish();
    for (const std::string& name : names) out.systems.emplace(name, system);
  }
}

void read_models(Reader& list, const Catalog& catalog, MeasuredNames& out) {
  for (Reader& entry : list.items()) {
    if (!entry.expect_map()) continue;
    MeasuredModel model;
    const std::vector<std::string> names = read_names(entry, out.models);
    need(entry, "model");
    model.model = choose(entry, "model", catalog, CatalogKind::models, "model");
    model.batch = maybe<double>(entry, "batch", number_in(1e-3, 1e12));
    model.global_batch = maybe<double>(entry, "global_batch", number_in(1e-3, 1e12));
    model.accumulation = maybe<int>(entry, "accumulation_steps", kCount);
    model.overlap = entry.boolean("overlap");
    model.steps = maybe<double>(entry, "steps_to_target", number_in(1e-3, 1e12));
    model.kernels = maybe<double>(entry, "kernels_per_step", number_in(1e-3, 1e12));
    model.from = read_provenance(entry);
    entry.accept("note");
    entry.finish();
    for (const std::string& name : names) out.models.emplace(name, model);
  }
}

}  // namespace

MeasuredNames MeasuredNames::from_files(const std::vector<Catalog::File>& files, const Catalog& catalog,
                                        Diagnostics& diagnostics) {
  MeasuredNames out;
  for (const Catalog::File& file : files) {
    const YamlPtr document = parse_yaml(file.shown, file.text, diagnostics);
    if (document == nullptr) continue;
    ReadContext context(diagnostics);
    Reader reader(context, document);
    if (!reader.expect_map()) continue;
    if (auto systems = reader.find("systems")) read_systems(*systems, catalog, out);
    if (auto models = reader.find("models")) read_models(*models, catalog, out);
    reader.finish();
  }
  return out;
}

namespace {

std::vector<Catalog::File> embedded_names() {
  std::vector<Catalog::File> files;
  for (const EmbeddedFile& file : embedded_catalog()) {
    if (!file.path.starts_with("measured/")) continue;
    files.push_back({std::string(file.path), fmt::format("catalog/{}", file.path), std::string(file.text)});
  }
  return files;
}

}  // namespace

const MeasuredNames& MeasuredNames::builtin() {
  static const MeasuredNames names = [] {
    Diagnostics diagnostics;
    MeasuredNames all = from_files(embedded_names(), Catalog::builtin(), diagnostics);
    FLEETSIM_ASSERT(!diagnostics.has_errors());
    return all;
  }();
  return names;
}

MeasuredNames MeasuredNames::with_folder(const std::filesystem::path& folder, const Catalog& catalog,
                                         Diagnostics& diagnostics) {
  std::vector<Catalog::File> files = embedded_names();
  std::vector<std::filesystem::path> own;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder / "measured", error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".yaml") own.push_back(it->path());
  }
  std::sort(own.begin(), own.end());
  for (const std::filesystem::path& path : own) files.push_back({"", path.string(), read_file(path)});
  return from_files(files, catalog, diagnostics);
}

}  // namespace fleetsim
