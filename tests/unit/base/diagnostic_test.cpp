// Diagnostics: the exact form that users and editors see.
#include "sim/base/diagnostic.hpp"

#include "tests/catch.hpp"

using namespace fleetsim;

TEST_CASE("A fault is printed with its place, its line, a caret and its path") {
  const Diagnostic d{Severity::error,          {"fleet.yaml", 2, 15},       "fleet[0].nod_type",
                     "unknown key 'nod_type'", "did you mean 'node_type'?", 8};
  CHECK(render(d, "fleet:\n  - {count: 64, nod_type: h200}\n") ==
        "fleet.yaml:2:15: error: unknown key 'nod_type' (did you mean 'node_type'?)\n"
        "    2 |   - {count: 64, nod_type: h200}\n"
        "      |               ^~~~~~~~\n"
        "      at fleet[0].nod_type\n");
}

TEST_CASE("A fault without a place has no caret, and without a file no colon") {
  CHECK(render({Severity::error, {"--set", 0, 0}, "site.pue", "no", "", 1}, "text") ==
        "--set: error: no\n      at site.pue\n");
  CHECK(render({Severity::warning, {}, "", "no", "", 1}, "text") == "warning: no\n");
}

TEST_CASE("The caret counts characters, keeps tabs and survives a line that is too short") {
  CHECK(render({Severity::error, {"f", 1, 8}, "", "m", "", 1}, "n: \u00e4\u00f6, x") ==
        "f:1:8: error: m\n    1 | n: \u00e4\u00f6, x\n      |        ^\n");
  CHECK(render({Severity::error, {"f", 1, 3}, "", "m", "", 1}, "\ta b\r\n") ==
        "f:1:3: error: m\n    1 | \ta b\n      | \t ^\n");
  CHECK(render({Severity::error, {"f", 1, 5}, "", "m", "", 1}, "ab") ==
        "f:1:5: error: m\n    1 | ab\n      |     ^\n");
  CHECK(render({Severity::error, {"f", 9, 5}, "", "m", "", 1}, "ab") == "f:9:5: error: m\n");
}

TEST_CASE("Faults come out in the order of the text and warnings do not count as errors") {
  Diagnostics all;
  all.error({"f", 3, 1}, "", "c");
  all.warning({"f", 1, 9}, "", "b");
  all.error({"f", 1, 2}, "", "a");
  const auto sorted = all.sorted();
  REQUIRE(sorted.size() == 3);
  CHECK(sorted[0].message == "a");
  CHECK(sorted[1].message == "b");
  CHECK(sorted[2].message == "c");
  CHECK(all.errors() == 2);
}

TEST_CASE("A suggestion is near and never far-fetched") {
  const std::vector<std::string> words = {"node", "count", "overflow_max_time"};
  CHECK(did_you_mean("nod", words) == "node");
  CHECK(did_you_mean("noed", words) == "node");  // a swap of neighbours counts one
  CHECK(did_you_mean("overflow_maxtime", words) == "overflow_max_time");
  CHECK(did_you_mean("price", words).empty());
  CHECK(did_you_mean("x", words).empty());
  CHECK(did_you_mean("", words).empty());
}

TEST_CASE("Faults of a file that was read earlier come first, whatever its name") {
  Diagnostics all;
  all.error({"z.yaml", 9, 1}, "", "cause");
  all.error({"a.yaml", 1, 1}, "", "consequence");
  CHECK(all.sorted().front().message == "cause");
}

TEST_CASE("What a terminal would obey is printed as text, and bytes that are no text as their number") {
  CHECK(printable("a\nb\tc\x1b[31m\xff\u00e4") == "a\\nb\\tc\\x1b[31m\\xff\u00e4");
  CHECK(render({Severity::error, {"f\n", 1, 3}, "p", "m\x07", "h", 1},
               "a\x1b"
               "b\n") == "f\\n:1:3: error: m\\x07 (h)\n    1 | a?b\n      |   ^\n      at p\n");
}

TEST_CASE("Of a long line the part around the caret is shown, and of a long value its ends") {
  const std::string line = std::string(1000, 'x') + "!" + std::string(1000, 'y');
  const std::string text = render({Severity::error, {"f", 1, 1001}, "", std::string(5000, 'v'), "", 1}, line);
  CHECK(text.size() < 1000);
  const std::size_t caret = text.find('^') - text.rfind('\n', text.find('^'));
  const std::size_t mark = text.find('!') - text.rfind('\n', text.find('!'));
  CHECK(caret == mark);
}
