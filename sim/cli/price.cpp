// fleetsim price: what a fleet costs to buy and to run, without simulating it.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "scenarios/loader/load.hpp"
#include "sim/base/units.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/findings_text.hpp"
#include "sim/cli/price_rent.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/table.hpp"
#include "sim/economics/economics.hpp"
#include "sim/study/finding_json.hpp"

namespace fleetsim::cli {

namespace {

namespace po = boost::program_options;
using Json = nlohmann::json;

constexpr int kYears = 3;

struct PriceArguments {
  std::string scenario, format, catalog;
  std::vector<std::string> set;
  std::optional<double> utilisation;
};

/// Empty: --help was printed.
std::optional<PriceArguments> parse(const Arguments& arguments) {
  CommandLine line("price", "SCENARIO [options]",
                   "Bill of materials, cost by year and cost of a GPU-hour of the scenario's fleet, without\n"
                   "simulating it. Exit code 1 when something on the bill has no price.",
                   "fleetsim price scenarios/lab-66-33.yaml --utilisation '50 %'");
  PriceArguments a;
  std::string utilisation;
  line.options.add_options()("scenario", po::value(&a.scenario), "")(
      "utilisation", po::value(&utilisation)->value_name("U"),
      "allocated share of the GPUs' time, e.g. '50 %' or 0.5; default: what the workload keeps busy of "
      "this fleet, at most 1")("set", po::value(&a.set)->composing()->value_name("PATH=VALUE"),
                               "changes a key of the scenario; repeatable")(
      "format", po::value(&a.format)->default_value("text")->value_name("text|json"), "what is printed")(
      "catalog", po::value(&a.catalog)->value_name("DIR"), "added to the built-in catalogue");
  line.positional.add("scenario", 1);
  po::variables_map values;
  if (!line.parse(arguments, values)) return std::nullopt;
  const std::string see = "see 'fleetsim price --help'";
  if (a.scenario.empty()) throw UsageError("which scenario?", see);
  if (a.format != "text" && a.format != "json")
    throw UsageError(fmt::format("--format '{}' is neither text nor json", a.format), see);
  if (values.count("utilisation") != 0) {
    const Parsed<double> parsed = parse_ratio(utilisation);
    if (const auto* fault = std::get_if<UnitError>(&parsed))
      throw UsageError(fmt::format("--utilisation: {}", fault->message), fault->hint);
    const double value = std::get<double>(parsed);
    if (!(value >= 0.0 && value <= 1.0)) throw UsageError("--utilisation must lie between 0 and 100 %", see);
    a.utilisation = value;
  }
  return a;
}

struct Priced {
  Bill bill;
  OfferedLoad demand;
  CostTable cost;
  double utilisation = 0.0;
  std::string utilisation_basis;
  int gpus = 0;
  double kwh_year = 0.0;
  std::vector<Money> opex_by_year;
  std::optional<Money> gpu_hour;  ///< none: no GPU-hour is used
};

Priced price_of(const Scenario& scenario, std::optional<double> utilisation) {
  Priced out;
  out.bill = bill_of_materials(scenario);
  out.demand = offered_load(scenario);
  if (!utilisation) utilisation = scenario.economics.utilisation;
  out.utilisation = utilisation.value_or(std::min(1.0, out.demand.fleet_load));
  out.utilisation_basis = utilisation                   ? "as given"
                          : out.demand.fleet_load > 1.0 ? "load of this fleet, capped at 1"
                                                        : "load of this fleet";
  const Watts power = mean_power(scenario, std::vector<double>(scenario.pools.size(), out.utilisation));
  out.cost = cost_by_year(scenario, out.bill, power, kYears);
  out.kwh_year = power.count() * scenario.site.pue * kHoursPerYear / 1000.0;
  for (const NodePool& pool : scenario.pools) out.gpus += pool.count * pool.node.gpus;
  for (int year = 0; year < kYears; ++year) {
    const auto y = static_cast<std::size_t>(year);
    out.opex_by_year.push_back(out.cost.total_by_year[y] - (year == 0 ? out.bill.total : Money{}));
  }
  const double hours = kYears * static_cast<double>(kHoursPerYear) * out.gpus * out.utilisation;
  if (hours > 0.0) out.gpu_hour = scaled(out.cost.total, 1.0 / hours);
  return out;
}

Json usd_json(Money money) {
  return to_usd(money);
}

Json usd_json(const std::vector<Money>& all) {
  Json array = Json::array();
  for (const Money money : all) array.push_back(to_usd(money));
  return array;
}

std::string json_text(const Scenario& scenario, const Priced& priced) {
  Json bill = Json::array();
  for (const BillLine& line : priced.bill.lines) {
    const Figure<Money>& price = line.unit_price;
    Json row = {{"item", line.item},
                {"group", line.group},
                {"quantity", line.quantity},
                {"unit_price", line.priced ? usd_json(price.value) : Json(nullptr)},
                {"total", line.priced ? usd_json(line.total()) : Json(nullptr)},
                {"source", price.from.source},
                {"as_of", price.from.as_of},
                {"estimate", price.from.estimate}};
    if (!line.settled.empty()) row["settled"] = line.settled;
    if (price.from.estimate) {
      row["low"] = usd_json(price.low);
      row["high"] = usd_json(price.high);
    }
    bill.push_back(std::move(row));
  }
  Json counts = Json::object();
  for (const NodePool& pool : scenario.pools) counts[pool.name] = pool.count;
  Json lines = Json::array();
  for (const CostLine& line : priced.cost.lines) {
    lines.push_back({{"item", line.item},
                     {"by_year", usd_json(line.by_year)},
                     {"basis", line.basis},
                     {"estimate", line.estimate}});
  }
  Json out = {{"scenario", scenario.name},
              {"currency", "USD"},
              {"counts", std::move(counts)},
              {"gpus", priced.gpus},
              {"bill", std::move(bill)},
              {"unpriced", priced.bill.unpriced},
              {"node_money", usd_json(priced.bill.node_money)},
              {"fixed_money", usd_json(priced.bill.fixed_money)},
              {"capex", usd_json(priced.bill.total)},
              {"budget", scenario.budget > Money{} ? usd_json(scenario.budget) : Json(nullptr)},
              {"opex_by_year", usd_json(priced.opex_by_year)},
              {"cost_by_year", std::move(lines)},
              {"total_by_year", usd_json(priced.cost.total_by_year)},
              {"total", usd_json(priced.cost.total)},
              {"kwh_year", priced.kwh_year},
              {"peak_power_w", peak_power_at_meter(scenario).count()},
              {"utilisation", priced.utilisation},
              {"utilisation_basis", priced.utilisation_basis},
              {"offered_load", priced.demand.load},
              {"fleet_load", priced.demand.fleet_load},
              {"s", priced.demand.s},
              {"cost_per_gpu_hour", priced.gpu_hour ? usd_json(*priced.gpu_hour) : Json(nullptr)},
              {"findings", findings_json(facility::check(scenario))}};
  add_own_or_rent(out, scenario, priced.utilisation);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string marked(const std::string& item, bool estimate) {
  return estimate ? item + " *" : item;
}

std::string bill_text(const Bill& bill) {
  std::vector<std::vector<std::string>> rows = {{"for", "item", "quantity", "unit price", "total"}};
  for (const BillLine& line : bill.lines) {
    const bool priced = line.priced;
    rows.push_back({line.group, marked(line.item, line.unit_price.from.estimate),
                    fmt::format("{}", line.quantity),
                    !line.settled.empty() ? line.settled
                    : priced              ? money_text(line.unit_price.value)
                                          : "unpriced",
                    priced ? money_text(line.total()) : "unpriced"});
  }
  rows.push_back({"", "nodes with their network adapters", "", "", money_text(bill.node_money)});
  rows.push_back({"", "shared equipment", "", "", money_text(bill.fixed_money)});
  rows.push_back({"", "purchase", "", "", money_text(bill.total)});
  return "Bill of materials (* estimate: no public price)\n" + aligned(rows, 2);
}

std::string cost_text(const CostTable& cost) {
  std::vector<std::vector<std::string>> rows = {{"item"}};
  for (int year = 1; year <= kYears; ++year) rows[0].push_back(fmt::format("year {}", year));
  rows[0].emplace_back("total");
  const auto row = [&](const std::string& item, const std::vector<Money>& by_year) {
    std::vector<std::string> cells = {item};
    Money sum;
    for (const Money money : by_year) {
      cells.push_back(money_text(money));
      sum += money;
    }
    cells.push_back(money_text(sum));
    rows.push_back(std::move(cells));
  };
  for (const CostLine& line : cost.lines) row(marked(line.item, line.estimate), line.by_year);
  row("all", cost.total_by_year);
  std::string text = "Cost by year (* rests on an estimate)\n" + aligned(rows, 1);
  for (const CostLine& line : cost.lines) text += fmt::format("  {}: {}\n", line.item, line.basis);
  return text;
}

/// "GPU", "chip", or "accelerator" for a fleet of both.
std::string accelerator_word(const Scenario& scenario) {
  std::string word;
  for (const NodePool& pool : scenario.pools) {
    if (pool.count == 0) continue;
    const std::string own = fleetsim::accelerator_word(pool.node.gpu);
    if (!word.empty() && word != own) return "accelerator";
    word = own;
  }
  return word.empty() ? "GPU" : word;
}

std::string peak_power_text(const Scenario& scenario) {
  const double watts = peak_power_at_meter(scenario).count();
  return watts > 0.0
             ? fmt::format("Peak power at the meter: {:.1f} kW (every node at load x PUE)\n", watts / 1000.0)
             : std::string("Peak power at the meter: none of one's own\n");
}

std::string text_of(const Scenario& scenario, const Priced& priced) {
  const std::string word = accelerator_word(scenario);
  std::string text = scenario.name + ":";
  for (const NodePool& pool : scenario.pools) {
    text += fmt::format(" {} x {} ({});", pool.count, pool.node.title, pool.name);
  }
  text += " " + counted(priced.gpus, word) + "\n\n";
  text += bill_text(priced.bill);
  if (scenario.budget > Money{}) {
    const Money rest = scenario.budget - priced.bill.total;
    text += fmt::format("  {} the budget of {}\n",
                        rest < Money{} ? money_text(-rest) + " more than" : money_text(rest) + " unspent of",
                        money_text(scenario.budget));
  }
  text += '\n' + cost_text(priced.cost);
  text += '\n' + peak_power_text(scenario);
  text += fmt::format("Utilisation: {:.1f} % of {} time ({})\n", 100.0 * priced.utilisation, word,
                      priced.utilisation_basis);
  text += priced.gpu_hour ? fmt::format("Cost of a used {}-hour: {:.3f} USD over {} years{}\n", word,
                                        to_usd(*priced.gpu_hour), kYears,
                                        priced.bill.unpriced.empty() ? "" : ", without what is unpriced")
                          : fmt::format("Cost of a used {0}-hour: not defined, no {0}-hour is used\n", word);
  text += own_or_rent_text(scenario, priced.utilisation);
  for (const std::string& item : priced.bill.unpriced) text += fmt::format("Unpriced: {}\n", item);
  text += '\n' + findings_text(facility::check(scenario));
  return text;
}

int price(const Arguments& arguments) {
  const auto a = parse(arguments);
  if (!a) return kFine;
  const auto loaded = open_scenario(a->scenario, a->set, a->catalog);
  if (!loaded) return kWrongInput;
  const Priced priced = price_of(loaded->scenario, a->utilisation);
  print(a->format == "json" ? json_text(loaded->scenario, priced) : text_of(loaded->scenario, priced));
  return priced.bill.unpriced.empty() ? kFine : kAnsweredNo;
}

const RegisterCommand kPrice{
    {"price", "bill of materials, cost by year and cost of a GPU-hour, without simulating", 60, price}};

}  // namespace

}  // namespace fleetsim::cli
