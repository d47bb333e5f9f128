// Parts of the split study's section that are long enough for a file of their own.
#pragma once

#include <vector>

#include "reports/doc.hpp"
#include "sim/study/dossier.hpp"

namespace fleetsim::split {

/// Every fleet of one sharing rule: share, time to result, paired difference to the best, why it is not
/// ranked.
[[nodiscard]] Table interval_table(const Dossier& dossier, SharingRule rule);

/// Time to result against share, one line a sharing rule; nothing when fewer than three fleets can be drawn.
void curve(const Dossier& dossier, std::vector<Block>& out);

}  // namespace fleetsim::split
