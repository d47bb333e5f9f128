// The group of a recorded job, field 13.
#include <fmt/format.h>

#include "tests/catch.hpp"
#include "tests/swf_text.hpp"

using namespace fleetsim;
using namespace fleetsim::swf_text;

namespace {

std::string of_group(int id, int submit, const std::string& group) {
  return fmt::format("{} {} 5 10 4 -1 -1 4 60 -1 1 7 {} -1 1 -1 -1 -1\n", id, submit, group);
}

}  // namespace

TEST_CASE("A recorded job has the group of its field 13, -1 where it is unknown, also after sorting") {
  const Read sorted = read(of_group(1, 0, "3") + of_group(2, 10, "-1") + of_group(3, 20, "12"));
  CHECK(sorted.trace.groups == std::vector<std::int32_t>{3, -1, 12});
  const Read shuffled = read(of_group(3, 20, "12") + of_group(1, 0, "3") + of_group(2, 10, "-1"));
  CHECK(shuffled.trace.groups == sorted.trace.groups);
}

TEST_CASE("A dropped record leaves the groups of the others in place") {
  const Read r =
      read(of_group(1, 0, "3") + "2 5 5 -1 4 -1 -1 4 60 -1 1 7 8 -1 1 -1 -1 -1\n" + of_group(3, 20, "12"));
  REQUIRE(r.trace.groups.size() == r.trace.jobs.size());
  CHECK(r.trace.groups.front() == 3);
  CHECK(r.trace.groups.back() == 12);
}
