// A small scenario for the tests of this folder: prototypes that are promoted to large runs.
#pragma once

#include "sim/scenario.hpp"

namespace fleetsim::example {

inline JobClass prototype() {
  JobClass c;
  c.name = "prototype";
  c.arrivals = ArrivalSpec{PerSecond{8.0 / 86400.0}, ArrivalProfile::office_hours};
  c.gpus = {{1, 0.7}, {2, 0.2}, {4, 0.1}};
  c.wall_time.law = LognormalSpec{kHour, 3 * kHour, 24 * kHour};
  c.promotes_to = PromotionSpec{ClassId{1}, 0.1, 12 * kHour};
  return c;
}

inline JobClass scale_up() {
  JobClass c;
  c.name = "scale_up";
  c.gpus = {{8, 0.8}, {16, 0.2}};
  c.wall_time.law = LognormalSpec{27 * kHour, 40 * kHour, 168 * kHour};
  c.partition = QueueId{1};
  return c;
}

inline Scenario lab() {
  Scenario s;
  s.name = "lab";
  s.seed = 2020;
  s.time = {4 * kWeek, 26 * kWeek, 8 * kWeek, 20};
  s.workload.users = 30;
  s.workload.classes = {prototype(), scale_up()};
  s.scheduler.partitions.resize(2);
  return s;
}

}  // namespace fleetsim::example
