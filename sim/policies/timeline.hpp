// What is promised of one node: its free GPUs from now on, as a step function of time.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/time.hpp"

namespace fleetsim {

/// An end that lies too far off to be written down never comes.
[[nodiscard]] inline Instant saturated(Instant at, Duration length) {
  return length < Instant::max() - at ? at + length : Instant::max();
}

/// Struct of arrays, sorted: free_[i] GPUs are free on [at_[i], at_[i + 1]), the last ones for ever.
/// Neighbours differ, so there are at most two breakpoints for each job that holds a part of the node.
///
/// Cost: add O(breakpoints moved), queries O(breakpoints looked at). No allocation after warm-up.
class Timeline {
 public:
  explicit Timeline(std::int32_t gpus) { reset(gpus, Instant::min()); }

  /// All GPUs free from `from` on; what was before is forgotten.
  void reset(std::int32_t gpus, Instant from);
  /// Forgets what lies before `now`.
  void trim(Instant now);
  /// Changes the free GPUs on [from, to); `to` may be Instant::max(), for ever.
  void add(Instant from, Instant to, std::int32_t gpus);

  /// The first instant t in [from, before) from which on `gpus` stay free until min(t + length, clip);
  /// `before` when there is none. Source: Mu'alem and Feitelson 2001, "anchor point".
  [[nodiscard]] Instant earliest(std::int32_t gpus, Duration length, Instant from, Instant before,
                                 Instant clip = Instant::max()) const;
  /// GPUs that stay free on [from, to).
  [[nodiscard]] std::int32_t least(Instant from, Instant to) const;
  [[nodiscard]] std::size_t size() const { return at_.size() - begin_; }

  /// Calls f(free, until) for each step down of the GPUs that stay free from `from` on.
  template <class F>
  void each_step_down(Instant from, const F& f) const {
    std::size_t i = segment(from);
    std::int32_t stay = free_[i];
    for (++i; i < at_.size() && stay > 0; ++i) {
      if (free_[i] >= stay) continue;
      f(stay, at_[i]);
      stay = free_[i];
    }
    if (stay > 0) f(stay, Instant::max());
  }
  /// Calls f(from, to) for each longest interval of instants in [from, before) at which `gpus` would stay
  /// free for `length`.
  template <class F>
  void each_anchor(std::int32_t gpus, Duration length, Instant from, Instant before, const F& f) const {
    for (Instant at = from; at < before;) {
      at = earliest(gpus, length, at, before);
      if (at >= before) return;
      std::size_t i = segment(at);
      while (i < at_.size() && free_[i] >= gpus) ++i;
      // Free up to the breakpoint i, so that a job may start until a whole length before it.
      const Instant last = i < at_.size() ? at_[i] - length : before - Duration(1);
      f(at, std::min(last + Duration(1), before));
      if (i == at_.size()) return;
      at = at_[i];
    }
  }

 private:
  [[nodiscard]] std::size_t segment(Instant at) const;

  std::vector<Instant> at_;
  std::vector<std::int32_t> free_;
  std::size_t begin_ = 0;  ///< segments before it are forgotten
};

}  // namespace fleetsim
