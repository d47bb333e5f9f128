// Names inside CSV and XML: what a user may write must not become markup or a formula.
#include "sim/base/markup.hpp"

#include <cfloat>

#include "tests/catch.hpp"

using namespace fleetsim;

// Intermediate results are as precise as their type, on every processor that this is built for.
static_assert(FLT_EVAL_METHOD == 0);

TEST_CASE("A CSV cell is quoted only when it must be") {
  CHECK(csv_text("proto") == "proto");
  CHECK(csv_text("two words; and more") == "two words; and more");
  CHECK(csv_text("a,b") == "\"a,b\"");
  CHECK(csv_text("say \"hi\"") == "\"say \"\"hi\"\"\"");
  CHECK(csv_text("two\nlines") == "\"two\nlines\"");
  CHECK(csv_text("") == "");
}

TEST_CASE("A CSV cell that a spreadsheet would compute gets an apostrophe") {
  for (const char* word : {"=1+1", "+1", "-1", "@sum", "\tx"})
    CHECK(csv_text(word) == std::string("'") + word);
  CHECK(csv_text("=a,b") == "\"'=a,b\"");
  CHECK(csv_text("\rx") == "\"'\rx\"");
  CHECK(csv_text("a=1") == "a=1");
}

TEST_CASE("Text inside XML holds no markup and no control character") {
  CHECK(xml_escaped("a<b> & \"c\"\n") == "a&lt;b&gt; &amp; &quot;c&quot; ");
}
