// What the guide of 2020 advises for this purchase, and where the study parts from it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/markdown.hpp"
#include "reports/numbers.hpp"
#include "reports/section.hpp"
#include "sim/advice/parting.hpp"

namespace fleetsim {
namespace {

std::string sizes(const AdviceSegment& s) {
  return s.first == s.last ? fmt::format("{} GPUs", s.first) : fmt::format("{} to {} GPUs", s.first, s.last);
}

Table verdicts(const Advice& a) {
  Table table;
  table.caption = a.segments.size() > 1
                      ? "The fleets of this budget cross sizes at which the guide changes its mind."
                      : "What the guide advises at this size.";
  table.columns = {{"Fleet"}, {"Said by"}, {"Advice"}, {"Claim"}};
  for (const AdviceSegment& s : a.segments) {
    for (const AdviceVerdict& v : s.verdicts)
      table.rows.push_back({sizes(s), v.parts.size() == 1 ? text(v.parts.front()) : std::string("whole text"),
                            text(v.text) + (v.stretched ? " (our reading: the text names no such size)" : ""),
                            text(fmt::format("{}", fmt::join(v.guide, ", ")))});
    if (s.verdicts.empty()) table.rows.push_back({sizes(s), "", "nothing for this buyer", ""});
  }
  return table;
}

Table answers(const Parting& parting) {
  Table table;
  table.caption = "Each answer of the guide against the fleets that are as good as the best.";
  table.columns = {{"Where"}, {"Advice"}, {"Claim"}, {"Part by part"}, {"Verdict"}};
  for (const Compared& c : parting.compared)
    table.rows.push_back({text(c.where), text(c.says), text(c.guide),
                          text(fmt::format("{}", fmt::join(c.points, "; "))), to_string(c.agreement)});
  return table;
}

std::vector<std::string> escaped(const std::vector<std::string>& all) {
  std::vector<std::string> out;
  for (const std::string& one : all) out.push_back(text(one));
  return out;
}

void advice_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  if (d.kind != "study" || d.advice == nullptr) return;
  const AdviceBeside& beside = *d.advice;
  const Advice& a = beside.advice;
  out.emplace_back(Heading{1, "What the guide says"});
  out.emplace_back(Paragraph{fmt::format(
      "This is the advice of {} ({}) for a buyer of kind {} with {} ({}), cooling {} ({}), GeForce cards {} "
      "({}). "
      "It is shown beside the study, not used by it.",
      text(a.source), text(a.as_of), text(a.facts.buyer.value), count(a.facts.gpus.value, "GPU"),
      text(a.facts.gpus.because), a.facts.cooling_solved.value ? "certain" : "not certain",
      text(a.facts.cooling_solved.because), a.facts.geforce_barred.value ? "barred" : "not barred",
      text(a.facts.geforce_barred.because))});
  if (!a.segments.empty()) out.emplace_back(verdicts(a));
  if (!a.contradictions.empty()) out.emplace_back(BulletList{escaped(a.contradictions)});
  out.emplace_back(Paragraph{text(beside.parting.sentence)});
  if (!beside.parting.compared.empty()) out.emplace_back(answers(beside.parting));
  if (!beside.parting.why.empty()) out.emplace_back(BulletList{escaped(beside.parting.why)});
}

const RegisterSection kAdvice{{45, "advice", advice_section}};

}  // namespace
}  // namespace fleetsim
