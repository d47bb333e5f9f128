// The whole way to files. Needs gnuplot, Graphviz, pandoc and WeasyPrint; says so when it cannot run.
#include "reports/pipeline.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "fixture.hpp"
#include "reports/fonts.hpp"
#include "reports/tool.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

namespace fs = std::filesystem;
using namespace fleetsim;

namespace {

struct ReportFolder : TemporaryFolder {
  ~ReportFolder() {
    if (const char* keep = std::getenv("FLEETSIM_KEEP_REPORT"); keep != nullptr) {
      std::error_code ignored;
      fs::copy(path, keep, fs::copy_options::recursive | fs::copy_options::overwrite_existing, ignored);
    }
  }
};

bool have_tools() {
  for (const char* tool : {"gnuplot", "dot", "pandoc", "weasyprint"}) {
    if (find_tool(tool).empty()) {
      WARN("SKIPPED: " << tool << " is not installed, so no report can be made");
      return false;
    }
  }
  return true;
}

ReportRequest request_to(const fs::path& out) {
  ReportRequest request;
  request.out = out;
  request.epoch_s = 1796083200;
  return request;
}

std::string pdf_text(const fs::path& pdf, const fs::path& scratch) {
  if (find_tool("pdftotext").empty()) {
    WARN("SKIPPED: pdftotext is not installed, so the text of the PDF is not checked");
    return {};
  }
  run_tool({{"pdftotext", "-layout", pdf.string(), (scratch / "report.txt").string()},
            scratch,
            scratch / "pdftotext.log",
            60,
            {},
            "report.txt"});
  return read_file(scratch / "report.txt");
}

}  // namespace

TEST_CASE("a study becomes Markdown, HTML and PDF with every figure beside its data and script") {
  if (!have_tools()) return;
  ReportFolder folder;
  const auto paths = make_report(test::study_dossier(), request_to(folder.path / "study"));
  REQUIRE(paths.back() == folder.path / "study" / "report.pdf");
  for (const char* name : {"split_curve", "cost_year", "waits", "util", "scaling", "interconnect", "money"}) {
    for (const char* ending : {".csv", ".gp", ".svg"})
      CHECK(fs::exists(folder.path / "study" / (std::string(name) + ending)));
  }
  CHECK(fs::exists(folder.path / "study" / "fabric.dot"));
  const std::string html = read_file(folder.path / "study" / "report.html");
  CHECK(html.find("<figure>") != std::string::npos);
  CHECK(html.find("id=\"split_curve-t\"") != std::string::npos);
  CHECK(html.find("currentColor") == std::string::npos);
  CHECK(html.find("src=\"") == std::string::npos);  // nothing outside the page
  const std::string words = pdf_text(folder.path / "study" / "report.pdf", folder.path);
  if (!words.empty()) {
    CHECK(words.find("We recommend buying") != std::string::npos);
    CHECK(words.find("Bill of materials") != std::string::npos);
    CHECK(words.find("Interval table") != std::string::npos);
    CHECK(words.find("RTX 3090 24 GB card") != std::string::npos);
  }
}

TEST_CASE("B159: any UTF-8 name survives into Markdown, HTML and PDF") {
  if (!have_tools()) return;
  ReportFolder folder;
  Dossier d = test::study_dossier();
  d.scenario_name = "lab_1 & 50% <= 集群 🚀 $x$";
  d.pools[0].name = "pro|to *x* <b>";
  for (BillLine& line : d.bill.lines)
    if (line.group == "proto") line.group = d.pools[0].name;
  d.study.candidates[static_cast<std::size_t>(d.recommended_index)].classes[0].name =
      "=cmd|'x', \"y\" {@} `z`";
  static_cast<void>(make_report(d, request_to(folder.path / "names")));
  const std::string html = read_file(folder.path / "names" / "report.html");
  CHECK(html.find("lab_1 &amp; 50% &lt;= 集群 🚀 $x$") != std::string::npos);
  CHECK(html.find("pro|to *x* &lt;b&gt;") != std::string::npos);
  CHECK(html.find("<b>") == std::string::npos);
  CHECK(html.find("=cmd|'x', \"y\" {@} `z`") + html.find("=cmd|'x', &quot;y&quot; {@} `z`") !=
        2 * std::string::npos);
  CHECK(read_file(folder.path / "names" / "waits.csv").find("\n'=cmd|'x' ·  y  {@} `z`,") !=
        std::string::npos);
  const std::string words = pdf_text(folder.path / "names" / "report.pdf", folder.path);
  if (!words.empty()) CHECK(words.find("lab_1 & 50% <= ") != std::string::npos);
}

TEST_CASE("two reports of one dossier and one date are the same bytes") {
  if (!have_tools()) return;
  ReportFolder folder;
  const auto first = make_report(test::study_dossier(), request_to(folder.path / "a"));
  const auto second = make_report(test::study_dossier(), request_to(folder.path / "b"));
  REQUIRE(first.size() == second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    INFO(first[i]);
    CHECK(read_file(first[i]) == read_file(second[i]));
  }
}

TEST_CASE("a run and a hopeless study give reports too") {
  if (!have_tools()) return;
  ReportFolder folder;
  ReportRequest request = request_to(folder.path / "run");
  CHECK(fs::exists(make_report(test::run_dossier(), request).back()));
  request.out = folder.path / "hopeless";
  CHECK(fs::exists(make_report(test::hopeless_dossier(), request).back()));
}

TEST_CASE("a missing tool is named with its package and an earlier report stays as it was") {
  ReportFolder folder;
  const fs::path out = folder.path / "out";
  make_folder(out);
  write_file(out / "report.md", "earlier");
  const std::string path = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
  ::setenv("PATH", folder.path.c_str(), 1);
  std::string said;
  try {
    static_cast<void>(make_report(test::study_dossier(), request_to(out)));
  } catch (const EnvironmentError& e) {
    said = e.what();
  }
  ::setenv("PATH", path.c_str(), 1);
  CHECK(said.find("gnuplot") != std::string::npos);
  CHECK(said.find("gnuplot-nox") != std::string::npos);
  CHECK(read_file(out / "report.md") == "earlier");
  CHECK(std::distance(fs::directory_iterator(out), fs::directory_iterator{}) == 1);
}

TEST_CASE("a tool that fails leaves its log and no half-written report") {
  if (!have_tools()) return;
  ReportFolder folder;
  Dossier d = test::study_dossier();
  d.fabric_dot = "this is no graph";
  const fs::path out = folder.path / "out";
  std::string said;
  try {
    static_cast<void>(make_report(d, request_to(out)));
  } catch (const EnvironmentError& e) {
    said = e.what();
  }
  CHECK(said.find("dot failed") != std::string::npos);
  CHECK(said.find((out / "fabric.log").string()) != std::string::npos);
  CHECK(fs::exists(out / "fabric.log"));
  CHECK_FALSE(fs::exists(out / "report.md"));
  CHECK(std::distance(fs::directory_iterator(out), fs::directory_iterator{}) == 1);
}

TEST_CASE("letters that no installed font holds are named") {
  if (find_tool("fc-list").empty()) {
    WARN("SKIPPED: fc-list is not installed");
    return;
  }
  ReportFolder folder;
  CHECK(missing_letters("plain Latin, \xC3\xA9, \xCE\xB1 and \xD0\xAF", folder.path).empty());
  // U+EFFFD is not assigned to any character.
  const auto missing = missing_letters("\xF3\xAF\xBF\xBD twice \xF3\xAF\xBF\xBD", folder.path);
  REQUIRE(missing.size() == 1);
  CHECK(missing.front() == "\xF3\xAF\xBF\xBD");
}
