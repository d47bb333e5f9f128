// The words of a scenario file and what they mean.
#include "scenarios/loader/sections.hpp"

namespace fleetsim {

const Words<FabricShape>& fabric_words() {
  static const Words<FabricShape> words = {{"none", FabricShape::none},
                                           {"single-switch", FabricShape::single_switch},
                                           {"leaf-spine", FabricShape::leaf_spine},
                                           {"fat-tree", FabricShape::fat_tree},
                                           {"superpod", FabricShape::superpod},
                                           {"torus", FabricShape::torus}};
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
                                           {"one-pool", SharingRule::one_pool},
                                           {"private", SharingRule::private_machines}};
  return words;
}

const Words<TieRule>& tie_words() {
  static const Words<TieRule> words = {
      {"batch", TieRule::batch}, {"end-first", TieRule::end_first}, {"submit-first", TieRule::submit_first}};
  return words;
}

const Words<PlacementRule>& placement_words() {
  static const Words<PlacementRule> words = {{"pack", PlacementRule::pack},
                                             {"spread", PlacementRule::spread}};
  return words;
}

const Words<ArrivalProfile>& profile_words() {
  static const Words<ArrivalProfile> words = {{"flat", ArrivalProfile::flat},
                                              {"office-hours", ArrivalProfile::office_hours}};
  return words;
}

const Words<Alternative>& alternative_words() {
  static const Words<Alternative> words = {
      {"keep", Alternative::keep}, {"add", Alternative::add}, {"replace", Alternative::replace}};
  return words;
}

const Words<bool>& idle_words() {
  static const Words<bool> words = {{"idles", false}, {"switched-off", true}};
  return words;
}

const Words<AxisRole>& role_words() {
  static const Words<AxisRole> words = {{"choice", AxisRole::choice}, {"condition", AxisRole::condition}};
  return words;
}

const Words<CandidateRule>& candidate_words() {
  static const Words<CandidateRule> words = {{"maximal-fleets", CandidateRule::maximal_fleets},
                                             {"as-given", CandidateRule::as_given},
                                             {"pool-sizes", CandidateRule::pool_sizes},
                                             {"affordable-fleets", CandidateRule::affordable_fleets}};
  return words;
}

const Words<SearchKind>& search_words() {
  static const Words<SearchKind> words = {{"exhaustive", SearchKind::exhaustive},
                                          {"rounds", SearchKind::rounds}};
  return words;
}

}  // namespace fleetsim
