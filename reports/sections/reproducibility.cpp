// What is needed to get these results again: the command, the scenario and its hash, seed, versions, replay
// hash.
#include <fmt/format.h>

#include "reports/markdown.hpp"
#include "reports/numbers.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

void reproducibility_section(const Dossier& d, const ReportContext& context, std::vector<Block>& out) {
  out.emplace_back(Heading{1, "Reproducibility"});
  if (!d.command.empty()) {
    out.emplace_back(
        Paragraph{"With the same version this command gives the same results, byte for byte, on any number "
                  "of threads:"});
    out.emplace_back(CodeBlock{"sh", d.command});
  }
  Table table;
  table.columns = {{"Field"}, {"Value"}};
  const auto add = [&](const std::string& field, const std::string& value) {
    if (!value.empty()) table.rows.push_back({field, value});
  };
  add("Scenario", text(d.scenario_name));
  // Two halves, so that the line can break.
  const std::string& sha = d.scenario_sha256;
  add("Scenario hash, SHA-256",
      sha.size() == 64 ? code(sha.substr(0, 32)) + " " + code(sha.substr(32)) : code(sha));
  add("Seed", fmt::format("{}", d.seed));
  add("Replications", grouped(d.replications));
  add("Replay hash", code(d.replay_hash));
  add("Simulator", text("fleetsim " + d.version));
  for (const auto& [tool, version] : context.tools) add(text(tool), text(version));
  table.caption = fmt::format("Provenance of {}", count(d.replications, "replication"));
  out.emplace_back(table);
  if (!d.canonical_scenario.empty()) {
    out.emplace_back(Heading{2, "The scenario"});
    out.emplace_back(Paragraph{
        "Every key that the file gives, and the defaults of most others; the hash above is of this text."});
    out.emplace_back(CodeBlock{"yaml", d.canonical_scenario});
  }
}

const RegisterSection kReproducibility{{90, "reproducibility", reproducibility_section}};

}  // namespace
}  // namespace fleetsim
