#include <algorithm>

#include "sim/study/database.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/export.hpp"
#include "sim/study/merge.hpp"
#include "sim/study/record.hpp"
#include "sim/study/store.hpp"
#include "sim/study/verdict.hpp"
#include "tests/catch.hpp"
#include "tests/unit/study/made_up.hpp"

using namespace fleetsim;

namespace {

/// Three fleets under two sharing rules.
class MadeUpFleets final : public CandidateSource {
 public:
  [[nodiscard]] std::size_t size() const override { return 6; }
  [[nodiscard]] Candidate make(std::size_t i) const override {
    static constexpr int kCounts[3][2] = {{8, 1}, {4, 3}, {0, 5}};
    Candidate c;
    c.scenario = made_up::scenario(kCounts[i % 3][0], kCounts[i % 3][1]);
    c.scenario.scheduler.sharing = i < 3 ? SharingRule::strict : SharingRule::overflow;
    c.scenario.time.replications = 1;  // the base decides
    c.label = fmt::format("{}+{}", kCounts[i % 3][0], kCounts[i % 3][1]);
    c.key = fmt::format("key-{}", i);
    return c;
  }
};

StudyOptions options(const std::string& store, int threads) {
  StudyOptions o;
  o.store = store;
  o.threads = threads;
  o.engine = "1";
  return o;
}

std::string as_json(const StudyResult& study) {
  return study_json(made_up::scenario(8, 1), study, {"1", "sha", ""});
}

}  // namespace

TEST_CASE("replications do not depend on the number of threads") {
  const Scenario s = made_up::scenario(4, 3);
  const auto one = replicate(s, 2, 5, 1), four = replicate(s, 2, 5, 4);
  REQUIRE(one.size() == 5);
  REQUIRE(four.size() == 5);
  for (std::size_t r = 0; r < one.size(); ++r) {
    CHECK(one[r].replay_hash == four[r].replay_hash);
    CHECK(encode_metrics(one[r].metrics) == encode_metrics(four[r].metrics));
  }
  CHECK(one[0].replay_hash == simulate(s, 2).replay_hash);
  CHECK(one[0].replay_hash != one[1].replay_hash);
  CHECK(replicate(s, 0, 0, 2).empty());
}

TEST_CASE("replications stop when asked to") {
  const std::atomic<bool> stop{true};
  CHECK(replicate(made_up::scenario(4, 3), 0, 5, 2, {}, &stop).empty());
}

TEST_CASE("a study gives the same bytes for any number of threads") {
  const made_up::Folder folder;
  const MadeUpFleets fleets;
  const Scenario base = made_up::scenario(8, 1);
  const auto one = run_study(base, fleets, options(folder.file("one.db"), 1));
  const auto many = run_study(base, fleets, options(folder.file("many.db"), 3));
  const auto memory = run_study(base, fleets, options("", 2));
  REQUIRE(one);
  REQUIRE(many);
  REQUIRE(memory);
  CHECK(as_json(*one) == as_json(*many));
  CHECK(as_json(*one) == as_json(*memory));
  CHECK(candidates_csv(base, *one) == candidates_csv(base, *many));
  CHECK(one->candidates.size() == 6);
  CHECK(one->best_sets.size() == 2 * one->ks.size());
}

TEST_CASE("a stopped study resumes and gives the bytes of an undisturbed one") {
  const made_up::Folder folder;
  const MadeUpFleets fleets;
  const Scenario base = made_up::scenario(8, 1);
  std::atomic<bool> stop{false};
  StudyOptions o = options(folder.file("study.db"), 1);
  o.stop = &stop;
  o.progress = [&](const StudyProgress& p) { stop.store(p.done > 0); };
  CHECK_FALSE(run_study(base, fleets, o));
  const StudyPlan plan = plan_study(base, fleets, o);
  REQUIRE(plan.rows.size() == 6);
  int stored = 0;
  for (const StudyPlan::Row& row : plan.rows) stored += row.stored;
  CHECK(stored > 0);
  CHECK(stored < 24);

  stop.store(false);
  o.threads = 2;
  std::int64_t first = -1;
  o.progress = [&](const StudyProgress& p) { first = first < 0 ? p.done : first; };
  const auto resumed = run_study(base, fleets, o);
  CHECK(first == stored);
  const auto fresh = run_study(base, fleets, options("", 1));
  REQUIRE(resumed);
  REQUIRE(fresh);
  CHECK(as_json(*resumed) == as_json(*fresh));
  CHECK(plan_study(base, fleets, o).rows[5].stored == 4);
}

TEST_CASE("more replications and another k reuse the rows that are there") {
  const made_up::Folder folder;
  const MadeUpFleets fleets;
  Scenario base = made_up::scenario(8, 1);
  base.time.replications = 2;
  REQUIRE(run_study(base, fleets, options(folder.file("study.db"), 2)));
  base.time.replications = 3;
  base.study.prototypes_per_result = 5.0;
  CHECK(plan_study(base, fleets, options(folder.file("study.db"), 2)).rows[0].stored == 2);
  const auto grown = run_study(base, fleets, options(folder.file("study.db"), 2));
  const auto fresh = run_study(base, fleets, options("", 2));
  REQUIRE(grown);
  REQUIRE(fresh);
  CHECK(as_json(*grown) == as_json(*fresh));
  CHECK(grown->ks == std::vector<double>{1.0, 5.0, 20.0});
}

TEST_CASE("damaged rows of a study are simulated again and told, and the result is the same") {
  const made_up::Folder folder;
  const MadeUpFleets fleets;
  const Scenario base = made_up::scenario(8, 1);
  StudyOptions o = options(folder.file("study.db"), 2);
  const auto first = run_study(base, fleets, o);
  {
    ResultStore store(folder.file("study.db"), "1");
    const std::string key = fleets.make(2).key;
    StoredRun run = *store.find(key, "1", 3);
    store.erase(key, 3);
    run.metrics.clear();
    store.put({run});  // whole, but no record
    store.erase(fleets.make(0).key, 1);
  }
  std::vector<std::string> notes;
  o.note = [&](const std::string& text) { notes.push_back(text); };
  const auto again = run_study(base, fleets, o);
  REQUIRE(first);
  REQUIRE(again);
  CHECK(as_json(*first) == as_json(*again));
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes[0], Catch::Contains("1 damaged run was removed and simulated again"));
}

TEST_CASE("a row whose key was damaged is told and removed, also where this study does not want it") {
  const made_up::Folder folder;
  const MadeUpFleets fleets;
  const Scenario base = made_up::scenario(8, 1);
  StudyOptions o = options(folder.file("study.db"), 2);
  const auto first = run_study(base, fleets, o);
  {
    // What a changed key looks like: under another key, with the digest of the old one.
    const Database db(folder.file("study.db"), Database::Mode::create);
    db.run(
        "UPDATE run SET candidate = 'f' || substr(candidate, 2) || 'x' WHERE replication = 2 AND candidate = "
        "'" +
        fleets.make(1).key + "'");
  }
  CHECK_THROWS_AS(merge_stores({folder.file("study.db")}, folder.file("merged.db")), EnvironmentError);
  std::vector<std::string> notes;
  o.note = [&](const std::string& text) { notes.push_back(text); };
  const auto again = run_study(base, fleets, o);
  REQUIRE(first);
  REQUIRE(again);
  CHECK(as_json(*first) == as_json(*again));
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes[0],
             Catch::Contains("1 damaged run was removed and simulated again where this study needs it"));
  CHECK(merge_stores({folder.file("study.db")}, folder.file("merged.db")).runs == 24);
}

TEST_CASE("shards simulate every run once, and a study on all of them simulates nothing") {
  const made_up::Folder folder;
  const MadeUpFleets fleets;
  const Scenario base = made_up::scenario(8, 1);  // 6 candidates x 4 replications
  StudyOptions o = options(folder.file("study.db"), 2);
  std::int64_t runs = 0;
  for (int k = 5; k >= 1; --k) {
    o.shard = {k, 5};
    const auto shard = run_shard(base, fleets, o);
    REQUIRE(shard);
    CHECK(shard->total == 24);
    CHECK(shard->wanted == shard->simulated);
    runs += shard->simulated;
  }
  CHECK(runs == 24);
  std::int64_t first = -1;
  o.shard = {};
  o.progress = [&](const StudyProgress& p) { first = first < 0 ? p.done : first; };
  const auto joined = run_study(base, fleets, o);
  CHECK(first == 24);
  CHECK(as_json(*joined) == as_json(*run_study(base, fleets, options("", 1))));
  o.shard = {2, 5};
  int wanted = 0, stored = 0;
  for (const StudyPlan::Row& row : plan_study(base, fleets, o).rows) {
    wanted += row.wanted;
    stored += row.stored;
  }
  CHECK(wanted == 5);
  CHECK(stored == 5);
}

TEST_CASE("strict end points are marked and never ranked") {
  const auto study = run_study(made_up::scenario(8, 1), MadeUpFleets{}, options("", 2));
  REQUIRE(study);
  const CandidateResult& strict = study->candidates[2];
  CHECK(strict.label == "0+5");
  CHECK(strict.end_point);
  CHECK_FALSE(strict.feasible);
  for (const BestSet& set : study->best_sets) {
    for (const BestSet::Difference& d : set.differences)
      CHECK(study->candidates[static_cast<std::size_t>(d.candidate)].feasible);
  }
  CHECK_FALSE(study->candidates[5].end_point);
}

TEST_CASE("a plan does not make the store") {
  const made_up::Folder folder;
  const StudyPlan plan =
      plan_study(made_up::scenario(8, 1), MadeUpFleets{}, options(folder.file("study.db"), 1));
  CHECK(plan.replications == 4);
  CHECK(plan.rows[4].label == "4+3 overflow");
  CHECK(plan.rows[4].stored == 0);
  CHECK_FALSE(std::filesystem::exists(folder.file("study.db")));
}

TEST_CASE("what a simulation throws leaves the parallel loop as it was") {
  class Broken final : public CandidateSource {
   public:
    [[nodiscard]] std::size_t size() const override { return 2; }
    [[nodiscard]] Candidate make(std::size_t) const override {
      Candidate c{"broken", made_up::scenario(1, 1), "key"};
      c.scenario.scheduler.policy = PolicyKind::backfill;
      return c;
    }
  };
  CHECK_THROWS_AS(run_study(made_up::scenario(1, 1), Broken{}, options("", 2)), std::invalid_argument);
}
