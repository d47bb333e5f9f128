// Candidates without those that the room or the rules refuse.
#pragma once

#include <vector>

#include "sim/study/study.hpp"

namespace fleetsim {

/// The candidates of another source that have no hard finding (sim/facility). The others are not simulated
/// and are told in rejected(), each fleet once: what refuses it does not depend on who may use its nodes.
/// Cost: every fleet is made and checked once, on all cores, in the constructor.
class AdmissibleCandidates : public CandidateSource {
 public:
  /// `all` must outlive this.
  explicit AdmissibleCandidates(const CandidateSource& all);
  [[nodiscard]] std::size_t size() const override { return kept_.size(); }
  [[nodiscard]] Candidate make(std::size_t i) const override { return all_.make(kept_[i]); }
  [[nodiscard]] Candidate sketch(std::size_t i) const override { return all_.sketch(kept_[i]); }
  [[nodiscard]] std::size_t fleets() const override { return fleets_; }
  [[nodiscard]] const std::vector<RejectedFleet>& rejected() const override { return rejected_; }
  [[nodiscard]] Candidate fleet(const std::vector<int>& counts, SharingRule sharing) const override {
    return all_.fleet(counts, sharing);
  }

 private:
  const CandidateSource& all_;
  std::vector<std::size_t> kept_;
  std::size_t fleets_ = 0;
  std::vector<RejectedFleet> rejected_;
};

}  // namespace fleetsim
