// Dossier -> report files: Markdown, figures with their data and scripts, then HTML, then PDF.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/embedded.hpp"
#include "sim/study/dossier.hpp"

namespace fleetsim {

/// assets/report.css, assets/report.lua, assets/template.html, charts/*.gp.
[[nodiscard]] std::span<const EmbeddedFile> embedded_report_assets();
/// Text of one of them; asserts that it exists.
[[nodiscard]] std::string_view report_asset(std::string_view path);

enum class ReportFormat { markdown, html, pdf };

struct ReportRequest {
  std::vector<ReportFormat> formats{ReportFormat::markdown, ReportFormat::html, ReportFormat::pdf};
  std::filesystem::path out;                ///< folder, made when absent
  std::int64_t epoch_s = 0;                 ///< date of the document, seconds since 1970 UTC
  const std::atomic<bool>* stop = nullptr;  ///< when it becomes true, make_report throws Interrupted
};

/// Seconds of SOURCE_DATE_EPOCH, else of today's midnight UTC. A value that is no number: EnvironmentError.
[[nodiscard]] std::int64_t report_epoch();
/// "30 November 2026" / "2026-11-30T00:00:00Z"; proleptic Gregorian, UTC.
[[nodiscard]] std::string date_in_words(std::int64_t epoch_s);
[[nodiscard]] std::string date_iso(std::int64_t epoch_s);

/// Writes report.md and its figures always (HTML and PDF are made from them), report.html and report.pdf as
/// asked for. Returns the paths in the order in which they were made, the PDF last. All tools are looked for
/// first and everything is made in a hidden folder inside `out`; files move to their places only when all of
/// them are whole, so a failure (EnvironmentError) or a stop (Interrupted) leaves an earlier report
/// untouched. The same dossier, epoch and tools give the same bytes. `notes`, when given, receives what the
/// reader of the terminal should know (letters that no font holds).
[[nodiscard]] std::vector<std::filesystem::path> make_report(const Dossier& dossier,
                                                             const ReportRequest& request,
                                                             std::vector<std::string>* notes = nullptr);

}  // namespace fleetsim
