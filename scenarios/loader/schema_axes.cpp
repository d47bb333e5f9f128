// Keys of the search space of a study: its axes, and the demand by load and scale-up share.
#include "scenarios/loader/schema_parts.hpp"

namespace fleetsim::schema_parts {

void demand_keys(Keys& k) {
  k.push_back(
      key("workload.demand", K::section,
          "scales arrivals and promotion so that the demand has this size in money; 'check' says what "
          "it set"));
  k.push_back(
      key("workload.demand.load", K::number,
          "money of the nodes that the demand keeps busy over the node money of the budget: the rates "
          "of all classes that arrive are multiplied by one factor",
          "0.5")
          .in(above_to(0.0, 1000.0)));
  k.push_back(key("workload.demand.scale_share", K::ratio,
                  "s, the promoted class's share of that money: sets the probability of the first promotion",
                  "30 %")
                  .in(between(0.0, 1.0)));
}

void axis_keys(Keys& k) {
  k.push_back(
      key("study.limits", K::list,
          "bounds that rank nothing: the map tells which fleets keep them; the constraints when left out"));
  k.push_back(
      key("study.limits[]", K::constraint, "as in study.constraints", "wait_s_p95(scale_up) <= 48 h"));
  const std::string a = "study.axes";
  k.push_back(
      key(a, K::section,
          "what is varied beside fleets and sharing rules, under dotted paths of the scenario such as "
          "`fabric.link`; applied as --set does, to the scenario with its demand resolved"));
  k.push_back(key(a + ".*", K::values, "values of the key at this path, here of `site.pue`", "[1.2, 1.5]"));
  k.push_back(key(a + ".*.values", K::values, "the same, beside 'role'", "[1.2, 1.5]"));
  k.push_back(key(a + ".*.from", K::text, "first of evenly spaced values", "100000 USD"));
  k.push_back(key(a + ".*.to", K::text, "no value is larger", "400000 USD"));
  k.push_back(key(a + ".*.step", K::text, "distance of the values, in the unit of 'from'", "50000 USD"));
  k.push_back(key(a + ".*.count", K::integer, "so many values from 'from' to 'to', instead of 'step'", "7")
                  .in(between<Count>(1, 10'000)));
  k.push_back(
      key(a + ".*.scale", K::word, "how 'count' values are spaced: by equal steps or equal ratios", "log")
          .one_of({"linear", "log"})
          .otherwise("linear"));
  k.push_back(
      key(a + ".*.role", K::word,
          "choice: candidates of all values are compared with each other; condition: every value is a "
          "cell of the map, with a verdict of its own. When left out: choice below fabric, scheduler "
          "and fleet, condition elsewhere",
          "condition")
          .one_of({"choice", "condition"}));
}

}  // namespace fleetsim::schema_parts
