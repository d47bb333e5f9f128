#include "sim/study/shard_state.hpp"

#include <filesystem>

#include "sim/study/database.hpp"
#include "sim/study/files.hpp"
#include "sim/study/store.hpp"
#include "tests/catch.hpp"
#include "tests/unit/study/made_up.hpp"

using namespace fleetsim;
using Kind = ShardState::Kind;

namespace {

class ThreeFleets final : public CandidateSource {
 public:
  [[nodiscard]] std::size_t size() const override { return 3; }
  [[nodiscard]] Candidate make(std::size_t i) const override {
    static constexpr int kCounts[3][2] = {{8, 1}, {4, 3}, {0, 5}};
    Candidate c;
    c.scenario = made_up::scenario(kCounts[i][0], kCounts[i][1]);
    c.label = fmt::format("{}+{}", kCounts[i][0], kCounts[i][1]);
    c.key = fmt::format("key-{}", i);
    return c;
  }
};

/// Shard 2 of 2 of 3 fleets x 4 replications: 6 runs.
struct Fixture {
  made_up::Folder folder;
  ThreeFleets fleets;
  Scenario base = made_up::scenario(8, 1);
  StudyOptions options;
  Fixture() {
    options.store = folder.file("study.db");
    options.threads = 1;
    options.engine = "1";
    options.shard = {2, 2};
  }
  [[nodiscard]] ShardState state() const { return shard_state(base, fleets, nullptr, options, 1, {}); }
};

}  // namespace

TEST_CASE("a shard is whole once its store has every run of it, and of no other shard") {
  const Fixture f;
  CHECK(f.state().kind == Kind::missing);
  CHECK(f.state().wanted == 6);
  CHECK_FALSE(std::filesystem::exists(f.options.store));

  StudyOptions other = f.options;
  other.shard = {1, 2};
  REQUIRE(run_shard(f.base, f.fleets, other));
  CHECK(f.state().kind == Kind::incomplete);
  CHECK(f.state().stored == 0);
  CHECK(f.state().can_join);

  REQUIRE(run_shard(f.base, f.fleets, f.options));
  CHECK(f.state().kind == Kind::whole);
  CHECK(f.state().stored == 6);

  ResultStore(f.options.store, "1").erase("key-1", 3);
  CHECK(f.state().kind == Kind::incomplete);
  CHECK(f.state().stored == 5);
}

TEST_CASE("a store of another build has nothing of the shard") {
  Fixture f;
  REQUIRE(run_shard(f.base, f.fleets, f.options));
  f.options.engine = "2";
  CHECK(f.state().kind == Kind::incomplete);
  CHECK(f.state().stored == 0);
}

TEST_CASE("damage is told apart: a row or an entry is mended by the shard's command, a file is not") {
  const Fixture f;
  REQUIRE(run_shard(f.base, f.fleets, f.options));
  SECTION("a row") {
    Database(f.options.store, Database::Mode::create).run("UPDATE run SET events = events + 1");
    const ShardState state = f.state();
    CHECK(state.kind == Kind::damaged_part);
    CHECK_FALSE(state.can_join);
    CHECK(state.why.find("is damaged") != std::string::npos);
    REQUIRE(run_shard(f.base, f.fleets, f.options));
    CHECK(f.state().kind == Kind::whole);
  }
  SECTION("an entry of a study") {
    Database(f.options.store, Database::Mode::create).run("UPDATE study SET scenario = 'x'");
    CHECK(f.state().kind == Kind::damaged_part);
    REQUIRE(run_shard(f.base, f.fleets, f.options));
    CHECK(f.state().kind == Kind::whole);
  }
  SECTION("a file that is no database") {
    write_file(f.options.store, "no store at all, but long enough to be one");
    CHECK(f.state().kind == Kind::damaged_file);
    CHECK(f.state().wanted == 6);
    CHECK_FALSE(f.state().can_join);
  }
  SECTION("an empty file is one that was not filled yet") {
    write_file(f.options.store, "");
    CHECK(f.state().kind == Kind::incomplete);
    CHECK_FALSE(f.state().can_join);
  }
}
