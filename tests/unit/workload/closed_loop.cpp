#include <algorithm>

#include "sim/workload/workload.hpp"
#include "tests/catch.hpp"
#include "tests/unit/workload/example.hpp"

using namespace fleetsim;

namespace {

Scenario looping(int users = 5, int in_flight = 1, Duration think = 8 * kHour) {
  Scenario s = example::lab();
  s.workload.users = users;
  s.workload.classes[0].arrivals->closed_loop = ClosedLoop{think, in_flight};
  return s;
}

/// Rows of one loop after the other, in the order of the table.
std::vector<std::vector<std::size_t>> loops_of(const Workload& w) {
  std::vector<std::vector<std::size_t>> loops;
  for (std::size_t i = 0; i < w.requests.size(); ++i) {
    if (w.requests.submit[i] == kNever) continue;
    loops.emplace_back();
    for (JobId at{static_cast<std::uint32_t>(i)}; at != kNoJob; at = w.truth.next[index(at)])
      loops.back().push_back(index(at));
  }
  return loops;
}

struct Drawn {
  Duration wall, think;
  std::int32_t gpus;
  friend bool operator==(const Drawn&, const Drawn&) = default;
};
std::vector<Drawn> draws(const Workload& w, const std::vector<std::size_t>& loop) {
  std::vector<Drawn> out;
  for (const std::size_t i : loop) out.push_back({w.truth.wall[i], w.truth.think[i], w.requests.gpus[i]});
  return out;
}

}  // namespace

TEST_CASE("a loop has a row for every job that its user could submit if no job took any time") {
  const Scenario s = looping();
  const Instant end = kStart + s.time.warm_up + s.time.measure + s.time.drain;
  const Workload w = generate(s, 0);
  const auto loops = loops_of(w);
  REQUIRE(loops.size() == 5);
  std::size_t rows = 0;
  for (const auto& loop : loops) {
    Instant earliest = w.requests.submit[loop.front()];
    for (const std::size_t i : loop) {
      REQUIRE(earliest <= end);
      REQUIRE(w.requests.parent[i] == kNoJob);
      REQUIRE(w.truth.think[i] != kForever);
      earliest += w.truth.think[i];
    }
    CHECK(earliest > end);  // so the next one could never be submitted
    rows += loop.size();
  }
  // 38 weeks / 8 h = 798 jobs a loop on average, with a standard deviation of sqrt(798) = 28.
  CHECK(static_cast<double>(rows) / 5.0 == Approx(798.0).margin(4.0 * 28.0 / 2.236));
}

TEST_CASE("a later job of a loop stands behind the one before and that one's promoted jobs, and sleeps") {
  Scenario s = looping();
  s.workload.classes[0].promotes_to->probability = 0.5;
  const Workload w = generate(s, 1);
  REQUIRE(w.truth.next.size() == w.requests.size());
  std::size_t promoted = 0;
  for (std::size_t i = 0; i < w.requests.size(); ++i) {
    if (w.requests.parent[i] != kNoJob) {
      ++promoted;
      CHECK(w.truth.next[i] == kNoJob);
      CHECK(w.truth.think[i] == kForever);
      continue;
    }
    if (w.truth.next[i] == kNoJob) continue;
    const std::size_t next = index(w.truth.next[i]);
    REQUIRE(w.requests.submit[next] == kNever);
    REQUIRE(next == i + (w.truth.child[i] == kNoJob ? 1 : 2));
    REQUIRE(w.requests.user[next] == w.requests.user[i]);
  }
  CHECK(promoted > 1000);
}

TEST_CASE("another loop or user leaves the draws of a loop alone, and two loops of a user differ") {
  const auto one = generate(looping(2, 1), 0), two = generate(looping(2, 2), 0),
             more = generate(looping(3, 1), 0);
  const auto loops_one = loops_of(one), loops_two = loops_of(two), loops_more = loops_of(more);
  REQUIRE(loops_two.size() == 4);
  for (const auto& loop : loops_one) {
    const auto same = [&](const Workload& w, const std::vector<std::vector<std::size_t>>& loops) {
      return std::count_if(loops.begin(), loops.end(),
                           [&](const auto& other) { return draws(w, other) == draws(one, loop); });
    };
    CHECK(same(two, loops_two) == 1);
    CHECK(same(more, loops_more) == 1);
  }
}

TEST_CASE("an open class beside a closed one keeps its jobs") {
  Scenario open = example::lab();
  open.workload.classes[1].arrivals = ArrivalSpec{PerSecond{1.0 / 86400.0}, ArrivalProfile::flat};
  Scenario mixed = open;
  mixed.workload.classes[0].arrivals->closed_loop = ClosedLoop{8 * kHour, 2};
  const auto arrivals = [](const Workload& w) {
    std::vector<Instant> out;
    for (std::size_t i = 0; i < w.requests.size(); ++i)
      if (index(w.requests.job_class[i]) == 1 && w.requests.parent[i] == kNoJob)
        out.push_back(w.requests.submit[i]);
    return out;
  };
  CHECK(arrivals(generate(open, 0)) == arrivals(generate(mixed, 0)));
  CHECK(generate(open, 0).truth.next.empty());
}

TEST_CASE("a think time beyond the horizon draws no job") {
  CHECK(generate(looping(1, 1, 1'000'000 * kWeek), 0).requests.size() == 0);
}
