#include "topology/rings.hpp"

#include <algorithm>
#include <boost/range/iterator_range.hpp>

#include "sim/base/assert.hpp"

namespace fleetsim {
namespace {

using Links = std::vector<std::vector<int>>;

/// Depth-first search for a ring through all GPUs over links that are left, most links left first, so that
/// the last single links stay for the last rings.
class RingSearch {
 public:
  explicit RingSearch(const Links& left) : left_(left), seen_(left.size(), false) {}

  [[nodiscard]] bool find() {
    ring_ = {0};
    seen_[0] = true;
    return extend();
  }
  [[nodiscard]] const std::vector<int>& ring() const { return ring_; }

 private:
  bool extend() {
    const int at = ring_.back(), n = static_cast<int>(left_.size());
    if (static_cast<int>(ring_.size()) == n) return left_[at][0] > 0;
    std::vector<int> next;
    for (int to = 0; to < n; ++to)
      if (!seen_[to] && left_[at][to] > 0) next.push_back(to);
    std::stable_sort(next.begin(), next.end(), [&](int a, int b) { return left_[at][a] > left_[at][b]; });
    for (const int to : next) {
      seen_[to] = true;
      ring_.push_back(to);
      if (extend()) return true;
      ring_.pop_back();
      seen_[to] = false;
    }
    return false;
  }

  const Links& left_;
  std::vector<bool> seen_;
  std::vector<int> ring_;
};

}  // namespace

std::vector<std::vector<int>> disjoint_rings(Links links) {
  std::vector<std::vector<int>> found;
  const auto take = [&](const std::vector<int>& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) --links[ring[i]][ring[(i + 1) % ring.size()]];
    found.push_back(ring);
  };
  for (;;) {
    RingSearch search(links);
    if (!search.find()) return found;
    const std::vector<int> ring = search.ring();
    take(ring);
    if (ring.size() < 3) continue;  // two GPUs: there and back is the ring already
    std::vector<int> back(ring.rbegin(), ring.rend());
    std::rotate(back.begin(), back.end() - 1, back.end());
    take(back);  // links are equal both ways, so the way back is free as well
  }
}

std::vector<std::vector<VertexId>> rings(const Wiring& wiring, const NodeVertices& node, const NodeType& type,
                                         int gpus) {
  FLEETSIM_ASSERT(gpus >= 2 && gpus <= static_cast<int>(node.gpus.size()));
  const std::vector<VertexId> all(node.gpus.begin(), node.gpus.begin() + gpus);
  if (type.gpu_links != GpuLinkTopology::cube_mesh) return {all};
  Links links(all.size(), std::vector<int>(all.size(), 0));
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (const EdgeId e : boost::make_iterator_range(boost::out_edges(all[a], wiring))) {
      const auto b = std::find(all.begin(), all.end(), boost::target(e, wiring));
      if (b != all.end() && wiring[e].kind == LinkKind::nvlink)
        links[a][static_cast<std::size_t>(b - all.begin())] = wiring[e].cables;
    }
  }
  std::vector<std::vector<VertexId>> out;
  for (const std::vector<int>& ring : disjoint_rings(std::move(links))) {
    out.emplace_back();
    for (const int i : ring) out.back().push_back(all[i]);
  }
  if (out.empty()) out.push_back(all);
  return out;
}

}  // namespace fleetsim
