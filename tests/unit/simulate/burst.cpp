// Jobs that have waited too long and run on rented GPUs, worked out by hand.
#include <cmath>

#include "sim/economics/economics.hpp"
#include "tests/catch.hpp"
#include "tests/unit/simulate/example.hpp"

using namespace fleetsim;
using Catch::Matchers::WithinRel;

namespace {

constexpr auto hours(int n) {
  return kStart + n * kHour;
}

/// One node of 4 GPUs, jobs of 4 GPUs; who has waited for 6 h rents at 3 USD a GPU-hour.
Scenario one_bursting_node() {
  Scenario s = example::two_pools(SharingRule::strict, 1, 0);
  s.workload.classes[0].gpus = {{4, 1.0}};
  BurstSpec burst;
  burst.above_wait = 6 * kHour;
  burst.node = example::node("rented", 8, 16);
  burst.rate.value = burst.rate.low = burst.rate.high = usd(std::int64_t{3});
  s.scheduler.burst = burst;
  return s;
}

/// A fills the node from 0 to 10 h. B, submitted at 1 h, would wait until 10 h; C comes at 8 h.
const std::vector<example::Asked> kJobs = {{0, 0, 600}, {0, 60, 300}, {0, 480, 120}};

}  // namespace

TEST_CASE("One node, three jobs: the one that has waited for 6 h is rented 4 GPUs for its 5 h") {
  const Scenario s = one_bursting_node();
  EngineResult out;
  const RunResult run = simulate(s, example::workload_of(s, kJobs), &out);
  CHECK(out.jobs.start == std::vector<Instant>{hours(0), hours(7), hours(10)});
  CHECK(out.jobs.end == std::vector<Instant>{hours(10), hours(12), hours(12)});
  CHECK(out.jobs.pool == std::vector<PoolId>{PoolId{0}, kCloudPool, PoolId{0}});
  CHECK(run.metrics.broken_laws.empty());
  const MetricSet& all = run.metrics.all;
  // Waits 0, 6 and 2 h.
  CHECK_THAT(all.value("wait_s"), WithinRel(8.0 * 3600.0 / 3.0));
  CHECK(all.value("burst_jobs") == 1.0);
  CHECK_THAT(all.value("burst_gpu_hours"), WithinRel(4.0 * 5.0));
  CHECK_THAT(all.value("burst_useful_gpu_hours"), WithinRel(4.0 * 5.0));
  CHECK(all.value("burst_interruptions") == 0.0);
  // 20 GPU-hours x 3 USD
  CHECK_THAT(all.value("burst_cost"), WithinRel(60.0));
  CHECK_THAT(run.metrics.classes[0].value("burst_cost"), WithinRel(60.0));
  CHECK(run.metrics.classes[1].value("burst_jobs") == 0.0);
  // Of the fleet's own 4 GPUs x 168 h, A and C held (10 + 2) h x 4.
  CHECK_THAT(run.metrics.pools[0].utilisation_allocated, WithinRel(48.0 / 672.0));
  CHECK_THAT(run.metrics.classes[0].value("gpu_hours_held"), WithinRel(48.0));
  // A year: 20 GPU-hours x 8760 / 168 x 3 USD = 3128.57 USD, three years beside the rest; useful are 48 + 20
  // GPU-hours a week.
  Scenario alone = s;
  alone.scheduler.burst.reset();
  const Bill bill = bill_of_materials(s);
  const double fleet_usd = to_usd(cost_by_year(alone, bill, mean_power(s, {48.0 / 672.0, 0.0})).total);
  CHECK_THAT(all.value("cost_per_useful_gpu_hour"),
             WithinRel((fleet_usd + 3 * 3128.57) / (68.0 * 8760.0 / 168.0 * 3)));
}

TEST_CASE("What is rented is told by group of users as well") {
  Scenario s = one_bursting_node();
  s.workload.users = 3;
  s.workload.groups = {{"a", 1, {}}, {"b", 2, {}}};
  Workload drawn = example::workload_of(s, kJobs);
  drawn.requests.group = {0, 1, 0};  // the job that is sent, the second, is b's: 4 GPUs x 5 h x 3 USD
  const Metrics m = simulate(s, drawn).metrics;
  REQUIRE(m.groups.size() == 2);
  CHECK(m.groups[0].value("burst_jobs") == 0.0);
  CHECK(m.groups[0].value("burst_cost") == 0.0);
  CHECK(m.groups[1].value("burst_jobs") == 1.0);
  CHECK_THAT(m.groups[1].value("burst_gpu_hours"), WithinRel(20.0));
  CHECK_THAT(m.groups[1].value("burst_cost"), WithinRel(60.0));
}

TEST_CASE("Without the limit the second job waits for the node, and nothing is rented") {
  Scenario s = one_bursting_node();
  s.scheduler.burst.reset();
  EngineResult out;
  const RunResult run = simulate(s, example::workload_of(s, kJobs), &out);
  CHECK(out.jobs.start[1] == hours(10));
  CHECK(run.metrics.all.find("burst_jobs") == nullptr);
  CHECK(run.metrics.all.find("burst_cost") == nullptr);
}

TEST_CASE("Who pays for whole nodes pays for all 8 GPUs of the rented node") {
  Scenario s = one_bursting_node();
  s.scheduler.burst->whole_nodes = true;
  const RunResult run = simulate(s, example::workload_of(s, kJobs));
  CHECK_THAT(run.metrics.all.value("burst_gpu_hours"), WithinRel(8.0 * 5.0));
  CHECK_THAT(run.metrics.all.value("burst_useful_gpu_hours"), WithinRel(4.0 * 5.0));
  CHECK_THAT(run.metrics.all.value("burst_cost"), WithinRel(120.0));
}

TEST_CASE("Classes that may not go, do not fit the card or need more than one node wait on") {
  EngineResult out;
  const auto start_of_second = [&](const Scenario& s) {
    static_cast<void>(simulate(s, example::workload_of(s, kJobs), &out));
    return out.jobs.start[1];
  };
  Scenario named = one_bursting_node();
  named.scheduler.burst->classes = {1};
  CHECK(start_of_second(named) == hours(10));
  CHECK(burst_obstacle(named, {ClassId{0}, 4}) == "'scheduler.burst.classes' does not name them");
  Scenario small_card = one_bursting_node();
  small_card.scheduler.burst->node.gpu.memory.value = Bytes{4'000'000'000};
  CHECK(start_of_second(small_card) == hours(10));
  CHECK(burst_obstacle(small_card, {ClassId{0}, 4}).ends_with("has 4 GB, the job needs 8 GB"));
  Scenario small_node = one_bursting_node();
  small_node.scheduler.burst->node.gpus = 2;
  CHECK(start_of_second(small_node) == hours(10));
  CHECK(burst_obstacle(small_node, {ClassId{0}, 4})
            .ends_with("has 2 GPUs, and no network between rented nodes is modelled"));
  CHECK(burst_obstacle(one_bursting_node(), {ClassId{0}, 4}).empty());
}

TEST_CASE("Interrupted GPUs: what is paid is the work and what interruptions took, and the laws hold") {
  int interruptions = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Scenario s = one_bursting_node();
    s.seed = seed;
    s.scheduler.burst->terms = RentTerms::spot;
    s.scheduler.burst->interruptions = PerSecond{0.1 / 3600.0};  // of a GPU; the job holds 4
    if (seed % 2 == 0) {
      FailureSpec checkpoints;
      checkpoints.checkpoint_interval = kHour;
      s.availability.failures = checkpoints;
    }
    const RunResult run = simulate(s, example::workload_of(s, {{0, 0, 600, 9.0}, {0, 60, 300, 9.0}}));
    const MetricSet& all = run.metrics.all;
    INFO(seed);
    CHECK(run.metrics.broken_laws.empty());
    // 4 GPUs x 5 h of work
    CHECK_THAT(all.value("burst_gpu_hours"), WithinRel(20.0 + all.value("burst_lost_gpu_hours")));
    if (seed % 2 == 0) CHECK(all.value("burst_lost_gpu_hours") <= 4.0 * all.value("burst_interruptions"));
    if (seed % 2 == 0) CHECK(all.value("requeued") == 0.0);  // no outage of the fleet's nodes
    interruptions += static_cast<int>(all.value("burst_interruptions"));
  }
  // Each attempt is stopped with 1 - e^(-4 x 0.1 x 5) or less: 30 runs without any would be a wonder.
  CHECK(interruptions > 10);
}

TEST_CASE("A user with a private machine may rent, too") {
  Scenario s = one_bursting_node();
  s.pools.resize(1);
  s.scheduler.partitions.resize(1);
  s.workload.classes.resize(1);
  s.workload.classes[0].promotes_to.reset();
  s.workload.users = 1;
  s.scheduler.sharing = SharingRule::private_machines;
  EngineResult out;
  const RunResult run = simulate(s, example::workload_of(s, kJobs), &out);
  CHECK(out.jobs.pool == std::vector<PoolId>{PoolId{0}, kCloudPool, PoolId{0}});
  CHECK(run.metrics.all.value("burst_jobs") == 1.0);
  CHECK(run.metrics.broken_laws.empty());
}

TEST_CASE("Time limits hold for the rented node, too: they are counted from the slowest place") {
  Scenario s = one_bursting_node();
  const Workload w = example::workload_of(s, kJobs);
  Prepared prepared = prepare(one_bursting_node(), w.shapes);
  prepared.burst.ratio[0] = 3.0;
  // factor 2 x 5 h x 3
  CHECK(bind(s, prepared, w).limit[1] == std::min<Duration>(30 * kHour, s.scheduler.partitions[0].max_time));
  prepared.burst.ratio[0] = -1.0;
  CHECK(bind(s, prepared, w).limit[1] == 10 * kHour);
}
