// How jobs of a class come: at a rate, or in closed loops.
#include <cstdint>

#include "scenarios/loader/schema_parts.hpp"
#include "scenarios/loader/sections.hpp"

namespace fleetsim {

namespace {

ClosedLoop read_closed_loop(Reader& loop) {
  ClosedLoop made;
  if (!loop.expect_map()) return made;
  if (loop.require("think_time")) made.mean_think = loop.duration("think_time").value_or(Duration{});
  if (const auto n = loop.integer("jobs_in_flight")) made.jobs_in_flight = static_cast<int>(*n);
  loop.finish();
  return made;
}

}  // namespace

ArrivalSpec read_arrivals(Reader& arrivals) {
  ArrivalSpec made;
  if (!arrivals.expect_map()) return made;
  if (auto loop = arrivals.find("closed_loop")) {
    made.closed_loop = read_closed_loop(*loop);
    if (auto rate = arrivals.find("per_user"))
      rate->error_at_key(
          "'per_user' is a rate, and a closed loop has none: what a user submits follows from "
          "think time, waits and run times",
          "leave out 'per_user' or 'closed_loop'");
    if (auto profile = arrivals.find("profile"))
      profile->error_at_key(
          "a closed loop has no profile: its users think and submit at all hours",
          "leave 'profile' out; a think time that counts nights and weekends in keeps the mean");
  } else {
    arrivals.accept("closed_loop");
    if (arrivals.require("per_user")) made.per_user = arrivals.rate("per_user").value_or(PerSecond{});
    if (const auto profile = arrivals.word("profile", profile_words())) made.profile = *profile;
  }
  arrivals.finish();
  return made;
}

void schema_parts::closed_loop_keys(Keys& k) {
  constexpr Count kMostInFlight = 10'000;
  const std::string loop = "workload.classes.*.arrivals.closed_loop";
  k.push_back(key(loop, K::section,
                  "instead of a rate: each user submits the next job a think time after one has ended, in "
                  "whatever state"));
  k.push_back(
      key(loop + ".think_time", K::duration, "mean time from an end to the next submit, exponential", "8 h")
          .in(above_to(Duration{}, kCentury))
          .must());
  k.push_back(
      key(loop + ".jobs_in_flight", K::integer, "such loops of a user, so at most as many jobs at once", "1")
          .in(between<Count>(1, kMostInFlight))
          .otherwise("1"));
}

}  // namespace fleetsim
