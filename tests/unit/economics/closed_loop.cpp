#include "sim/economics/economics.hpp"
#include "tests/catch.hpp"
#include "tests/unit/economics/fixture.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;

TEST_CASE("the load of a closed loop is that of users who never wait") {
  Scenario s = lab();
  JobClass& prototype = s.workload.classes[0];
  const double open_per_day = offered_load(s).classes[0].jobs_per_day;
  REQUIRE(open_per_day > 0.0);
  CHECK_FALSE(offered_load(s).closed_loop);
  prototype.wall_time.law = FixedSpec{2 * kHour};
  prototype.arrivals->closed_loop = ClosedLoop{8 * kHour, 3};
  const OfferedLoad load = offered_load(s);
  CHECK(load.closed_loop);
  CHECK(load.classes[0].closed_loop);
  CHECK(load.classes[1].closed_loop);  // promoted from it
  // users x 3 in flight / (8 h + 2 h x ratio) a day; on the cheapest pool, the reference, the ratio is 1.
  CHECK(load.classes[0].jobs_per_day == Approx(s.workload.users * 3 * 24.0 / 10.0));
  CHECK(load.classes[1].jobs_per_day ==
        Approx(load.classes[0].jobs_per_day * prototype.promotes_to->probability));
}
