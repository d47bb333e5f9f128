// The rounds of a study: which replications of which candidates come next, from what the store holds.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/study/completion.hpp"
#include "sim/study/selection_rounds.hpp"
#include "sim/study/store.hpp"
#include "sim/study/study.hpp"

namespace fleetsim {

/// Whether a study of this scenario goes in rounds.
[[nodiscard]] bool in_rounds(const Scenario& base);

/// Some of the candidates of another source, which must outlive this.
class SomeCandidates : public CandidateSource {
 public:
  SomeCandidates(const CandidateSource& of, std::vector<std::size_t> which)
      : of_(of), which_(std::move(which)) {}
  [[nodiscard]] std::size_t size() const override { return which_.size(); }
  [[nodiscard]] Candidate make(std::size_t i) const override { return of_.make(which_[i]); }

 private:
  const CandidateSource& of_;
  std::vector<std::size_t> which_;
};

/// Each sharing rule is a procedure of its own (SelectionRounds), over its candidates that must be simulated
/// (known_beforehand), by the time to a result at the scenario's own k. A round of the study is a round of
/// all of them that have not ended.
class StudyRounds {
 public:
  /// What it is given must outlive it. Cost: makes every candidate once.
  StudyRounds(const Scenario& base, const CandidateSource& source);

  /// Candidates of a round that need the same replications: from (included) to (excluded).
  struct Part {
    int from = 0, to = 0;
    std::vector<std::size_t> candidates;  ///< of the source, ascending
    [[nodiscard]] std::int64_t runs() const {
      return static_cast<std::int64_t>(candidates.size()) * (to - from);
    }
  };
  [[nodiscard]] int round() const { return round_; }
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  [[nodiscard]] bool complete() const { return parts_.empty(); }
  /// Simulations of this round, or a shard's part of them.
  [[nodiscard]] std::int64_t runs(const Shard& shard = {}) const;
  /// Most rounds of a study that never has to go back to a candidate.
  [[nodiscard]] int most_rounds() const;
  [[nodiscard]] const RoundsSettings& settings() const { return settings_; }

  /// What a part is to a Simulation, which takes its first replication apart.
  [[nodiscard]] Scenario base_of(const Part& part) const;
  [[nodiscard]] SomeCandidates candidates_of(const Part& part) const { return {source_, part.candidates}; }

  /// Reads the rows of this round and goes on to the next. Returns how many are damaged or missing: then
  /// nothing changed, but damaged ones are removed if the store may be written.
  int advance(ResultStore& store, bool may_write);

  /// The runs of every candidate of the source, in order, as many as the rounds so far asked for.
  void read(const ResultStore& store, const Visit& visit) const;

  /// Reasons by candidate of the source; empty: it is simulated.
  [[nodiscard]] const std::vector<std::string>& beforehand() const { return beforehand_; }

  /// Fills what a study by rounds has beyond an exhaustive one; its candidates are those of the source.
  /// Precondition: complete.
  void describe(StudyResult& study) const;
  /// Coverage of each interval among the candidates of a sharing rule.
  [[nodiscard]] double level(SharingRule sharing) const;

 private:
  struct Group {
    SharingRule sharing{};
    std::vector<std::size_t> candidates;  ///< of the source
    SelectionRounds procedure;
    std::vector<KnownCandidate> known;
  };
  struct Place {
    int group = -1;  ///< -1: not simulated
    std::size_t number = 0;
  };
  void collect();
  [[nodiscard]] KnownCandidate known(std::size_t candidate, const std::vector<RunResult>& runs,
                                     double error) const;
  [[nodiscard]] std::string stopped(std::size_t candidate) const;
  [[nodiscard]] std::string guarantee() const;
  [[nodiscard]] std::optional<PrecisionReached> precision_of_best() const;

  const Scenario& base_;
  const CandidateSource& source_;
  RoundsSettings settings_;
  std::vector<std::string> beforehand_, labels_;
  std::vector<Place> places_;  ///< by candidate of the source
  std::vector<Group> groups_;
  int round_ = 1;
  std::vector<Part> parts_;
  std::vector<RoundsSummary::Round> told_;
};

}  // namespace fleetsim
