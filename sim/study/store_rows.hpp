// Rows of a results store as SQLite hands them over, and what becomes of damaged ones.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sim/study/store.hpp"

namespace fleetsim {

class Database;
class Statement;

/// Begins every statement whose rows read_run takes.
inline constexpr const char* kRunColumns =
    "SELECT candidate, engine, replication, label, replay_hash, events, metrics, digest FROM run ";

struct ReadRun {
  StoredRun run;
  bool whole = false;  ///< of the right types, and with the digest that was written with it
};
[[nodiscard]] ReadRun read_run(const Statement& row);

/// Hands over each entry of the table `study` in order of id and engine, with the id under which it is kept:
/// another one than study.id() means damage.
void for_each_study(const Database& db,
                    const std::function<void(const StoredStudy& study, const std::string& id)>& visit);

/// Removes every damaged row of all engines, also those that no key finds any more since the key is what
/// changed. Returns how many. Cost: reads and digests the whole table once, and writes only when something is
/// damaged.
std::int64_t remove_damaged_runs(const Database& db);
/// The same for the entries of studies, with their candidates.
std::int64_t remove_damaged_studies(const Database& db);

}  // namespace fleetsim
