// Replays of public traces against schedules that public simulators made of them. The files are not part of
// this repository (they carry no licence): FLEETSIM_SHARED names the folder that holds golden/easy.
#include <zlib.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/import/swf.hpp"
#include "sim/engine/engine.hpp"
#include "sim/workload/from_trace.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;
namespace fs = std::filesystem;

namespace {

fs::path golden_folder() {
  if (const char* shared = std::getenv("FLEETSIM_SHARED")) return fs::path(shared) / "golden" / "easy";
  return fs::path(FLEETSIM_SOURCE_DIR).parent_path() / "shared" / "golden" / "easy";
}

struct Row {
  long long id = 0, submit = 0, start = 0, end = 0;
};

std::vector<Row> read_schedule(const fs::path& path) {
  std::vector<Row> rows;
  gzFile file = gzopen(path.c_str(), "rb");
  REQUIRE(file != nullptr);
  char line[256];
  while (gzgets(file, line, sizeof line) != nullptr) {
    Row row;
    if (std::sscanf(line, "%lld,%lld,%lld,%lld", &row.id, &row.submit, &row.start, &row.end) == 4) {
      rows.push_back(row);
    }
  }
  gzclose(file);
  return rows;
}

EngineResult replay(const Workload& workload, int processors, PolicyKind policy, TieRule ties) {
  EngineInput input;
  input.pools.push_back({"machine", 1, processors});
  input.queues.push_back({"all", {PoolId{0}}, {}});
  input.run_time = {1, {1.0}, {}};
  input.requests = &workload.requests;
  input.truth = &workload.truth;
  input.policy = policy;
  input.ties = ties;
  return run_engine(input);
}

/// Rows of the golden schedule that the replay does not reproduce; -1: the files are absent.
int differing(const char* trace_name, int processors, const char* schedule, PolicyKind policy, TieRule ties) {
  const fs::path folder = golden_folder();
  if (!fs::exists(folder / trace_name)) {
    WARN("skipped: " << (folder / trace_name).string() << " is absent; set FLEETSIM_SHARED");
    return -1;
  }
  Diagnostics diagnostics;
  const Trace trace = read_swf(folder / trace_name, diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  const EngineResult result = replay(workload_from_trace(trace, QueueId{0}), processors, policy, ties);
  const std::vector<Row> rows = read_schedule(folder / schedule);
  REQUIRE(rows.size() == trace.jobs.size());
  int differences = 0;
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const auto second = [&](Instant t) {
      return static_cast<long long>(trace.origin_s) + t.time_since_epoch().count() / 1'000'000;
    };
    const bool same =
        rows[j].id == trace.jobs[j].source_id && rows[j].submit == second(result.jobs.submit[j]) &&
        rows[j].start == second(result.jobs.start[j]) && rows[j].end == second(result.jobs.end[j]);
    if (!same && differences++ == 0) {
      UNSCOPED_INFO("first difference: job " << rows[j].id << " starts at " << second(result.jobs.start[j])
                                             << ", golden " << rows[j].start);
    }
  }
  return differences;
}

}  // namespace

TEST_CASE("Replays reproduce the schedules of public simulators job by job") {
  struct Case {
    const char* trace;
    int processors;
    const char* schedule;
    PolicyKind policy;
    TieRule ties;
  };
  const Case one = GENERATE(
      Case{"kth.swf.gz", 100, "kth_fcfs_pyss.csv.gz", PolicyKind::fifo, TieRule::submit_first},
      Case{"kth.swf.gz", 100, "kth_fcfs_pyss.csv.gz", PolicyKind::fifo, TieRule::end_first},
      Case{"kth.swf.gz", 100, "kth_fcfs_pyss.csv.gz", PolicyKind::fifo, TieRule::batch},
      Case{"hpc2n.swf.gz", 240, "hpc2n_fcfs_pyss_cqsim_accasim.csv.gz", PolicyKind::fifo,
           TieRule::submit_first},
      Case{"hpc2n.swf.gz", 240, "hpc2n_fcfs_pyss_cqsim_accasim.csv.gz", PolicyKind::fifo, TieRule::batch},
      Case{"kth.swf.gz", 100, "kth_easy_pyss.csv.gz", PolicyKind::easy, TieRule::submit_first},
      Case{"kth.swf.gz", 100, "kth_easy_endfirst_oracle.csv.gz", PolicyKind::easy, TieRule::end_first},
      Case{"kth.swf.gz", 100, "kth_easy_batch_oracle.csv.gz", PolicyKind::easy, TieRule::batch},
      Case{"kth_exact.swf.gz", 100, "kth_exact_easy_submitfirst_pyss.csv.gz", PolicyKind::easy,
           TieRule::submit_first},
      Case{"kth_exact.swf.gz", 100, "kth_exact_easy_endfirst_cqsim.csv.gz", PolicyKind::easy,
           TieRule::end_first},
      Case{"hpc2n.swf.gz", 240, "hpc2n_easy_pyss.csv.gz", PolicyKind::easy, TieRule::submit_first},
      Case{"hpc2n.swf.gz", 240, "hpc2n_easy_endfirst_oracle.csv.gz", PolicyKind::easy, TieRule::end_first});
  INFO(one.schedule << ", ties " << to_string(one.ties));
  const int differences = differing(one.trace, one.processors, one.schedule, one.policy, one.ties);
  if (differences >= 0) CHECK(differences == 0);
}
