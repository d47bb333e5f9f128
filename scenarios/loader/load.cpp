#include "scenarios/loader/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "scenarios/loader/document_load.hpp"
#include "scenarios/loader/sections.hpp"
#include "scenarios/loader/source_text.hpp"
#include "scenarios/loader/variants.hpp"
#include "sim/economics/economics.hpp"
#include "sim/study/files.hpp"
#include "topology/fabric_plan.hpp"

namespace fleetsim {

namespace {

/// Whether every sum of the scenario's money stays far below what 64-bit micro-USD hold (9.2e12 USD).
void check_magnitude(Reader& file, const Scenario& scenario) {
  const EconomicsSpec& e = scenario.economics;
  double once = to_usd(e.delivery) + to_usd(e.storage), a_year = 0.0, peak_kw = 0.0;
  for (const NodePool& pool : scenario.pools) {
    for (const PricePart& part : pool.node.price_parts)
      once += to_usd(part.unit_price.value) * part.quantity * pool.count;
    a_year += pool.node.gpus * to_usd(pool.node.cloud_rate.value) * kHoursPerYear * pool.count;
    peak_kw += load_power(pool).count() / 1000.0 * pool.count;
  }
  for (const GivenPrice& given : scenario.prices.given) once += to_usd(given.price.value) * given.quantity;
  once *= (1.0 + e.installation) * (1.0 + e.tax) * (1.0 + e.contingency);
  if (e.staff) a_year += e.staff->fte * to_usd(e.staff->salary);
  a_year += to_usd(e.colocation_per_kw_month) * 12.0 * peak_kw + once * e.support.value_or(0.0);
  a_year += to_usd(Money{scenario.site.electricity.count()}) * peak_kw * scenario.site.pue * kHoursPerYear;
  constexpr double kMostUsd = 1e12;
  if (const double all = once + a_year * e.years; !(all < kMostUsd)) {
    file.error(fmt::format("purchase and use cost about {:.3g} USD, more than can be counted ({:.0e} USD)",
                           all, kMostUsd),
               "a price, a count, a salary or a rate is too large");
  }
}

/// Counts from the budget or as given; what does not work out is placed at what asked for it.
void resolve_fleet(Reader& file, Scenario& scenario) {
  auto fleet = file.find("fleet");
  auto budget = file.find("budget");
  auto capital = budget ? budget->find("capital") : std::nullopt;
  if (!capital && scenario.request.counts.empty() && bought_pools(scenario) > 0) {
    fleet->error_at_key("a split of the budget needs 'budget.capital'", "or give the fleet 'counts'");
    return;
  }
  const auto fail = [&](const std::string& problem) {
    if (capital && problem.find("budget") != std::string::npos) {
      capital->error(problem);
    } else if (auto asked = fleet->find(fleet->has("counts") ? "counts" : "split")) {
      asked->error_at_key(problem);
    } else {
      fleet->error_at_key(problem);
    }
  };
  // A fabric that not even one node fits is no matter of the budget.
  if (auto fabric = file.find("fabric"); fabric && !scenario.pools.empty()) {
    const FabricPlan one = plan_fabric(scenario.fabric, 1, scenario.pools.front().node.gpus);
    if (!one.problem.empty()) return fabric->error_at_key(one.problem);
  }
  try {
    const Resolved resolved = resolve(scenario);
    for (const std::string& problem : resolved.problems) fail(problem);
    for (std::size_t i = 0; i < scenario.pools.size(); ++i) scenario.pools[i].count = resolved.counts[i];
    check_magnitude(file, scenario);
    if (!resolved.problems.empty()) return;
    check_deliveries(file, scenario);
    if (capital && !scenario.request.share.empty() && resolved.fabric_is_full) {
      file.context().diagnostics.warning(
          capital->position(), capital->path(),
          fmt::format(
              "the fabric has no port for a further node, so {} stay unspent and the split is not reached",
              money_text(resolved.unspent)),
          "another fabric, or a smaller budget");
    }
    std::vector<const NodeType*> nodes;
    for (const NodePool& pool : scenario.pools)
      nodes.insert(nodes.end(), static_cast<std::size_t>(pool.count), &pool.node);
    static_cast<void>(Fabric::build(scenario.fabric, nodes));
  } catch (const std::invalid_argument& e) {
    auto fabric = file.find("fabric");
    (fabric ? *fabric : *fleet).error_at_key(e.what());
  }
}

/// All sections. The result says whether the fleet can be resolved to whole nodes.
bool read_sections(Reader& file, Draft& draft, const Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  read_exchange(file, draft);
  file.context().exchange = &draft.exchange;
  read_head(file, draft);
  read_fleet(file, draft);
  read_fabric(file, draft);
  read_site(file, draft);
  read_economics(file, draft);
  read_prices(file, draft);
  // A pool without its node, a fabric without its link: the catalogue's entry is faulty, which was told
  // there.
  const auto& pools = draft.scenario.pools;
  const bool nodes_known =
      std::none_of(pools.begin(), pools.end(), [](const NodePool& pool) { return pool.node.name.empty(); });
  const FabricSpec& fabric = draft.scenario.fabric;
  const bool link_known = fabric.shape == FabricShape::none || !fabric.link.name.empty();
  const bool fleet_is_sound =
      diagnostics.errors() == before && file.has("fleet") && nodes_known && link_known;
  read_scheduler(file, draft);
  read_workload(file, draft);
  read_failures(file, draft);
  read_burst(draft);
  read_study(file, draft);
  read_advice(file, draft);
  tell_dates(draft);
  file.finish();
  return fleet_is_sound;
}

/// A path that is given twice, or below a map that is given later: the first value would be lost unseen.
void check_repeated(const std::vector<std::string>& set, Diagnostics& diagnostics) {
  const auto path_of = [](const std::string& assignment) {
    return assignment.substr(0, assignment.find('='));
  };
  for (std::size_t j = 1; j < set.size(); ++j) {
    const std::string later = path_of(set[j]);
    for (std::size_t i = 0; i < j; ++i) {
      if (!lies_below(path_of(set[i]), later)) continue;
      const bool same = path_of(set[i]) == later;
      diagnostics.error({"--set", 0, 0}, later,
                        same ? fmt::format("'{}' is set twice, by '{}' and '{}'", later, set[i], set[j])
                             : fmt::format("'{}' replaces what '{}' set before", set[j], set[i]),
                        same ? "leave one of them out" : "give the map first, or all in one map");
      break;
    }
  }
}

Draft draft_for(const Catalog& catalog, const std::string& file, bool open_files) {
  Draft draft{catalog, std::filesystem::path(file).parent_path(), {}, {}, {}, {}, open_files, {}};
  draft.scenario.prices = catalog.prices();
  return draft;
}

/// A value that an option replaces is still checked: a file must not be wrong because nobody looks.
void check_replaced(const YamlPtr& root, const std::vector<std::string>& set, Draft draft,
                    Diagnostics& diagnostics) {
  Diagnostics all;
  ReadContext context(all);
  context.schema = &scenario_schema();
  Reader file(context, root);
  if (!file.is_map()) return;
  static_cast<void>(read_sections(file, draft, all));
  for (const Diagnostic& d : all.sorted()) {
    const bool replaced = std::any_of(set.begin(), set.end(), [&](const std::string& assignment) {
      return lies_below(d.path, assignment.substr(0, assignment.find('=')));
    });
    if (replaced) diagnostics.add(d);
  }
}

}  // namespace

bool lies_below(const std::string& path, const std::string& at) {
  return path.compare(0, at.size(), at) == 0 &&
         (path.size() == at.size() || path[at.size()] == '.' || path[at.size()] == '[');
}

std::string own_entries(const Draft& draft) {
  return draft.catalog.extended() ? "" : "own entries come with --catalog DIR";
}

std::optional<std::string> catalog_name(Reader& section, const std::string& key, const Draft& draft,
                                        CatalogKind kind, const std::string& what) {
  return section.at(key, [&](const Reader& value) -> std::optional<std::string> {
    if (value.is_scalar() && draft.catalog.is_faulty(kind, value.raw())) return std::nullopt;
    const std::vector<std::string> names = draft.catalog.names(kind);
    const auto i = value.choose(names, what, own_entries(draft));
    return i ? std::optional<std::string>(names[*i]) : std::nullopt;
  });
}

void adopt_faults(const Diagnostics& from, Diagnostics& to) {
  for (Diagnostic d : from.sorted()) {
    if (d.pos.line > 0) d.pos.file += fmt::format(":{}:{}", d.pos.line, d.pos.column);
    d.pos.line = 0;
    to.add(std::move(d));
  }
}

std::optional<LoadedScenario> load_scenario(const std::filesystem::path& file, const LoadOptions& options,
                                            Diagnostics& diagnostics, std::string& source) {
  source = plain_lines(read_file(file));
  return load_scenario_text(file.string(), source, options, diagnostics);
}

std::optional<LoadedScenario> load_document(const YamlPtr& root, const DocumentOptions& options,
                                            Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  ReadContext context(diagnostics);
  context.schema = &scenario_schema();
  context.today = options.today;
  context.future_is_wrong = true;
  Reader reader(context, root);
  Draft draft = draft_for(options.catalog, options.file, options.open_files);
  draft.known_trace = options.known_trace;
  draft.known_trace_file = options.known_trace_file;
  LoadedScenario loaded;
  if (reader.expect_map() && read_sections(reader, draft, diagnostics)) {
    resolve_fleet(reader, draft.scenario);
    check_private_machines(reader, draft.scenario);
    // Demand in money is defined for a sound scenario only.
    if (diagnostics.errors() == before) loaded.demand_set = fulfil_demand(reader, draft);
    if (diagnostics.errors() == before && options.check_axes_with != nullptr)
      check_axes(reader, draft.scenario, options.check_axes_with, options.today);
  }
  if (diagnostics.errors() > before) return std::nullopt;
  loaded.scenario = std::move(draft.scenario);
  loaded.canonical = dump_scenario(loaded.scenario);
  loaded.sha256 = sha256_hex(loaded.canonical);
  return loaded;
}

std::optional<LoadedScenario> load_scenario_text(const std::string& file, const std::string& text,
                                                 const LoadOptions& options, Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  const auto catalog = catalog_with(options.catalog_folder, options.today, diagnostics);
  YamlPtr root = parse_yaml(file, text, diagnostics);
  if (root == nullptr) return std::nullopt;
  if (!options.set.empty()) {
    check_repeated(options.set, diagnostics);
    check_replaced(root, options.set, draft_for(*catalog, file, false), diagnostics);
    for (const std::string& assignment : options.set) set_in_document(root, assignment, diagnostics);
  }
  DocumentOptions document{*catalog};
  document.file = file;
  document.open_files = options.open_files;
  document.today = options.today;
  document.check_axes_with = catalog;
  auto loaded = load_document(root, document, diagnostics);
  if (diagnostics.errors() > before) return std::nullopt;
  return loaded;
}

}  // namespace fleetsim
