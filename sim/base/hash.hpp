// The replay hash: an order-sensitive fingerprint of everything that a simulation did.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace fleetsim {

/// Not cryptographic. Each word is folded in by multiply-rotate and the state is finalised with the
/// MurmurHash3 64-bit mixer (Appleby, public domain constants).
class ReplayHash {
 public:
  constexpr void mix(std::uint64_t word) {
    state_ = std::rotl(state_ ^ (word * 0x9E3779B97F4A7C15ULL), 27) * 0xBF58476D1CE4E5B9ULL + 0x52DCE729;
  }
  constexpr void mix(std::string_view text) {
    mix(text.size());
    for (const char c : text) mix(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  [[nodiscard]] constexpr std::uint64_t value() const {
    std::uint64_t z = state_;
    z = (z ^ (z >> 33)) * 0xFF51AFD7ED558CCDULL;
    z = (z ^ (z >> 33)) * 0xC4CEB9FE1A85EC53ULL;
    return z ^ (z >> 33);
  }

 private:
  std::uint64_t state_ = 0x243F6A8885A308D3ULL;  // digits of pi
};

}  // namespace fleetsim
