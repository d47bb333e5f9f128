#include "scenarios/loader/catalog.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "scenarios/loader/catalog_base.hpp"
#include "scenarios/loader/catalog_folder.hpp"
#include "scenarios/loader/catalog_records.hpp"
#include "sim/base/assert.hpp"

namespace fleetsim {

std::vector<Catalog::File> embedded_files() {
  std::vector<Catalog::File> files;
  for (const EmbeddedFile& file : embedded_catalog())
    files.push_back({std::string(file.path), fmt::format("catalog/{}", file.path), std::string(file.text)});
  return files;
}

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
    case CatalogKind::systems:
      return "systems";
  }
  return "";
}

/// Reads files kind by kind, so that whatever a record names has been read before it.
struct Catalog::Builder {
  Catalog& catalog;
  Diagnostics& diagnostics;
  std::string today;
  std::map<std::string, const File*> files{};  ///< KIND/NAME
  Broken broken{};
  std::map<std::string, YamlPtr> trees{};  ///< KIND/NAME -> its text with what it inherits; null: has faults
  std::vector<const File*> replacing{};    ///< files of a name that was there already
  std::map<std::string, YamlPtr> named{};  ///< KIND/NAME -> where its text names its base
  std::vector<std::string> chain{};        ///< entries whose base is being looked for

  void read(CatalogKind kind) {
    const std::string folder = fmt::format("{}/", to_string(kind));
    for (const auto& [path, file] : files) {
      if (path.compare(0, folder.size(), folder) != 0) continue;
      const std::string name = path.substr(folder.size());
      if (!read_one(kind, name)) broken.insert(path);
    }
  }

  /// Trees of advice name hardware of every kind, so they come last.
  void read_advice() {
    for (const auto& [path, file] : files) {
      if (!path.starts_with("advice/")) continue;
      const std::string name = path.substr(std::string_view("advice/").size());
      const YamlPtr document = tree("advice", name);
      if (document == nullptr) continue;
      ReadContext context(diagnostics);
      context.today = today;
      Reader reader(context, document);
      if (reader.expect_map()) keep(catalog.advice_, name, read_advice_tree(reader, name, catalog, broken));
    }
  }

  /// The document of an entry on top of its base; null when either has faults, which are reported once.
  YamlPtr tree(const std::string& kind, const std::string& name) {
    const std::string path = fmt::format("{}/{}", kind, name);
    if (const auto known = trees.find(path); known != trees.end()) return known->second;
    const File& file = *files.at(path);
    YamlPtr document = parse_yaml(file.shown, file.text, diagnostics);
    const YamlPtr base = document == nullptr ? nullptr : base_of(*document);
    if (base != nullptr && base->kind != YamlNode::Kind::scalar) {
      diagnostics.error(base->pos, "based_on", "'based_on' must be the name of one entry",
                        fmt::format("write 'based_on: NAME'; 'fleetsim catalog list {}' lists names", kind),
                        base->width);
      document = nullptr;
    } else if (base != nullptr) {
      named[path] = base;
      chain.push_back(name);
      const YamlPtr below = base_tree(kind, *base);
      chain.pop_back();
      document = below == nullptr ? nullptr : inherit(*below, *document, name, diagnostics);
      if (document != nullptr) catalog.bases_[path] = base->text;
    }
    trees[path] = document;
    return document;
  }

  YamlPtr base_tree(const std::string& kind, const YamlNode& base) {
    const auto fail = [&](const std::string& message, const std::string& hint) {
      diagnostics.error(base.pos, "based_on", message, hint, base.width);
      return nullptr;
    };
    if (base.text == chain.back())
      return fail(fmt::format("'{}' is based on itself", base.text), "give the new entry a name of its own");
    if (const auto loop = std::find(chain.begin(), chain.end(), base.text); loop != chain.end())
      return fail(fmt::format("entries are based on each other in a circle: {} -> {}",
                              fmt::join(loop, chain.end(), " -> "), base.text),
                  "one of them must stand alone");
    if (files.count(fmt::format("{}/{}", kind, base.text)) == 0) {
      std::vector<std::string> known;
      for (const auto& entry : files)
        if (entry.first.starts_with(kind + "/")) known.push_back(entry.first.substr(kind.size() + 1));
      const std::string near = did_you_mean(base.text, known);
      return fail(fmt::format("{} has no entry '{}' to start from", kind, base.text),
                  near.empty() ? fmt::format("see 'fleetsim catalog list {}'", kind)
                               : fmt::format("did you mean '{}'?", near));
    }
    return tree(kind, base.text);
  }

  bool read_one(CatalogKind kind, const std::string& name) {
    Diagnostics said;
    const bool kept = read_record(kind, name, said);
    if (!said.empty()) tell(kind, name, said);
    return kept;
  }

  /// What is wrong with an entry, at its own file: what it inherits is at fault only together with what the
  /// file changes, so the place is where the file names its base.
  void tell(CatalogKind kind, const std::string& name, const Diagnostics& said) {
    const std::string path = fmt::format("{}/{}", to_string(kind), name);
    const auto base = named.find(path);
    if (base == named.end()) {
      const File* cause = replaced_in(*files.at(path));
      for (Diagnostic d : said.sorted()) {
        if (cause != nullptr) {
          d.message += fmt::format("; so says {}, line {}, with this entry", d.pos.file, d.pos.line);
          d.pos = {cause->shown, 1, 1};
          d.width = 1;
        }
        diagnostics.add(d);
      }
      return;
    }
    const std::set<std::string> known = said_of_base(kind, base->second->text);
    for (Diagnostic d : said.sorted()) {
      if (d.pos.file == files.at(path)->shown) {
        diagnostics.add(d);
        continue;
      }
      if (known.contains(identity(d))) continue;  // told of the base itself
      d.message += fmt::format("; inherited from {}, line {}", d.pos.file, d.pos.line);
      d.pos = base->second->pos;
      d.width = base->second->width;
      diagnostics.add(d);
    }
  }

  /// An entry that was read before and has no fault by itself: the later file of a name that it uses.
  const File* replaced_in(const File& file) const {
    if (file.shown != fmt::format("catalog/{}", file.path)) return nullptr;  // of the user's own
    for (const File* other : replacing) {
      if (other != &file &&
          file.text.find(std::filesystem::path(other->path).stem().string()) != std::string::npos)
        return other;
    }
    return nullptr;
  }

  static std::string identity(const Diagnostic& d) {
    return fmt::format("{}:{}:{}:{}", d.pos.file, d.pos.line, d.pos.column, d.message);
  }

  std::set<std::string> said_of_base(CatalogKind kind, const std::string& base) {
    const Catalog before = catalog;
    Diagnostics said;
    static_cast<void>(read_record(kind, base, said));
    catalog = before;
    std::set<std::string> known;
    for (const Diagnostic& d : said.sorted()) known.insert(identity(d));
    return known;
  }

  bool read_record(CatalogKind kind, const std::string& name, Diagnostics& said) {
    const YamlPtr document = tree(to_string(kind), name);
    if (document == nullptr) return false;
    ReadContext context(said);
    context.today = today;
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
      case CatalogKind::systems:
        return keep(catalog.systems_, name, read_system(reader, name, catalog, broken));
      case CatalogKind::prices:
        if (name == "cloud" ? !read_cloud_rates(reader, catalog, catalog.cloud_rates_)
                            : !read_price(reader, name, catalog.prices_))
          return false;
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

Catalog Catalog::from_files(const std::vector<File>& files, Diagnostics& diagnostics,
                            const std::string& today) {
  Catalog catalog;
  Builder builder{catalog, diagnostics, today};
  for (const File& file : files) {
    const std::filesystem::path path = file.path;
    const File*& place = builder.files[(path.parent_path() / path.stem()).string()];
    if (place != nullptr) builder.replacing.push_back(&file);
    place = &file;
  }
  for (const CatalogKind kind : kKindsToRead) builder.read(kind);
  builder.read_advice();
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

const SystemType* Catalog::system(std::string_view name) const {
  return find_in(systems_, name);
}

const AdviceTree* Catalog::advice(std::string_view name) const {
  return find_in(advice_, name);
}

std::vector<std::string> Catalog::advice_names() const {
  std::vector<std::string> out;
  for (const auto& entry : advice_) out.push_back(entry.first);
  return out;
}

std::string Catalog::based_on(CatalogKind kind, const std::string& name) const {
  const auto base = bases_.find(fmt::format("{}/{}", to_string(kind), name));
  return base == bases_.end() ? std::string{} : base->second;
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
    case CatalogKind::systems:
      collect(systems_);
      break;
  }
  return out;
}

}  // namespace fleetsim
