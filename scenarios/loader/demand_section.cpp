// `workload.demand`: arrivals and promotion that make the demand a wished size in money. Resolved here, so
// that the scenario holds plain figures.
//
// Money is linear in the factor f on all arrivals and affine in the probability p of the first promotion:
//   D(f, p) = f (M0 + p M1) + T,   D_B(f, p) = f (B0 + p B1),   load = D / N,   s = D_B / D,
// T: money of a trace, N: node money of the budget. M and B are read off offered_load() at two values of p.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/loader/sections.hpp"
#include "sim/base/units.hpp"
#include "sim/economics/economics.hpp"

namespace fleetsim {

namespace {

/// Second value of p: small enough that no money overflows, large enough that micro-USD do not matter.
constexpr double kProbe = 1.0 / 64.0;
constexpr double kSecondsPerDay = 86400.0;

struct Line {
  double at0 = 0.0, slope = 0.0;  ///< USD
  [[nodiscard]] double at(double p) const { return at0 + p * slope; }
};

struct DemandLines {
  Line all, result;  ///< of the classes; of the promoted class
  double trace = 0.0, budget = 0.0;
};

/// The class whose promotion s is set by; nothing when no class promotes.
std::optional<std::size_t> parent_of(const Scenario& scenario) {
  const auto chain = result_chain(scenario);
  return chain ? std::optional(index(chain->prototype)) : std::nullopt;
}

OfferedLoad demand_at(Scenario scenario, std::optional<std::size_t> parent, double p) {
  if (parent) scenario.workload.classes[*parent].promotes_to->probability = p;
  return offered_load(scenario);
}

DemandLines lines_of(const Scenario& scenario) {
  const auto parent = parent_of(scenario);
  const OfferedLoad zero = demand_at(scenario, parent, 0.0), probe = demand_at(scenario, parent, kProbe);
  const auto sum = [](const OfferedLoad& load) {
    double usd = 0.0;
    for (const ClassDemand& c : load.classes) usd += to_usd(c.money);
    return usd;
  };
  DemandLines lines;
  lines.all = {sum(zero), (sum(probe) - sum(zero)) / kProbe};
  if (parent) {
    const std::size_t b = index(scenario.workload.classes[*parent].promotes_to->target);
    const double at0 = to_usd(zero.classes[b].money);
    lines.result = {at0, (to_usd(probe.classes[b].money) - at0) / kProbe};
  }
  if (zero.trace) lines.trace = to_usd(zero.trace->money);
  lines.budget = to_usd(zero.node_budget);
  return lines;
}

std::string percent(double ratio) {
  return fmt::format("{:.4g} %", 100.0 * ratio);
}

/// The figures that a wish asks for; faults are told at the wish.
class Demand {
 public:
  Demand(const Reader& load, const Reader& share, const Draft& draft)
      : load_(load), share_(share), draft_(draft), lines_(lines_of(draft.scenario)) {}

  [[nodiscard]] bool solve() {
    const DemandWish& wish = draft_.demand;
    const auto parent = parent_of(draft_.scenario);
    if (parent) p_ = draft_.scenario.workload.classes[*parent].promotes_to->probability;
    if (wish.load && !arrives()) return false;
    double others = lines_.trace, of_total = 1.0;  // money beside the classes; share of s that falls on them
    if (wish.load) {
      const double wanted = *wish.load * lines_.budget;
      if (!(wanted > lines_.trace)) {
        load_.error(fmt::format("a load of {:.4g} cannot be reached: the trace alone makes {:.4g}",
                                *wish.load, lines_.trace / lines_.budget),
                    fmt::format("more than {:.4g}", lines_.trace / lines_.budget));
        return false;
      }
      of_total = wanted / (wanted - lines_.trace);
      others = 0.0;
    }
    if (wish.scale_share && !promote(*wish.scale_share, others, of_total)) return false;
    return !wish.load || scale(*wish.load * lines_.budget - lines_.trace);
  }

  double factor = 1.0;
  [[nodiscard]] double probability() const { return p_; }

 private:
  [[nodiscard]] bool arrives() const {
    const auto& classes = draft_.scenario.workload.classes;
    const bool any =
        std::any_of(classes.begin(), classes.end(), [](const JobClass& c) { return c.arrivals.has_value(); });
    if (!any) {
      load_.error("no class arrives, so there is no rate to set", "give a class 'arrivals'");
    } else if (!(lines_.budget > 0.0)) {
      load_.error("there is neither a budget nor a priced node, so a load has no meaning",
                  "give budget.capital, or nodes with prices");
    } else if (!(lines_.all.at0 > 0.0)) {
      load_.error("no class that arrives can run on a priced node, so the demand is worth nothing",
                  "give the nodes prices, or the classes nodes that they fit");
    } else {
      return true;
    }
    return false;
  }

  /// s = of_total^-1 (B0 + p B1) / (M0 + p M1 + others), solved for p.
  bool promote(double s, double others, double of_total) {
    if (!parent_of(draft_.scenario)) {
      share_.error("no class promotes to another, so there is no scale-up share",
                   "give a class 'promotes_to: {class: ..., probability: ...}'");
      return false;
    }
    const auto share_at = [&](double p) {
      return lines_.result.at(p) / (lines_.all.at(p) + others) / of_total;
    };
    if (!(lines_.result.slope > 0.0) || !(lines_.all.at(0.0) + others > 0.0)) {
      share_.error("the promoted class cannot run on a priced node, so its share of the money is 0",
                   "give the nodes prices, or the class nodes that it fits");
      return false;
    }
    const double goal = s * of_total;
    const double p = (goal * (lines_.all.at0 + others) - lines_.result.at0) /
                     (lines_.result.slope - goal * lines_.all.slope);
    if (!(p >= 0.0) || p > 1.0) {
      share_.error(fmt::format("a scale-up share of {} cannot be reached with these sizes and run times: the "
                               "probability of promotion would lie {}",
                               percent(s), p >= 0.0 || s > share_at(1.0) ? "above 1" : "below 0"),
                   fmt::format("reachable: {} to {}", percent(share_at(0.0)), percent(share_at(1.0))));
      return false;
    }
    p_ = p;
    return true;
  }

  bool scale(double money) {
    factor = money / lines_.all.at(p_);
    double largest = 0.0;
    for (const JobClass& c : draft_.scenario.workload.classes)
      if (c.arrivals) largest = std::max(largest, c.arrivals->per_user.count());
    constexpr double kMostPerSecond = 1.0;  // of a user, as the range of arrivals.per_user has it
    if (factor * largest <= kMostPerSecond) return true;
    const double most = (lines_.all.at(p_) * kMostPerSecond / largest + lines_.trace) / lines_.budget;
    load_.error(
        fmt::format("a load of {:.4g} needs more than one job a second of every user", *draft_.demand.load),
        fmt::format("reachable: up to {:.4g}; or more users", most));
    return false;
  }

  const Reader& load_;
  const Reader& share_;
  const Draft& draft_;
  DemandLines lines_;
  double p_ = 0.0;
};

}  // namespace

void read_demand(Reader& workload, Draft& draft) {
  auto demand = workload.find("demand");
  if (!demand || !demand->expect_map()) return;
  draft.demand.load = demand->number("load");
  draft.demand.scale_share = demand->ratio("scale_share");
  if (!demand->has("load") && !demand->has("scale_share") && !demand->misspelled({"load", "scale_share"}))
    demand->error_at_key("'demand' names neither 'load' nor 'scale_share'",
                         "write e.g. {load: 0.5, scale_share: 30 %}");
  demand->finish();
}

std::vector<std::string> fulfil_demand(Reader& file, Draft& draft) {
  const DemandWish& wish = draft.demand;
  std::vector<std::string> said;
  if (!wish.load && !wish.scale_share) return said;
  auto workload = file.find("workload");
  auto section = workload->find("demand");
  const auto load = section->find("load"), share = section->find("scale_share");
  if (load && has_closed_loop(draft.scenario)) {
    load->error("a class whose arrivals are a closed loop has no rate that a load could set",
                "change its 'think_time', or leave 'load' out");
    return said;
  }
  Demand demand(load ? *load : *section, share ? *share : *section, draft);
  if (!demand.solve()) return said;
  auto& classes = draft.scenario.workload.classes;
  if (wish.load) {
    for (JobClass& c : classes) {
      if (!c.arrivals) continue;
      const double before = c.arrivals->per_user.count() * kSecondsPerDay;
      c.arrivals->per_user = PerSecond{c.arrivals->per_user.count() * demand.factor};
      said.push_back(fmt::format("{}: {:.6g} jobs a day and user, {:.6g} times the {:.6g} of the file",
                                 c.name, c.arrivals->per_user.count() * kSecondsPerDay, demand.factor,
                                 before));
    }
    check_jobs(*workload, draft);
  }
  if (wish.scale_share) {
    JobClass& parent = classes[index(result_chain(draft.scenario)->prototype)];
    said.push_back(fmt::format("{} -> {}: promotion with probability {:.6g} %, instead of {:.6g} %",
                               parent.name, classes[index(parent.promotes_to->target)].name,
                               100.0 * demand.probability(), 100.0 * parent.promotes_to->probability));
    parent.promotes_to->probability = demand.probability();
  }
  return said;
}

}  // namespace fleetsim
