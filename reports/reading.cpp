#include "reports/reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/markdown.hpp"
#include "reports/numbers.hpp"

namespace fleetsim {

namespace {

bool same_k(double a, double b) {
  return std::abs(a - b) <= 1e-6 * std::max(1.0, std::abs(b));
}

}  // namespace

const CandidateResult* subject(const Dossier& dossier) {
  const auto& all = dossier.study.candidates;
  const int i = dossier.recommended_index;
  if (i >= 0 && static_cast<std::size_t>(i) < all.size()) return &all[static_cast<std::size_t>(i)];
  return dossier.kind == "run" && all.size() == 1 ? &all.front() : nullptr;
}

const BestSet* best_set(const StudyResult& study, SharingRule sharing, double k) {
  for (const BestSet& set : study.best_sets)
    if (set.sharing == sharing && same_k(set.k, k)) return &set;
  return nullptr;
}

const BestSet* own_best_set(const Dossier& dossier) {
  return best_set(dossier.study, dossier.sharing, dossier.k);
}

bool has_answer(const Dossier& dossier) {
  const BestSet* set = own_best_set(dossier);
  if (set == nullptr || set->best < 0 || subject(dossier) == nullptr) return false;
  const auto& members = set->members;
  return std::find(members.begin(), members.end(), dossier.recommended_index) != members.end();
}

const Summary* time_to_result(const CandidateResult& candidate, double k) {
  for (const ObjectiveValue& value : candidate.objective)
    if (same_k(value.k, k)) return &value.hours;
  return nullptr;
}

const Objective& objective_of(const StudyResult& study) {
  return objective_named(study.objective);
}

Summary ranked_figure(const StudyResult& study, const CandidateResult& candidate, double k) {
  return objective_of(study).value(candidate, k);
}

std::string figure_text(const StudyResult& study, double value) {
  const Objective& objective = objective_of(study);
  if (objective.money) return dollars(usd(value));
  return objective.of_k ? hours(value) : fmt::format("{} {}", grouped(value, 2), objective.ranked);
}

bool doubted(const StudyResult& study) {
  return study.credibility && !study.credibility->credible();
}

const Summary* metric(const CandidateResult& candidate, const std::string& name) {
  const auto found = candidate.metrics.find(name);
  return found == candidate.metrics.end() ? nullptr : &found->second;
}

const Summary* metric(const ClassSummary& job_class, const std::string& name) {
  const auto found = job_class.metrics.find(name);
  return found == job_class.metrics.end() ? nullptr : &found->second;
}

double mean(const Summary* summary) {
  return summary == nullptr || summary->n == 0 ? std::numeric_limits<double>::quiet_NaN() : summary->mean;
}

std::vector<SharingRule> sharing_rules(const Dossier& dossier) {
  std::vector<SharingRule> rules;
  const auto add = [&](SharingRule rule) {
    if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
  };
  const auto& all = dossier.study.candidates;
  const bool own =
      std::any_of(all.begin(), all.end(), [&](const auto& c) { return c.sharing == dossier.sharing; });
  if (own) add(dossier.sharing);
  for (const CandidateResult& candidate : all) add(candidate.sharing);
  return rules;
}

std::vector<int> candidates_of(const StudyResult& study, SharingRule sharing) {
  std::vector<int> indices;
  for (std::size_t i = 0; i < study.candidates.size(); ++i)
    if (study.candidates[i].sharing == sharing) indices.push_back(static_cast<int>(i));
  std::stable_sort(indices.begin(), indices.end(), [&](int a, int b) {
    return study.candidates[static_cast<std::size_t>(a)].share <
           study.candidates[static_cast<std::size_t>(b)].share;
  });
  return indices;
}

std::string title_of(SharingRule sharing) {
  switch (sharing) {
    case SharingRule::strict:
      return "Strict partitions";
    case SharingRule::overflow:
      return "Overflow";
    case SharingRule::preempt:
      return "Preemption";
    case SharingRule::one_pool:
      return "One pool";
    case SharingRule::private_machines:
      return "Private machines";
  }
  return "Unknown";
}

std::string meaning_of(SharingRule sharing) {
  const auto sentence = [&](const char* what) {
    return title_of(sharing) + ", the scenario's choice: " + what;
  };
  switch (sharing) {
    case SharingRule::strict:
      return sentence("every class of jobs runs on the nodes of its own partition only.");
    case SharingRule::overflow:
      return sentence(
          "jobs run on the nodes of their own partition, and short ones also on idle nodes of one that lets "
          "them.");
    case SharingRule::preempt:
      return sentence(
          "as with overflow, but the owners of the nodes may stop such guests, which then start again.");
    case SharingRule::one_pool:
      return sentence("every job may run on every node, whatever its partition.");
    case SharingRule::private_machines:
      return sentence("every user has machines that nobody else uses.");
  }
  return {};
}

std::string share_range(const StudyResult& study, const std::vector<int>& members) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const int i : members) {
    const double share = study.candidates[static_cast<std::size_t>(i)].share;
    low = std::min(low, share);
    high = std::max(high, share);
  }
  if (members.empty()) return kNone;
  const std::string top = percent(high);
  return percent(low) == top ? top : grouped(low * 100.0) + " to " + top;
}

bool in_band(const StudyResult& study, const CandidateResult& candidate) {
  if (study.bought_pools() != 2) return false;  // the rule splits money between two pools
  return candidate.share >= study.band_low - 1e-9 && candidate.share <= study.band_high + 1e-9;
}

std::string band_text(const StudyResult& study) {
  return grouped(study.band_low * 100.0) + " to " + percent(study.band_high);
}

std::string k_text(double k) {
  return std::abs(k - std::round(k)) < 0.05 || k >= 100.0 ? grouped(k) : grouped(k, 1);
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " and " : ", ";
    out += words[i];
  }
  return out;
}

std::string sentence(const std::string& raw) {
  std::string out = text(raw);
  if (!out.empty() && std::string(".!?:").find(out.back()) == std::string::npos) out += '.';
  return out;
}

std::string lowered(std::string word) {
  const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (!word.empty() && upper(word[0]) && (word.size() == 1 || !upper(word[1])))
    word[0] = static_cast<char>(word[0] - 'A' + 'a');
  return word;
}

int gpus_of(const Dossier& dossier) {
  int gpus = 0;
  for (const PoolInfo& pool : dossier.pools) gpus += pool.count * pool.gpus_per_node;
  return gpus;
}

std::string bold(const std::string& markdown) {
  return markdown.empty() ? markdown : "**" + markdown + "**";
}

}  // namespace fleetsim
