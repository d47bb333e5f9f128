// Keys about when nodes are there: failures, deliveries, the date of t = 0; and how demand grows.
#include <cstdint>

#include "scenarios/loader/schema_parts.hpp"

namespace fleetsim::schema_parts {

void starts_key(Keys& k) {
  k.push_back(key("time.starts", K::date,
                  "date of the start of the simulation; nodes that retire on a date need it", "2020-10"));
}

void delivery_keys(Keys& k) {
  k.push_back(key("fleet.deliveries", K::list,
                  "nodes that come later; those that no delivery names are there from the start"));
  k.push_back(key("fleet.deliveries[]", K::section, "the last nodes of a pool that are not there yet"));
  k.push_back(key("fleet.deliveries[].pool", K::name, "their pool", "proto").of("pool").must());
  k.push_back(
      key("fleet.deliveries[].nodes", K::integer, "how many", "4").in(between<Count>(1, 100'000)).must());
  k.push_back(key("fleet.deliveries[].at", K::duration, "time from the start of the simulation", "26 weeks")
                  .in(between(Duration{}, kCentury))
                  .must());
}

void growth_key(Keys& k) {
  k.push_back(key("workload.growth", K::ratio,
                  "arrivals grow by this share in a year, compounded from the start of the simulation; "
                  "rates of the classes hold at the start",
                  "30 %")
                  .in(between(-0.9, 10.0))
                  .otherwise("0"));
}

// The ranges are the estimates of docs/failures.md.
void failure_keys(Keys& k) {
  k.push_back(key("failures", K::section, "nodes fail and are repaired; without this section none does"));
  k.push_back(key("failures.node_mtbf", K::duration,
                  "mean time between failures of a node; never when left out. No default: for a server of 8 "
                  "GPUs 2000 to 20000 h, about 6300 h (estimate)",
                  "6300 h")
                  .in(between(kHour, kCentury)));
  k.push_back(key("failures.gpu_mtbf", K::duration,
                  "the same of one GPU, beside the node's own; it takes its node down", "50000 h")
                  .in(between(kHour, kCentury)));
  k.push_back(key("failures.repair", K::duration,
                  "mean time until the node is back; needed when nodes fail. 4 to 120 h, about 24 h "
                  "(estimate)",
                  "24 h")
                  .in(between(Duration{std::chrono::minutes(1)}, kCentury)));
  k.push_back(key("failures.checkpoint_interval", K::duration,
                  "work between two checkpoints; a failure costs all of a job's work when left out", "1 h")
                  .in(above_to(Duration{}, kCentury)));
  k.push_back(key("failures.checkpoint_cost", K::duration,
                  "time that writing a checkpoint takes, during which a job does no work", "1 min")
                  .in(between(Duration{}, kCentury))
                  .otherwise("0 s"));
  k.push_back(key("failures.requeue", K::boolean,
                  "jobs of a node that fails go back to their queue; else they end as node-fail", "true")
                  .otherwise("true"));
}

}  // namespace fleetsim::schema_parts
