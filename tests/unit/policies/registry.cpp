#include "sim/policies/policy.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

TEST_CASE("Policies register themselves") {
  CHECK(has_policy(PolicyKind::fifo));
  CHECK(has_policy(PolicyKind::easy));
  CHECK(make_policy(PolicyKind::easy) != nullptr);
  CHECK_FALSE(make_policy(PolicyKind::fifo)->plans_ahead());
  CHECK(make_policy(PolicyKind::easy)->plans_ahead());
}
