#include "sim/cli/credibility_text.hpp"

#include <fmt/format.h>

#include <vector>

#include "sim/cli/table.hpp"

namespace fleetsim::cli {

std::string credibility_text(const Credibility& c) {
  std::string text = "Credibility: " + c.sentence + "\n";
  std::vector<std::vector<std::string>> rows{
      {"jobs", "number", "recorded h: mean", "p50", "p95", "simulated h: mean", "p50", "p95"}};
  const auto hours = [](double seconds) { return fmt::format("{:.2f}", seconds / 3600.0); };
  for (const WaitPair& w : c.waits)
    rows.push_back({w.jobs, fmt::format("{}", w.n), hours(w.recorded_mean_s), hours(w.recorded_p50_s),
                    hours(w.recorded_p95_s), hours(w.simulated_mean_s), hours(w.simulated_p50_s),
                    hours(w.simulated_p95_s)});
  if (!c.waits.empty()) text += aligned(rows, 1, true);
  if (c.not_run > 0 && !c.waits.empty())
    text += fmt::format("  {} with a recorded wait cannot run on these nodes\n", counted(c.not_run, "job"));
  if (c.without_wait > 0 && !c.waits.empty())
    text += fmt::format("  {} without a recorded wait\n", counted(c.without_wait, "job"));
  return text + "\n";
}

}  // namespace fleetsim::cli
