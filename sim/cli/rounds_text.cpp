#include "sim/cli/rounds_text.hpp"

#include <fmt/format.h>

#include "sim/cli/table.hpp"

namespace fleetsim::cli {

std::string stopped_text(const StudyResult& study, SharingRule rule) {
  std::string text;
  if (!study.rounds) return text;
  for (const CandidateResult& c : study.candidates) {
    if (c.sharing != rule || c.last_round == 0 || c.stopped.empty()) continue;
    text += fmt::format("  {} was not simulated further after round {} ({}): {}\n", c.label, c.last_round,
                        counted(c.replications, "replication"), c.stopped);
  }
  return text;
}

std::string rounds_text(const RoundsSummary& rounds) {
  std::string text = "\nRounds:";
  for (const RoundsSummary::Round& r : rounds.rounds)
    text += fmt::format("{} {} up to replication {} ({})", &r == &rounds.rounds.front() ? "" : ";",
                        counted(r.candidates, "candidate"), r.up_to, counted(r.runs, "run"));
  const double share = rounds.exhaustive > 0
                           ? 100.0 * static_cast<double>(rounds.runs) / static_cast<double>(rounds.exhaustive)
                           : 0.0;
  text += fmt::format("{}\nIn all {}, {:.1f} % of the {} that {} of every candidate would cost",
                      rounds.rounds.empty() ? " none" : "", counted(rounds.runs, "run"), share,
                      rounds.exhaustive, counted(rounds.cap, "replication"));
  if (rounds.not_simulated > 0)
    text += fmt::format("; {} not simulated at all", counted(rounds.not_simulated, "candidate"));
  return text + "\n" + rounds.guarantee + "\n";
}

std::string shard_text(const ShardResult& r, const ShardTold& told) {
  if (r.complete && r.wanted == 0)
    return fmt::format(
        "The study is complete after {}; nothing to run in shard {} of {}\n"
        "File: {}; the same command without --shard writes study.json\n",
        counted(r.round, "round"), told.shard.index, told.shard.count, told.store);
  std::string text =
      fmt::format("Round {}, shard {} of {}: {} of {} ({}{}); {} simulated, {} were stored\n", r.round,
                  told.shard.index, told.shard.count, r.wanted, counted(r.total, "run"),
                  counted(r.candidates, "candidate"), told.drawn, r.simulated, r.wanted - r.simulated);
  text += r.complete      ? "The study is complete: no further round follows\n"
          : r.round_whole ? fmt::format("The store holds all of round {}: the same command runs round {}\n",
                                        r.round, r.round + 1)
                          : fmt::format(
                                "The round is not whole: when all its shards are there, fleetsim merge "
                                "STORE... -o DIR/study.db; what the merged store leads to is round {}\n",
                                r.round + 1);
  return text + fmt::format("File: {}\n", told.store);
}

}  // namespace fleetsim::cli
