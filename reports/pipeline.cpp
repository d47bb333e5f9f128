#include "reports/pipeline.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <set>

#include "reports/charts/draw.hpp"
#include "reports/fonts.hpp"
#include "reports/markdown.hpp"
#include "reports/section.hpp"
#include "reports/tool.hpp"
#include "sim/base/assert.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"

namespace fleetsim {

namespace {

namespace fs = std::filesystem;

constexpr const char* kStagingPrefix = ".report-in-work-";

/// A hidden folder inside the report's folder; gone when the report is done, or left to its logs when a tool
/// failed.
class Staging {
 public:
  explicit Staging(const fs::path& out)
      : out_(out), folder_(out / fmt::format("{}{}", kStagingPrefix, ::getpid())) {
    std::error_code ignored;
    made_ = !fs::exists(out, ignored);
    make_folder(out);
    sweep(out);
    fs::remove_all(folder_, ignored);
    make_folder(folder_);
  }
  ~Staging() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    if (made_) fs::remove(out_, ignored);  // only when nothing came of it: a folder with files stays
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  [[nodiscard]] const fs::path& folder() const { return folder_; }

 private:
  /// What a killed process left behind.
  static void sweep(const fs::path& out) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(out, error)) {
      const std::string name = entry.path().filename().string();
      if (name.rfind(kStagingPrefix, 0) != 0) continue;
      const std::string digits = name.substr(std::string_view(kStagingPrefix).size());
      pid_t owner = 0;
      const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), owner);
      const bool gone = parsed.ec == std::errc{} && owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH;
      std::error_code ignored;
      if (gone) fs::remove_all(entry.path(), ignored);
    }
  }
  fs::path out_, folder_;
  bool made_ = false;
};

bool wants(const ReportRequest& request, ReportFormat format) {
  return std::find(request.formats.begin(), request.formats.end(), format) != request.formats.end();
}

std::vector<Drawing> drawings_of(const Doc& doc) {
  std::vector<Drawing> all;
  for (const Block& block : doc.blocks)
    if (const auto* drawing = std::get_if<Drawing>(&block)) all.push_back(*drawing);
  return all;
}

std::vector<std::string> tools_for(const Dossier& dossier, const ReportRequest& request) {
  std::set<std::string> charts;
  for (const Drawing& drawing : drawings_of(make_doc(dossier, {})))
    charts.insert(drawing.chart == "dot" ? "dot" : "gnuplot");
  std::vector<std::string> tools{"timeout"};
  if (charts.count("gnuplot") != 0) tools.emplace_back("gnuplot");
  if (charts.count("dot") != 0) tools.emplace_back("dot");
  if (wants(request, ReportFormat::html) || wants(request, ReportFormat::pdf)) tools.emplace_back("pandoc");
  if (wants(request, ReportFormat::pdf)) tools.emplace_back("weasyprint");
  return tools;
}

/// The page template with the style sheet inside; a dollar sign of the sheet would start a variable of
/// pandoc's.
std::string page_template() {
  std::string css;
  for (const char c : report_asset("assets/report.css"))
    css += c == '$' ? std::string("$$") : std::string(1, c);
  std::string page(report_asset("assets/template.html"));
  const std::string_view mark = "/*STYLE*/";
  const std::size_t at = page.find(mark);
  FLEETSIM_ASSERT(at != std::string::npos);
  return page.replace(at, mark.size(), css);
}

void make_html(const fs::path& work, std::int64_t epoch_s) {
  write_file(work / "page.template", page_template());
  write_file(work / "filter.lua", report_asset("assets/report.lua"));
  run_tool({{"pandoc", "--from=markdown-tex_math_dollars-raw_tex-smart-citations", "--to=html5",
             "--standalone", "--wrap=none", "--template=page.template", "--lua-filter=filter.lua", "--toc",
             "--toc-depth=2", "--number-sections", "--section-divs", "--no-highlight",
             "--metadata=dcterms:" + date_iso(epoch_s), "--output=report.html", "report.md"},
            work,
            work / "pandoc.log",
            120,
            {{"SOURCE_DATE_EPOCH", std::to_string(epoch_s)}},
            "report.html"});
}

void make_pdf(const fs::path& work, std::int64_t epoch_s) {
  run_tool({{"weasyprint", "--encoding", "utf-8", "report.html", "report.pdf"},
            work,
            work / "weasyprint.log",
            300,
            {{"SOURCE_DATE_EPOCH", std::to_string(epoch_s)}},
            "report.pdf"});
}

void note_letters(const std::string& markdown, const fs::path& work, std::vector<std::string>& notes) {
  const auto missing = missing_letters(markdown, work);
  if (missing.empty()) return;
  std::string letters;
  for (const std::string& letter : missing) letters += " " + letter;
  notes.push_back(
      fmt::format("no installed font holds{}: they stay blank in the PDF; install fonts-noto-cjk (CJK) or "
                  "fonts-noto-color-emoji",
                  letters));
}

/// A failed tool's log survives the hidden folder.
void keep_logs(const fs::path& work, const fs::path& out) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(work, error)) {
    std::error_code ignored;
    if (entry.path().extension() == ".log" && fs::file_size(entry.path(), ignored) > 0)
      fs::copy_file(entry.path(), out / entry.path().filename(), fs::copy_options::overwrite_existing,
                    ignored);
  }
}

struct CivilDate {
  int year;
  unsigned month, day;
};

CivilDate civil(std::int64_t epoch_s) {
  const std::chrono::sys_days day =
      std::chrono::floor<std::chrono::days>(std::chrono::sys_seconds(std::chrono::seconds(epoch_s)));
  const std::chrono::year_month_day date(day);
  return {static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
          static_cast<unsigned>(date.day())};
}

}  // namespace

std::string_view report_asset(std::string_view path) {
  const auto files = embedded_report_assets();
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const EmbeddedFile& f) { return f.path == path; });
  FLEETSIM_ASSERT(found != files.end());
  return found->text;
}

std::int64_t report_epoch() {
  if (const char* given = std::getenv("SOURCE_DATE_EPOCH"); given != nullptr && *given != '\0') {
    const std::string_view text(given);
    std::int64_t epoch_s = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), epoch_s);
    if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || epoch_s < 0 ||
        epoch_s > 253402300799)
      throw EnvironmentError(
          fmt::format("SOURCE_DATE_EPOCH is '{}', which is not a number of seconds since 1970", text));
    return epoch_s;
  }
  const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  return std::chrono::duration_cast<std::chrono::seconds>(today.time_since_epoch()).count();
}

std::string date_in_words(std::int64_t epoch_s) {
  static const char* const kMonths[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};
  const CivilDate date = civil(epoch_s);
  return fmt::format("{} {} {}", date.day, kMonths[date.month - 1], date.year);
}

std::string date_iso(std::int64_t epoch_s) {
  const CivilDate date = civil(epoch_s);
  const std::int64_t second = ((epoch_s % 86400) + 86400) % 86400;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", date.year, date.month, date.day, second / 3600,
                     second / 60 % 60, second % 60);
}

std::vector<fs::path> make_report(const Dossier& dossier, const ReportRequest& request,
                                  std::vector<std::string>* notes) {
  const auto tools = tools_for(dossier, request);
  require_tools(tools);
  std::error_code lost;
  const fs::path out = fs::absolute(request.out, lost);
  if (lost)
    throw EnvironmentError(fmt::format("cannot use {}: the current folder is gone", shown(request.out)));
  const StopTools stop_tools(request.stop);
  const Staging staging(out);
  const fs::path& work = staging.folder();
  std::vector<std::string> made;
  try {
    ReportContext context;
    context.date = date_in_words(request.epoch_s);
    for (const std::string& tool : tools) {
      if (tool == "timeout") continue;
      if (const std::string version = tool_version(tool, work); !version.empty())
        context.tools.emplace_back(tool, version);
    }
    const Doc doc = make_doc(dossier, context);
    for (const Drawing& drawing : drawings_of(doc)) {
      for (const std::string& name : draw(drawing, work))
        if (std::find(made.begin(), made.end(), name) == made.end()) made.push_back(name);
    }
    const std::string markdown = to_markdown(doc);
    write_file(work / "report.md", markdown);
    made.emplace_back("report.md");
    const bool pdf = wants(request, ReportFormat::pdf), html = wants(request, ReportFormat::html);
    if (html || pdf) make_html(work, request.epoch_s);
    if (html) made.emplace_back("report.html");
    if (pdf) {
      make_pdf(work, request.epoch_s);
      made.emplace_back("report.pdf");
      if (notes != nullptr) note_letters(markdown, work, *notes);
    }
  } catch (const Interrupted&) {
    throw Interrupted(fmt::format("interrupted; nothing in {} was changed", shown(request.out)));
  } catch (const EnvironmentError& e) {
    keep_logs(work, out);
    std::string message = e.what();
    const std::string inside = shown(work);
    if (const std::size_t at = message.find(inside); at != std::string::npos)
      message.replace(at, inside.size(), shown(request.out));
    throw EnvironmentError(message);
  }
  if (request.stop != nullptr && request.stop->load())
    throw Interrupted(fmt::format("interrupted; nothing in {} was changed", shown(request.out)));
  std::vector<fs::path> paths;
  for (const std::string& name : made) {
    move_file(work / name, out / name);
    paths.push_back(request.out / name);
  }
  return paths;
}

}  // namespace fleetsim
