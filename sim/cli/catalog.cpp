// `fleetsim catalog list [KIND]` and `catalog show NAME`: what hardware and prices fleetsim knows, and from
// where.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/loader/catalog.hpp"
#include "sim/cli/catalog_entry.hpp"
#include "sim/cli/command.hpp"

namespace fleetsim::cli {
namespace {

/// Columns as wide as their widest cell; columns named in `right` are flush right.
std::string table(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& right) {
  std::vector<std::size_t> width(right.size());
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  std::string out;
  for (const auto& row : rows) {
    std::string text = " ";
    for (std::size_t c = 0; c < row.size(); ++c)
      text += right[c] ? fmt::format(" {:>{}}", row[c], width[c]) : fmt::format(" {:<{}}", row[c], width[c]);
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + '\n';
  }
  return out;
}

std::string money_cell(Money money, bool priced, bool estimate) {
  return priced ? (estimate ? "~" : "") + usd_text(to_usd(money)) : "unpriced";
}
template <class T, class Convert>
std::string cell(const Figure<T>& f, const Convert& convert) {
  return f.from.source.empty() ? "-" : (f.from.estimate ? "~" : "") + digits(convert(f.value));
}

struct Listing {
  std::vector<bool> right;  ///< columns that are flush right
  std::vector<std::vector<std::string>> rows;
};

Listing list_gpus(const Catalog& c) {
  Listing t{{false, false, true, true, true, true, false, true},
            {{"gpu", "title", "memory GB", "GB/s", "TFLOP/s", "W", "P2P", "price USD"}}};
  for (const std::string& n : c.names(CatalogKind::gpus)) {
    const GpuType& g = *c.gpu(n);
    const std::string rate = cell(g.tensor_flops, [](double v) { return OrderedJson(v / 1e12); });
    t.rows.push_back({n, g.title, cell(g.memory, kGb), cell(g.memory_bandwidth, kGbs),
                      g.tensor_cores ? rate : "none", cell(g.board_power, kWatts),
                      (g.peer_to_peer_from.estimate ? "~" : "") + std::string(g.peer_to_peer ? "yes" : "no"),
                      money_cell(g.price.value, g.priced, g.price.from.estimate)});
  }
  return t;
}

std::string node_price_cell(const NodeType& node) {
  return node.rented() ? fmt::format("rented {}/h", usd_text(to_usd(node.cloud_rate.value)))
                       : money_cell(node.price(), node.priced(), price_estimated(node));
}

Listing list_nodes(const Catalog& c) {
  Listing t{{false, false, false, false, false, true, true, true},
            {{"node", "GPUs", "PCIe", "GPU links", "cooling", "W at load", "U", "price USD"}}};
  for (const std::string& n : c.names(CatalogKind::nodes)) {
    const NodeType& node = *c.node(n);
    const double load = node.base_power_load.value.count() + node.gpus * node.gpu.board_power.value.count();
    t.rows.push_back({n, fmt::format("{}x {}", node.gpus, node.gpu.name),
                      fmt::format("{} {}", node.pcie.name, to_string(node.pcie_topology)),
                      to_string(node.gpu_links), to_string(node.cooling),
                      (node.base_power_load.from.estimate ? "~" : "") + digits(load),
                      fmt::format("{}", node.rack_units), node_price_cell(node)});
  }
  return t;
}

Listing list_links(const Catalog& c) {
  Listing t{{false, false, false, true, true, true, true, true},
            {{"link", "title", "kind", "wire GB/s", "usable GB/s", "ports", "switch USD", "adapter USD"}}};
  for (const std::string& n : c.names(CatalogKind::links)) {
    const LinkType& l = *c.link(n);
    const bool net = l.kind == LinkKind::network;
    const bool switched = net && l.switch_ports > 0;
    t.rows.push_back(
        {n, l.title, to_string(l.kind), cell(l.wire_rate, kGbs), cell(l.usable_rate, kGbs),
         switched ? fmt::format("{}{}", l.switch_ports_from.estimate ? "~" : "", l.switch_ports) : "",
         switched ? money_cell(l.switch_price.value, l.switch_priced, l.switch_price.from.estimate) : "",
         net ? money_cell(l.adapter_price.value, l.adapter_priced, l.adapter_price.from.estimate) : ""});
  }
  return t;
}

Listing list_models(const Catalog& c) {
  Listing t{{false, false, true, true, false, true, true, false},
            {{"model", "domain", "parameters M", "gradient MB", "measured on", "batch", "throughput", ""}}};
  for (const std::string& n : c.names(CatalogKind::models)) {
    const ModelType& m = *c.model(n);
    t.rows.push_back({n, m.domain, cell(m.parameters, [](double v) { return OrderedJson(v / 1e6); }),
                      cell(m.gradient, kMb), m.reference_gpu, cell(m.batch_per_gpu, kPlain),
                      cell(m.reference_throughput, kPlain), m.throughput_unit + "/s"});
  }
  return t;
}

Listing list_prices(const Catalog& c) {
  Listing t{{false, true, false}, {{"price", "value", ""}}};
  for (const std::string& n : c.names(CatalogKind::prices)) {
    for (const ShownFigure& f : catalog_entry(c, CatalogKind::prices, n).figures) {
      const bool money = f.unit == "USD";
      t.rows.push_back(
          {n, (f.from.estimate ? "~" : "") + (money ? usd_text(f.value.get<double>()) : digits(f.value)),
           n == "cloud"      ? "USD a GPU-hour: " + f.what
           : n == "embodied" ? "kg CO2e: " + f.what
           : money           ? "USD"
                             : f.what});
    }
  }
  return t;
}

Listing list_systems(const Catalog& c) {
  Listing t{{false, false, true, false, true, false},
            {{"system", "title", "nodes", "node", "GPUs", "fabric"}}};
  for (const std::string& n : c.names(CatalogKind::systems)) {
    const SystemType& s = *c.system(n);
    t.rows.push_back({n, s.title, fmt::format("{}", s.nodes), s.node,
                      fmt::format("{}", s.nodes * c.node(s.node)->gpus),
                      fmt::format("{} {}", to_string(s.fabric.shape), s.fabric.link.name)});
  }
  return t;
}

std::string list_text(const Catalog& c, CatalogKind kind) {
  const auto listing = [&] {
    switch (kind) {
      case CatalogKind::gpus:
        return list_gpus(c);
      case CatalogKind::nodes:
        return list_nodes(c);
      case CatalogKind::links:
        return list_links(c);
      case CatalogKind::models:
        return list_models(c);
      case CatalogKind::prices:
        return list_prices(c);
      case CatalogKind::systems:
        return list_systems(c);
    }
    return Listing{};
  }();
  return fmt::format("{}\n{}", std::string(to_string(kind)), table(listing.rows, listing.right));
}

// --- the command ---

constexpr CatalogKind kKinds[] = {CatalogKind::gpus,   CatalogKind::nodes,  CatalogKind::links,
                                  CatalogKind::models, CatalogKind::prices, CatalogKind::systems};

std::string hint_for(const std::string& word, const std::vector<std::string>& known,
                     const std::string& otherwise) {
  const std::string near = did_you_mean(word, known);
  return near.empty() ? otherwise : fmt::format("did you mean '{}'?", near);
}

std::vector<CatalogKind> kinds_asked(const std::string& word) {
  if (word.empty()) return {std::begin(kKinds), std::end(kKinds)};
  std::vector<std::string> known;
  for (const CatalogKind kind : kKinds) {
    if (word == to_string(kind)) return {kind};
    known.emplace_back(to_string(kind));
  }
  throw UsageError(fmt::format("unknown kind '{}'", word),
                   hint_for(word, known, "known are gpus, nodes, links, models, prices and systems"));
}

int list(const Catalog& catalog, const std::string& word, bool json) {
  const std::vector<CatalogKind> kinds = kinds_asked(word);
  OrderedJson all = OrderedJson::object();
  std::string text;
  for (const CatalogKind kind : kinds) {
    if (!text.empty()) text += '\n';
    if (!json) {
      text += list_text(catalog, kind);
      continue;
    }
    OrderedJson entries = OrderedJson::array();
    for (const std::string& name : catalog.names(kind))
      entries.push_back(entry_json(catalog_entry(catalog, kind, name)));
    all[to_string(kind)] = std::move(entries);
  }
  print(json ? all.dump(2) + "\n"
             : text + "\n~ estimate: 'fleetsim catalog show NAME' tells range, basis and sources\n");
  return kFine;
}

int show(const Catalog& catalog, const std::string& name, bool json) {
  if (name.empty()) throw UsageError("'catalog show' needs a name", "see 'fleetsim catalog list'");
  std::vector<std::string> known;
  OrderedJson found = OrderedJson::array();
  std::string text;
  for (const CatalogKind kind : kKinds) {
    for (const std::string& one : catalog.names(kind)) {
      known.push_back(one);
      if (one != name) continue;
      const CatalogEntry entry = catalog_entry(catalog, kind, one);
      found.push_back(entry_json(entry));
      text += (text.empty() ? "" : "\n") + entry_text(entry);
    }
  }
  if (found.empty()) {
    throw UsageError(fmt::format("the catalogue has no entry '{}'", name),
                     hint_for(name, known, "see 'fleetsim catalog list'"));
  }
  print(json ? (found.size() == 1 ? found[0] : found).dump(2) + "\n" : text);
  return kFine;
}

int catalog_command(const Arguments& arguments) {
  CommandLine line(
      "catalog", "list [gpus|nodes|links|models|prices|systems] | show NAME [OPTIONS]",
      "Lists the hardware, models and prices that fleetsim knows; 'show' gives every figure with its\n"
      "range, source and date. --catalog DIR adds to them or replaces entries of the same name; an entry "
      "with\n"
      "based_on: NAME says only what differs from the entry NAME.",
      "fleetsim catalog show supermicro-8x-rtx3090-water");
  namespace po = boost::program_options;
  line.options.add_options()("action", po::value<std::string>(), "")("name", po::value<std::string>(), "")(
      "format", po::value<std::string>()->default_value("text")->value_name("text|json"), "what is printed")(
      "catalog", po::value<std::string>()->value_name("DIR"),
      "folder with gpus/, nodes/, links/, models/, prices/, systems/");
  line.positional.add("action", 1).add("name", 1);
  po::variables_map values;
  if (!line.parse(arguments, values)) return kFine;

  const auto word = [&](const char* key) {
    return values.count(key) ? values[key].as<std::string>() : std::string{};
  };
  const std::string action = word("action"), format = word("format");
  if (action != "list" && action != "show") {
    throw UsageError(
        action.empty() ? "catalog needs 'list' or 'show'" : fmt::format("unknown action '{}'", action),
        hint_for(action, {"list", "show"}, "see 'fleetsim catalog --help'"));
  }
  if (format != "text" && format != "json")
    throw UsageError(fmt::format("unknown format '{}'", format),
                     hint_for(format, {"text", "json"}, "write text or json"));

  std::optional<Catalog> own;
  if (values.count("catalog") != 0) {
    Diagnostics diagnostics;
    std::map<std::string, std::string> sources;
    // For a warning only: no result depends on the date.
    const std::string today = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::chrono::system_clock::now()));
    own = Catalog::with_folder(word("catalog"), diagnostics, &sources, today);
    for (const Diagnostic& d : diagnostics.sorted()) {
      const auto source = sources.find(d.pos.file);
      std::string text = render(d, source == sources.end() ? std::string{} : source->second);
      text.pop_back();  // note() adds the newline
      note(text);
    }
    if (diagnostics.has_errors()) return kWrongInput;
  }
  const Catalog& catalog = own ? *own : Catalog::builtin();
  return action == "list" ? list(catalog, word("name"), format == "json")
                          : show(catalog, word("name"), format == "json");
}

const RegisterCommand kCatalog{{"catalog", "lists hardware, models and prices with their sources", 80, catalog_command}};

}  // namespace
}  // namespace fleetsim::cli
