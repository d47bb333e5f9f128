#include "sim/study/selection_rounds.hpp"

#include <rapidcheck.h>

#include <algorithm>

#include "sim/base/rng.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

/// Value of a candidate in a replication; every now and then undefined.
double value(std::uint64_t seed, std::size_t candidate, int replication, double mean) {
  Rng common(seed, static_cast<std::uint32_t>(replication), "common");
  Rng own(seed, static_cast<std::uint32_t>(replication), "own", candidate);
  if (own.uniform() < 0.02) return std::numeric_limits<double>::quiet_NaN();
  return mean + 10.0 * common.normal() + 5.0 * own.normal();
}

}  // namespace

TEST_CASE("rounds end, ask for each replication once and in order, and leave everyone in one standing") {
  CHECK(rc::check([] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const auto n = *rc::gen::inRange<std::size_t>(1, 12);
    const RoundsSettings settings{*rc::gen::inRange(2, 6), *rc::gen::inRange(6, 40), 0.02, 0.95};
    const std::vector<int> levels = looks(settings);
    Rng rng(seed, 0, "means");
    std::vector<double> means;
    for (std::size_t i = 0; i < n; ++i) means.push_back(100.0 + 30.0 * rng.uniform());
    SelectionRounds rounds(settings, n);
    std::vector<KnownCandidate> known(n);
    while (!rounds.ended()) {
      RC_ASSERT(rounds.round() <= static_cast<int>(n * levels.size()));
      for (const auto& entry : rounds.list()) {
        KnownCandidate& c = known[entry.candidate];
        RC_ASSERT(entry.from == static_cast<int>(c.values.size()));
        RC_ASSERT(entry.to > entry.from && entry.to <= settings.cap);
        RC_ASSERT(std::find(levels.begin(), levels.end(), entry.to) != levels.end());
        for (int r = entry.from; r < entry.to; ++r)
          c.values.push_back(value(seed, entry.candidate, r, means[entry.candidate]));
        // Constraints come and go, as means do; some candidates drop out for good.
        c.feasible =
            Rng(seed, static_cast<std::uint32_t>(entry.to), "feasible", entry.candidate).uniform() < 0.7;
        if (!c.feasible && rng.uniform() < 0.2) c.out = "surely";
      }
      rounds.tell(known);
    }
    const BestSet& set = rounds.set();
    for (std::size_t i = 0; i < n; ++i) {
      const auto standing = rounds.standing(i);
      const bool member =
          std::find(set.members.begin(), set.members.end(), static_cast<int>(i)) != set.members.end();
      RC_ASSERT(member == (standing == SelectionRounds::Standing::member ||
                           standing == SelectionRounds::Standing::best));
      RC_ASSERT((standing == SelectionRounds::Standing::best) == (static_cast<int>(i) == set.best));
      RC_ASSERT(standing != SelectionRounds::Standing::open || !rounds.decided());
      RC_ASSERT(standing != SelectionRounds::Standing::open || rounds.replications(i) == settings.cap ||
                set.best < 0);
    }
  }));
}
