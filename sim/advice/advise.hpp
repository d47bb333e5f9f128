// The walk through a tree of advice: use -> memory -> hardware that has it -> checks.
#pragma once

#include <string>
#include <vector>

#include "sim/advice/facts.hpp"
#include "sim/advice/tree.hpp"

namespace fleetsim {

/// A rule that held, in the order in which the text asks.
struct AdviceTaken {
  AdviceStep step{};
  std::string rule, says;
  std::vector<std::string> guide;
};

/// What one part of the text (or all of them) tells to buy at one number of GPUs.
struct AdviceVerdict {
  std::vector<std::string> parts;  ///< that say so; all of the tree's when they agree
  std::string rule, text;
  std::vector<std::string> guide;
  std::vector<AdviceOption> options;
  std::string band, as_written;  ///< that let the rule hold; empty: it holds for any size
  bool stretched = false;        ///< the text names no such size; the band is our reading
};

/// Numbers of GPUs, first to last, for which the same verdicts hold.
struct AdviceSegment {
  int first = 0, last = 0;
  std::vector<AdviceVerdict> verdicts;  ///< one: all parts of the text agree
};

/// Whether the cards of the verdict hold a class (G12: memory before money).
struct MemoryAnswer {
  std::string job_class;
  Bytes need{};
  std::vector<std::string> held_by, too_small;  ///< short names of parts of the first verdict
};

struct Advice {
  std::string tree, title, source, as_of;
  AdviceFacts facts;
  std::vector<AdviceTaken> steps;
  AdviceSegment own;                    ///< at the size of the scenario's own fleet
  std::vector<AdviceSegment> segments;  ///< over all fleets of the budget, ascending; holds `own`'s size
  std::vector<MemoryAnswer> memory;
  std::vector<std::string> contradictions;  ///< sentences: overlaps, gaps and parts of the text that differ
};

/// Pure. `scenario_edges` are already in the tree (with_bands).
[[nodiscard]] Advice advise(const AdviceTree& tree, const AdviceFacts& facts);

/// The tree with edges of bands replaced by the scenario's. Unknown bands are left out (the loader refuses
/// them).
[[nodiscard]] AdviceTree with_bands(AdviceTree tree, const std::vector<BandEdges>& edges);

/// "128 to 512 GPUs", "from 513 GPUs on", "under 128 GPUs".
[[nodiscard]] std::string band_text(const SizeBand& band);

}  // namespace fleetsim
