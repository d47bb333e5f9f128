// Runs written by hand: a job table and its transitions, without the engine.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/metrics/measure.hpp"
#include "sim/scenario.hpp"

namespace fleetsim::example {

constexpr Instant at(int hours) {
  return kStart + hours * kHour;
}
inline constexpr int kNoTime = -1;

/// One row; times in hours.
struct Line {
  int job_class, gpus, wall_h;
  int submit, start, end;
  JobState state;
  int pool = 0;
  int first_node = 0;
  int parent = -1;
};

/// Two pools, p (nodes of 4 GPUs) and q (of 8), each with a queue of its own; classes proto -> large.
/// Window: hours 10 to 110; the run ends at `ended`.
class HandMade {
 public:
  explicit HandMade(const std::vector<Line>& lines, int ended = 200, int p_nodes = 2, int q_nodes = 1)
      : ended_(ended), lines_(lines) {
    JobClass proto, large;
    proto.name = "proto";
    proto.gpus = {{1, 1.0}};
    proto.promotes_to = PromotionSpec{ClassId{1}, 0.5, kHour};
    large.name = "large";
    large.gpus = {{8, 1.0}};
    scenario.workload.classes = {proto, large};
    scenario.study.prototypes_per_result = 10.0;
    input.pools.resize(2);
    input.pools[0] = {"p", p_nodes, 4, 0};
    input.pools[1] = {"q", q_nodes, 8, p_nodes};
    input.queues = {{"p", {PoolId{0}}, {}}, {"q", {PoolId{1}}, {}}};
    input.tag_begin = at(10);
    input.tag_end = at(110);
    input.stop = at(ended);
    for (const Line& line : lines) add(line);
    // Shape = class. Class 0 runs on both pools, class 1 on q only.
    input.run_time = {2, {1.0, 0.5, -1.0, 1.0}, {1.0, 0.5, -1.0, 1.0}};
    efficiency = {2, {1.0, 1.0, 1.0, 0.75}, {1.0, 1.0, 1.0, 0.5}};
    input.requests = &requests_;
    input.truth = &truth_;
    result.ended = at(ended);
  }
  HandMade(const HandMade&) = delete;
  HandMade& operator=(const HandMade&) = delete;

  [[nodiscard]] Metrics measured() {
    Ledger ledger(input);
    for (const Transition& t : transitions()) ledger.on(t);
    ledger.close(result.ended);
    return measure(scenario, input, result, ledger, efficiency);
  }
  /// Events by time; ends before submissions before starts.
  [[nodiscard]] std::vector<Transition> transitions() const {
    std::vector<Transition> all;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      const JobId id{static_cast<std::uint32_t>(i)};
      const PoolId pool{static_cast<std::uint16_t>(line.pool)};
      if (line.state == JobState::dormant) continue;
      if (line.state != JobState::impossible)
        all.push_back({at(line.submit), id, JobState::pending, kNoPool, 0, StartReason::none, false});
      if (line.start != kNoTime)
        all.push_back({at(line.start), id, JobState::running, pool, 1, StartReason::head, false});
      all.push_back({at(line.end == kNoTime ? ended_ : line.end), id, line.state,
                     line.start == kNoTime ? kNoPool : pool, 1, StartReason::none, false});
    }
    const auto rank = [](const Transition& t) {
      return t.to == JobState::pending ? 1 : t.to == JobState::running ? 2 : 0;
    };
    std::stable_sort(all.begin(), all.end(), [&](const Transition& a, const Transition& b) {
      return a.at != b.at ? a.at < b.at : rank(a) < rank(b);
    });
    return all;
  }

  /// By job, in the order of the lines; without it the jobs are in no groups.
  void set_groups(std::vector<std::uint16_t> of_jobs) { requests_.group = std::move(of_jobs); }

  Scenario scenario;
  EngineInput input;
  EngineResult result;
  RunTimeTable efficiency;

 private:
  void add(const Line& line) {
    const auto id = static_cast<std::uint32_t>(requests_.size());
    const auto time = [](int hours) { return hours == kNoTime ? kNever : at(hours); };
    requests_.submit.push_back(line.parent < 0 ? time(line.submit) : kNever);
    requests_.gpus.push_back(line.gpus);
    requests_.limit.push_back(100 * kHour);
    requests_.job_class.push_back(ClassId{static_cast<std::uint16_t>(line.job_class)});
    requests_.queue.push_back(QueueId{static_cast<std::uint16_t>(line.job_class)});
    requests_.user.push_back(0);
    requests_.parent.push_back(line.parent < 0 ? kNoJob : JobId{static_cast<std::uint32_t>(line.parent)});
    truth_.wall.push_back(line.wall_h * kHour);
    truth_.limit_factor.push_back(2.0);
    truth_.child.push_back(kNoJob);
    truth_.pause.push_back({});
    truth_.shape.push_back(static_cast<std::uint16_t>(line.job_class));
    if (line.parent >= 0) truth_.child[static_cast<std::size_t>(line.parent)] = JobId{id};
    JobOutcome& jobs = result.jobs;
    jobs.submit.push_back(time(line.submit));
    jobs.start.push_back(time(line.start));
    jobs.end.push_back(time(line.end));
    jobs.state.push_back(line.state);
    jobs.pool.push_back(line.start == kNoTime ? kNoPool : PoolId{static_cast<std::uint16_t>(line.pool)});
    jobs.reason.push_back(StartReason::head);
    jobs.first_slice.push_back(static_cast<std::uint32_t>(jobs.slices.size()));
    jobs.node_count.push_back(line.start == kNoTime ? 0 : 1);
    if (line.start != kNoTime)
      jobs.slices.push_back({NodeId{static_cast<std::uint32_t>(line.first_node)}, line.gpus});
  }

  int ended_;
  std::vector<Line> lines_;
  JobRequests requests_;
  JobTruth truth_;
};

}  // namespace fleetsim::example
