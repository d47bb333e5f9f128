// The legal keys and words of a scenario file.
#include "scenarios/loader/sections.hpp"

namespace fleetsim {

const std::vector<std::string>& scenario_schema() {
  static const std::vector<std::string> paths = {
      "name",
      "seed",
      "time",
      "time.warm_up",
      "time.measure",
      "time.drain",
      "time.replications",
      "budget",
      "budget.capital",
      "fleet",
      "fleet.*",
      "fleet.*.node",
      "fleet.split",
      "fleet.split.*",
      "fleet.counts",
      "fleet.counts.*",
      "fleet.existing",
      "fleet.existing[].node",
      "fleet.existing[].count",
      "fleet.existing[].bought",
      "fleet.existing[].retires",
      "fabric",
      "fabric.shape",
      "fabric.link",
      "fabric.hcas_per_node",
      "fabric.oversubscription",
      "site",
      "site.electricity",
      "site.pue",
      "site.power_limit",
      "site.rack",
      "site.rack.units",
      "site.rack.power",
      "site.rack.provided",
      "site.inlet_temperature",
      "site.geforce_in_datacentre",
      "scheduler",
      "scheduler.type",
      "scheduler.sharing",
      "scheduler.ties",
      "scheduler.kill_at_limit",
      "scheduler.partitions",
      "scheduler.partitions.*",
      "scheduler.partitions.*.nodes",
      "scheduler.partitions.*.max_time",
      "scheduler.partitions.*.overflow_max_time",
      "scheduler.partitions.*.default",
      "workload",
      "workload.users",
      "workload.classes",
      "workload.classes.*",
      "workload.classes.*.model",
      "workload.classes.*.arrivals",
      "workload.classes.*.arrivals.per_user",
      "workload.classes.*.arrivals.profile",
      "workload.classes.*.gpus",
      "workload.classes.*.gpus.*",
      "workload.classes.*.wall_time",
      "workload.classes.*.wall_time.lognormal",
      "workload.classes.*.wall_time.lognormal.median",
      "workload.classes.*.wall_time.lognormal.mean",
      "workload.classes.*.wall_time.lognormal.max",
      "workload.classes.*.wall_time.exponential",
      "workload.classes.*.wall_time.exponential.mean",
      "workload.classes.*.wall_time.fixed",
      "workload.classes.*.wall_time.reference",
      "workload.classes.*.gpu_memory",
      "workload.classes.*.time_limit",
      "workload.classes.*.time_limit.factor",
      "workload.classes.*.partition",
      "workload.classes.*.promotes_to",
      "workload.classes.*.promotes_to.class",
      "workload.classes.*.promotes_to.probability",
      "workload.classes.*.promotes_to.pause",
      "workload.trace",
      "workload.trace.file",
      "workload.trace.recorded_on",
      "workload.trace.partition",
      "study",
      "study.candidates",
      "study.objective",
      "study.objective.time_to_result",
      "study.objective.time_to_result.prototypes_per_result",
      "study.constraints",
      "study.search",
      "study.indifference",
  };
  return paths;
}

const Words<FabricShape>& fabric_words() {
  static const Words<FabricShape> words = {{"none", FabricShape::none},
                                           {"single-switch", FabricShape::single_switch},
                                           {"leaf-spine", FabricShape::leaf_spine}};
  return words;
}

const Words<GeforceRule>& geforce_words() {
  static const Words<GeforceRule> words = {{"allowed", GeforceRule::allowed},
                                           {"waived", GeforceRule::waived},
                                           {"forbidden", GeforceRule::forbidden}};
  return words;
}

const Words<PolicyKind>& policy_words() {
  static const Words<PolicyKind> words = {{"fifo", PolicyKind::fifo},
                                          {"easy", PolicyKind::easy},
                                          {"conservative", PolicyKind::conservative},
                                          {"builtin", PolicyKind::builtin},
                                          {"backfill", PolicyKind::backfill}};
  return words;
}

const Words<SharingRule>& sharing_words() {
  static const Words<SharingRule> words = {{"strict", SharingRule::strict},
                                           {"overflow", SharingRule::overflow},
                                           {"preempt", SharingRule::preempt},
                                           {"one-pool", SharingRule::one_pool}};
  return words;
}

const Words<TieRule>& tie_words() {
  static const Words<TieRule> words = {
      {"batch", TieRule::batch}, {"end-first", TieRule::end_first}, {"submit-first", TieRule::submit_first}};
  return words;
}

const Words<ArrivalProfile>& profile_words() {
  static const Words<ArrivalProfile> words = {{"flat", ArrivalProfile::flat},
                                              {"office-hours", ArrivalProfile::office_hours}};
  return words;
}

const Words<CandidateRule>& candidate_words() {
  static const Words<CandidateRule> words = {{"maximal-fleets", CandidateRule::maximal_fleets},
                                             {"as-given", CandidateRule::as_given}};
  return words;
}

const Words<SearchKind>& search_words() {
  static const Words<SearchKind> words = {{"exhaustive", SearchKind::exhaustive},
                                          {"rounds", SearchKind::rounds}};
  return words;
}

}  // namespace fleetsim
