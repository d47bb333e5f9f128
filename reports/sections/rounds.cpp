// A study by rounds: what it cost, who was left behind when, what is guaranteed.
#include <fmt/format.h>

#include "reports/markdown.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

Table rounds_table(const RoundsSummary& rounds) {
  Table table;
  table.columns = {{"Round"},
                   {"Candidates", Align::right},
                   {"Up to replication", Align::right},
                   {"Simulations", Align::right}};
  int number = 0;
  for (const RoundsSummary::Round& r : rounds.rounds)
    table.rows.push_back(
        {grouped(++number), grouped(r.candidates), grouped(r.up_to), grouped(static_cast<double>(r.runs))});
  const double share =
      rounds.exhaustive > 0 ? static_cast<double>(rounds.runs) / static_cast<double>(rounds.exhaustive) : 0.0;
  table.caption = fmt::format(
      "{} in all, {} of the {} that {} of every candidate would cost", count(rounds.runs, "simulation"),
      percent(share, 1), grouped(static_cast<double>(rounds.exhaustive)), count(rounds.cap, "replication"));
  return table;
}

Table stopped_table(const Dossier& d) {
  Table table;
  table.columns = {
      {"Fleet"}, {"Last round", Align::right}, {"Replications", Align::right}, {"Why not further"}};
  for (const CandidateResult& c : d.study.candidates) {
    if (c.sharing != d.sharing || c.stopped.empty()) continue;
    table.rows.push_back({text(c.label), c.last_round == 0 ? std::string(kNone) : grouped(c.last_round),
                          grouped(c.replications), text(c.stopped)});
  }
  table.caption =
      fmt::format("{} not simulated to the end under {} sharing",
                  count(static_cast<long long>(table.rows.size()), "fleet"), text(to_string(d.sharing)));
  return table;
}

void rounds_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  if (!d.study.rounds) return;
  const RoundsSummary& rounds = *d.study.rounds;
  out.emplace_back(Heading{1, "How the best fleets were found"});
  out.emplace_back(Paragraph{
      "Every fleet was simulated a few times; then, round by round, only those went on that may still be the "
      "best. A fleet that is surely worse, or surely within the zone of indifference, was not simulated "
      "further. " +
      text(rounds.guarantee)});
  if (!rounds.rounds.empty()) out.emplace_back(rounds_table(rounds));
  if (Table table = stopped_table(d); !table.rows.empty()) out.emplace_back(std::move(table));
}

const RegisterSection kRounds{{42, "rounds", rounds_section}};

}  // namespace
}  // namespace fleetsim
