#include "sim/cli/plan_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "sim/base/units.hpp"
#include "sim/study/parallel.hpp"
#include "sim/study/simulation.hpp"
#include "sim/study/store.hpp"

namespace fleetsim::cli {

namespace {

/// Long enough that jobs queue, short enough that nobody waits for a plan.
constexpr Duration kPilotWarmUp = 1 * kWeek, kPilotMeasure = 2 * kWeek, kPilotDrain = 1 * kWeek;

double span_s(const Horizon& time) {
  return to_seconds(time.warm_up) + to_seconds(time.measure) + to_seconds(time.drain);
}

}  // namespace

ExpectedTime expected_time(const Scenario& base, const CandidateSource& source, const StudyOptions& options) {
  ExpectedTime expected;
  expected.threads = thread_count(options.threads);
  std::error_code ignored;
  if (!options.store.empty() && std::filesystem::exists(options.store, ignored)) {
    const ResultStore store(options.store, options.engine, ResultStore::Mode::read_only);
    if (const auto mean = store.mean_wall_s()) {
      expected.run_s = *mean;
      expected.basis = "the mean of the runs in the store";
      return expected;
    }
  }
  const Candidate pilot = source.make(source.size() / 2);
  Scenario s = pilot.scenario;
  s.time.warm_up = std::min(base.time.warm_up, kPilotWarmUp);
  s.time.measure = std::min(base.time.measure, kPilotMeasure);
  s.time.drain = std::min(base.time.drain, kPilotDrain);
  const auto begun = std::chrono::steady_clock::now();
  static_cast<void>(simulate(s, 0));
  const double took_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  expected.run_s = took_s * span_s(base.time) / span_s(s.time);
  expected.basis = fmt::format("one run of {} over {}, simulated now", unique_label(pilot),
                               to_text(s.time.warm_up + s.time.measure + s.time.drain));
  return expected;
}

std::string about(double seconds) {
  if (seconds < 1.0) return "less than a second";
  if (seconds < 90.0) return fmt::format("about {:.0f} s", seconds);
  if (seconds < 90.0 * 60.0) return fmt::format("about {:.0f} min", seconds / 60.0);
  if (seconds < 48.0 * 3600.0) return fmt::format("about {:.1f} h", seconds / 3600.0);
  return fmt::format("about {:.0f} days", seconds / 86400.0);
}

}  // namespace fleetsim::cli
