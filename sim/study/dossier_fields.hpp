// The fields of a dossier and of all that is in it: one list a struct serves writing and reading, so that
// they cannot drift apart. For dossier_json.cpp only.
#pragma once

#include "sim/study/dossier.hpp"

namespace fleetsim {

/// What `fields` takes: const when written, mutable when read.
template <class Archive, class T>
using In = typename Archive::template Field<T>;

template <class A>
void fields(A& a, In<A, Assumption>& x) {
  a("what", x.what), a("value", x.value), a("low", x.low), a("high", x.high), a("source", x.source);
  a("as_of", x.as_of), a("estimate", x.estimate), a("used_for", x.used_for);
}
template <class A>
void fields(A& a, In<A, ScalingPoint>& x) {
  a("series", x.series), a("gpus", x.gpus), a("efficiency", x.efficiency);
}
template <class A>
void fields(A& a, In<A, PoolInfo>& x) {
  a("name", x.name), a("node", x.node), a("title", x.title), a("gpu_title", x.gpu_title);
  a("cooling", x.cooling), a("count", x.count), a("gpus_per_node", x.gpus_per_node);
  a("node_price_usd", x.node_price), a("load_power_w", x.load_power), a("idle_power_w", x.idle_power);
}
template <class A>
void fields(A& a, In<A, Provenance>& x) {
  a("source", x.source), a("as_of", x.as_of), a("estimate", x.estimate), a("note", x.note);
}
template <class A>
void fields(A& a, In<A, Figure<Money>>& x) {
  a("value_usd", x.value), a("low_usd", x.low), a("high_usd", x.high), a("from", x.from);
}
template <class A>
void fields(A& a, In<A, BillLine>& x) {
  a("item", x.item), a("group", x.group), a("quantity", x.quantity), a("unit_price", x.unit_price);
  a("priced", x.priced);
}
template <class A>
void fields(A& a, In<A, Bill>& x) {
  a("lines", x.lines), a("node_money_usd", x.node_money), a("fixed_money_usd", x.fixed_money);
  a("total_usd", x.total), a("unpriced", x.unpriced);
}
template <class A>
void fields(A& a, In<A, CostLine>& x) {
  a("item", x.item), a("by_year_usd", x.by_year), a("basis", x.basis), a("estimate", x.estimate);
}
template <class A>
void fields(A& a, In<A, CostTable>& x) {
  a("lines", x.lines), a("total_by_year_usd", x.total_by_year), a("total_usd", x.total);
}
template <class A>
void fields(A& a, In<A, FabricCounts>& x) {
  a("nodes", x.nodes), a("adapters", x.adapters), a("leaf_switches", x.leaf_switches);
  a("spine_switches", x.spine_switches), a("node_cables", x.node_cables), a("switch_cables", x.switch_cables);
  a("core_switches", x.core_switches), a("core_cables", x.core_cables), a("torus_cables", x.torus_cables);
}
template <class A>
void fields(A& a, In<A, NotEvaluated>& x) {
  a("path", x.path), a("reason", x.reason);
}
template <class A>
void fields(A& a, In<A, ClassDemand>& x) {
  a("name", x.name), a("jobs_per_day", x.jobs_per_day), a("mean_node_share", x.mean_node_share);
  a("busy_nodes", x.busy_nodes), a("cheapest_node", x.cheapest_node), a("money_usd", x.money);
  a("impossible_share", x.impossible_share);
  a.extra("closed_loop", x.closed_loop, !x.closed_loop);
}
template <class A>
void fields(A& a, In<A, OfferedLoad>& x) {
  a("classes", x.classes), a("load", x.load), a("s", x.s), a("node_budget_usd", x.node_budget);
  a("node_budget_basis", x.node_budget_basis), a("fleet_load", x.fleet_load);
  a("identity", x.identity), a("trace", x.trace);
  a.extra("closed_loop", x.closed_loop, !x.closed_loop);
}
template <class A>
void fields(A& a, In<A, Summary>& x) {
  a("mean", x.mean), a("ci95_low", x.ci95_low), a("ci95_high", x.ci95_high), a("n", x.n), a("unit", x.unit);
}
template <class A>
void fields(A& a, In<A, ClassSummary>& x) {
  a("name", x.name), a("metrics", x.metrics);
}
template <class A>
void fields(A& a, In<A, ObjectiveValue>& x) {
  a("k", x.k), a("hours", x.hours);
}
template <class A>
void fields(A& a, In<A, CandidateResult>& x) {
  a("label", x.label), a("sharing", x.sharing), a("counts", x.counts), a("share", x.share);
  a("feasible", x.feasible), a("reasons", x.reasons), a("end_point", x.end_point);
  a("saturated", x.saturated), a("metrics", x.metrics), a("classes", x.classes);
  a("pool_utilisation", x.pool_utilisation), a("objective", x.objective);
  a("results_per_week", x.results_per_week), a("capex_usd", x.capex), a("unspent_usd", x.unspent);
  a("three_year_cost_usd", x.three_year_cost), a("utilisation_by_hour", x.utilisation_by_hour);
  a("states", x.states), a.hex("replay_hash", x.replay_hash);
  a("broken_laws", x.broken_laws), a("unpriced", x.unpriced);
  a.extra("groups", x.groups, x.groups.empty());
  a.extra("replications", x.replications, x.replications == 0);
  a.extra("last_round", x.last_round, x.last_round == 0);
  a.extra("stopped", x.stopped, x.stopped.empty());
}
template <class A>
void fields(A& a, In<A, BestSet::Difference>& x) {
  a("candidate", x.candidate), a("percent", x.percent), a("low", x.low), a("high", x.high);
}
template <class A>
void fields(A& a, In<A, BestSet>& x) {
  a("sharing", x.sharing), a("k", x.k), a("best", x.best), a("members", x.members);
  a("undecided", x.undecided), a("differences", x.differences);
}
template <class A>
void fields(A& a, In<A, AlternativeRow>& x) {
  a("alternative", x.alternative), a("fleet", x.fleet), a("candidate", x.candidate), a("fleets", x.fleets);
  a("feasible", x.feasible), a("reasons", x.reasons), a("hours", x.hours);
  a("results_per_week", x.results_per_week), a("purchase_usd", x.purchase), a("sale_usd", x.sale);
  a("three_year_cost_usd", x.three_year_cost);
}
template <class A>
void fields(A& a, In<A, RejectedFleet>& x) {
  a("fleet", x.label), a("counts", x.counts), a("share", x.share), a("reason", x.reason);
}
template <class A>
void fields(A& a, In<A, WarmUpFound::Pilot>& x) {
  a("fleet", x.fleet), a("hours", x.hours), a("settled", x.settled), a("waits", x.waits);
}
template <class A>
void fields(A& a, In<A, WarmUpFound>& x) {
  a("hours", x.hours), a("pilots", x.pilots), a("sentence", x.sentence);
}
template <class A>
void fields(A& a, In<A, PrecisionReached>& x) {
  a("asked", x.asked), a("reached", x.reached), a("replications", x.replications), a("most", x.most);
  a("met", x.met), a("sentence", x.sentence);
}
template <class A>
void fields(A& a, In<A, StudyResult>& x) {
  a("ks", x.ks), a("pool_names", x.pool_names), a("scale_pool", x.scale_pool);
  a("candidates", x.candidates);
  a("best_sets", x.best_sets), a("demand", x.demand), a("replications", x.replications);
  a("indifference", x.indifference), a("band_low", x.band_low), a("band_high", x.band_high),
      a("first_order_share", x.first_order_share);
  a("rule_status", x.rule_status), a("s_low", x.s_low), a("s_high", x.s_high);
  a("loss_percent", x.loss_percent), a("verdict", x.verdict), a("rejected", x.rejected);
  a.extra("objective", x.objective, x.objective == StudySpec{}.objective);
  a.extra("warm_up", x.warm_up, !x.warm_up);
  a.extra("precision", x.precision, !x.precision);
  a.extra("rule_open", x.rule_open, x.rule_open.empty());
  a.extra("existing_pools", x.existing_pools, x.existing_pools == 0);
  a.extra("alternatives", x.alternatives, x.alternatives.empty());
}
template <class A>
void fields(A& a, In<A, Dossier>& x) {
  a("kind", x.kind), a("version", x.version), a("scenario_name", x.scenario_name);
  a("scenario_sha256", x.scenario_sha256), a("canonical_scenario", x.canonical_scenario);
  a("command", x.command), a("seed", x.seed), a("replications", x.replications);
  a("replay_hash", x.replay_hash), a("budget_usd", x.budget), a("k", x.k), a("sharing", x.sharing);
  a("recommended", x.recommended), a("recommended_index", x.recommended_index), a("pools", x.pools);
  a("bill", x.bill), a("cost", x.cost), a("unspent_usd", x.unspent);
  a("candidates", x.candidates), a("maximal_fleet", x.maximal_fleet);
  a("gpu_hours_useful_per_year", x.gpu_hours_useful_per_year);
  a("cost_per_useful_gpu_hour_usd", x.cost_per_useful_gpu_hour);
  a("energy_kwh_per_year", x.energy_kwh_per_year), a("peak_power_at_meter_w", x.peak_power_at_meter);
  a("power_limit_w", x.power_limit);
  a("racks", x.racks), a("scaling", x.scaling), a("fabric_dot", x.fabric_dot), a("node_dot", x.node_dot);
  a("fabric_counts", x.fabric_counts), a("fabric_link", x.fabric_link), a("fabric_shape", x.fabric_shape);
  a("assumptions", x.assumptions), a("not_evaluated", x.not_evaluated), a("limitations", x.limitations);
  a("study", x.study);
}

}  // namespace fleetsim
