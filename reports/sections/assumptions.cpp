// Assumptions with their ranges and sources, estimates marked; what was not evaluated; what the model leaves
// out.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/markdown.hpp"
#include "reports/numbers.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

struct Group {
  std::string key, title;
};
const Group kAssumptionGroups[] = {{"price", "Prices"},
                         {"power", "Power and room"},
                         {"speed", "Speed"},
                         {"workload", "Workload"},
                         {"", "Other"}};

bool known(const std::string& key) {
  return std::any_of(std::begin(kAssumptionGroups), std::end(kAssumptionGroups),
                     [&](const Group& g) { return g.key == key && !key.empty(); });
}

/// Sources are numbered in the order of their first use, so that the tables stay narrow.
class Sources {
 public:
  std::string mark(const Assumption& a) {
    if (a.source.empty() || a.source == "estimate") return a.estimate ? "estimate" : kNone;
    const std::string key = a.source + "\n" + a.as_of;
    auto found = std::find(order_.begin(), order_.end(), key);
    if (found == order_.end()) found = order_.insert(order_.end(), key);
    const std::string number = fmt::format("\\[{}\\]", found - order_.begin() + 1);
    return a.estimate ? "estimate " + number : number;
  }
  [[nodiscard]] Table table() const {
    Table out;
    out.columns = {{"No.", Align::right}, {"Source"}, {"As of", Align::right}};
    int number = 0;
    for (const std::string& key : order_) {
      const std::size_t cut = key.find('\n');
      out.rows.push_back({fmt::format("{}", ++number), text(key.substr(0, cut)), text(key.substr(cut + 1))});
    }
    out.caption = fmt::format("{} of the figures above, numbered in the order of their first use",
                              count(number, "source"));
    return out;
  }
  [[nodiscard]] bool empty() const { return order_.empty(); }

 private:
  std::vector<std::string> order_;
};

std::string range_of(const Assumption& a) {
  if (a.low.empty() && a.high.empty()) return kNone;
  return text(a.low) + " to " + text(a.high);
}

void group_table(const std::vector<Assumption>& all, const Group& group, Sources& sources,
                 std::vector<Block>& out) {
  Table table;
  std::size_t longest = 0, longest_range = 0;
  int estimates = 0;
  for (const Assumption& a : all) {
    if (group.key.empty() ? known(a.used_for) : a.used_for != group.key) continue;
    estimates += a.estimate ? 1 : 0;
    longest = std::max(longest, a.value.size());
    longest_range = std::max(longest_range, a.low.size() + a.high.size());
    table.rows.push_back({text(a.what), text(a.value), range_of(a), sources.mark(a)});
  }
  if (table.rows.empty()) return;
  table.columns = {{group.title},
                   {"Value", longest > 30 ? Align::left : Align::right},
                   {"Range", longest_range > 26 ? Align::left : Align::right},
                   {"Source"}};
  const auto figures = static_cast<long long>(table.rows.size());
  table.caption = fmt::format("{}: {}, ", group.title, count(figures, "figure"));
  table.caption +=
      estimates == 0 ? std::string("none of them an estimate")
      : estimates == figures
          ? std::string(figures == 1 ? "an estimate" : "all of them estimates")
          : fmt::format("{} of them {}", estimates, estimates == 1 ? "an estimate" : "estimates");
  out.emplace_back(table);
}

void assumptions_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  out.emplace_back(Heading{1, "Assumptions, sources and limits"});
  const auto estimates = std::count_if(d.assumptions.begin(), d.assumptions.end(),
                                       [](const Assumption& a) { return a.estimate; });
  if (d.assumptions.empty()) {
    out.emplace_back(Paragraph{"The results carry no list of assumptions."});
  } else {
    out.emplace_back(
        Paragraph{fmt::format("{} drive the result; {} {} without a public source: judgements with a range, "
                              "marked estimate wherever they are "
                              "printed. The others name their source by number.",
                              count(static_cast<long long>(d.assumptions.size()), "figure"), estimates,
                              estimates == 1 ? "is" : "are")});
    Sources sources;
    for (const Group& group : kAssumptionGroups) group_table(d.assumptions, group, sources, out);
    if (!sources.empty()) {
      out.emplace_back(Heading{2, "Sources"});
      out.emplace_back(sources.table());
    }
  }
  if (!d.not_evaluated.empty()) {
    out.emplace_back(Heading{2, "Not yet evaluated"});
    std::vector<std::string> items;
    for (const NotEvaluated& key : d.not_evaluated) items.push_back(code(key.path) + ": " + text(key.reason));
    out.emplace_back(Paragraph{
        "The scenario sets these keys; they were read and checked but do not change any figure here:"});
    out.emplace_back(BulletList{items});
  }
  if (!d.limitations.empty()) {
    out.emplace_back(Heading{2, "Limits of the model"});
    std::vector<std::string> items;
    for (const std::string& limit : d.limitations) items.push_back(text(limit));
    out.emplace_back(BulletList{items});
  }
}

const RegisterSection kAssumptions{{80, "assumptions", assumptions_section}};

}  // namespace
}  // namespace fleetsim
