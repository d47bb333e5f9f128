// Keys of `scheduler.burst`: jobs that have waited too long go to rented GPUs.
#include "scenarios/loader/schema_parts.hpp"

namespace fleetsim::schema_parts {

void burst_keys(Keys& k) {
  const std::string b = "scheduler.burst";
  k.push_back(key(b, K::section, "jobs that have waited too long go to rented GPUs outside the fleet"));
  k.push_back(key(b + ".above_wait", K::duration,
                  "limit of the queue: a job that has waited so long in one go leaves it", "4 h")
                  .in(between(Duration{}, kCentury))
                  .must());
  k.push_back(key(b + ".node", K::name,
                  "what is rented; a job takes one such node or a part of it, larger jobs wait on",
                  "aws-p3-16xlarge")
                  .of("nodes")
                  .must());
  k.push_back(key(b + ".terms", K::word,
                  "on-demand, or spot: cheaper, but taken away now and then, which is a failure to the job",
                  "on-demand")
                  .one_of({"on-demand", "spot"})
                  .otherwise("on-demand"));
  cloud_rate_keys(k, b, "3.06 USD");
  k.push_back(key(b + ".billing", K::word,
                  "what a job pays for: the GPUs that it holds, or all GPUs of its node", "per-gpu")
                  .one_of({"per-gpu", "whole-nodes"})
                  .otherwise("per-gpu"));
  k.push_back(key(b + ".interruptions", K::section,
                  "how often a spot GPU is taken away; needed with terms: spot, for the catalogue knows no "
                  "such rate"));
  k.push_back(key(b + ".interruptions.rate", K::rate,
                  "mean over the running time of a rented GPU; any GPU that goes stops its whole job",
                  "0.5 /day")
                  .in(between(PerSecond{0.0}, PerSecond{1.0 / 60.0}))
                  .must());
  k.push_back(key(b + ".interruptions.source", K::text, "where that rate is from", "own log of 2025"));
  k.push_back(key(b + ".classes", K::name_list,
                  "classes whose jobs may go; all, and recorded jobs, when left out", "prototype")
                  .of("class"));
}

}  // namespace fleetsim::schema_parts
