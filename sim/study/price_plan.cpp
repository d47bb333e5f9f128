#include "sim/study/price_plan.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "sim/facility/facility.hpp"
#include "sim/facility/room_fleets.hpp"

namespace fleetsim {

namespace {

constexpr int kGridSteps = 32;

/// Where the situation is what it is, whatever the exact shares: fleets, which are maximal, which lie in the
/// band.
using Signature = std::vector<int>;

class Planner {
 public:
  Planner(const Scenario& base, const CandidateSource& source) : base_(base) {
    plan_.quantities = uncertain_quantities(base);
    for (std::size_t i = 0; i < source.size(); ++i) {
      const Candidate c = source.make(i);
      if (c.scenario.scheduler.sharing != base.scheduler.sharing) continue;
      std::vector<int> counts;
      for (const NodePool& pool : c.scenario.pools) counts.push_back(pool.count);
      number_.emplace(counts, static_cast<int>(plan_.fleets.size()));
      plan_.fleets.push_back(std::move(counts));
    }
    plan_.own = plan_.fleets.size();
    own_ = plan_.fleets;
  }

  PricePlan run() && {
    plan_.nominal = situation(base_, plan_.own);
    std::size_t most = plan_.own + kMostDrawnFleets;
    for (int draw = 0; draw < base_.study.price_draws; ++draw) {
      PricePlan::Draw made;
      made.values = draw_quantities(plan_.quantities, base_.seed, static_cast<std::uint32_t>(draw));
      const Scenario drawn = with_quantities(base_, plan_.quantities, made.values);
      made.situation = situation(drawn, most);
      if (!made.situation.whole) break;
      const OfferedLoad demand = offered_load(drawn);
      made.load = demand.load;
      made.s = demand.s;
      plan_.draws.push_back(std::move(made));
    }
    most = plan_.fleets.size() + kMostScannedFleets;
    for (const UncertainQuantity& quantity : plan_.quantities) plan_.scans.push_back(scan(quantity, most));
    plan_.left_out = static_cast<std::int64_t>(beyond_.size());
    return std::move(plan_);
  }

 private:
  /// The number of a fleet; -1 when it would be one too many.
  int number(const std::vector<int>& counts, std::size_t most) {
    const auto known = number_.find(counts);
    if (known != number_.end()) return known->second;
    if (plan_.fleets.size() >= most) {
      beyond_.emplace(counts, 0);
      return -1;
    }
    number_.emplace(counts, static_cast<int>(plan_.fleets.size()));
    plan_.fleets.push_back(counts);
    return static_cast<int>(plan_.fleets.size()) - 1;
  }

  /// Whether the room or the rules refuse a fleet; prices play no part in it.
  bool refused(const std::vector<int>& counts) {
    const auto known = refused_.find(counts);
    if (known != refused_.end()) return known->second;
    Scenario fleet = base_;
    for (std::size_t i = 0; i < counts.size(); ++i) fleet.pools[i].count = counts[i];
    return refused_[counts] = !facility::rejection(fleet).empty();
  }

  /// What the study would compare at these prices: the maximal fleets that the room takes, and in place of
  /// the others the largest below them.
  std::vector<std::vector<int>> in_room(const Scenario& prices) {
    std::vector<std::vector<int>> fleets = maximal_fleets(prices);
    const auto no = [&](const std::vector<int>& counts) { return refused(counts); };
    if (std::none_of(fleets.begin(), fleets.end(), no)) return fleets;
    fleets = facility::with_fleets_in_room(prices, std::move(fleets));
    fleets.erase(std::remove_if(fleets.begin(), fleets.end(), no), fleets.end());
    return fleets;
  }

  PriceSituation situation(const Scenario& prices, std::size_t most) {
    std::map<int, char> offered;  // number -> maximal
    PriceSituation made;
    const bool as_given = base_.study.candidates == CandidateRule::as_given;
    if (!as_given) {
      for (const std::vector<int>& counts : in_room(prices)) {
        const int n = number(counts, most);
        made.whole = made.whole && n >= 0;
        if (n >= 0) offered[n] = 1;
      }
    }
    const std::vector<char> paid = affordable_fleets(prices, own_);
    for (std::size_t i = 0; i < plan_.own; ++i)
      if (paid[i] != 0) offered.emplace(static_cast<int>(i), as_given ? 1 : 0);
    std::vector<Money> price;
    for (std::size_t i = 0; i < prices.pools.size(); ++i)
      price.push_back(node_price(prices, PoolId{static_cast<std::uint16_t>(i)}));
    const std::size_t scale = index(scale_pool(prices));
    for (const auto& [n, maximal] : offered) {
      const std::vector<int>& counts = plan_.fleets[static_cast<std::size_t>(n)];
      Money all;
      for (std::size_t i = 0; i < counts.size(); ++i) all += price[i] * counts[i];
      made.fleets.push_back(n);
      made.maximal.push_back(maximal);
      made.share.push_back(all > Money{} ? price[scale] * counts[scale] / all : 0.0);
    }
    return made;
  }

  static Signature signature(const PriceSituation& s) {
    const StudyResult band;  // its defaults are the guide's
    Signature made{s.whole ? 1 : 0};
    for (std::size_t i = 0; i < s.fleets.size(); ++i) {
      const bool inside = s.share[i] >= band.band_low && s.share[i] <= band.band_high;
      made.push_back(4 * s.fleets[i] + 2 * s.maximal[i] + (inside ? 1 : 0));
    }
    return made;
  }

  struct Point {
    double x = 0.0;
    PriceSituation situation;
  };
  Point at(const UncertainQuantity& quantity, double x, std::size_t most) {
    Scenario moved = base_;
    set_quantity(moved, quantity, x);
    return {x, situation(moved, most)};
  }

  /// Points between two known ones until neighbours agree or are `least` apart; adds all but `low`.
  void between(const UncertainQuantity& quantity, const Point& low, const Point& high, double least,
               std::size_t most, std::vector<Point>& out) {
    const bool agree = signature(low.situation) == signature(high.situation);
    const double middle = scan_middle(low.x, high.x, least);
    if (agree || high.x - low.x <= least || middle <= low.x) {
      out.push_back(high);
      return;
    }
    const Point half = at(quantity, middle, most);
    between(quantity, low, half, least, most, out);
    between(quantity, half, high, least, most, out);
  }

  std::vector<PriceSegment> scan(const UncertainQuantity& quantity, std::size_t most) {
    const double width = quantity.high - quantity.low, least = scan_step(quantity);
    std::vector<double> grid{quantity.low};
    for (int step = 1; step < kGridSteps; ++step) {
      const double x = quantity.low + width * step / kGridSteps;
      grid.push_back(least >= 1.0 ? std::floor(x) : x);
    }
    grid.push_back(quantity.high);
    grid.push_back(quantity.value);
    std::sort(grid.begin(), grid.end());
    grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
    std::vector<Point> points{at(quantity, grid.front(), most)};
    for (std::size_t i = 1; i < grid.size(); ++i) {
      const Point low = points.back();
      between(quantity, low, at(quantity, grid[i], most), least, most, points);
    }
    std::vector<PriceSegment> segments;
    Signature last;
    for (Point& point : points) {
      Signature now = signature(point.situation);
      if (!segments.empty() && now == last) {
        segments.back().to = point.x;
        continue;
      }
      segments.push_back({point.x, point.x, std::move(point.situation)});
      last = std::move(now);
    }
    return segments;
  }

  const Scenario& base_;
  PricePlan plan_;
  std::vector<std::vector<int>> own_;
  std::map<std::vector<int>, int> number_;
  std::map<std::vector<int>, bool> refused_;
  std::map<std::vector<int>, int> beyond_;
};

}  // namespace

double scan_step(const UncertainQuantity& quantity) {
  const double width = quantity.high - quantity.low;
  return quantity.unit == "USD" && width >= kGridSteps ? 1.0 : width / 10000.0;
}

double scan_middle(double from, double to, double step) {
  const double middle = (from + to) / 2.0;
  return step >= 1.0 ? std::floor(middle) : middle;
}

bool PriceSituation::offers(int fleet) const {
  return std::binary_search(fleets.begin(), fleets.end(), fleet);
}

PricePlan plan_prices(const Scenario& base, const CandidateSource& candidates) {
  return Planner(base, candidates).run();
}

int draw_replications(const Scenario& base) {
  return std::min(base.study.draw_replications, base.time.replications);
}

Candidate CandidateSource::fleet(const std::vector<int>&, SharingRule) const {
  throw std::logic_error("this source makes no fleets but its own");
}

}  // namespace fleetsim
