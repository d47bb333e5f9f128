#include "sim/study/warm_up.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdint>

#include "sim/base/units.hpp"
#include "sim/study/mser.hpp"
#include "sim/study/parallel.hpp"

namespace fleetsim {

namespace {

std::string warm_up_sentence(const WarmUpFound& found, std::size_t settled) {
  const std::size_t n = found.pilots.size(), open = n - settled;
  const std::string runs = fmt::format("{} pilot run{} (replication 0{}, from empty)", n, n == 1 ? "" : "s",
                                       n == 1 ? "" : " of each fleet");
  const std::string why = "the least statistic lies in the second half, or too few jobs wait to tell";
  if (settled == 0)
    return fmt::format(
        "Warm-up by MSER-5: none of {} settles ({}), so {:g} h are cut off untested: measure longer, or give "
        "a "
        "fleet that keeps up.",
        runs, why, found.hours);
  std::string text = fmt::format("Warm-up by MSER-5: {:g} h are cut off every run, {} {}", found.hours,
                                 n == 1 ? "as asked for by" : "the most that any asks for of", runs);
  if (open > 0)
    text += fmt::format("; {} of them {} not settle and {} not counted: {}", open, open == 1 ? "does" : "do",
                        open == 1 ? "is" : "are", why);
  return text + ".";
}

}  // namespace

PilotRun pilot_run(const Scenario& scenario) {
  Scenario pilot = scenario;
  pilot.time.warm_up = {};
  EngineResult outcome;
  static_cast<void>(simulate(pilot, generate(pilot, 0), &outcome));
  const JobOutcome& jobs = outcome.jobs;
  std::vector<std::size_t> order;
  for (std::size_t j = 0; j < jobs.submit.size(); ++j) {
    const bool waited = jobs.start[j] != kNever || jobs.state[j] == JobState::unfinished;
    if (jobs.submit[j] != kNever && waited && jobs.submit[j] < kStart + pilot.time.measure)
      order.push_back(j);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return jobs.submit[a] < jobs.submit[b]; });
  PilotRun run;
  for (const std::size_t j : order) {
    const Instant started = jobs.start[j] != kNever ? jobs.start[j] : outcome.ended;
    run.wait_s.push_back(to_seconds(started - jobs.submit[j]));
    run.submit.push_back(jobs.submit[j] - kStart);
  }
  return run;
}

WarmUpFound::Pilot judge_pilot(const std::string& fleet, const PilotRun& run) {
  WarmUpFound::Pilot pilot;
  pilot.fleet = fleet;
  pilot.waits = static_cast<int>(run.wait_s.size());
  const MserCut cut = mser5(run.wait_s);
  pilot.settled = cut.settled;
  if (cut.observations == 0) return pilot;
  const std::int64_t hour = Duration(kHour).count();
  pilot.hours = static_cast<double>((run.submit[cut.observations].count() + hour - 1) / hour);
  return pilot;
}

std::optional<WarmUpFound> find_warm_up(std::size_t n, const std::function<Candidate(std::size_t)>& fleet,
                                        Duration otherwise, int threads,
                                        const std::function<void(const StudyProgress&)>& progress,
                                        const std::atomic<bool>* stop) {
  WarmUpFound found;
  found.pilots.resize(n);
  std::atomic<std::int64_t> done{0};
  const auto all = static_cast<std::int64_t>(n);
  FirstFault fault;
#pragma omp parallel for schedule(dynamic, 1) num_threads(thread_count(threads))
  for (std::int64_t i = 0; i < all; ++i) {
    if (fault.any() || (stop != nullptr && stop->load())) continue;
    fault.guard([&] {
      const Candidate candidate = fleet(static_cast<std::size_t>(i));
      const std::string label =
          fmt::format("{} {}", candidate.label, to_string(candidate.scenario.scheduler.sharing));
      found.pilots[static_cast<std::size_t>(i)] = judge_pilot(label, pilot_run(candidate.scenario));
      const std::int64_t now = ++done;
      if (progress && omp_get_thread_num() == 0) progress({now, all});
    });
  }
  fault.rethrow();
  if (done.load() < all) return std::nullopt;
  std::size_t settled = 0;
  for (const WarmUpFound::Pilot& pilot : found.pilots) {
    if (!pilot.settled) continue;
    ++settled;
    found.hours = std::max(found.hours, pilot.hours);
  }
  if (settled == 0) found.hours = to_hours(otherwise);
  found.sentence = warm_up_sentence(found, settled);
  return found;
}

}  // namespace fleetsim
