// Looking things up in a Dossier, the same way in every section. Nothing here computes a new result.
#pragma once

#include <string>
#include <vector>

#include "sim/study/dossier.hpp"
#include "sim/study/objectives/objective.hpp"

namespace fleetsim {

/// The fleet the report is about: the recommended one (study) or the simulated one (run); null when there is
/// none.
[[nodiscard]] const CandidateResult* subject(const Dossier& dossier);
/// Best set of a sharing rule and k (nearest k within 1e-6 relative); null when the study has none.
[[nodiscard]] const BestSet* best_set(const StudyResult& study, SharingRule sharing, double k);
/// Best set for the scenario's own sharing rule and k.
[[nodiscard]] const BestSet* own_best_set(const Dossier& dossier);
/// True when the study names a best fleet and the recommended fleet belongs to its best set.
[[nodiscard]] bool has_answer(const Dossier& dossier);

/// Time to result of a fleet for one k; null when not computed.
[[nodiscard]] const Summary* time_to_result(const CandidateResult& candidate, double k);
/// What fleets of this study are ranked by.
[[nodiscard]] const Objective& objective_of(const StudyResult& study);
/// That figure of a fleet; n = 0 where it is not defined.
[[nodiscard]] Summary ranked_figure(const StudyResult& study, const CandidateResult& candidate, double k);
/// "82.1 h", "4.51 results a week".
[[nodiscard]] std::string figure_text(const StudyResult& study, double value);
/// Whether a recorded trace speaks against the simulator.
[[nodiscard]] bool doubted(const StudyResult& study);
/// A metric over all jobs / of one class; null when absent.
[[nodiscard]] const Summary* metric(const CandidateResult& candidate, const std::string& name);
[[nodiscard]] const Summary* metric(const ClassSummary& job_class, const std::string& name);
/// Mean of a summary, NaN for null or empty.
[[nodiscard]] double mean(const Summary* summary);

/// Sharing rules in the order of the report: the scenario's own first, then as in the study.
[[nodiscard]] std::vector<SharingRule> sharing_rules(const Dossier& dossier);
/// Indices into study.candidates of one sharing rule, by share.
[[nodiscard]] std::vector<int> candidates_of(const StudyResult& study, SharingRule sharing);
/// "Overflow", "Strict partitions", "One pool", "Preemption".
[[nodiscard]] std::string title_of(SharingRule sharing);
/// What the rule means, a sentence: "Overflow, the scenario's choice: ...".
[[nodiscard]] std::string meaning_of(SharingRule sharing);

/// "27 %" or "27 to 47 %" over the shares of the named candidates.
[[nodiscard]] std::string share_range(const StudyResult& study, const std::vector<int>& members);
/// True when the candidate's share lies in the guide's band (both ends included).
[[nodiscard]] bool in_band(const StudyResult& study, const CandidateResult& candidate);
/// "66 to 80 %" from the band of the other pool.
[[nodiscard]] std::string band_text(const StudyResult& study);
/// "30", "302": k without needless digits.
[[nodiscard]] std::string k_text(double k);
/// "a", "a and b", "a, b and c".
[[nodiscard]] std::string listed(const std::vector<std::string>& words);
/// text() with a full stop where the text ends without one.
[[nodiscard]] std::string sentence(const std::string& raw);
/// First letter in lower case, unless the word is an abbreviation (PUE).
[[nodiscard]] std::string lowered(std::string word);
[[nodiscard]] int gpus_of(const Dossier& dossier);
[[nodiscard]] std::string bold(const std::string& markdown);

}  // namespace fleetsim
