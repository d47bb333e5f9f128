#include "sim/cli/advise_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/cli/table.hpp"
#include "sim/economics/economics.hpp"

namespace fleetsim::cli {
namespace {

std::string sizes(const AdviceSegment& s) {
  return s.first == s.last ? fmt::format("{} GPUs", s.first) : fmt::format("{} to {} GPUs", s.first, s.last);
}

std::string ids(const std::vector<std::string>& guide) {
  return fmt::format("{}", fmt::join(guide, ", "));
}

std::string asked_text(const AdviceFacts& f) {
  const auto yes = [](bool value) { return value ? "yes" : "no"; };
  const std::string range = f.gpus_least == f.gpus_most ? std::string{}
                                                        : fmt::format("; {} fleets of the budget: {} to {}",
                                                                      f.fleets, f.gpus_least, f.gpus_most);
  Rows rows = {{"  buyer", f.buyer.value, f.buyer.because},
               {"  GPUs", fmt::format("{}", f.gpus.value), f.gpus.because + range},
               {"  cooling certain", yes(f.cooling_solved.value), f.cooling_solved.because},
               {"  GeForce barred", yes(f.geforce_barred.value), f.geforce_barred.because},
               {"  model-parallel", yes(f.model_parallel.value), f.model_parallel.because}};
  return "What it asks of this scenario\n" + aligned(rows, 2, true);
}

std::string verdict_line(const AdviceVerdict& v, bool alone) {
  return fmt::format("{}{} ({}){}", alone ? "" : fmt::format("{}: ", fmt::join(v.parts, " and ")), v.text,
                     ids(v.guide), v.stretched ? " - our reading, the text names no such size" : "");
}

std::string steps_text(const Advice& a) {
  std::string text = "Its questions, in its order\n";
  int number = 0;
  for (const AdviceStep step :
       {AdviceStep::use, AdviceStep::memory, AdviceStep::hardware, AdviceStep::checks}) {
    text += fmt::format("  {} {}\n", ++number, to_string(step));
    bool any = false;
    for (const AdviceTaken& taken : a.steps) {
      if (taken.step != step) continue;
      any = true;
      text += wrapped(
          fmt::format("      {:<5}", ids({taken.guide.front()})),
          taken.guide.size() == 1 ? taken.says : fmt::format("{} ({})", taken.says, ids(taken.guide)));
    }
    if (!any) text += "      says nothing for this buyer and size\n";
    if (step != AdviceStep::memory) continue;
    for (const MemoryAnswer& m : a.memory) {
      text += wrapped("      here ", fmt::format("class {} needs {:.0f} GB: {}{}{}", m.job_class,
                                                 static_cast<double>(m.need.count()) / 1e9,
                                                 m.held_by.empty() ? "" : ids(m.held_by) + " hold it",
                                                 m.held_by.empty() || m.too_small.empty() ? "" : "; ",
                                                 m.too_small.empty() ? "" : ids(m.too_small) + " too small"));
    }
  }
  return text;
}

std::string verdict_text(const Advice& a) {
  std::string text = fmt::format("Its verdict at {}\n", sizes(a.own));
  if (a.own.verdicts.empty()) text += "  none: no rule is meant for this buyer and size\n";
  for (const AdviceVerdict& v : a.own.verdicts)
    text += wrapped("  ", verdict_line(v, a.own.verdicts.size() == 1));
  if (a.segments.size() > 1) {
    text += "  and over the fleets of the budget, which cross its bands:\n";
    Rows rows;
    for (const AdviceSegment& s : a.segments) {
      for (const AdviceVerdict& v : s.verdicts)
        rows.push_back(
            {&v == &s.verdicts.front() ? "    " + sizes(s) : "", verdict_line(v, s.verdicts.size() == 1)});
      if (s.verdicts.empty()) rows.push_back({"    " + sizes(s), "nothing"});
    }
    text += aligned(rows, 1, true);
  }
  for (const std::string& said : a.contradictions) text += wrapped("  ! ", said);
  return text;
}

std::string prices_text(const std::vector<ClassWorkPrices>& all) {
  std::string text;
  for (const ClassWorkPrices& c : all) {
    Rows rows = {{"  node", "USD a GPU", "speed", "cost of the work"}};
    for (const WorkPrice& row : c.rows) {
      rows.push_back({"  " + row.short_name + (row.estimate ? " *" : ""),
                      row.priced ? fmt::format("{:.0f}", to_usd(row.per_gpu)) : "unpriced",
                      row.speed > 0.0 ? fmt::format("{:.2f}", row.speed)
                      : row.fits      ? "-"
                                      : "too small",
                      row.per_work > 0.0 ? fmt::format("{:.2f}", row.per_work) : "-"});
    }
    text += fmt::format(
                "Cost for performance, class {} at {} (speed over {}; cost of the work over the cheapest; "
                "* price rests on an estimate)\n",
                c.job_class, counted(c.gpus, "GPU"), c.reference) +
            aligned(rows, 1) + "\n";
  }
  return text;
}

std::string simulation_text(const AdviceReport& r) {
  std::string text = "What the simulation says\n";
  if (!r.note.empty()) text += wrapped("  ", r.note);
  if (r.best.from.empty())
    return text + wrapped("  ", "No study of this scenario is at hand. It comes from: " + r.how_to_simulate);
  if (!r.best.label.empty()) {
    Rows rows;
    for (const SimulatedPool& pool : r.best.pools) {
      const std::string low = fmt::format("{:.0f}", 100.0 * pool.share_low),
                        high = fmt::format("{:.0f}", 100.0 * pool.share_high);
      rows.push_back({"  " + pool.pool, counted(pool.nodes, "node"), "of " + pool.short_name,
                      low == high
                          ? fmt::format("{} % of the node money", low)
                          : fmt::format("{} to {} % of the node money in the best fleets", low, high)});
    }
    text += fmt::format("  best fleet {}: {} GPUs ({}, {} replications; {} as good, {} undecided)\n",
                        r.best.label, r.best.gpus, r.best.ranked_by, r.best.replications,
                        r.best.as_good.size(), r.best.undecided.size()) +
            aligned(rows, 3, true);
  }
  text += wrapped("  ", r.best.verdict) + fmt::format("  from {}\n", r.best.from);
  return text;
}

std::string parting_text(const Parting& p) {
  std::string text = "Where they part\n" + wrapped("  ", p.sentence);
  for (const Compared& c : p.compared) {
    text += wrapped("  - ", fmt::format("{}: {} ({}): {}", c.where, c.says, c.guide, to_string(c.agreement)));
    for (const std::string& point : c.points) text += wrapped("      ", point);
  }
  if (!p.why.empty()) text += "  why\n";
  for (const std::string& reason : p.why) text += wrapped("      ", reason);
  return text;
}

}  // namespace

std::string advice_text(const AdviceReport& r) {
  const Advice& a = r.advice;
  return fmt::format("{}: what '{}' advises ({}, {}; tree {})\n\n", r.scenario, a.title, a.source, a.as_of,
                     a.tree) +
         asked_text(a.facts) + "\n" + steps_text(a) + "\n" + verdict_text(a) + "\n" + prices_text(r.prices) +
         simulation_text(r) + (r.best.from.empty() ? "" : "\n" + parting_text(r.parting));
}

}  // namespace fleetsim::cli
