// The rounds of a study against a store.
#include "sim/study/study_rounds.hpp"

#include <filesystem>

#include "sim/study/export.hpp"
#include "sim/study/merge.hpp"
#include "sim/study/screening.hpp"
#include "sim/study/store.hpp"
#include "sim/study/verdict.hpp"
#include "tests/catch.hpp"
#include "tests/unit/study/made_up.hpp"

using namespace fleetsim;

namespace {

/// Six fleets under two sharing rules, few of them near the best.
class FewNearTheBest final : public CandidateSource {
 public:
  [[nodiscard]] std::size_t size() const override { return 10; }
  [[nodiscard]] Candidate make(std::size_t i) const override {
    static constexpr int kCounts[5][2] = {{8, 1}, {6, 2}, {4, 3}, {2, 4}, {0, 5}};
    Candidate c;
    c.scenario = made_up::scenario(kCounts[i % 5][0], kCounts[i % 5][1]);
    c.scenario.scheduler.sharing = i < 5 ? SharingRule::strict : SharingRule::overflow;
    c.label = fmt::format("{}+{}", kCounts[i % 5][0], kCounts[i % 5][1]);
    c.key = fmt::format("key-{}", i);
    return c;
  }
};

Scenario base() {
  Scenario s = made_up::scenario(8, 1);
  s.study.search = SearchKind::rounds;
  s.study.max_replications = 12;  // looks 5, 8, 12
  return s;
}

StudyOptions rounds_options(const std::string& store, int threads) {
  StudyOptions o;
  o.store = store;
  o.threads = threads;
  o.engine = "1";
  o.scenario = "text";
  o.scenario_sha256 = "sha";
  return o;
}

std::string files(const StudyResult& study) {
  return study_json(base(), study, {"1", "sha", ""}) + candidates_csv(base(), study);
}

}  // namespace

TEST_CASE("a study by rounds gives the same bytes for any number of threads and what else the store holds") {
  const made_up::Folder folder;
  const FewNearTheBest fleets;
  const auto one = run_study(base(), fleets, rounds_options(folder.file("one.db"), 1));
  REQUIRE(one);
  REQUIRE(one->rounds);
  CHECK(one->rounds->rounds.front().up_to == 5);
  CHECK(one->candidates.size() == 10);
  std::int64_t runs = 0;
  for (const RoundsSummary::Round& round : one->rounds->rounds) runs += round.runs;
  CHECK(runs == one->rounds->runs);
  CHECK(one->rounds->exhaustive == 120);
  CHECK(runs < 120);

  const auto many = run_study(base(), fleets, rounds_options(folder.file("many.db"), 3));
  REQUIRE(many);
  CHECK(files(*one) == files(*many));

  Scenario exhaustive = base();
  exhaustive.study.search = SearchKind::exhaustive;
  exhaustive.time.replications = 14;
  REQUIRE(run_study(exhaustive, fleets, rounds_options(folder.file("full.db"), 2)));
  const auto full = run_study(base(), fleets, rounds_options(folder.file("full.db"), 2));
  REQUIRE(full);
  CHECK(files(*one) == files(*full));
}

TEST_CASE("a study by rounds stopped again and again ends with the bytes of an undisturbed one") {
  const made_up::Folder folder;
  const FewNearTheBest fleets;
  const auto undisturbed = run_study(base(), fleets, rounds_options("", 1));
  REQUIRE(undisturbed);
  std::atomic<bool> stop{false};
  StudyOptions o = rounds_options(folder.file("study.db"), 2);
  o.stop = &stop;
  std::optional<StudyResult> result;
  int stops = 0;
  std::int64_t most = 0;
  for (; !result && stops < 200; ++stops) {
    stop.store(false);
    std::int64_t now = 0;
    o.progress = [&](const StudyProgress& p) {
      now = p.done;
      stop.store(now > most);  // further than ever before: stop
    };
    result = run_study(base(), fleets, o);
    most = std::max(most, now);
  }
  REQUIRE(result);
  CHECK(stops > 3);
  CHECK(files(*undisturbed) == files(*result));
}

TEST_CASE("shards of each round, merged, lead to the next one and to the same study") {
  const made_up::Folder folder;
  const FewNearTheBest fleets;
  const std::string joined = folder.file("joined.db");
  int rounds = 0;
  for (bool complete = false; !complete; ++rounds) {
    REQUIRE(rounds < 20);
    std::vector<std::string> stores;
    for (int k = 1; k <= 3; ++k) {
      const std::string store = folder.file(fmt::format("shard-{}.db", k));
      if (std::filesystem::exists(joined))
        std::filesystem::copy_file(joined, store, std::filesystem::copy_options::overwrite_existing);
      StudyOptions o = rounds_options(store, 1);
      o.shard = {k, 3};
      const auto shard = run_shard(base(), fleets, o);
      REQUIRE(shard);
      CHECK(shard->round == rounds + 1);
      CHECK_FALSE(shard->round_whole);
      CHECK(shard->simulated == shard->wanted);
      stores.push_back(store);
    }
    const MergeResult merged = merge_stores({stores[2], stores[0], stores[1]}, joined);
    REQUIRE(merged.studies.size() >= static_cast<std::size_t>(rounds) + 1);
    for (const MergeResult::Study& study : merged.studies) CHECK(study.missing_runs == 0);
    complete = plan_study(base(), fleets, rounds_options(joined, 1)).complete;
  }
  const auto direct = run_study(base(), fleets, rounds_options("", 2));
  const auto sharded = run_study(base(), fleets, rounds_options(joined, 2));
  REQUIRE(direct);
  REQUIRE(sharded);
  CHECK(rounds == static_cast<int>(direct->rounds->rounds.size()));
  CHECK(files(*direct) == files(*sharded));
  StudyOptions o = rounds_options(joined, 1);
  o.shard = {2, 3};
  const auto nothing = run_shard(base(), fleets, o);
  REQUIRE(nothing);
  CHECK(nothing->complete);
  CHECK(nothing->round == rounds);
  CHECK(nothing->wanted == 0);
}

TEST_CASE("a missing shard of a later round is told by merge") {
  const made_up::Folder folder;
  const FewNearTheBest fleets;
  StudyOptions o = rounds_options(folder.file("whole.db"), 2);
  const auto first = run_shard(base(), fleets, o);
  REQUIRE(first);
  CHECK(first->round == 1);
  CHECK(first->round_whole);
  REQUIRE_FALSE(first->complete);
  std::filesystem::copy_file(folder.file("whole.db"), folder.file("part.db"));
  o.store = folder.file("part.db");
  o.shard = {1, 2};
  const auto second = run_shard(base(), fleets, o);
  REQUIRE(second);
  CHECK(second->round == 2);
  const MergeResult merged = merge_stores({folder.file("part.db")}, folder.file("out.db"));
  std::int64_t missing = 0;
  for (const MergeResult::Study& study : merged.studies) missing += study.missing_runs;
  CHECK(missing == second->total - second->wanted);
}

TEST_CASE("the plan of a study by rounds is its first round, then the round that the store leads to") {
  const made_up::Folder folder;
  const FewNearTheBest fleets;
  const StudyOptions o = rounds_options(folder.file("study.db"), 2);
  const StudyPlan before = plan_study(base(), fleets, o);
  CHECK(before.round == 1);
  CHECK_FALSE(before.complete);
  CHECK(before.cap == 12);
  CHECK(before.not_simulated.size() == 1);  // strict without a proto node: an end point
  CHECK(before.total() == 9 * 5);
  REQUIRE(run_study(base(), fleets, o));
  const StudyPlan after = plan_study(base(), fleets, o);
  CHECK(after.complete);
  CHECK(after.total() == 0);
}

TEST_CASE("what is not simulated, or not further, says why, and the verdict speaks of rounds") {
  const FewNearTheBest fleets;
  const auto study = run_study(base(), fleets, rounds_options("", 2));
  REQUIRE(study);
  int not_simulated = 0, stopped = 0;
  for (const CandidateResult& c : study->candidates) {
    not_simulated += c.last_round == 0 ? 1 : 0;
    stopped += c.last_round > 0 && !c.stopped.empty() ? 1 : 0;
    CHECK((c.last_round == 0) == (c.replications == 0));
    if (c.last_round == 0) {
      CHECK(c.stopped == "end point: class prototype can run nowhere");
      CHECK_FALSE(c.feasible);
    }
  }
  CHECK(not_simulated == 1);
  CHECK(study->rounds->not_simulated == 1);
  CHECK(stopped > 0);
  CHECK(study->replications <= 12);
  CHECK(study->verdict.find("by rounds, up to ") != std::string::npos);
  for (const BestSet& set : study->best_sets) {
    if (set.k != 10.0) continue;
    for (const BestSet::Difference& d : set.differences) {
      const CandidateResult& c = study->candidates[static_cast<std::size_t>(d.candidate)];
      if (c.stopped.find("worse than") != std::string::npos && c.stopped.starts_with("at least"))
        CHECK(d.low > 2.0);
    }
  }
}

TEST_CASE(
    "a partition asked for far more than it has is saturated beyond doubt, one near its capacity is not") {
  // 24 prototypes a day of 1.3 GPUs for 2 h: 2.6 GPUs busy; results 1.2 a day of 4 GPUs for 10 h: 2 GPUs.
  Scenario s = made_up::scenario(1, 1);
  s.scheduler.sharing = SharingRule::strict;
  CHECK(known_beforehand(s).empty());
  s.workload.users = 12;  // 5.2 GPUs busy of 4: 130 %
  CHECK(known_beforehand(s) ==
        "saturated beyond doubt: its jobs ask for 130 % of the GPU time of partition proto");
  s.workload.users = 11;  // 119 %: simulated
  CHECK(known_beforehand(s).empty());
  s.workload.users = 12;
  s.scheduler.sharing = SharingRule::overflow;  // idle scale nodes may help
  CHECK(known_beforehand(s).empty());
}
