// Right values from the definition, by an independent script:
//   def mser5(x):
//     b = [sum(x[i:i+5])/5 for i in range(0, len(x) - len(x) % 5, 5)]
//     n = len(b)
//     def z(d): t = b[d:]; m = sum(t)/len(t); return sum((v-m)**2 for v in t)/len(t)**2
//     d = min(range(n-5), key=z)
//     return 5*d, 2*d <= n
#include "sim/study/mser.hpp"

#include <cmath>

#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

/// height * decay^i + (7 i mod 11)
std::vector<double> decaying(int n, double height, double decay) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(height * std::pow(decay, i) + (7 * i) % 11);
  return values;
}

/// `first` times 50, then 3 i mod 7, i from 0.
std::vector<double> stepped(int first, int rest) {
  std::vector<double> values(static_cast<std::size_t>(first), 50.0);
  for (int i = 0; i < rest; ++i) values.push_back((3 * i) % 7);
  return values;
}

}  // namespace

TEST_CASE("a start that dies away is cut off, the longer the slower it does") {
  CHECK(mser5(decaying(200, 100.0, 0.90)).observations == 40);
  CHECK(mser5(decaying(200, 100.0, 0.90)).settled);
  CHECK(mser5(decaying(300, 100.0, 0.95)).observations == 95);
  CHECK(mser5(decaying(300, 100.0, 0.95)).settled);
  CHECK(mser5(decaying(200, 0.0, 1.0)).observations == 0);
  CHECK(mser5(decaying(200, 0.0, 1.0)).settled);
}

TEST_CASE("a step is cut off where it ends") {
  // Batches of 5: 6 of 50 each, then 14 of 20; the statistic of what is left is 0.0114.
  CHECK(mser5(stepped(30, 70)).observations == 30);
  CHECK(mser5(stepped(30, 70)).settled);
  // 12 of 20 batches: beyond the half.
  CHECK(mser5(stepped(60, 40)).observations == 60);
  CHECK_FALSE(mser5(stepped(60, 40)).settled);
}

TEST_CASE("what grows to the end has not settled") {
  std::vector<double> growing;
  for (int i = 0; i < 200; ++i) growing.push_back(i);
  CHECK(mser5(growing).observations == 170);  // 34 of 40 batches: all but the last six
  CHECK_FALSE(mser5(growing).settled);
}

TEST_CASE("a constant needs no cut, and fewer than ten batches tell nothing") {
  CHECK(mser5(std::vector<double>(100, 3.0)).observations == 0);
  CHECK(mser5(std::vector<double>(100, 3.0)).settled);
  CHECK(mser5(std::vector<double>(50, 3.0)).settled);
  CHECK_FALSE(mser5(std::vector<double>(49, 3.0)).settled);
  CHECK_FALSE(mser5({}).settled);
  // A rest of less than five is left out.
  std::vector<double> rest = stepped(30, 70);
  rest.insert(rest.end(), 4, 1e6);
  CHECK(mser5(rest).observations == 30);
}
