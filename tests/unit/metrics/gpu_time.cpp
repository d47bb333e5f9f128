#include "sim/metrics/gpu_time.hpp"

#include "hand_made.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;
using namespace fleetsim::example;

namespace {
constexpr std::int64_t kHour_us = 3'600'000'000;
}

TEST_CASE("GPU time is booked by class, pool and hour of the day") {
  GpuTime held(2, 2);
  // 22:30 to 01:00 the next day, on 3 GPUs.
  held.add(ClassId{1}, PoolId{0}, kStart + 22 * kHour + kHour / 2, kStart + 25 * kHour, 3);
  CHECK(held.us(1, 0, 22) == 3 * kHour_us / 2);
  CHECK(held.us(1, 0, 23) == 3 * kHour_us);
  CHECK(held.us(1, 0, 0) == 3 * kHour_us);
  CHECK(held.us(1, 0) == 15 * kHour_us / 2);
  CHECK(held.us(0, 0) == 0);
  held.add(kNoClass, PoolId{1}, kStart, kStart + kHour, 2);  // a job of a trace
  CHECK(held.us(held.classes(), 1) == 2 * kHour_us);
  CHECK(held.in_one_pool().us(held.classes(), 0) == 2 * kHour_us);
}

// Window: hours 10 to 110.
TEST_CASE("a job that is put back into the queue has held its GPUs both times") {
  const HandMade run({{0, 2, 50, 0, 5, 30, JobState::completed}});
  Ledger ledger(run.input);
  const auto step = [&](int hour, JobState to) {
    ledger.on(
        {at(hour), JobId{0}, to, to == JobState::running ? PoolId{0} : kNoPool, 1, StartReason::none, false});
  };
  step(0, JobState::pending);
  step(5, JobState::running);
  step(20, JobState::pending);  // its node failed
  step(40, JobState::running);
  ledger.close(at(200));  // and it still runs
  // 2 GPUs from 10 to 20 and from 40 to 110.
  CHECK(ledger.gpu_time().us(0, 0) == 2 * 80 * kHour_us);
}

TEST_CASE("GPU time of all classes is the utilisation of the pools") {
  HandMade run(
      {{0, 2, 20, 0, 5, 30, JobState::completed}, {1, 8, 90, 50, 60, kNoTime, JobState::unfinished, 1, 2}});
  Ledger ledger(run.input);
  for (const Transition& t : run.transitions()) ledger.on(t);
  ledger.close(run.result.ended);
  const Metrics m = run.measured();
  for (std::size_t p = 0; p < 2; ++p) {
    std::int64_t us = 0;
    for (std::size_t c = 0; c <= ledger.gpu_time().classes(); ++c) us += ledger.gpu_time().us(c, p);
    // 8 GPUs in each pool, 100 h.
    CHECK(static_cast<double>(us) / (8.0 * 100.0 * static_cast<double>(kHour_us)) ==
          Approx(m.pools[p].utilisation_allocated));
  }
}
