// A tree of advice as data: who asks, how large the cluster is, what the room allows -> what to buy. The
// loader reads it from scenarios/catalog/advice/; advise() walks it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/quantity.hpp"
#include "topology/hardware.hpp"

namespace fleetsim {

/// Numbers of GPUs for which a rule is meant: from <= n < below.
struct SizeBand {
  std::string name;          ///< e.g. superpod-chapter
  std::string part;          ///< part of the text that says so: one of AdviceTree::parts; empty: all of them
  int from = 0;              ///< first number of GPUs
  std::optional<int> below;  ///< first number beyond; none: without end
  std::string as_written;    ///< the words of the text, e.g. "128 GPUs"
  /// The text itself names fewer sizes than the band covers: those, half-open as well. The rest is our
  /// reading.
  std::optional<int> written_from, written_below;
  bool set_by_scenario = false;  ///< its edges are the scenario's own
  [[nodiscard]] bool holds(int gpus) const { return gpus >= from && (!below || gpus < *below); }
  [[nodiscard]] bool is_written_for(int gpus) const {
    return holds(gpus) && gpus >= written_from.value_or(from) && (!written_below || gpus < *written_below);
  }
};

/// Order in which the text wants its questions asked (G12).
enum class AdviceStep { use, memory, hardware, checks };
[[nodiscard]] const char* to_string(AdviceStep step);  ///< use, memory, hardware, checks

/// One kind of machine of a recommendation, with what of the catalogue the comparison needs.
struct AdvisedPart {
  std::string node, title;  ///< catalogue name and title; of a bare card the GPU's
  bool bare_card = false;   ///< a card for a machine that is there
  GpuType gpu;
  NodeType machine;                          ///< without a name: a bare card
  double share_low = 1.0, share_high = 1.0;  ///< of the budget
  std::string short_name;                    ///< e.g. "8x RTX 3080"
};

/// One way to follow a rule: parts whose shares sum to 1.
struct AdviceOption {
  std::vector<AdvisedPart> parts;
  std::string preferred_by;  ///< part of the text that prefers it; empty: none
};

/// When a rule holds. An empty or absent condition always does.
struct AdviceCondition {
  std::vector<std::string> buyers;
  std::vector<std::string> bands;  ///< names of SizeBands, any of them
  std::optional<bool> cooling_solved, geforce_barred, model_parallel;
};

struct AdviceRule {
  std::string name;
  std::vector<std::string> guide;  ///< ids of the claims, e.g. G24
  AdviceStep step = AdviceStep::use;
  AdviceCondition when;
  std::string says;                   ///< in our words, one or two sentences
  std::string verdict;                ///< what to buy, short; empty: the rule only remarks
  std::vector<AdviceOption> options;  ///< the verdict as data
  std::optional<Bytes> memory;        ///< least memory of a card; none: says nothing of it
};

struct AdviceTree {
  std::string name, title;
  Provenance from;
  std::vector<std::string>
      parts;  ///< parts of the text that may contradict each other, e.g. summary, chapter
  std::vector<SizeBand> bands;
  /// In order; of the rules of step `hardware` that hold the first one with a verdict decides.
  std::vector<AdviceRule> rules;
  [[nodiscard]] const SizeBand* band(const std::string& name) const;  ///< null when unknown
};

/// Kinds of buyers that a rule or a scenario may name.
[[nodiscard]] const std::vector<std::string>& buyer_words();

}  // namespace fleetsim
