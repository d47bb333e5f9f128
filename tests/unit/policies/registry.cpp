#include "sim/policies/policy.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

TEST_CASE("Policies register themselves") {
  CHECK(has_policy(PolicyKind::fifo));
  CHECK(has_policy(PolicyKind::easy));
  CHECK(has_policy(PolicyKind::conservative));
  CHECK_FALSE(has_policy(PolicyKind::builtin));
  CHECK(make_policy(PolicyKind::easy) != nullptr);
  CHECK(make_policy(PolicyKind::conservative)->plans_ahead());
  CHECK_FALSE(make_policy(PolicyKind::fifo)->plans_ahead());
  CHECK(make_policy(PolicyKind::easy)->plans_ahead());
}
