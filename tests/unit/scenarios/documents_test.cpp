// Documents that are no scenario at all, and long lists of faults: what the parser says, and where.
#include <algorithm>

#include "tests/catch.hpp"
#include "tests/unit/scenarios/edited.hpp"

using namespace fleetsim;
using namespace fleetsim::test;

TEST_CASE("What is not YAML is reported with its place") {
  const auto first = [](const std::string& text) {
    const Outcome outcome = load_text(text);
    REQUIRE(outcome.messages.size() >= 1);
    CHECK_FALSE(outcome.loaded.has_value());
    return outcome.places[0] + ": " + outcome.messages[0];
  };
  CHECK(first("") == "1:1: the file holds no YAML document");
  CHECK(first("# nothing\n") == "1:1: the file holds no YAML document");
  CHECK(first("name: [1, 2\nseed: 3\n").find(": this is not YAML: ") != std::string::npos);
  CHECK(first("name: lab\nsite:\n\tpue: 1.5\n").find("not with a tab") != std::string::npos);
  CHECK(first("just a sentence\n") == "1:1: the document must be a map of keys, not 'just a sentence'");
  CHECK(first("- a\n- b\n") == "1:1: the document must be a map of keys, not a list");
  const auto says = [](const std::string& text, const std::string& message) {
    const Outcome outcome = load_text(text);
    return std::find(outcome.messages.begin(), outcome.messages.end(), message) != outcome.messages.end();
  };
  CHECK(says("name: &a [*a]\n", "an alias refers to the map or list that it stands in"));
  CHECK(says("? [a, b]\n: 3\n", "a key must be a word, not a list"));
  const Outcome second = load_text(lab_text() + "---\nname: other\n");
  REQUIRE(second.messages.size() == 2);
  CHECK(second.messages[0] == "a second YAML document begins here (one file holds one scenario)");
}

TEST_CASE("A byte order mark and Windows line ends shift nothing") {
  const Marked text = edited({{"pue: 1.5", "pue: @0.9"}});
  std::string crlf;
  for (const char c : text.text) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  CHECK(load_text(crlf).places == text.places);
  CHECK(load_text("\xEF\xBB\xBF" + crlf).places == text.places);
  const Marked umlaut = edited({{"site:\n", "site: {\"\u00e4\u00f6\": 1, pue: 0.9}\nx:\n"}});
  const Outcome outcome = load_text(umlaut.text);
  CHECK(outcome.places[0].substr(outcome.places[0].find(':')) == ":8");
  CHECK(outcome.places[1].substr(outcome.places[1].find(':')) == ":22");
}

TEST_CASE("What the parser stops at is said in words that help") {
  const auto first = [](const std::string& text) {
    const Outcome outcome = load_text(text);
    REQUIRE(outcome.messages.size() == 2);  // the fault, then that the rest was not read
    const std::string unread = "mend this first: the keys and values of the file were not checked";
    CHECK(std::find(outcome.messages.begin(), outcome.messages.end(), unread) != outcome.messages.end());
    const std::size_t i = outcome.messages[0] == unread ? 1 : 0;
    return outcome.places[i] + ": " + outcome.messages[i];
  };
  CHECK(first("name: \"lab\nseed: 3\n") ==
        "1:7: the quote that begins here is not closed (end the text with \")");
  CHECK(first("name: x\nsite: 'a''b\n") ==
        "2:7: the quote that begins here is not closed (end the text with ')");
  CHECK(first("name: x\nseed:3\ntime: {}\n") ==
        "3:5: this is not YAML: a ':' stands where no key can be (in line 2 a blank is missing behind ':')");
  CHECK(first("name: x\nsite:\n  pue 1.5\n  rack: {}\n").find("(line 3 has no ':')") != std::string::npos);
  CHECK(first("site: &pue\n  *pue: 1\n  rack: {}\n").find("write '*pue :' with a blank)") !=
        std::string::npos);
  CHECK(first("name: [1,\nseed: 3").find("(the bracket of line 1, column 7 is open)") != std::string::npos);
  CHECK(first("name: x\n...\nseed: 3\n").find("a second YAML document begins here") != std::string::npos);
  CHECK(first("name: *lab\n").find("nothing above is marked '&lab'") != std::string::npos);
  CHECK(first(std::string(100000, '[')).find("nested too deep") != std::string::npos);
}

TEST_CASE("Bytes that are no text are refused with their place") {
  const auto first = [](const std::string& text) {
    const Outcome outcome = load_text(text);
    REQUIRE(outcome.messages.size() == 1);
    return outcome.places[0] + ": " + outcome.messages[0];
  };
  CHECK(first("name: caf\xE9\n") == "1:10: byte 0xE9 is not UTF-8 (save the file as UTF-8)");
  CHECK(first("name: \u00e9\xC3\n") == "1:8: byte 0xC3 is not UTF-8 (save the file as UTF-8)");
  CHECK(first(std::string("name: a\0b\n", 10)) == "1:8: a NUL byte (delete it)");
  CHECK(first("name: x\nseed: 1\x04\nnothing: here\n") == "2:8: a control character, U+0004 (delete it)");
  CHECK(first(std::string("\xFF\xFEn\0a\0", 6)) ==
        "1:1: the file is encoded in UTF-16 or UTF-32 (save it as UTF-8)");
  CHECK(first(std::string(5 << 20, '#')) == "1:1: the file is larger than 4 MiB (is it a scenario?)");
}

TEST_CASE("Aliases that would unfold to a huge document are refused at once") {
  std::string text = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c < 'n'; ++c) {
    const std::string last(1, static_cast<char>(c - 1)), name(1, c);
    text += name + ": &" + name + " [";
    for (int i = 0; i < 9; ++i) text += "*" + last + (i < 8 ? ", " : "]\n");
  }
  const Outcome outcome = load_text(text);
  REQUIRE(outcome.messages.size() == 1);
  CHECK(outcome.messages[0] == "the document holds more than 50000 values, aliases written out");
}

TEST_CASE("An option that replaces a faulty value does not hide it") {
  const Marked text = edited({{"pue: 1.5", "pue: @0.9"}});
  LoadOptions options;
  options.set = {"site.pue=1.2"};
  const Outcome outcome = load_text(text.text, options);
  CHECK_FALSE(outcome.loaded.has_value());
  CHECK(outcome.places == text.places);
  // A whole section that is replaced is checked as well; what only does not fit together is the option's to
  // mend.
  options.set = {"site={pue: 1.2}"};
  CHECK(load_text(text.text, options).places == text.places);
  options.set = {"budget.capital=300000 USD"};
  CHECK(load_text(edited({{"300000 USD}", "3000 USD}"}}).text, options).loaded.has_value());
  options.set = {"seed=3"};
  CHECK(load_text(edited({{"seed: 2020", "seed: 1"}}).text, options).loaded.has_value());
}

TEST_CASE("However many faults there are, the list ends") {
  std::string text = lab_text();
  for (int i = 0; i < 5000; ++i) text += "key" + std::to_string(i) + ": 1\n";
  const Outcome outcome = load_text(text);
  REQUIRE(outcome.messages.size() == 501);
  CHECK(outcome.messages.back() == "more than 500 errors; no more are shown");
}
