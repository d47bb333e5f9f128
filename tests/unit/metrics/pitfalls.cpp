// Mistakes that other simulators have made in sampled output.
#include <cmath>

#include "tests/catch.hpp"
#include "tests/unit/metrics/hand_made.hpp"

using namespace fleetsim;
using namespace fleetsim::example;

TEST_CASE("B059: a year has 8760 hours of utilisation, the last one included") {
  constexpr int kHours = 8760, kCapacity = 16;  // p: 2 nodes of 4, q: 1 of 8
  std::vector<Line> lines;
  double gpu_hours = 0.0;
  for (int day = 0; day < 365; ++day) {
    const int begin = 24 * day, length = 1 + day % 24;  // the last one ends with the last hour
    lines.push_back({0, 4, length, begin, begin + 24 - length, begin + 24, JobState::completed, 0, day % 2});
    gpu_hours += 4.0 * length;
  }
  HandMade run(lines, kHours);
  run.input.tag_begin = kStart;
  run.input.tag_end = at(kHours);
  const Metrics m = run.measured();
  // t = 0 is a Monday, so of 8760 = 52 * 168 + 24 hours each hour of the week occurs 52 times, Monday's 53.
  REQUIRE(m.utilisation_by_hour.size() == 168);
  double sum = 0.0;
  int hours = 0;
  for (int h = 0; h < 168; ++h) {
    const int times = h < 24 ? 53 : 52;
    hours += times;
    sum += m.utilisation_by_hour[static_cast<std::size_t>(h)] * times * kCapacity;
  }
  CHECK(hours == kHours);
  CHECK(sum == Approx(gpu_hours).epsilon(1e-12));
  CHECK(m.all.value("utilisation_allocated") == Approx(gpu_hours / (kHours * kCapacity)).epsilon(1e-12));
  // The last hour of the year is hour 23 of a Monday; 365 days later hour 23 was held by 4 GPUs on every day.
  CHECK(m.utilisation_by_hour[23] == Approx(4.0 / kCapacity).epsilon(1e-12));
}

TEST_CASE("B118: nodes that are never used count in utilisation") {
  HandMade run({{0, 4, 200, 0, 0, 200, JobState::completed, 0, 0}});
  const Metrics m = run.measured();
  // Node 0 of p is held all the time, node 1 and pool q are idle: 4 of 8 GPUs of p, 4 of all 16.
  CHECK(m.pools[0].utilisation_allocated == Approx(0.5).epsilon(1e-12));
  CHECK(m.pools[1].utilisation_allocated == 0.0);
  CHECK(m.all.value("utilisation_allocated") == Approx(0.25).epsilon(1e-12));
}
