// Joins the results stores of shards into one.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace fleetsim {

/// The stores do not belong together; what() names them and says why.
class MergeRefused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct MergeResult {
  /// Candidates of a study that lack replications.
  struct Missing {
    std::string label;
    std::vector<int> replications;
  };
  struct Study {
    std::string name, engine;
    std::int64_t candidates = 0, replications = 0, missing_runs = 0;
    std::vector<Missing> missing;
  };
  std::vector<Study> studies;
  std::int64_t runs = 0;        ///< in the merged store
  std::int64_t duplicates = 0;  ///< equal rows that more than one store had
};

/// Writes the rows of `inputs`, and of `out` when it exists, to `out`: beside its place, then renamed, so
/// that a fault or a stop changes nothing. The bytes of the file depend on the rows alone, not on how and in
/// which order they came; measured columns (wall_*) are left empty. Throws MergeRefused when the stores hold
/// other studies or rows of another engine than each other, or differ in a row, and EnvironmentError for a
/// file that cannot be used; Interrupted when `stop` is set.
[[nodiscard]] MergeResult merge_stores(const std::vector<std::string>& inputs,
                                       const std::filesystem::path& out,
                                       const std::atomic<bool>* stop = nullptr);

}  // namespace fleetsim
