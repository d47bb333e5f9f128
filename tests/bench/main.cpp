// Runs the benchmarks and prints, for each pair "NAME/ours" and "NAME/baseline", how many times as fast ours
// is. An absolute time on a shared machine proves nothing; a ratio within one process does. Exit 1: a ratio
// that the project promises was missed.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace {

struct Promise {
  const char* name;
  double least;  ///< baseline's CPU time over ours
};
constexpr Promise kPromises[] = {
    {"event queue/pending:1000/law:0", 1.3}, {"event queue/pending:1000/law:1", 1.3},
    {"event queue/pending:1000/law:2", 1.3}, {"easy run/jobs:1000000", 0.25},
    {"step time/shapes:1000", 0.5},
};
constexpr double kMostBytesAJob = 300.0;

/// The least CPU time of each benchmark, beside what the console prints.
class Ratios : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
      // The name is FAMILY/ours or FAMILY/baseline, then the arguments.
      const std::string family = run.run_name.function_name;
      const std::size_t cut = family.rfind('/');
      const std::string name = family.substr(0, cut) + "/" + run.run_name.args;
      auto& best = family.substr(cut + 1) == "ours" ? ours_ : baseline_;
      const double time = run.GetAdjustedCPUTime();
      const auto [at, fresh] = best.emplace(name, time);
      if (!fresh) at->second = std::min(at->second, time);
      if (const auto bytes = run.counters.find("bytes_a_job"); bytes != run.counters.end())
        bytes_a_job_ = std::max(bytes_a_job_, bytes->second.value);
    }
    ConsoleReporter::ReportRuns(runs);
  }

  /// Prints the table; returns the number of promises missed.
  int conclude() const {
    int missed = 0;
    fmt::print("\n{:<44}{:>16}\n", "baseline's CPU time over ours", "ratio");
    for (const auto& [name, time] : ours_) {
      const auto base = baseline_.find(name);
      if (base == baseline_.end()) continue;
      const double ratio = base->second / time;
      std::string remark;
      for (const Promise& promise : kPromises) {
        if (name != promise.name) continue;
        remark = fmt::format("  promised {:.2f}{}", promise.least, ratio < promise.least ? ": MISSED" : "");
        missed += ratio < promise.least ? 1 : 0;
      }
      fmt::print("{:<44}{:>16.2f}{}\n", name, ratio, remark);
    }
    if (bytes_a_job_ > 0.0) {
      const bool over = bytes_a_job_ > kMostBytesAJob;
      fmt::print("{:<44}{:>16.0f}  promised at most {:.0f}{}\n", "heap of an EASY run, bytes a job",
                 bytes_a_job_, kMostBytesAJob, over ? ": MISSED" : "");
      missed += over ? 1 : 0;
    }
    return missed;
  }

 private:
  std::map<std::string, double> ours_, baseline_;
  double bytes_a_job_ = 0.0;
};

}  // namespace

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  Ratios ratios;
  benchmark::RunSpecifiedBenchmarks(&ratios);
  return ratios.conclude() == 0 ? 0 : 1;
}
