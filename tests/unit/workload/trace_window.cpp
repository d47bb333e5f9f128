// A part of a trace by time of submission.
#include "sim/workload/trace.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

/// Jobs 1 to 5, submitted 0, 10, 10, 20 and 30 s after the first; groups as the ids.
Trace five_jobs() {
  Trace trace;
  trace.origin_s = 1000.0;
  trace.rows = trace.kept = 5;
  for (const int s : {0, 10, 10, 20, 30}) {
    TraceJob job;
    job.source_id = static_cast<std::int64_t>(trace.jobs.size()) + 1;
    job.submit = kStart + std::chrono::seconds(s);
    trace.groups.push_back(static_cast<std::int32_t>(job.source_id));
    trace.jobs.push_back(job);
  }
  return trace;
}

std::vector<std::int64_t> ids(const Trace& trace) {
  std::vector<std::int64_t> all;
  for (const TraceJob& job : trace.jobs) all.push_back(job.source_id);
  return all;
}

}  // namespace

TEST_CASE("B086: a window of a trace may be open at either end or at both") {
  const auto s = [](int seconds) { return Duration(std::chrono::seconds(seconds)); };
  Trace all = five_jobs();
  CHECK(cut_to_window(all, std::nullopt, std::nullopt) == 0);
  CHECK(ids(all) == std::vector<std::int64_t>{1, 2, 3, 4, 5});
  CHECK(all.origin_s == 1000.0);

  Trace late = five_jobs();
  CHECK(cut_to_window(late, s(10), std::nullopt) == 1);
  CHECK(ids(late) == std::vector<std::int64_t>{2, 3, 4, 5});
  CHECK(late.groups == std::vector<std::int32_t>{2, 3, 4, 5});
  CHECK(late.origin_s == 1010.0);
  CHECK(late.jobs.back().submit == kStart + s(20));
  CHECK(late.rows == 5);

  Trace early = five_jobs();
  CHECK(cut_to_window(early, std::nullopt, s(10)) == 4);
  CHECK(ids(early) == std::vector<std::int64_t>{1});

  Trace both = five_jobs();
  CHECK(cut_to_window(both, s(1), s(21)) == 2);
  CHECK(ids(both) == std::vector<std::int64_t>{2, 3, 4});

  Trace none = five_jobs();
  CHECK(cut_to_window(none, s(31), std::nullopt) == 5);
  CHECK(none.jobs.empty());
  CHECK(none.groups.empty());
}
