// A study with axes of conditions: every point of them is a study of its own, and all of them make a map.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/study/study.hpp"
#include "sim/study/study_map.hpp"

namespace fleetsim {

/// One cell, ready to be studied.
struct Cell {
  Scenario scenario;                            ///< without axes of conditions
  std::unique_ptr<CandidateSource> bought;      ///< what `candidates` was made of; may be null
  std::unique_ptr<CandidateSource> candidates;  ///< that the room and the rules admit
  std::string text, text_sha256;  ///< canonical text of what is studied, as StudyOptions::scenario
};

/// Owned by the study, implemented above it; cells are made one at a time.
class CellSource {
 public:
  virtual ~CellSource() = default;
  [[nodiscard]] virtual const std::vector<MapAxis>& axes() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual std::vector<std::size_t> at(std::size_t i) const = 0;
  [[nodiscard]] virtual Cell make(std::size_t i) const = 0;
};

/// What a plan tells of one cell.
struct CellPlan {
  std::vector<std::size_t> at;
  OfferedLoad demand;
  std::int64_t candidates = 0, rejected = 0;
  std::int64_t runs = 0;    ///< of this shard
  std::int64_t stored = 0;  ///< of these
};
struct CellsPlan {
  std::vector<MapAxis> axes;
  std::vector<CellPlan> cells;
  [[nodiscard]] std::int64_t runs() const;
  [[nodiscard]] std::int64_t stored() const;
};
/// Of the shard of `options`; `options.store` is not made.
[[nodiscard]] CellsPlan plan_cells(const CellSource& cells, const StudyOptions& options);

/// Plans of the base and of every cell, of the shard of `options`; `options.store` is not made. Without cells
/// (null): of the base alone.
[[nodiscard]] std::vector<StudyPlan> plan_parts(const Scenario& base, const CandidateSource& candidates,
                                                const CellSource* cells, const StudyOptions& options);

/// The study of `base` as run_study() makes it, then that of every cell in the same store; the map goes into
/// the result, its sentence into the verdict. Without cells (null): run_study().
[[nodiscard]] std::optional<StudyResult> run_with_cells(const Scenario& base,
                                                        const CandidateSource& candidates,
                                                        const CellSource* cells, const StudyOptions& options);
/// As run_shard(), of the base and of every cell: a shard has its part of each of them.
[[nodiscard]] std::optional<ShardResult> run_shard_with_cells(const Scenario& base,
                                                              const CandidateSource& candidates,
                                                              const CellSource* cells,
                                                              const StudyOptions& options);

}  // namespace fleetsim
