// scheduler.burst: what it says, and every fault with its place.
#include "tests/catch.hpp"
#include "tests/unit/scenarios/edited.hpp"

using namespace fleetsim;
using namespace fleetsim::test;
using namespace std::string_literals;

namespace {

/// The lab with a burst section; a '@' marks the fault, which is the section itself without one.
Marked with_burst(const std::string& burst) {
  const std::string mark = burst.find('@') == std::string::npos ? "@" : "";
  return edited({{"  partitions:\n", "  " + mark + "burst: " + burst + "\n  partitions:\n"}});
}

Outcome of_burst(const std::string& burst) {
  LoadOptions options;
  options.today = "2026-11-30";
  return load_text(with_burst(burst).text, options);
}

/// The only fault, its place, its message with the hint.
void check_burst_fault(const std::string& burst, const std::string& message) {
  INFO(burst);
  const Outcome outcome = of_burst(burst);
  CHECK_FALSE(outcome.loaded.has_value());
  for (const std::string& one : outcome.messages) UNSCOPED_INFO(one);
  REQUIRE(outcome.messages.size() == 1);
  CHECK(outcome.messages[0] == message);
  CHECK(outcome.places == with_burst(burst).places);
}

BurstSpec burst_of(const std::string& burst) {
  const Outcome outcome = of_burst(burst);
  for (const std::string& one : outcome.messages) UNSCOPED_INFO(one);
  REQUIRE(outcome.loaded.has_value());
  REQUIRE(outcome.loaded->scenario.scheduler.burst.has_value());
  return *outcome.loaded->scenario.scheduler.burst;
}

}  // namespace

TEST_CASE("A scenario without burst keeps its canonical text, and nothing is rented") {
  const LoadedScenario plain = loaded(lab_text());
  CHECK(plain.canonical.find("burst") == std::string::npos);
  CHECK_FALSE(plain.scenario.scheduler.burst.has_value());
}

TEST_CASE(
    "The catalogue's rate of the terms holds, with its source and date, unless the scenario has its own") {
  const BurstSpec on_demand = burst_of("{above_wait: 4 h, node: aws-p3-16xlarge}");
  CHECK(on_demand.above_wait == 4 * kHour);
  CHECK(on_demand.node.gpus == 8);
  CHECK(on_demand.rate.value == usd(3.06));
  CHECK(on_demand.rate.from.as_of == "2018-06");
  CHECK_FALSE(on_demand.whole_nodes);
  CHECK(on_demand.classes.empty());
  const BurstSpec spot = burst_of(
      "{above_wait: 4 h, node: aws-p3-16xlarge, terms: spot, interruptions: {rate: 0.5 /day}, billing: "
      "whole-nodes, classes: prototype}");
  CHECK(spot.rate.value == usd(2.14));
  CHECK(spot.rate.from.as_of == "2020-09-07");
  CHECK(spot.interruptions.count() * 86400.0 == Approx(0.5));
  CHECK(paid_gpus(spot, 1) == 8);
  CHECK(spot.classes == std::vector<std::uint16_t>{0});
  const BurstSpec own = burst_of(
      "{above_wait: 0 s, node: supermicro-8x-rtx3080, rate: 0.5 USD, source: an offer, as_of: 2026-11}");
  CHECK(own.rate.value == usd(0.5));
  CHECK(own.rate.from.source == "an offer");
  CHECK(paid_gpus(own, 2) == 2);
}

TEST_CASE("The canonical text of burst loads to itself, and each of its values is part of it") {
  const std::string base = "above_wait: 4 h, node: aws-p3-16xlarge";
  const std::string canonical = of_burst("{" + base + "}").loaded->canonical;
  CHECK(canonical.find("  burst:\n    above_wait: 4 h\n    node: aws-p3-16xlarge\n    terms: on-demand\n"
                       "    billing: per-gpu\n") != std::string::npos);
  for (const std::string& other :
       {"above_wait: 5 h, node: aws-p3-16xlarge"s, base + ", billing: whole-nodes", base + ", rate: 3 USD",
        base + ", classes: [prototype]", base + ", terms: spot, interruptions: {rate: 0 /day}",
        base + ", terms: spot, interruptions: {rate: 1 /day, source: \"a log, of 2025\"}"}) {
    INFO(other);
    const Outcome outcome = of_burst("{" + other + "}");
    REQUIRE(outcome.loaded.has_value());
    CHECK(outcome.loaded->canonical != canonical);
    CHECK(loaded(outcome.loaded->canonical).canonical == outcome.loaded->canonical);
  }
}

TEST_CASE("A node without a rate of the terms is a fault that names the rates there are") {
  check_burst_fault("{above_wait: 4 h, node: @supermicro-8x-rtx3080}",
                    "the catalogue has no on-demand rate of a GPU of Supermicro 4U with 8x RTX 3080, air "
                    "(give the price of a GPU-hour as 'rate')");
  check_burst_fault(
      "{above_wait: 4 h, node: @aws-p4d, terms: spot, interruptions: {rate: 1 /day}}",
      "the catalogue has no spot rate of a GPU of AWS p4d.24xlarge with 8x A100 SXM4 40 GB (give the "
      "price of a GPU-hour as 'rate'; it has: on-demand 4.10 USD)");
}

TEST_CASE("Reserved GPUs are no place for jobs that overflow") {
  check_burst_fault(
      "{above_wait: 4 h, node: aws-p3-16xlarge, terms: @reserved}",
      "reserved GPUs are paid whether used or not, so they are no place for jobs that overflow now and "
      "then (rent them as a pool of the fleet, fleet: {cloud: {node: aws-p4d}}, or write terms: "
      "on-demand)");
}

TEST_CASE("How often spot GPUs are taken away is the user's to say, and only theirs are") {
  check_burst_fault(
      "{above_wait: 4 h, node: aws-p3-16xlarge, terms: spot}",
      "spot GPUs are taken away, and 'interruptions' does not say how often (e.g. interruptions: {rate: "
      "0.5 /day, source: own log of 2025}, for each GPU)");
  check_burst_fault("{above_wait: 4 h, node: aws-p3-16xlarge, @interruptions: {rate: 1 /day}}",
                    "only spot GPUs are taken away, and these are on-demand (write terms: spot, or leave "
                    "'interruptions' out)");
}

TEST_CASE("Spot GPUs without checkpoints are warned of: a job starts again from zero") {
  const std::string spot =
      "{above_wait: 4 h, node: aws-p3-16xlarge, terms: spot, interruptions: {rate: 1 /day}}";
  const Outcome warned = of_burst(spot);
  REQUIRE(warned.loaded.has_value());
  REQUIRE(warned.messages.size() == 1);
  CHECK(warned.messages[0].starts_with(
      "spot GPUs are taken away and no checkpoint is written: an interrupted job starts again from zero"));
  const Marked with = edited({{"  partitions:\n", "  burst: " + spot + "\n  partitions:\n"},
                              {"\nstudy:", "\nfailures: {checkpoint_interval: 1 h}\nstudy:"}});
  CHECK(load_text(with.text).messages.empty());
}

TEST_CASE("Classes that may go exist, once each, and can run there") {
  check_burst_fault("{above_wait: 4 h, node: aws-p3-16xlarge, classes: [@protoype]}",
                    "unknown class: 'protoype' (did you mean 'prototype'?)");
  check_burst_fault("{above_wait: 4 h, node: aws-p3-16xlarge, classes: [prototype, @prototype]}",
                    "class 'prototype' is listed twice");
  check_burst_fault("{above_wait: 4 h, node: aws-p3-16xlarge, classes: @[]}",
                    "no class may go, so nothing is ever rented (leave 'classes' out, or leave 'burst' out)");
  check_burst_fault(
      "{above_wait: 4 h, node: aws-p3-16xlarge, classes: @[prototype, scale_up]}",
      "no job of class 'scale_up' can run on the rented node: a GPU of AWS p3.16xlarge with 8x V100 16 "
      "GB has 16 GB, the job needs 22 GB (another node, or leave the class out)");
}

TEST_CASE("Key figures of burst must be there, and a burst is a map") {
  CHECK_FALSE(of_burst("{node: aws-p3-16xlarge}").loaded.has_value());
  CHECK_FALSE(of_burst("{above_wait: 4 h}").loaded.has_value());
  CHECK_FALSE(of_burst("{above_wait: 4, node: aws-p3-16xlarge}").loaded.has_value());
  CHECK_FALSE(of_burst("4 h").loaded.has_value());
  const Outcome empty = load_text(edited({{"  partitions:\n", "  burst:\n  partitions:\n"}}).text);
  REQUIRE(empty.messages.size() == 1);
  CHECK(empty.messages[0].starts_with("'burst' has no value"));
}

TEST_CASE("What is rented is bounded only where something may be rented, and by group as by class") {
  const std::string users = "  users: 30\n  groups: {vision: 20, nlp: 10}";
  refuses(edited({{"  search: exhaustive", "  search: exhaustive\n  limits: [@burst_cost <= 9 USD]"}}),
          "no job goes to rented GPUs (say which in scheduler.burst)");
  CHECK(loaded(
            edited({{"  users: 30", users},
                    {"  partitions:\n", "  burst: {above_wait: 4 h, node: aws-p3-16xlarge}\n  partitions:\n"},
                    {"  search: exhaustive",
                     "  search: exhaustive\n  limits: [burst_cost(group nlp) <= 9 USD]"}})
                .text)
            .scenario.study.limits[0]
            .group == 1);
}
