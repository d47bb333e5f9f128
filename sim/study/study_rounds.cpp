#include "sim/study/study_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "sim/study/constraints.hpp"
#include "sim/study/objectives/objective.hpp"
#include "sim/study/precision.hpp"
#include "sim/study/screening.hpp"
#include "sim/study/statistics.hpp"

namespace fleetsim {

namespace {

/// Reads replications 0 to n - 1; stops at the first that is missing. Damaged rows are counted, and removed
/// if that is allowed.
int read_runs(ResultStore& store, const std::string& key, int n, bool may_write, std::vector<RunResult>& runs,
              bool& missing) {
  int damaged = 0;
  for (int r = 0; r < n; ++r) {
    try {
      auto run = store.get(key, r);
      if (!run) {
        missing = true;
        break;
      }
      runs.push_back(std::move(*run));
    } catch (const DamagedRow&) {
      if (may_write) store.erase(key, r);
      ++damaged;
    }
  }
  return damaged;
}

}  // namespace

bool in_rounds(const Scenario& base) {
  return base.study.search == SearchKind::rounds && base.study.candidates != CandidateRule::pool_sizes;
}

StudyRounds::StudyRounds(const Scenario& base, const CandidateSource& source)
    : base_(base),
      source_(source),
      settings_(
          rounds_settings(base.time.replications, base.study.max_replications, base.study.indifference)) {
  settings_.exact = objective_of(base.study).money;
  settings_.precision = base.time.precision;
  std::vector<std::pair<SharingRule, std::vector<std::size_t>>> groups;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const Candidate c = candidate_at(base, source, i);
    labels_.push_back(c.label);
    beforehand_.push_back(known_beforehand(c.scenario));
    places_.emplace_back();
    if (!beforehand_.back().empty()) continue;
    const SharingRule rule = c.scenario.scheduler.sharing;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == rule; });
    if (group == groups.end()) group = groups.insert(group, {rule, {}});
    places_.back() = {static_cast<int>(group - groups.begin()), group->second.size()};
    group->second.push_back(i);
  }
  for (auto& [rule, candidates] : groups) {
    const std::size_t n = candidates.size();
    groups_.push_back(
        {rule, std::move(candidates), SelectionRounds(settings_, n), std::vector<KnownCandidate>(n)});
  }
  collect();
}

/// The round's parts out of what the groups ask for.
void StudyRounds::collect() {
  std::map<std::pair<int, int>, std::vector<std::size_t>> parts;
  for (const Group& group : groups_)
    for (const SelectionRounds::Entry& entry : group.procedure.list())
      parts[{entry.from, entry.to}].push_back(group.candidates[entry.candidate]);
  parts_.clear();
  for (auto& [range, candidates] : parts) {
    std::sort(candidates.begin(), candidates.end());
    parts_.push_back({range.first, range.second, std::move(candidates)});
  }
}

std::int64_t StudyRounds::runs(const Shard& shard) const {
  std::int64_t all = 0;
  for (const Part& part : parts_) all += places_of(shard, part.runs()).size();
  return all;
}

int StudyRounds::most_rounds() const {
  return static_cast<int>(looks(settings_).size());
}

Scenario StudyRounds::base_of(const Part& part) const {
  Scenario base = base_;
  base.time.replications = part.to;
  if (round_ > 1) base.name += fmt::format("{}{}", kRoundMark, round_);
  return base;
}

KnownCandidate StudyRounds::known(std::size_t candidate, const std::vector<RunResult>& runs,
                                  double error) const {
  const Candidate c = candidate_at(base_, source_, candidate);
  const double k = base_.study.prototypes_per_result;
  const CandidateResult result = summarise_candidate(c.scenario, runs, {k});
  return {objective_of(base_.study).scores(result, c.scenario, runs, k), result.feasible,
          surely_broken(c.scenario, result, error)};
}

int StudyRounds::advance(ResultStore& store, bool may_write) {
  int faults = 0;
  bool missing = false;
  std::vector<std::vector<KnownCandidate>> all;
  for (const Group& group : groups_) {
    all.push_back(group.known);
    const double error = rounds_errors(settings_, group.candidates.size()).constraint;
    for (const SelectionRounds::Entry& entry : group.procedure.list()) {
      const std::size_t i = group.candidates[entry.candidate];
      std::vector<RunResult> runs;
      faults += read_runs(store, source_.make(i).key, entry.to, may_write, runs, missing);
      if (missing) return faults + 1;
      if (faults == 0) all.back()[entry.candidate] = known(i, runs, error);
    }
  }
  if (faults > 0) return faults;
  RoundsSummary::Round told;
  for (const Part& part : parts_) {
    told.candidates += static_cast<int>(part.candidates.size());
    told.runs += part.runs();
    told.up_to = std::max(told.up_to, part.to);
  }
  told_.push_back(told);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (groups_[g].procedure.ended()) continue;
    groups_[g].known = std::move(all[g]);
    groups_[g].procedure.tell(groups_[g].known);
  }
  collect();
  ++round_;
  return 0;
}

void StudyRounds::read(const ResultStore& store, const Visit& visit) const {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    std::vector<RunResult> runs;
    if (places_[i].group >= 0) {
      const Group& group = groups_[static_cast<std::size_t>(places_[i].group)];
      const std::string key = source_.make(i).key;
      for (int r = 0; r < group.procedure.replications(places_[i].number); ++r) {
        auto run = store.get(key, r);
        if (!run) throw EnvironmentError(fmt::format("{} lost a row while it was read", store.path()));
        runs.push_back(std::move(*run));
      }
    }
    visit(i, std::move(runs));
  }
}

double StudyRounds::level(SharingRule sharing) const {
  for (const Group& group : groups_)
    if (group.sharing == sharing) return group.procedure.level();
  return settings_.confidence;
}

std::string StudyRounds::stopped(std::size_t candidate) const {
  const auto& [g, number] = places_[candidate];
  const Group& group = groups_[static_cast<std::size_t>(g)];
  const SelectionRounds& procedure = group.procedure;
  const int n = procedure.replications(number);
  const auto sure = [&] { return fmt::format("with {:.0f} %", 100.0 * settings_.confidence); };
  const int best = procedure.set().best;
  const std::string best_label = best < 0 ? "" : labels_[group.candidates[static_cast<std::size_t>(best)]];
  switch (procedure.standing(number)) {
    case SelectionRounds::Standing::out:
      if (group.known[number].out.find("in any replication") != std::string::npos)
        return group.known[number].out;  // a fact, not an estimate
      return fmt::format("{} ({})", group.known[number].out, sure());
    case SelectionRounds::Standing::worse: {
      const RelativeDifference d =
          paired_difference(group.known[number].values, group.known[static_cast<std::size_t>(best)].values,
                            procedure.level(), settings_.exact);
      return fmt::format("at least {:.1f} % worse than {}, {}", std::floor(10.0 * d.low) / 10.0, best_label,
                         sure());
    }
    case SelectionRounds::Standing::member:
      return procedure.last_round(number) == procedure.round()
                 ? std::string()
                 : fmt::format("at most {:g} % worse than {}, {}", 100.0 * settings_.indifference, best_label,
                               sure());
    case SelectionRounds::Standing::open:
      return n < settings_.cap ? "no fleet is left to compare it with" : "";
    case SelectionRounds::Standing::best:
      return {};
  }
  return {};
}

std::string StudyRounds::guarantee() const {
  return fmt::format(
      "With {:.0f} % confidence, in each table (a sharing rule and a k) by itself, the truly best fleet that "
      "keeps the constraints is in the best set or undecided, and {}, where nothing is undecided, the fleet "
      "called best is at most {:g} % worse than it. That is approximate: means over replications are taken "
      "as "
      "normal, and a fleet keeps its constraints when their means do (one was dropped early only where an "
      "interval leaves no doubt). Repeated confidence intervals over at most {} looks, Bonferroni.",
      100.0 * settings_.confidence,
      objective_of(base_.study).of_k ? fmt::format("at k = {:g}", base_.study.prototypes_per_result)
                                     : fmt::format("ranked by {}", objective_of(base_.study).ranked),
      100.0 * settings_.indifference, looks(settings_).size());
}

/// Of the scenario's own sharing rule; empty: it has none.
std::optional<PrecisionReached> StudyRounds::precision_of_best() const {
  for (const Group& group : groups_) {
    const int best = group.procedure.set().best;
    if (group.sharing != base_.scheduler.sharing || best < 0) continue;
    const auto number = static_cast<std::size_t>(best);
    PrecisionReached reached = judge_precision(summarise(group.known[number].values, ""), settings_.precision,
                                               group.procedure.replications(number), settings_.cap);
    reached.sentence = precision_sentence(reached, fmt::format("{} of {}", objective_of(base_.study).ranked,
                                                               labels_[group.candidates[number]]));
    return reached;
  }
  return std::nullopt;
}

void StudyRounds::describe(StudyResult& study) const {
  RoundsSummary& out = study.rounds.emplace();
  out.rounds = told_;
  out.first = settings_.first;
  out.cap = settings_.cap;
  out.confidence = settings_.confidence;
  out.comparison_error = rounds_errors(settings_, 2).comparison;
  out.exhaustive = static_cast<std::int64_t>(places_.size()) * settings_.cap;
  out.decided = std::none_of(groups_.begin(), groups_.end(), [&](const Group& g) {
    return g.sharing == base_.scheduler.sharing && !g.procedure.decided();
  });
  out.guarantee = guarantee();
  if (settings_.precision > 0.0 && !settings_.exact) study.precision = precision_of_best();
  study.replications = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    CandidateResult& c = study.candidates[i];
    if (places_[i].group < 0) {
      ++out.not_simulated;
      c.stopped = beforehand_[i];
      c.feasible = false;
      c.saturated = c.saturated || c.stopped.starts_with("saturated");
      c.reasons = {"not simulated: " + c.stopped};
      continue;
    }
    const SelectionRounds& procedure = groups_[static_cast<std::size_t>(places_[i].group)].procedure;
    c.replications = procedure.replications(places_[i].number);
    c.last_round = procedure.last_round(places_[i].number);
    c.stopped = stopped(i);
    out.runs += c.replications;
    study.replications = std::max(study.replications, c.replications);
  }
}

}  // namespace fleetsim
