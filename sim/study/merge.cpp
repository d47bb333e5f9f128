#include "sim/study/merge.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "sim/study/database.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"
#include "sim/study/store.hpp"

namespace fleetsim {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMergedRowsPerWrite = 1000;

std::string study_text(const StoredStudy& s) {
  return fmt::format("'{}' (seed {}, scenario {}, engine {})", s.name, s.seed,
                     s.scenario_sha256.substr(0, 12), s.engine);
}

bool same_study(const StoredStudy& a, const StoredStudy& b) {
  return a.engine == b.engine && a.id() == b.id();
}

/// The entry of a round after the first ("NAME, round 2"): shards of one study differ in how many rounds they
/// know, and the first round's entry, of the same scenario, is compared anyway.
bool later_round(const StoredStudy& s, const std::vector<StoredStudy>& all) {
  const std::size_t at = s.name.rfind(kRoundMark);
  if (at == std::string::npos) return false;
  const std::string stem = s.name.substr(0, at), number = s.name.substr(at + kRoundMark.size());
  if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) return false;
  return std::any_of(all.begin(), all.end(), [&](const StoredStudy& first) {
    return first.name == stem && first.engine == s.engine && first.scenario == s.scenario &&
           first.scenario_sha256 == s.scenario_sha256 && first.seed == s.seed;
  });
}

/// Both lists are ordered by id and engine.
void expect_same_studies(const ResultStore& a, const std::vector<StoredStudy>& of_a, const ResultStore& b,
                         const std::vector<StoredStudy>& of_b) {
  const auto lacks = [&](const std::vector<StoredStudy>& list, const StoredStudy& study) {
    if (later_round(study, of_a) || later_round(study, of_b)) return false;
    return std::none_of(list.begin(), list.end(), [&](const StoredStudy& s) { return same_study(s, study); });
  };
  const auto only_a = std::find_if(of_a.begin(), of_a.end(), [&](const auto& s) { return lacks(of_b, s); });
  const auto only_b = std::find_if(of_b.begin(), of_b.end(), [&](const auto& s) { return lacks(of_a, s); });
  if (only_a == of_a.end() && only_b == of_b.end()) return;
  const StoredStudy& here = only_a != of_a.end() ? *only_a : of_a.front();
  const StoredStudy& there = only_b != of_b.end() ? *only_b : of_b.front();
  const char* why = here.engine != there.engine ? "were simulated by different builds of fleetsim"
                                                : "hold different scenarios";
  throw MergeRefused(fmt::format("{} and {} {}: the first has {}, the second {}", a.path(), b.path(), why,
                                 study_text(here), study_text(there)));
}

std::vector<StoredStudy> studies_of(const ResultStore& store) {
  std::vector<StoredStudy> studies = store.studies();
  if (studies.empty())
    throw MergeRefused(
        fmt::format("{} holds no study: it is empty, or was given up before it began", store.path()));
  return studies;
}

/// A file beside `out` that is removed unless it was renamed.
class Beside {
 public:
  Beside(const fs::path& out, const char* purpose)
      : path_(out.parent_path() / fmt::format(".fleetsim-{}-{}", purpose, ::getpid())) {
    remove();
  }
  ~Beside() { remove(); }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  [[nodiscard]] std::string name() const { return path_.string(); }
  void become(const fs::path& out) {
    std::error_code error;
    fs::rename(path_, out, error);
    if (error) throw EnvironmentError(fmt::format("cannot write {}: {}", out.string(), error.message()));
  }

 private:
  void remove() {
    std::error_code ignored;
    for (const char* tail : {"", "-journal", "-wal", "-shm"}) fs::remove(path_.string() + tail, ignored);
  }
  fs::path path_;
};

/// A store that is to be replaced: nobody may be writing to it, and nothing of it may wait in a log beside
/// it, which would be taken for the log of the file that takes its place.
void settle(const fs::path& out, const std::atomic<bool>* stop) {
  Database db(out.string(), Database::Mode::create, stop);
  static_cast<void>(db.number("PRAGMA schema_version"));  // no database at all is another fault
  db.wait_at_most(1000);
  db.run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; COMMIT");
}

/// The same rows in one fresh file, whose bytes do not tell how often and in which order they were written.
void copy_fresh(const std::string& from, const std::string& to) {
  const Database db(from, Database::Mode::create);
  db.run("PRAGMA journal_mode = DELETE");
  Statement(db, "VACUUM INTO ?1").bind(1, to).run();
}

void stop_here(const std::atomic<bool>* stop, const fs::path& out) {
  if (stop != nullptr && stop->load())
    throw Interrupted(fmt::format("interrupted; {} was not changed", out.string()));
}

class Merge {
 public:
  Merge(std::vector<std::unique_ptr<ResultStore>>& stores, const std::string& to)
      : stores_(stores), merged_(to, {}) {}

  MergeResult run(const std::atomic<bool>* stop, const fs::path& out) {
    const std::vector<StoredStudy> studies = studies_of(*stores_.front());
    for (const auto& store : stores_) {
      const std::vector<StoredStudy> others = studies_of(*store);
      expect_same_studies(*stores_.front(), studies, *store, others);
      for (const StoredStudy& study : others) merged_.note(study);
    }
    for (std::size_t i = 0; i < stores_.size(); ++i) {
      std::vector<StoredRun> rows;
      stores_[i]->for_each([&](const StoredRun& run) {
        add(i, run, rows);
        if (rows.size() >= kMergedRowsPerWrite) {
          stop_here(stop, out);
          write(rows);
        }
        return true;
      });
      write(rows);
      stop_here(stop, out);
    }
    for (const StoredStudy& study : merged_.studies()) result_.studies.push_back(count(study));
    return result_;
  }

 private:
  void add(std::size_t from, const StoredRun& run, std::vector<StoredRun>& rows) {
    const auto there = merged_.find(run.candidate, run.engine, run.replication);
    if (!there) {
      rows.push_back(run);
      rows.back().wall_s.reset();
      ++result_.runs;
    } else if (there->digest() == run.digest()) {
      if (repeated_.emplace(run.candidate, run.engine, run.replication).second) ++result_.duplicates;
    } else {
      std::string other;
      for (std::size_t i = 0; i < from && other.empty(); ++i)
        if (stores_[i]->find(run.candidate, run.engine, run.replication)) other = stores_[i]->path();
      throw MergeRefused(fmt::format(
          "{} and {} differ in replication {} of {} (replay hash {:016x} and {:016x}), "
          "though the same build made both",
          other, stores_[from]->path(), run.replication, run.label, there->replay_hash, run.replay_hash));
    }
  }

  void write(std::vector<StoredRun>& rows) {
    merged_.put(rows);
    rows.clear();
  }

  MergeResult::Study count(const StoredStudy& study) {
    MergeResult::Study s{
        study.name, study.engine, static_cast<std::int64_t>(study.candidates.size()), study.replications, 0,
        {}};
    for (const StoredStudy::Entry& candidate : study.candidates) {
      MergeResult::Missing missing{candidate.label, {}};
      const std::vector<int> present = merged_.replications(candidate.key, study.engine);
      for (int r = 0; r < study.replications; ++r)
        if (!std::binary_search(present.begin(), present.end(), r)) missing.replications.push_back(r);
      s.missing_runs += static_cast<std::int64_t>(missing.replications.size());
      if (!missing.replications.empty()) s.missing.push_back(std::move(missing));
    }
    return s;
  }

  std::vector<std::unique_ptr<ResultStore>>& stores_;
  ResultStore merged_;
  MergeResult result_;
  std::set<std::tuple<std::string, std::string, int>> repeated_;  ///< rows that more than one store has
};

}  // namespace

MergeResult merge_stores(const std::vector<std::string>& inputs, const fs::path& out,
                         const std::atomic<bool>* stop) {
  expect_writable(out);
  std::error_code error;
  // Through a link the file that it leads to is replaced.
  const fs::path target = fs::is_symlink(out, error) ? fs::weakly_canonical(out, error) : out;
  std::vector<std::string> all = inputs;
  if (fs::exists(target, error) && fs::file_size(target, error) > 0) {
    settle(target, stop);
    all.push_back(target.string());
  }
  std::vector<std::unique_ptr<ResultStore>> stores;
  for (const std::string& path : all)
    stores.push_back(std::make_unique<ResultStore>(path, std::string{}, ResultStore::Mode::read_only, stop));
  Beside joined(target, "merge"), fresh(target, "merged");
  MergeResult result = Merge(stores, joined.name()).run(stop, out);
  copy_fresh(joined.name(), fresh.name());
  stop_here(stop, out);
  stores.clear();
  fresh.become(target);
  return result;
}

}  // namespace fleetsim
