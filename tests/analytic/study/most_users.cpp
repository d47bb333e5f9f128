// The most demand that a fleet carries against Erlang C: the mean wait of an M/M/c queue grows with its load,
// so that the load at which it meets a limit is known.
#include <fmt/format.h>

#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <memory>

#include "sim/study/carried_demand.hpp"
#include "sim/study/cells.hpp"
#include "tests/analytic/engine/queueing.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using namespace fleetsim;

namespace {

constexpr int kServers = 4;
constexpr double kJob_h = 1.0;    ///< mean run time
constexpr double kLimit_h = 0.5;  ///< of the mean wait

/// W = C s / (c (1 - rho))
double mean_wait_h(double load) {
  return queueing::erlang_c(kServers, load) * kJob_h / (kServers * (1.0 - load));
}

/// The load at which the mean wait is the limit.
double border() {
  std::uintmax_t steps = 100;
  const auto found =
      boost::math::tools::toms748_solve([](double load) { return mean_wait_h(load) - kLimit_h; }, 0.01, 0.99,
                                        boost::math::tools::eps_tolerance<double>(40), steps);
  return (found.first + found.second) / 2.0;
}

/// A machine with four GPUs serves so many users, each with one job a day, of an exponential hour.
Scenario queue(int users, std::uint64_t seed) {
  Scenario s;
  s.name = "most-users";
  s.seed = seed;
  s.time = {2 * kWeek, 26 * kWeek, kWeek, 10};
  NodePool pool;
  pool.name = "machine";
  pool.node.name = "machine";
  pool.node.gpus = kServers;
  pool.node.pcie.usable_rate.value = pool.node.cpu_link.usable_rate.value = pool.node.host_staging.value =
      BytesPerSecond{10e9};
  const Money price = usd(std::int64_t{10'000});  // load is money of nodes
  pool.node.price_parts = {{"whole node", 1, {price, price, price, {"made up", "2020", true, ""}}}};
  pool.count = 1;
  s.pools = {pool};
  s.request.counts = {1};
  s.scheduler.policy = PolicyKind::fifo;
  s.scheduler.kill_at_limit = false;
  s.scheduler.sharing = SharingRule::strict;
  s.scheduler.partitions = {Partition{"machine", {PoolId{0}}, 52 * kWeek, std::nullopt, true}};
  JobClass job;
  job.name = "job";
  job.arrivals = ArrivalSpec{PerSecond{1.0 / 86400.0}, ArrivalProfile::flat};
  job.gpus = {{1, 1.0}};
  job.wall_time.law = ExponentialSpec{from_seconds(3600.0 * kJob_h)};
  job.partition = QueueId{0};
  s.workload.users = users;
  s.workload.classes = {job};
  s.study.objective = "capex";
  s.study.candidates = CandidateRule::as_given;
  s.study.constraints = {{"wait_s", ClassId{0}, true, 3600.0 * kLimit_h, "wait_s(job) <= 0.5 h"}};
  return s;
}

class One final : public CandidateSource {
 public:
  explicit One(Scenario scenario) : scenario_(std::move(scenario)) {}
  [[nodiscard]] std::size_t size() const override { return 1; }
  [[nodiscard]] Candidate make(std::size_t) const override {
    return {"1", scenario_, fmt::format("{}-{}", scenario_.workload.users, scenario_.seed)};
  }

 private:
  Scenario scenario_;
};

/// Four servers do 96 jobs of an hour a day.
constexpr int kUsersAtLoadOne = 24 * kServers;

class Users final : public CellSource {
 public:
  Users(std::vector<int> users, std::uint64_t seed) : users_(std::move(users)), seed_(seed) {
    axes_ = {{"workload.users", "users", {}}};
    for (const int n : users_) axes_.front().values.push_back(fmt::format("{}", n));
  }
  [[nodiscard]] const std::vector<MapAxis>& axes() const override { return axes_; }
  [[nodiscard]] std::size_t size() const override { return users_.size(); }
  [[nodiscard]] std::vector<std::size_t> at(std::size_t i) const override { return {i}; }
  [[nodiscard]] Cell make(std::size_t i) const override {
    Cell cell;
    cell.scenario = queue(users_[i], seed_);
    cell.candidates = std::make_unique<One>(cell.scenario);
    cell.text = fmt::format("users {}", users_[i]);
    cell.text_sha256 = fmt::format("{:064}", users_[i]);
    return cell;
  }

 private:
  std::vector<int> users_;
  std::uint64_t seed_;
  std::vector<MapAxis> axes_;
};

}  // namespace

TEST_CASE("the most users that a fleet carries are those of Erlang C") {
  // M/M/1: W = rho s / (1 - rho); M/M/4 at rho = 0.75: C = 0.5094, W = 0.5094 h.
  CHECK(mean_wait_h(0.75) == Approx(0.5094).epsilon(1e-3));
  const double most = border() * kUsersAtLoadOne;
  INFO("by Erlang C up to " << most << " users");
  const std::vector<int> users{48, 56, 62, 66, 70, 74, 78, 84, 92};
  double width = 0.0;
  constexpr int kSeeds = 5;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Scenario base = queue(users.front(), seed);
    const One fleets(base);
    const Users cells(users, seed);
    StudyOptions options;
    options.threads = 1;
    options.engine = "1";
    const auto study = run_with_cells(base, fleets, &cells, options);
    REQUIRE(study);
    REQUIRE(study->most_demand);
    REQUIRE(study->most_demand->fleets.size() == 1);
    const FleetDemand& fleet = study->most_demand->fleets.front();
    INFO("seed " << seed << ": " << carried_text(*study->most_demand, fleet));
    // Both ends are there, and the border lies between them.
    REQUIRE(fleet.carried.kept > 0);
    REQUIRE(fleet.carried.broken > 0);
    const int low = users[fleet.carried.kept - 1], high = users[users.size() - fleet.carried.broken];
    CHECK(low <= most);
    CHECK(most < high);
    width += static_cast<double>(high - low) / kSeeds;
  }
  // So narrow that it is an answer: the steps around the border are four users.
  CHECK(width < 16.0);
}
