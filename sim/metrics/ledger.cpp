#include "sim/metrics/ledger.hpp"

#include <algorithm>

#include "sim/base/assert.hpp"

namespace fleetsim {

namespace {

constexpr std::uint32_t kNotYet = 0xFFFFFFFF;

std::size_t classes_of(const JobRequests& requests) {
  std::size_t classes = 0;
  for (const ClassId id : requests.job_class)
    if (id != kNoClass) classes = std::max(classes, index(id) + 1);
  return classes;
}

}  // namespace

Ledger::Ledger(const EngineInput& input)
    : input_(input), nodes_(input), gpu_time_(classes_of(*input.requests), input.pools.size()) {
  const std::size_t jobs = input.requests->size();
  pools_.resize(input.pools.size());
  owners_.resize(input.pools.size());
  counted_.assign(input.pools.size(), kStart);
  for (std::size_t p = 0; p < pools_.size(); ++p)
    pools_[p].gpus = pools_[p].present = std::int64_t{input.pools[p].nodes} * input.pools[p].gpus_per_node;
  for (const NodeId node : nodes_.absent_at_start()) {
    const std::size_t pool = index(nodes_.place(node).pool);
    pools_[pool].gpus -= input.pools[pool].gpus_per_node;
    if (nodes_.state(node) == NodeBook::State::absent)
      pools_[pool].present -= input.pools[pool].gpus_per_node;
  }
  lines_.resize(input.queues.size());
  std::vector<std::size_t> in_line(lines_.size());
  for (const QueueId queue : input.requests->queue) ++in_line[index(queue)];
  for (std::size_t q = 0; q < lines_.size(); ++q) {
    lines_[q].jobs.reserve(in_line[q]);
    for (const PoolId pool : input.queues[q].own)
      owners_[index(pool)].push_back(static_cast<std::uint16_t>(q));
  }
  place_.assign(jobs, Place::outside);
  pool_of_.assign(jobs, kNoPool);
  since_.assign(jobs, kStart);
  submitted_as_.assign(jobs, kNotYet);
}

void Ledger::on(const Transition& t) {
  if (t.at != now_) advance(t.at);
  const std::size_t job = index(t.job);
  const std::int32_t gpus = input_.requests->gpus[job];
  Place& place = place_[job];
  if (t.to == JobState::pending) {
    if (place == Place::outside) ++in_system_;
    if (place == Place::running) leave(job, t.at);
    place = Place::waiting;
    queue_up(job);
  } else if (t.to == JobState::running) {
    if (place == Place::outside) ++in_system_;
    place = Place::running;
    pool_of_[job] = t.pool;
    since_[job] = t.at;
    if (t.pool == kCloudPool) {  // no GPUs of the fleet
      rented_ += gpus;
      return;
    }
    PoolBook& pool = pools_[index(t.pool)];
    pool.busy += gpus;
    pool.most = std::max(pool.most, pool.busy);
    if (pool.busy - pool.gpus > pool.over) note_over(pool);
  } else {
    if (place == Place::running) leave(job, t.at);
    if (place != Place::outside) --in_system_;
    place = Place::outside;
  }
}

void Ledger::leave(std::size_t job, Instant at) {
  if (pool_of_[job] == kCloudPool) {
    rented_ -= input_.requests->gpus[job];
    return;
  }
  pools_[index(pool_of_[job])].busy -= input_.requests->gpus[job];
  count_stay(job, at);
}

void Ledger::count_stay(std::size_t job, Instant until) {
  const Instant from = std::max(since_[job], input_.tag_begin);
  const Instant to = std::min(until, input_.tag_end);
  // Hand-made requests may hold no classes.
  const ClassId job_class =
      job < input_.requests->job_class.size() ? input_.requests->job_class[job] : kNoClass;
  if (from < to) gpu_time_.add(job_class, pool_of_[job], from, to, input_.requests->gpus[job]);
}

/// A job that an outage stopped goes back to its place.
void Ledger::queue_up(std::size_t job) {
  Line& line = lines_[index(input_.requests->queue[job])];
  if (submitted_as_[job] == kNotYet) {
    submitted_as_[job] = submissions_++;
    line.jobs.push_back(JobId{static_cast<std::uint32_t>(job)});
    return;
  }
  const auto place =
      std::lower_bound(line.jobs.begin(), line.jobs.end(), submitted_as_[job],
                       [&](JobId other, std::uint32_t mine) { return submitted_as_[index(other)] < mine; });
  line.head = std::min(line.head, static_cast<std::size_t>(place - line.jobs.begin()));
}

void Ledger::note_over(PoolBook& pool) {
  pool.over = pool.busy - pool.gpus;
  pool.had = pool.gpus;
}

/// Integrates the nodes of a pool up to now, before they change.
void Ledger::count_nodes(std::size_t pool) {
  PoolBook& book = pools_[pool];
  const std::int64_t passed = (now_ - counted_[pool]).count();
  book.up_us += book.gpus * passed;
  book.present_us += book.present * passed;
  counted_[pool] = now_;
}

void Ledger::on_node(const NodeEvent& event) {
  if (event.at != now_) advance(event.at);
  const std::size_t pool = index(nodes_.place(event.node).pool);
  const auto before = nodes_.state(event.node);
  nodes_.apply(event);
  const auto after = nodes_.state(event.node);
  const auto counts = [](bool was, bool is) { return (is ? 1 : 0) - (was ? 1 : 0); };
  using State = NodeBook::State;
  PoolBook& book = pools_[pool];
  count_nodes(pool);
  book.gpus += counts(before == State::up, after == State::up) * input_.pools[pool].gpus_per_node;
  book.present += counts(before != State::absent, after != State::absent) * input_.pools[pool].gpus_per_node;
  if (book.busy - book.gpus > book.over) note_over(book);
}

void Ledger::close(Instant ended) {
  if (ended > now_) advance(ended);
  for (std::size_t p = 0; p < pools_.size(); ++p) count_nodes(p);
  for (std::size_t job = 0; job < place_.size(); ++job)
    if (place_[job] == Place::running && pool_of_[job] != kCloudPool) count_stay(job, ended);
}

void Ledger::advance(Instant to) {
  FLEETSIM_ASSERT(to > now_);
  const std::int64_t passed = (to - now_).count();
  const Instant from = std::max(now_, input_.tag_begin), until = std::min(to, input_.tag_end);
  const std::int64_t in_window = until > from ? (until - from).count() : 0;
  job_us_ += in_system_ * passed;
  rented_us_ += rented_ * passed;
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    PoolBook& pool = pools_[p];
    pool.busy_us += pool.busy * passed;
    const std::int64_t free = pool.gpus - pool.busy;
    if (in_window == 0 || free <= 0) continue;
    pool.free_us += free * in_window;
    if (stranded(p, free)) pool.stranded_us += free * in_window;
  }
  now_ = to;
}

JobId Ledger::oldest_waiting(std::size_t pool) {
  JobId oldest = kNoJob;
  for (const std::uint16_t queue : owners_[pool]) {
    Line& line = lines_[queue];
    while (line.head < line.jobs.size() && place_[index(line.jobs[line.head])] != Place::waiting) ++line.head;
    if (line.head == line.jobs.size()) continue;
    const JobId job = line.jobs[line.head];
    if (oldest == kNoJob || submitted_as_[index(job)] < submitted_as_[index(oldest)]) oldest = job;
  }
  return oldest;
}

bool Ledger::stranded(std::size_t pool, std::int64_t free) {
  const JobId job = oldest_waiting(pool);
  if (job == kNoJob || input_.requests->gpus[index(job)] > free) return false;
  const std::size_t shape = input_.truth->shape[index(job)];
  return input_.run_time.one_leaf[shape * input_.run_time.pools + pool] >= 0.0;
}

}  // namespace fleetsim
