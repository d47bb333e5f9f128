// Nodes that come and go: what becomes of the jobs on them, by hand.
#include "sim/engine/outages.hpp"

#include <stdexcept>

#include "sim/metrics/ledger.hpp"
#include "tests/catch.hpp"
#include "tests/unit/engine/small_runs.hpp"

using namespace small_runs;

namespace {

NodeEvent at(int second, int node, NodeCause cause) {
  return {Instant(s(second)), NodeId{static_cast<std::uint32_t>(node)}, cause};
}
NodeEvent fails(int second, int node = 0) {
  return at(second, node, NodeCause::failure);
}
NodeEvent repaired(int second, int node = 0) {
  return at(second, node, NodeCause::repair);
}

/// START-END@NODES(kept/overhead/lost) of the attempts that outages ended.
std::string attempts(const EngineResult& result) {
  std::string out;
  for (const Attempt& a : result.attempts) {
    out += (out.empty() ? "" : " ") + stay_text(result, a);
    out += fmt::format("({:g}/{:g}/{:g})", to_seconds(a.kept), to_seconds(a.overhead), to_seconds(a.lost));
  }
  return out;
}

/// A job with a reservation that has no start yet may be passed under the conservative policy.
std::string without_reasons(std::string text) {
  for (std::size_t at; (at = text.find("/backfill")) != std::string::npos;) text.replace(at, 9, "/head");
  return text;
}

/// Schedule and attempts, the same under every policy and tie rule.
std::string always_attempts(Setup& setup, const std::vector<Job>& jobs) {
  return small_runs::always(setup, jobs, [](const EngineResult& result) {
    return without_reasons(schedule(result)) + " | " + attempts(result);
  });
}

}  // namespace

TEST_CASE("A node that fails stops its job, which starts anew from the beginning when the node is repaired") {
  Setup setup;
  setup.pool(1, 4);
  setup.input.node_events = {fails(7), repaired(10)};
  CHECK(always_attempts(setup, {{0, 2, 99, 20}}) == "10-30/completed@0/head | 0:0-7@0(0/0/7)");
}

TEST_CASE("Work that a checkpoint has saved is not done again, and writing it takes time") {
  Setup setup;
  setup.pool(1, 4);
  setup.input.checkpoint = {s(5), s(1)};
  // 20 s of work in pieces of 5 s, three checkpoints between them: 23 s.
  CHECK(always_attempts(setup, {{0, 2, 99, 20}}) == "0-23/completed@0/head | ");
  // At 14 s: 5 + 1 + 5 + 1 s, so 10 s are saved and 2 s lost. From 20 s on the other 10 s, with one
  // checkpoint: 11 s.
  setup.input.node_events = {fails(14), repaired(20)};
  CHECK(always_attempts(setup, {{0, 2, 99, 20}}) == "20-31/completed@0/head | 0:0-14@0(10/2/2)");
  // At 11 s the second checkpoint is being written: worth nothing yet.
  setup.input.node_events = {fails(11), repaired(20)};
  CHECK(always_attempts(setup, {{0, 2, 99, 20}}) == "20-37/completed@0/head | 0:0-11@0(5/1/5)");
}

TEST_CASE("Without requeue a job whose node fails ends as node-fail") {
  Setup setup;
  setup.pool(1, 4);
  setup.input.requeue = false;
  setup.input.checkpoint = {s(5), s(1)};
  setup.input.node_events = {fails(14), repaired(20)};
  CHECK(always_attempts(setup, {{0, 2, 99, 20}, {1, 1, 9, 3}}) ==
        "0-14/node-fail@0/head 1-4/completed@0/head | 0:0-14@0(0/0/14)");
}

TEST_CASE("A stopped job goes back to its place: before those that came later") {
  Setup setup;
  setup.pool(1, 1);
  setup.input.node_events = {fails(4), repaired(6)};
  CHECK(always_attempts(setup, {{0, 1, 9, 5}, {1, 1, 9, 2}, {2, 1, 9, 2}}) ==
        "6-11/completed@0/head 11-13/completed@0/head 13-15/completed@0/head | 0:0-4@0(0/0/4)");
}

TEST_CASE("A job that ends at the instant of the failure has ended") {
  Setup setup;
  setup.pool(1, 1);
  setup.input.node_events = {fails(5), repaired(8)};
  CHECK(always_attempts(setup, {{0, 1, 9, 5}, {5, 1, 9, 2}}) ==
        "0-5/completed@0/head 8-10/completed@0/head | ");
}

TEST_CASE("All nodes of a gang are free again but the one that failed") {
  Setup setup;
  setup.pool(3, 2);
  setup.input.node_events = {fails(4, 1), repaired(50, 1)};
  // The gang of 3 nodes waits for the repair; the small job goes on the others.
  CHECK(always_attempts(setup, {{0, 6, 20, 10}, {5, 2, 20, 3}}) ==
        "50-60/completed@0+1+2/head 5-8/completed@0/head | 0:0-4@0+1+2(0/0/4)");
}

TEST_CASE("A job that the nodes which are there cannot hold waits aside and blocks nobody") {
  Setup setup;
  setup.pool(2, 1);
  setup.input.node_events = {fails(2, 1), repaired(30, 1)};
  // The second job needs both nodes, and is the head of the queue.
  CHECK(always_attempts(setup, {{0, 1, 9, 5}, {3, 2, 9, 4}, {4, 1, 40, 20}, {4, 1, 9, 1}}) ==
        "0-5/completed@0/head 30-34/completed@0+1/head 5-25/completed@0/head 25-26/completed@0/head | ");
}

TEST_CASE("Larger than the whole fleet is impossible at once; larger than what is delivered yet waits") {
  Setup setup;
  setup.pool(3, 1);
  setup.input.node_events = {at(10, 2, NodeCause::delivery)};
  CHECK(always_attempts(setup, {{0, 4, 9, 5}, {1, 3, 9, 5}, {2, 2, 9, 2}}) ==
        "---/impossible 10-15/completed@0+1+2/head 2-4/completed@0+1/head | ");
}

TEST_CASE("A retirement is planned: its jobs lose nothing and go on elsewhere") {
  Setup setup;
  setup.pool(2, 1);
  setup.input.checkpoint = {s(5), s(1)};
  setup.input.requeue = false;  // that is about failures
  setup.input.node_events = {at(8, 0, NodeCause::retirement)};
  // 8 s: 5 s of work, 1 s of writing, 2 s of work. 13 s of 20 s are left: with two checkpoints 15 s.
  CHECK(always_attempts(setup, {{0, 1, 99, 20}}) == "8-23/completed@1/head | 0:0-8@0(7/1/0)");
}

TEST_CASE("What the nodes that stay can never hold becomes impossible when the others retire") {
  Setup setup;
  setup.pool(2, 1);
  setup.input.node_events = {fails(1, 1), at(8, 1, NodeCause::retirement)};
  CHECK(always_attempts(setup, {{2, 2, 9, 5}, {3, 1, 9, 2}, {9, 2, 9, 5}}) ==
        "--8/impossible 3-5/completed@0/head ---/impossible | ");
}

TEST_CASE("The run ends with its jobs, whatever happens to nodes later") {
  Setup setup;
  setup.pool(1, 1);
  setup.input.node_events = {fails(50), repaired(60)};
  CHECK(setup.run({{0, 1, 9, 5}}).ended == Instant(s(5)));
}

TEST_CASE("A job whose node is never repaired is unfinished") {
  Setup setup;
  setup.pool(1, 1);
  setup.input.node_events = {fails(2)};
  CHECK(always_attempts(setup, {{0, 1, 9, 5}}) == "---/unfinished | 0:0-2@0(0/0/2)");
}

TEST_CASE("Events of nodes that contradict each other are refused") {
  const auto refused = [](std::vector<NodeEvent> events) {
    Setup setup;
    setup.pool(2, 1);
    setup.input.node_events = std::move(events);
    CHECK_THROWS_AS(setup.run({{0, 1, 9, 5}}), std::invalid_argument);
  };
  refused({fails(3), fails(5)});
  refused({fails(3), at(4, 0, NodeCause::delivery)});
  refused({fails(3, 2)});
  refused({repaired(5), fails(3)});
  refused({at(3, 0, NodeCause::retirement), at(4, 0, NodeCause::delivery)});
}

TEST_CASE("The ledger counts what is up, what is there and what is held") {
  Setup setup;
  setup.pool(2, 4);
  setup.input.node_events = {at(10, 1, NodeCause::delivery), fails(20, 0), repaired(30, 0),
                             at(40, 1, NodeCause::retirement)};
  setup.queue({0});
  // The engine reads the same tables as the ledger, so they are made by a first run.
  (void)setup.run({{0, 4, 99, 50}});
  Ledger ledger(setup.input);
  const EngineResult result = run_engine(setup.input, &ledger);
  ledger.close(result.ended);
  // Node 0 holds the job for 20 s; then node 1 until it retires at 40 s; then node 0 for the other 30 s.
  CHECK(schedule(result) == "40-70/completed@0/head");
  const Ledger::PoolBook& book = ledger.pools()[0];
  CHECK(book.busy_us == 4 * s(70).count());
  CHECK(book.present_us == 4 * s(70 + 30).count());
  CHECK(book.up_us == 4 * s(60 + 30).count());
  CHECK(book.over == 0);
}
