// fleetsim price: what a fleet costs to buy and to run, without simulating it.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "scenarios/loader/load.hpp"
#include "sim/base/units.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/price.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/economics/depreciation.hpp"
#include "sim/economics/payments.hpp"

namespace fleetsim::cli {

namespace {

namespace po = boost::program_options;

struct PriceArguments {
  std::string scenario, format, catalog;
  std::vector<std::string> set;
  std::optional<double> utilisation;
};

/// Empty: --help was printed.
std::optional<PriceArguments> parse_price(const Arguments& arguments) {
  CommandLine line(
      "price", "SCENARIO [options]",
      "Bill of materials, cost by year and cost of a GPU-hour of the scenario's fleet, without\n"
      "simulating it. Exit code 1 when something on the bill has no price, or a year costs more\n"
      "than its cap (budget.by_year).",
      "fleetsim price scenarios/lab-66-33.yaml --utilisation '50 %'");
  PriceArguments a;
  std::string utilisation;
  line.options.add_options()("scenario", po::value(&a.scenario), "")(
      "utilisation", po::value(&utilisation)->value_name("U"),
      "allocated share of the GPUs' time, e.g. '50 %' or 0.5; default: economics.utilisation, else "
      "what the workload keeps busy of this fleet, at most 1")(
      "set", po::value(&a.set)->composing()->value_name("PATH=VALUE"),
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

}  // namespace

Priced price_of(const Scenario& scenario, std::optional<double> utilisation) {
  const int years = scenario.economics.years;
  Priced out;
  out.bill = bill_of_materials(scenario);
  out.demand = offered_load(scenario);
  const std::optional<double>& assumed = scenario.economics.utilisation;
  out.utilisation = utilisation ? *utilisation : assumed ? *assumed : std::min(1.0, out.demand.fleet_load);
  out.utilisation_basis = utilisation                   ? "as given"
                          : assumed                     ? "as the scenario assumes"
                          : out.demand.fleet_load > 1.0 ? "load of this fleet, capped at 1"
                                                        : "load of this fleet";
  if (out.demand.closed_loop && !utilisation && !assumed)
    out.utilisation_basis += " if nobody waited, at most: a closed loop has no fixed demand";
  const Watts power = mean_power(scenario, std::vector<double>(scenario.pools.size(), out.utilisation));
  out.cost = cost_by_year(scenario, out.bill, power);
  out.charges = charges_on(scenario.economics, out.bill.total);
  out.purchase = purchase_money(scenario, out.bill);
  out.present = present_cost(scenario.economics, out.cost);
  out.book_value = book_value_by_year(scenario, out.bill);
  out.cash = cash_flow(scenario.economics, out.cost);
  out.broken_caps = broken_caps(scenario.economics, out.cost);
  out.kwh_year = power.count() * scenario.site.pue * kHoursPerYear / 1000.0;
  for (const NodePool& pool : scenario.pools) out.gpus += pool.count * pool.node.gpus;
  out.opex_by_year = running_by_year(out.cost);
  const double hours = years * static_cast<double>(kHoursPerYear) * out.gpus * out.utilisation;
  if (hours > 0.0) out.gpu_hour = scaled(out.cost.total, 1.0 / hours);
  return out;
}

namespace {

int price(const Arguments& arguments) {
  const auto a = parse_price(arguments);
  if (!a) return kFine;
  const auto loaded = open_scenario(a->scenario, a->set, a->catalog);
  if (!loaded) return kWrongInput;
  const Priced priced = price_of(loaded->scenario, a->utilisation);
  print(a->format == "json" ? price_json(loaded->scenario, priced) : price_text(loaded->scenario, priced));
  return priced.bill.unpriced.empty() && priced.broken_caps.empty() ? kFine : kAnsweredNo;
}

const RegisterCommand kPrice{
    {"price", "bill of materials, cost by year and cost of a GPU-hour, without simulating", 60, price}};

}  // namespace

}  // namespace fleetsim::cli
