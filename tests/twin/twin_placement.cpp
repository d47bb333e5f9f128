// The slow simulator: which nodes a job gets.
#include <algorithm>

#include "tests/twin/twin.hpp"

namespace twin {

std::optional<std::vector<NodeSlice>> choose(const EnginePool& pool, const std::vector<int>& free, int gpus,
                                             int max_leaves) {
  const auto slice = [&](int node, int count) {
    return NodeSlice{NodeId{static_cast<std::uint32_t>(pool.first_node + node)}, count};
  };
  const auto best = [&](int count, const auto& allowed) {
    int found = -1;
    for (int n = 0; n < pool.nodes; ++n) {
      const bool pack = pool.placement == PlacementRule::pack;
      const bool better = found < 0 || (pack ? free[n] < free[found] : free[n] > free[found]);
      if (allowed(n) && free[n] >= count && better) found = n;
    }
    return found;
  };
  const int g = pool.gpus_per_node;
  if (gpus <= g) {
    const int node = best(gpus, [](int) { return true; });
    if (node < 0) return std::nullopt;
    return std::vector{slice(node, gpus)};
  }
  const int whole = gpus / g, rest = gpus % g;
  std::map<int, std::vector<int>> leaves;  // whole nodes free on each leaf
  const auto leaf_of = [&](int n) { return (pool.first_node + n) / pool.nodes_per_leaf; };
  for (int n = 0; n < pool.nodes; ++n) {
    auto& nodes = leaves[leaf_of(n)];
    if (free[n] == g) nodes.push_back(n);
  }
  const auto complete = [&](const std::vector<int>& nodes,
                            const auto& allowed) -> std::optional<std::vector<NodeSlice>> {
    std::vector<NodeSlice> out;
    for (const int n : nodes) out.push_back(slice(n, g));
    if (rest == 0) return out;
    const int last = best(
        rest, [&](int n) { return allowed(n) && std::find(nodes.begin(), nodes.end(), n) == nodes.end(); });
    if (last < 0) return std::nullopt;
    out.push_back(slice(last, rest));
    return out;
  };
  for (const auto& [leaf, nodes] : leaves) {
    if (static_cast<int>(nodes.size()) < whole) continue;
    const int here = leaf;
    const auto out =
        complete({nodes.begin(), nodes.begin() + whole}, [&](int n) { return leaf_of(n) == here; });
    if (out) return out;
  }
  std::vector<std::pair<int, int>> order;  // most whole nodes first, then the lower leaf
  for (const auto& [leaf, nodes] : leaves) order.emplace_back(-static_cast<int>(nodes.size()), leaf);
  std::sort(order.begin(), order.end());
  std::vector<int> taken, used;
  for (const auto& [size, leaf] : order) {
    for (const int n : leaves[leaf]) {
      if (static_cast<int>(taken.size()) == whole) break;
      taken.push_back(n);
      if (used.empty() || used.back() != leaf) used.push_back(leaf);
    }
  }
  if (static_cast<int>(taken.size()) < whole) return std::nullopt;
  const int fewest = static_cast<int>(used.size());
  if (fewest > max_leaves) return std::nullopt;
  const auto near =
      complete(taken, [&](int n) { return std::find(used.begin(), used.end(), leaf_of(n)) != used.end(); });
  if (near) return near;
  // All whole nodes of the used leaves are taken. Leaves like the last of them may stand in for it.
  const std::size_t count = leaves[used.back()].size();
  std::optional<std::vector<NodeSlice>> out;
  int held = 0;  // free GPUs of the node that takes the part
  for (const auto& [size, leaf] : order) {
    if (leaves[leaf].size() != count || std::find(used.begin(), used.end(), leaf) != used.end()) continue;
    std::vector<int> other(taken.begin(), taken.end() - static_cast<std::ptrdiff_t>(count));
    other.insert(other.end(), leaves[leaf].begin(), leaves[leaf].end());
    const int here = leaf;
    const auto found = complete(other, [&](int n) { return leaf_of(n) == here; });
    if (!found) continue;
    const int part = free[index(found->back().node) - static_cast<std::size_t>(pool.first_node)];
    const bool pack = pool.placement == PlacementRule::pack;
    if (out && (pack ? part >= held : part <= held)) continue;
    out = found;
    held = part;
  }
  if (out || fewest + 1 > max_leaves) return out;
  return complete(taken, [](int) { return true; });
}

}  // namespace twin
