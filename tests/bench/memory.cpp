#include "tests/bench/memory.hpp"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> held{0}, peak{0};

void* counted(void* block) {
  if (block == nullptr) throw std::bad_alloc();
  const std::size_t now = held += malloc_usable_size(block);
  if (now > peak) peak = now;
  return block;
}
void give_back(void* block) {
  held -= malloc_usable_size(block);
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) {
  return counted(std::malloc(size));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(step, (size + step - 1) / step * step));
}
void operator delete(void* block) noexcept {
  give_back(block);
}
void operator delete(void* block, std::size_t) noexcept {
  give_back(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
  give_back(block);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
  give_back(block);
}

namespace fleetsim {

std::size_t heap_bytes() {
  return held;
}
std::size_t heap_peak_bytes() {
  return peak;
}
void forget_peak() {
  peak = held.load();
}

}  // namespace fleetsim
