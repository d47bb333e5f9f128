// What the OpenMP loops of this room share. An exception must not leave a parallel region: the first is kept
// and thrown again behind it.
#pragma once

#include <atomic>
#include <exception>

namespace fleetsim {

/// 0 or less: all cores.
[[nodiscard]] int thread_count(int asked);

class FirstFault {
 public:
  template <class Work>
  void guard(Work work) noexcept {
    try {
      work();
    } catch (...) {
      if (!taken_.exchange(true)) fault_ = std::current_exception();
    }
  }
  [[nodiscard]] bool any() const { return taken_.load(); }
  /// Behind the parallel region only.
  void rethrow() const {
    if (fault_) std::rethrow_exception(fault_);
  }

 private:
  std::atomic<bool> taken_{false};
  std::exception_ptr fault_;
};

}  // namespace fleetsim
