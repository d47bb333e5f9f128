#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>

#include "sim/workload/profile.hpp"
#include "sim/workload/workload.hpp"
#include "tests/catch.hpp"
#include "tests/unit/workload/example.hpp"

using namespace fleetsim;

namespace {

std::vector<std::size_t> rows_of(const Workload& w, int job_class) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < w.requests.size(); ++i)
    if (index(w.requests.job_class[i]) == static_cast<std::size_t>(job_class)) rows.push_back(i);
  return rows;
}

bool same(const Workload& a, const Workload& b) {
  return a.requests.submit == b.requests.submit && a.requests.gpus == b.requests.gpus &&
         a.requests.user == b.requests.user && a.requests.job_class == b.requests.job_class &&
         a.requests.parent == b.requests.parent && a.truth.wall == b.truth.wall &&
         a.truth.limit_factor == b.truth.limit_factor && a.truth.child == b.truth.child &&
         a.truth.pause == b.truth.pause && a.truth.shape == b.truth.shape;
}

/// The arriving jobs of class 0, without what stands behind them.
struct Arrival {
  Instant submit;
  std::int32_t user, gpus;
  Duration wall;
  friend bool operator==(const Arrival&, const Arrival&) = default;
};
std::vector<Arrival> arrivals_of(const Workload& w) {
  std::vector<Arrival> out;
  for (const std::size_t i : rows_of(w, 0))
    if (w.requests.parent[i] == kNoJob)
      out.push_back({w.requests.submit[i], w.requests.user[i], w.requests.gpus[i], w.truth.wall[i]});
  return out;
}

}  // namespace

TEST_CASE("a replication is drawn again bit by bit, and another one differs") {
  const Scenario lab = example::lab();
  CHECK(same(generate(lab, 3), generate(lab, 3)));
  CHECK_FALSE(same(generate(lab, 3), generate(lab, 4)));
}

TEST_CASE("rows that arrive are sorted by submit and a child stands directly behind its parent") {
  const Workload w = generate(example::lab(), 0);
  Instant before = kStart;
  for (std::size_t i = 0; i < w.requests.size(); ++i) {
    const JobId child = w.truth.child[i];
    if (child != kNoJob) {
      REQUIRE(index(child) == i + 1);
      REQUIRE(index(w.requests.parent[i + 1]) == i);
      REQUIRE(w.truth.pause[i] > Duration{});
    }
    if (w.requests.parent[i] == kNoJob) {
      REQUIRE(w.requests.submit[i] >= before);
      before = w.requests.submit[i];
    } else {
      REQUIRE(w.requests.submit[i] == kNever);
      REQUIRE(w.truth.child[index(w.requests.parent[i])] == JobId{static_cast<std::uint32_t>(i)});
    }
  }
  CHECK(before < kStart + 38 * kWeek);
  CHECK(before > kStart + 37 * kWeek);
}

TEST_CASE("arrivals, sizes and promotions come at the rates of the scenario") {
  Scenario lab = example::lab();
  lab.time = {10 * kWeek, 80 * kWeek, 10 * kWeek, 1};
  const Workload w = generate(lab, 1);
  // 8 /day x 30 users x 700 days = 168000 prototypes, standard deviation 410; four of them allowed.
  const auto prototypes = rows_of(w, 0);
  const auto n = static_cast<double>(prototypes.size());
  CHECK_THAT(n, Catch::Matchers::WithinAbs(168000.0, 1640.0));
  std::array<double, 5> by_size{};
  for (const std::size_t i : prototypes) by_size[static_cast<std::size_t>(w.requests.gpus[i])] += 1.0;
  CHECK_THAT(by_size[1] / n, Catch::Matchers::WithinAbs(0.7, 0.0045));  // 4 sqrt(.7 x .3 / n)
  CHECK_THAT(by_size[2] / n, Catch::Matchers::WithinAbs(0.2, 0.0040));
  CHECK_THAT(by_size[4] / n, Catch::Matchers::WithinAbs(0.1, 0.0030));
  const auto children = rows_of(w, 1);
  CHECK_THAT(static_cast<double>(children.size()) / n, Catch::Matchers::WithinAbs(0.1, 0.0030));
  // The pause is exponential with mean 12 h: mean within 4 x 12 / sqrt(16800).
  double pause_h = 0.0;
  for (const std::size_t i : children) pause_h += to_hours(w.truth.pause[i - 1]);
  CHECK_THAT(pause_h / static_cast<double>(children.size()), Catch::Matchers::WithinAbs(12.0, 0.38));
}

TEST_CASE("wall times keep the median, the mean and the cut of their class") {
  Scenario lab = example::lab();
  lab.time = {10 * kWeek, 80 * kWeek, 10 * kWeek, 1};
  const Workload w = generate(lab, 2);
  std::vector<double> hours;
  for (const std::size_t i : rows_of(w, 0)) hours.push_back(to_hours(w.truth.wall[i]));
  std::sort(hours.begin(), hours.end());
  CHECK(hours.front() > 0.0);
  CHECK(hours.back() <= 24.0);
  CHECK_THAT(hours[hours.size() / 2], Catch::Matchers::WithinAbs(1.0, 0.03));
  const double mean = std::accumulate(hours.begin(), hours.end(), 0.0) / static_cast<double>(hours.size());
  CHECK_THAT(mean, Catch::Matchers::WithinAbs(3.0, 0.05));
}

TEST_CASE("office hours have the shape of the recorded week and the mean of the scenario") {
  const auto& week = weekly_profile(ArrivalProfile::office_hours);
  CHECK_THAT(std::accumulate(week.begin(), week.end(), 0.0), Catch::Matchers::WithinRel(168.0, 1e-12));
  // Thursday 13:00 over Sunday 04:00: 1.31 x 2.11 / (0.55 x 0.06).
  CHECK_THAT(week[3 * 24 + 13] / week[6 * 24 + 4],
             Catch::Matchers::WithinRel(1.31 * 2.11 / (0.55 * 0.06), 1e-12));
  for (const double weight : weekly_profile(ArrivalProfile::flat)) REQUIRE(weight == 1.0);

  Scenario lab = example::lab();
  lab.time = {10 * kWeek, 80 * kWeek, 10 * kWeek, 1};
  const Workload w = generate(lab, 5);
  std::array<double, kHoursPerWeek> seen{};
  for (const Arrival& a : arrivals_of(w))
    seen[static_cast<std::size_t>((a.submit - kStart) / kHour % kHoursPerWeek)] += 1.0;
  // Pearson's chi-square, 167 degrees of freedom: mean 167, deviation 18.3; 240 is four of them above.
  double chi2 = 0.0;
  for (std::size_t h = 0; h < seen.size(); ++h) {
    const double expected = 1000.0 * week[h];  // 168000 arrivals over 168 hours
    chi2 += (seen[h] - expected) * (seen[h] - expected) / expected;
  }
  CHECK(chi2 < 240.0);
}

TEST_CASE("jobs do not depend on other classes, on the promotion probability or on the fleet") {
  const Scenario lab = example::lab();
  const auto arrivals = arrivals_of(generate(lab, 0));

  Scenario with_third = lab;
  with_third.workload.classes.push_back(example::prototype());
  with_third.workload.classes[2].name = "course";
  CHECK(arrivals_of(generate(with_third, 0)) == arrivals);

  Scenario other_fleet = lab;
  other_fleet.pools.resize(1);
  other_fleet.pools[0].count = 7;
  other_fleet.scheduler.sharing = SharingRule::strict;
  CHECK(same(generate(other_fleet, 0), generate(lab, 0)));

  Scenario more_promotion = lab;
  more_promotion.workload.classes[0].promotes_to->probability = 1.0;
  const Workload all = generate(more_promotion, 0);
  CHECK(arrivals_of(all) == arrivals);
  // Each child that exists at 10 % is the one that its parent has at 100 %.
  const Workload some = generate(lab, 0);
  std::size_t parent_all = 0;
  for (std::size_t i = 0; i < some.requests.size(); ++i) {
    if (some.requests.parent[i] != kNoJob) continue;
    REQUIRE(all.requests.submit[parent_all] == some.requests.submit[i]);
    if (some.truth.child[i] != kNoJob) {
      REQUIRE(all.truth.wall[parent_all + 1] == some.truth.wall[i + 1]);
      REQUIRE(all.requests.gpus[parent_all + 1] == some.requests.gpus[i + 1]);
      REQUIRE(all.truth.pause[parent_all] == some.truth.pause[i]);
    }
    parent_all += 2;
  }
}

TEST_CASE("the limit factor is drawn once a user and class and is at least 1.1") {
  Scenario lab = example::lab();
  lab.workload.users = 400;
  lab.time = {kWeek, kWeek, kWeek, 1};
  const Workload w = generate(lab, 0);
  std::vector<double> factor(400, 0.0);
  for (const std::size_t i : rows_of(w, 0)) {
    double& of_user = factor[static_cast<std::size_t>(w.requests.user[i])];
    if (of_user == 0.0) of_user = w.truth.limit_factor[i];
    REQUIRE(w.truth.limit_factor[i] == of_user);
  }
  std::sort(factor.begin(), factor.end());
  CHECK(factor.front() >= 1.1);
  // The median of 400 log-normal draws: 2.5, deviation 2.5 x 0.5 x 1.2533 / 20 = 0.078.
  CHECK_THAT(factor[200], Catch::Matchers::WithinAbs(2.5, 0.32));
}

TEST_CASE("a promoted job may itself be promoted") {
  Scenario lab = example::lab();
  JobClass third = example::scale_up();
  third.name = "publication";
  lab.workload.classes[0].promotes_to->probability = 1.0;
  lab.workload.classes[1].promotes_to = PromotionSpec{ClassId{2}, 1.0, kHour};
  lab.workload.classes.push_back(third);
  const Workload w = generate(lab, 0);
  REQUIRE(w.requests.size() % 3 == 0);
  for (std::size_t i = 0; i < w.requests.size(); i += 3) {
    REQUIRE(w.truth.child[i] == JobId{static_cast<std::uint32_t>(i + 1)});
    REQUIRE(w.truth.child[i + 1] == JobId{static_cast<std::uint32_t>(i + 2)});
    REQUIRE(w.truth.child[i + 2] == kNoJob);
    REQUIRE(index(w.requests.job_class[i + 2]) == 2);
    REQUIRE(w.requests.user[i + 2] == w.requests.user[i]);
  }
}

TEST_CASE("a class that promotes to itself for certain still ends") {
  Scenario lab = example::lab();
  lab.workload.users = 1;
  lab.time = {kDay, kDay, kDay, 1};
  lab.workload.classes[0].promotes_to = PromotionSpec{ClassId{0}, 1.0, kHour};
  const Workload w = generate(lab, 0);
  CHECK(w.requests.size() > 64);
  CHECK(w.truth.child.back() == kNoJob);
}

TEST_CASE("fixed and exponential wall times are drawn as written") {
  Scenario lab = example::lab();
  lab.workload.classes[0].wall_time.law = FixedSpec{90 * std::chrono::seconds(1)};
  const Workload fixed = generate(lab, 0);
  for (const std::size_t i : rows_of(fixed, 0)) REQUIRE(fixed.truth.wall[i] == std::chrono::seconds(90));
  lab.workload.classes[0].wall_time.law = ExponentialSpec{2 * kHour};
  const Workload exponential = generate(lab, 0);
  double hours = 0.0;
  const auto rows = rows_of(exponential, 0);
  for (const std::size_t i : rows) hours += to_hours(exponential.truth.wall[i]);
  // 63840 jobs: deviation of the mean 2 / sqrt(63840) = 0.008.
  CHECK_THAT(hours / static_cast<double>(rows.size()), Catch::Matchers::WithinAbs(2.0, 0.032));
}

TEST_CASE("an unreachable wall time names the class") {
  Scenario lab = example::lab();
  lab.workload.classes[0].wall_time.law = LognormalSpec{kHour, 20 * kHour, 24 * kHour};
  CHECK_THROWS_WITH(generate(lab, 0), Catch::Contains("prototype") && Catch::Contains("largest mean"));
}

TEST_CASE("trace jobs are merged by submit and those after the horizon are left out") {
  Scenario lab = example::lab();
  lab.time = {kDay, kDay, kDay, 1};
  auto trace = std::make_shared<Trace>();
  for (int i = 0; i < 10; ++i) {
    TraceJob job;
    job.source_id = 100 + i;
    job.submit = kStart + i * 8 * kHour;
    job.run = kHour;
    job.limit = 2 * kHour;
    job.has_limit = true;
    job.processors = 1 + i % 2;
    job.user = 5;
    trace->jobs.push_back(job);
  }
  lab.workload.trace = trace;
  lab.workload.trace_partition = QueueId{1};
  const Workload w = generate(lab, 0);
  int recorded = 0;
  Instant before = kStart;
  for (std::size_t i = 0; i < w.requests.size(); ++i) {
    if (w.requests.parent[i] != kNoJob) continue;
    REQUIRE(w.requests.submit[i] >= before);
    before = w.requests.submit[i];
    if (w.requests.job_class[i] != kNoClass) continue;
    REQUIRE(w.requests.submit[i] == kStart + recorded * 8 * kHour);
    REQUIRE(w.requests.queue[i] == QueueId{1});
    REQUIRE(w.requests.limit[i] == 2 * kHour);
    REQUIRE(w.shapes[w.truth.shape[i]].gpus == w.requests.gpus[i]);
    REQUIRE(w.shapes[w.truth.shape[i]].job_class == kNoClass);
    ++recorded;
  }
  CHECK(recorded == 9);  // 0, 8, ..., 64 h; the tenth at 72 h is the end
}
