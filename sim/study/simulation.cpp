#include "sim/study/simulation.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace fleetsim {

namespace {

/// Finished rows are written when there are so many or the last write is so long ago: a kill loses little.
constexpr int kRowsPerWrite = 6;
constexpr double kWriteEvery_s = 0.1;
/// Looking for the rows of other processes reads the whole table; it may take this share of the time.
constexpr double kOthersEvery_s = 0.2, kOthersShare = 0.02;

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

std::string unique_label(const Candidate& c) {
  const std::string rule = to_string(c.scenario.scheduler.sharing);
  return c.label.ends_with(rule) ? c.label : c.label + " " + rule;
}

struct Simulation::Finished {
  StoredRun run;
  std::int64_t place = 0;
  Finished* next = nullptr;
};

Simulation::Simulation(const Scenario& base, const CandidateSource& source, const StudyOptions& options,
                       ResultStore& store, int first)
    : base_(base),
      source_(source),
      options_(options),
      store_(store),
      first_(first),
      range_(places_of(options.shard, static_cast<std::int64_t>(source.size()) *
                                          std::int64_t{base.time.replications - first})),
      done_(static_cast<std::size_t>(range_.size())) {}

Simulation::~Simulation() {
  for (Finished* at = finished_.exchange(nullptr); at != nullptr;) delete std::exchange(at, at->next);
}

bool Simulation::run() {
  read_others();
  found_ = done_count_;
  std::vector<std::int64_t> missing;
  for (std::int64_t place = range_.begin; place < range_.end; ++place)
    if (!is_done(place)) missing.push_back(place);
  tell();
  if (!missing.empty()) {
    const int threads = static_cast<int>(
        std::min<std::size_t>(static_cast<std::size_t>(thread_count(options_.threads)), missing.size()));
    const std::vector<Unit> units =
        make_units(missing, source_.size(), threads, static_cast<std::uint64_t>(::getpid()));
    written_at_s_ = now_s();
#pragma omp parallel num_threads(threads)
    work(units);
    if (fault_.any()) {
      FirstFault second;  // what was finished before the fault is kept, where that can be
      second.guard([&] { write(true); });
    }
    fault_.rethrow();
    write(true);
  }
  tell();
  return done_count_ == range_.size();
}

void Simulation::work(const std::vector<Unit>& units) {
  const bool writer = omp_get_thread_num() == 0;
  fault_.guard([&] {
    while (!stopped()) {
      const std::size_t mine = next_unit_.fetch_add(1, std::memory_order_relaxed);
      if (mine >= units.size()) break;
      simulate_unit(units[mine], writer);
    }
  });
  ++ended_;
  if (writer) fault_.guard([&] { wait_for_others(); });
}

/// The first thread has no work left, but rows still come.
void Simulation::wait_for_others() {
  while (ended_.load() < omp_get_num_threads() && !fault_.any()) {
    write(false);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void Simulation::simulate_unit(const Unit& unit, bool writer) {
  std::optional<Workload> workload;
  for (const std::size_t i : unit.candidates) {
    if (stopped()) return;
    const std::int64_t place = std::int64_t{unit.replication} * static_cast<std::int64_t>(source_.size()) +
                               static_cast<std::int64_t>(i);
    if (is_done(place)) continue;
    const Candidate c = source_.make(i);
    const int replication = first_ + unit.replication;
    if (!workload) workload = generate(c.scenario, static_cast<std::uint32_t>(replication));
    const double begun = now_s();
    ResultStore::Row row{c.key, unique_label(c), replication, simulate(c.scenario, *workload), 0.0};
    row.wall_s = now_s() - begun;
    push(store_.encode(row), place);
    if (writer) write(false);
  }
}

void Simulation::push(StoredRun run, std::int64_t place) {
  auto* made = new Finished{std::move(run), place, finished_.load(std::memory_order_relaxed)};
  while (!finished_.compare_exchange_weak(made->next, made, std::memory_order_release,
                                          std::memory_order_relaxed)) {
  }
  waiting_rows_.fetch_add(1, std::memory_order_relaxed);
}

/// By one thread at a time: the first, and after the loop the one that is left.
void Simulation::write(bool last) {
  const double now = now_s();
  if (!last && waiting_rows_.load(std::memory_order_relaxed) < kRowsPerWrite &&
      now - written_at_s_ < kWriteEvery_s)
    return;
  written_at_s_ = now;
  std::vector<StoredRun> runs;
  std::vector<std::int64_t> places;
  for (Finished* at = finished_.exchange(nullptr, std::memory_order_acquire); at != nullptr;) {
    const std::unique_ptr<Finished> taken(std::exchange(at, at->next));
    runs.push_back(std::move(taken->run));
    places.push_back(taken->place);
  }
  waiting_rows_.fetch_sub(static_cast<int>(runs.size()), std::memory_order_relaxed);
  store_.put(runs);
  for (const std::int64_t place : places) mark(place);
  simulated_ += static_cast<std::int64_t>(runs.size());
  if (!runs.empty()) tell();
  if (!last && now - others_read_at_s_ > std::max(kOthersEvery_s, reading_took_s_ / kOthersShare)) {
    if (store_.changed_by_others()) read_others();
    others_read_at_s_ = now_s();
  }
}

void Simulation::read_others() {
  const double begun = now_s();
  if (place_of_.empty()) {
    for (std::size_t i = 0; i < source_.size(); ++i)
      place_of_[source_.make(i).key] = static_cast<std::int64_t>(i);
  }
  store_.for_each_present([&](const std::string& key, int replication) {
    const auto at = place_of_.find(key);
    if (at == place_of_.end() || replication < first_ || replication >= base_.time.replications) return;
    mark(std::int64_t{replication - first_} * static_cast<std::int64_t>(source_.size()) + at->second);
  });
  reading_took_s_ = now_s() - begun;
}

void Simulation::mark(std::int64_t place) {
  if (place < range_.begin || place >= range_.end) return;
  if (done_[static_cast<std::size_t>(place - range_.begin)].exchange(1, std::memory_order_relaxed) == 0)
    done_count_.fetch_add(1, std::memory_order_relaxed);
}

bool Simulation::is_done(std::int64_t place) const {
  return done_[static_cast<std::size_t>(place - range_.begin)].load(std::memory_order_relaxed) != 0;
}

bool Simulation::stopped() const {
  return fault_.any() || (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed));
}

void Simulation::tell() const {
  if (options_.progress) options_.progress({done_count_, range_.size()});
}

}  // namespace fleetsim
