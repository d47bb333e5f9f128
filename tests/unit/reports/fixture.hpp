// A made-up dossier of the usual size: twelve fleets under three sharing rules. Its figures are invented for
// tests.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sim/study/dossier.hpp"

namespace fleetsim::test {

inline Summary summary(double mean, double half_width, const std::string& unit) {
  return Summary{mean, mean - half_width, mean + half_width, 20, unit};
}

template <class T>
Figure<T> figure(T value, T low, T high, bool estimate) {
  return Figure<T>{value, low, high,
                   Provenance{estimate ? "estimate" : "invented list", "2020-10", estimate, ""}};
}

struct FleetRow {
  int proto, scale;
  double share;
};
inline const std::vector<FleetRow>& fleets() {
  static const std::vector<FleetRow> rows{{17, 0, 0.0},  {16, 1, 0.09}, {14, 2, 0.19}, {13, 3, 0.27},
                                          {11, 4, 0.37}, {9, 5, 0.47},  {8, 6, 0.55},  {6, 7, 0.65},
                                          {4, 8, 0.76},  {3, 9, 0.83},  {1, 10, 0.94}, {0, 11, 1.0}};
  return rows;
}

/// A smooth curve; its minimum for k = 30 lies at 37 % (strict), 55 % (overflow), 65 % (one pool).
inline double hours_of(SharingRule rule, double share, double k) {
  const double best = rule == SharingRule::strict ? 0.37 : rule == SharingRule::overflow ? 0.55 : 0.65;
  const double at = best - 0.04 * std::log(k / 30.0 + 1.0) + 0.0277;  // fewer prototypes, more scale-up nodes
  const double low = share < at ? 60.0 * std::pow((at - share) / at, 2.0) : 0.0;
  const double high =
      share > at ? (rule == SharingRule::strict ? 4.0 : 0.5) * (share - at) * (1.0 + k / 10.0) : 0.0;
  return 56.0 + 3.0 * k + low + high;
}

inline CandidateResult candidate(SharingRule rule, const FleetRow& row, const std::vector<double>& ks) {
  CandidateResult c;
  c.label = std::to_string(row.proto) + "+" + std::to_string(row.scale);
  c.sharing = rule;
  c.counts = {row.proto, row.scale};
  c.share = row.share;
  c.end_point = rule == SharingRule::strict && (row.proto == 0 || row.scale == 0);
  c.saturated = (rule == SharingRule::strict && row.share > 0.6 && !c.end_point) || row.share == 0.09;
  if (c.end_point || row.scale == 0) c.reasons.emplace_back("unserved work 31.0 % > 1 %");
  if (c.saturated)
    c.reasons.emplace_back("saturated: the backlog of pool proto grows by 12.0 % of its GPU-hours");
  if (row.share == 0.19) c.reasons.emplace_back("wait_s_p95(scale_up) 317 h > 48 h");
  c.feasible = c.reasons.empty();
  for (const double k : ks) {
    const double h = hours_of(rule, row.share, k);
    c.objective.push_back({k, summary(h, 0.012 * h, "h")});
  }
  c.metrics["utilisation_allocated"] = summary(0.49 + 0.12 * row.share, 0.006, "ratio");
  c.metrics["wait_s_p95"] = summary(1800.0, 200.0, "s");
  ClassSummary prototype{"prototype", {}}, scale_up{"scale_up", {}};
  prototype.metrics["wait_s_p50"] = summary(0.0, 0.0, "s");
  prototype.metrics["wait_s_p90"] = summary(420.0, 80.0, "s");
  prototype.metrics["wait_s_p95"] = summary(2520.0, 310.0, "s");
  scale_up.metrics["wait_s_p50"] = summary(1500.0, 210.0, "s");
  scale_up.metrics["wait_s_p90"] = summary(18400.0, 2600.0, "s");
  scale_up.metrics["wait_s_p95"] = summary(32500.0, 4900.0, "s");
  c.classes = {prototype, scale_up};
  c.pool_utilisation = {summary(0.47, 0.007, "ratio"), summary(0.66, 0.013, "ratio")};
  c.results_per_week = c.saturated ? 4.61 : c.end_point ? 0.0 : 5.8;
  for (int hour = 0; hour < 168; ++hour) {
    const double day = 0.12 * std::sin((hour % 24 - 9) * 3.14159265 / 12.0);
    c.utilisation_by_hour.push_back(0.54 + day - (hour >= 120 ? 0.09 : 0.0));
  }
  return c;
}

inline BestSet best_set_of(const std::vector<CandidateResult>& all, SharingRule rule, std::size_t which,
                           double k) {
  BestSet set;
  set.sharing = rule;
  set.k = k;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].sharing != rule || !all[i].feasible) continue;
    const auto mean = [&](std::size_t j) { return all[j].objective[which].hours.mean; };
    if (set.best < 0 || mean(i) < mean(static_cast<std::size_t>(set.best))) set.best = static_cast<int>(i);
  }
  for (std::size_t i = 0; i < all.size() && set.best >= 0; ++i) {
    if (all[i].sharing != rule || !all[i].feasible) continue;
    const double base = all[static_cast<std::size_t>(set.best)].objective[which].hours.mean;
    const double percent = 100.0 * (all[i].objective[which].hours.mean / base - 1.0);
    set.differences.push_back({static_cast<int>(i), percent, percent - 1.1, percent + 1.1});
    if (percent < 2.0) set.members.push_back(static_cast<int>(i));
  }
  return set;
}

inline StudyResult study_result() {
  StudyResult s;
  s.ks = {1.0, 30.0, 303.0};
  s.pool_names = {"proto", "scale"};
  for (const SharingRule rule : {SharingRule::strict, SharingRule::overflow, SharingRule::one_pool})
    for (const FleetRow& row : fleets()) s.candidates.push_back(candidate(rule, row, s.ks));
  for (const SharingRule rule : {SharingRule::strict, SharingRule::overflow, SharingRule::one_pool})
    for (std::size_t which = 0; which < s.ks.size(); ++which)
      s.best_sets.push_back(best_set_of(s.candidates, rule, which, s.ks[which]));
  s.demand.load = 0.50;
  s.demand.s = 0.304;
  s.demand.node_budget = usd(std::int64_t{288000});
  s.demand.identity = "s/(1-s) = p * E[nodes T_B] * c_B / (E[g T_A]/8 * c_A), with p = 0.33 %";
  s.demand.classes = {{"prototype", 255.0, 0.175, 6.26, "proto", usd(std::int64_t{100550}), 0.0},
                      {"scale_up", 0.84, 1.2, 1.68, "scale", usd(std::int64_t{43785}), 0.004}};
  s.replications = 20;
  s.first_order_share = 0.304;
  s.rule_status = "refuted";
  s.s_low = 0.20;
  s.s_high = 0.34;
  s.loss_percent = summary(7.4, 1.3, "%");
  s.verdict =
      "66-80 / 20-33 holds while scale-up is between 20 and 34 % of the demand's money (first order), at "
      "these prices";
  return s;
}

inline std::vector<BillLine> bill_lines() {
  const auto money = [](std::int64_t value, std::int64_t low, std::int64_t high, bool estimate) {
    return figure(usd(value), usd(low), usd(high), estimate);
  };
  return {{"RTX 3080 10 GB card", "proto", 64, money(699, 699, 699, false)},
          {"Barebone 8-GPU 4U with power supplies", "proto", 8, money(5000, 4000, 7000, true)},
          {"Two CPUs, 256 GB RAM, NVMe", "proto", 8, money(4600, 3000, 7000, true)},
          {"InfiniBand EDR adapter with cable", "proto", 8, money(870, 300, 1000, true)},
          {"RTX 3090 24 GB card", "scale", 48, money(1499, 1499, 1499, false)},
          {"Barebone 8-GPU 4U with power supplies", "scale", 6, money(5000, 4000, 7000, true)},
          {"Two CPUs, 256 GB RAM, NVMe", "scale", 6, money(4600, 3000, 7000, true)},
          {"Water cooling for 8 cards", "scale", 6, money(3600, 2000, 6500, true)},
          {"InfiniBand EDR adapter with cable", "scale", 6, money(870, 300, 1000, true)},
          {"InfiniBand EDR switch, 36 ports", "fabric", 1, money(8000, 2500, 11000, true)},
          {"Ethernet management switch", "fabric", 1, money(1500, 500, 2000, true)},
          {"Rack with power distribution", "room", 1, money(2500, 1500, 3000, true)}};
}

inline void add_money(Dossier& d) {
  d.bill.lines = bill_lines();
  for (const BillLine& line : d.bill.lines) {
    d.bill.total += line.total();
    const bool node = line.group == "proto" || line.group == "scale";
    (node ? d.bill.node_money : d.bill.fixed_money) += line.total();
  }
  d.budget = usd(std::int64_t{300000});
  d.economics.purchase = d.bill.total;
  d.unspent = d.budget - d.bill.total;
  d.candidates = "maximal-fleets";
  d.maximal_fleet = true;
  const auto yearly = [](std::int64_t a) { return std::vector<Money>{usd(a), usd(a), usd(a)}; };
  d.cost.lines = {{"Purchase", {d.bill.total, Money{}, Money{}}, "the bill of materials", false},
                  {"Electricity", yearly(37220), "mean IT power x PUE 1.5 x 8,760 h x 0.12 USD/kWh", false},
                  {"Support and repair", yearly(14600), "5 % of the purchase a year", true}};
  for (std::size_t y = 0; y < 3; ++y) {
    Money total;
    for (const CostLine& line : d.cost.lines) total += line.by_year[y];
    d.cost.total_by_year.push_back(total);
    d.cost.total += total;
  }
  d.gpu_hours_useful_per_year = 553000;
  d.cost_per_useful_gpu_hour = usd(0.2687);
  d.energy_kwh_per_year = 310170;
  d.energy.lines = {{"prototype", 560000, 190000, usd(22800L), 76000},
                    {"scale_up", 150000, 40170, usd(4820L), 16068},
                    {"idle", 411280, 80000, usd(9600L), 32000}};
  d.energy.kwh = 310170;
  d.energy.cost = usd(37220L);
  d.peak_power_at_meter = Watts{67470};
}

inline void add_scaling(Dossier& d) {
  const auto series = [&](const std::string& name, double loss) {
    for (int gpus = 1; gpus <= 32; gpus *= 2)
      d.scaling.push_back({name, gpus, 1.0 / (1.0 + loss * std::log2(static_cast<double>(gpus)))});
  };
  series("ResNet-50 on 8x RTX 3080", 0.012);
  series("BERT-large on 8x RTX 3090, water", 0.055);
  series("GNMT on 8x RTX 3090, water", 0.35);
  d.fabric_counts = {14, 14, 1, 0, 14, 0};
  d.fabric_link = "InfiniBand EDR";
  d.fabric_shape = "leaf-spine";
  d.fabric_dot =
      "graph fabric {\n graph [splines=line, bgcolor=transparent, pad=0.02, outputorder=edgesfirst];\n"
      " node [shape=box, style=filled, fontname=Inter, fontsize=11, height=0.4, fixedsize=true, "
      "color=\"#275D8C\"];\n"
      " L1 [pos=\"320,96\", width=1.3, fillcolor=white, fontcolor=\"#275D8C\", label=\"Leaf 1\"];\n";
  for (int i = 0; i < 14; ++i)
    d.fabric_dot += " N" + std::to_string(i) + " [pos=\"" + std::to_string(30 + i * 44) +
                    ",18\", width=0.5, fillcolor=\"#D3E2EF\", color=\"#D3E2EF\", label=<<B>N" +
                    std::to_string(i) + "</B>>]; L1 -- N" + std::to_string(i) + " [color=\"#9DB8CF\"];\n";
  d.fabric_dot += "}\n";
  // NVLink gains at every size, EDR from two nodes on.
  for (const char* technology : {"NVLink", "EDR"}) {
    for (const char* name : {"ResNet-50", "BERT-large"}) {
      ValueCurve curve{technology, "with, against without", name, {}};
      for (int gpus = 2; gpus <= 128; gpus *= 2)
        curve.points.push_back({gpus, technology[0] == 'E' && gpus <= 8 ? 0.0 : 0.5 * gpus / 8.0});
      d.interconnect.push_back(curve);
    }
  }
}

inline void add_text(Dossier& d) {
  d.assumptions = {
      {"RTX 3080 10 GB, price", "699 USD", "", "",
       "https://www.nvidia.com/en-us/geforce/graphics-cards/30-series/rtx-3080/", "2020-09-17", false,
       "price"},
      {"RTX 3090 24 GB, price", "1,499 USD", "", "",
       "https://www.nvidia.com/en-us/geforce/graphics-cards/30-series/rtx-3090/", "2020-09-24", false,
       "price"},
      {"Barebone 8-GPU 4U with power supplies", "5,000 USD", "4,000 USD", "7,000 USD", "estimate", "2020-10",
       true, "price"},
      {"Water cooling for 8 cards", "3,600 USD", "2,000 USD", "6,500 USD", "estimate", "2020-10", true,
       "price"},
      {"RTX 3080 10 GB, board power", "320 W", "", "",
       "https://www.nvidia.com/en-us/geforce/graphics-cards/30-series/rtx-3080/", "2020-09-17", false,
       "power"},
      {"Non-GPU power of an 8-GPU server at load", "550 W", "400 W", "800 W", "estimate", "2020-10", true,
       "power"},
      {"ResNet-50 on RTX 3090 over RTX 3080", "1.23", "", "",
       "https://example.org/a/very/long/path/that/has/to/break/somewhere/in/the/narrow/column/benchmarks.csv",
       "2020-12", false, "speed"},
      {"Prototypes per result, k", "30", "3", "300", "estimate", "2026-11", true, "workload"}};
  d.not_evaluated = {{"site.inlet_temperature", "cooling is not modelled yet"},
                     {"study.constraints", "only wait quantiles are evaluated"}};
  d.limitations = {"Run times hold at a fixed batch per GPU; no convergence penalty is charged.",
                   "Nodes never fail in this version."};
}

/// A study whose own rule is overflow with k = 30; recommended is the best fleet of that set.
inline Dossier study_dossier() {
  Dossier d;
  d.kind = "study";
  d.version = "0.1.0";
  d.scenario_name = "lab-66-33";
  d.scenario_sha256 = "165dd0f923acd3492bfebd55fc41a74b976c35ad2955d0b0ecd98cc0a78b4a2d";
  d.canonical_scenario = "name: lab-66-33\nseed: 2020\ntime: {warm_up: 4 weeks, measure: 26 weeks}\n";
  d.command = "fleetsim study scenarios/lab-66-33.yaml --out out";
  d.seed = 2020;
  d.replications = 20;
  d.replay_hash = "9f1c27d4e0a3b586";
  d.sharing = SharingRule::overflow;
  d.study = study_result();
  for (const BestSet& set : d.study.best_sets)
    if (set.sharing == d.sharing && set.k == d.k) d.recommended_index = set.best;
  const CandidateResult& fleet = d.study.candidates[static_cast<std::size_t>(d.recommended_index)];
  d.recommended = fleet.label;
  d.pools = {{"proto", "supermicro-8x-rtx3080", "8x RTX 3080", "RTX 3080 10 GB", "air", fleet.counts[0], 8,
              usd(std::int64_t{16062}), Watts{3110}, Watts{555}},
             {"scale", "supermicro-8x-rtx3090-water", "8x RTX 3090, water", "RTX 3090 24 GB", "water",
              fleet.counts[1], 8, usd(std::int64_t{26062}), Watts{3350}, Watts{574}}};
  d.racks = 5;
  add_money(d);
  add_scaling(d);
  add_text(d);
  return d;
}

/// One simulated fleet: no best sets, nothing recommended.
inline Dossier run_dossier() {
  Dossier d = study_dossier();
  d.kind = "run";
  const CandidateResult fleet = d.study.candidates[static_cast<std::size_t>(d.recommended_index)];
  d.study.candidates = {fleet};
  d.study.best_sets.clear();
  d.study.verdict.clear();
  d.study.rule_status.clear();
  d.recommended_index = 0;
  return d;
}

/// No fleet of any sharing rule meets the requirements.
inline Dossier hopeless_dossier() {
  Dossier d = study_dossier();
  for (CandidateResult& c : d.study.candidates) {
    c.feasible = false;
    if (c.reasons.empty()) c.reasons.emplace_back("wait_s_p95(prototype) 5.1 h > 4 h");
  }
  for (BestSet& set : d.study.best_sets) {
    set.best = -1;
    set.members.clear();
    set.differences.clear();
  }
  d.study.rule_status = "undecided";
  return d;
}

}  // namespace fleetsim::test
