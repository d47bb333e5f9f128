// Outside text inside Markdown, and the blocks.
#include "reports/markdown.hpp"

#include <rapidcheck.h>

#include <string>

#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

/// Undoes backslash escapes and the no-break space before %: what a Markdown reader shows.
std::string shown(const std::string& markdown) {
  std::string out;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    if (markdown[i] == '\\' && i + 1 < markdown.size()) {
      out += markdown[++i];
    } else if (markdown.compare(i, 3, "\xC2\xA0%") == 0) {
      out += ' ';
      ++i;
    } else {
      out += markdown[i];
    }
  }
  return out;
}

}  // namespace

TEST_CASE("every character that Markdown, HTML or TeX would read is escaped") {
  CHECK(text("lab_1 & 50% <= 集群 🚀 $x$") == "lab\\_1 \\& 50% \\<= 集群 🚀 \\$x\\$");
  CHECK(text("a|b") == "a\\|b");
  CHECK(text("**x** `y` [z](u) #h ~s~ ^t^ @c {d}") ==
        "\\*\\*x\\*\\* \\`y\\` \\[z\\](u) \\#h \\~s\\~ \\^t\\^ \\@c \\{d\\}");
  CHECK(text("<script>alert(1)</script>") == "\\<script\\>alert(1)\\</script\\>");
  CHECK(text("\\begin{x}") == "\\\\begin\\{x\\}");
}

TEST_CASE("a text that begins like a list, a definition or a caption stays a text") {
  CHECK(text("- x") == "\\- x");
  CHECK(text("+ x") == "\\+ x");
  CHECK(text("1. x") == "1\\. x");
  CHECK(text("a) x") == "a\\) x");
  CHECK(text(": x") == "\\: x");
  CHECK(text("Table: x") == "Table\\: x");
  CHECK(text("# x") == "\\# x");
}

TEST_CASE("line breaks become blanks and broken UTF-8 becomes the replacement character") {
  CHECK(text("a\nb\tc\r\nd") == "a b c  d");
  CHECK(text("a\xFFz") == "a\xEF\xBF\xBDz");
  CHECK(text("\xC0\xAF") == "\xEF\xBF\xBD\xEF\xBF\xBD");          // overlong slash
  CHECK(text("\xED\xA0\x80").find("\xED") == std::string::npos);  // surrogate
  CHECK(text("x\xE2\x82") == "x\xEF\xBF\xBD\xEF\xBF\xBD");        // cut short
}

TEST_CASE("printable text comes back unchanged when the escapes are taken away") {
  CHECK(rc::check("text() loses nothing", [] {
    const auto raw = *rc::gen::container<std::string>(rc::gen::inRange<char>(33, 127));
    RC_ASSERT(shown(text(raw)) == raw);
  }));
}

TEST_CASE("code keeps its text and falls back to escapes where a fence would break") {
  CHECK(code("site.pue") == "`site.pue`");
  CHECK(code("a|b") == "a\\|b");
  CHECK(code("a`b") == "a\\`b");
  CHECK(code("").empty());
}

TEST_CASE("B160: the title block is YAML whatever the scenario is called") {
  Doc doc;
  doc.title = text("C:\\new \"x\" # y: %z");
  const std::string markdown = to_markdown(doc);
  // Markdown escapes first (\\ and \"), then YAML's own doubling of each backslash and quote.
  CHECK(markdown.find("title: \"C:\\\\\\\\new \\\\\\\"x\\\\\\\" \\\\# y: %z\"\n") != std::string::npos);
}

TEST_CASE("blocks are written as pandoc reads them") {
  Doc doc;
  doc.blocks = {Heading{2, "Waits"},
                Paragraph{"One."},
                BulletList{{"a", "b"}},
                KeyFigures{{{"$5", "to approve"}}},
                Table{"Two rows", {{"Item"}, {"Price", Align::right}}, {{"x", "1"}, {"Total", "1"}}, {1}},
                Drawing{"waits", "waits", "", {}, "An alt [text]", "Jobs start soon."},
                Callout{"Mind."},
                CodeBlock{"sh", "echo ```"}};
  const std::string markdown = to_markdown(doc);
  for (const char* part :
       {"## Waits\n\n", "One.\n\n", "- a\n- b\n\n", "<div class=\"kpis\">\n\n- **$5** to approve\n\n</div>",
        "Table: Two rows\n\n| Item | Price |\n|:--|--:|\n| x | 1 |\n| **Total** | **1** |\n\n",
        "![An alt \\[text\\]](waits.svg)\n*Jobs start soon.*\n\n", "<div class=\"note\">\n\nMind.\n\n</div>",
        "````sh\necho ```\n````\n"}) {
    INFO(part);
    CHECK(markdown.find(part) != std::string::npos);
  }
}
