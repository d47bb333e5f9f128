// The fitted constants, fitted again without one machine and tried on it.
#include "tests/measured_rows.hpp"

namespace fleetsim {
namespace {

using namespace test;

TEST_CASE("Constants fitted without a machine predict that machine") {
  const auto file = shared_file("facts/scaling_measurements_dev.csv");
  if (!file) return;
  const std::vector<Measurement> table = measured_rows(*file);
  Predictor predictor(table, Catalog::builtin(), MeasuredNames::builtin());
  const std::vector<const Measurement*> rows = counted_rows(predictor, table);
  std::set<std::string> systems;
  for (const Measurement* row : rows) systems.insert(row->system);
  REQUIRE(systems.size() > 20);

  std::vector<Prediction> left_out;
  for (const std::string& system : systems) {
    std::vector<const Measurement*> others;
    for (const Measurement* row : rows) {
      if (row->system != system) others.push_back(row);
    }
    const ScalingConstants c = fit(predictor, others);
    for (const Measurement* row : rows) {
      if (row->system == system) left_out.push_back(predictor.one(*row, c));
    }
  }
  const Scores s = score(left_out);
  INFO("median " << s.all.median << ", p90 " << s.all.p90 << ", skill " << s.skill << ", contrasts "
                 << s.contrasts_right);
  WARN("leave one machine out: median " << s.all.median << ", p90 " << s.all.p90 << ", hard median "
                                        << s.hard.median << ", skill " << s.skill << ", contrasts "
                                        << s.contrasts_right);
  CHECK(s.all.median <= 0.05);
  CHECK(s.all.p90 <= 0.20);
}

TEST_CASE("Constants fitted to all machines lie near the table's and inside their ranges") {
  const auto file = shared_file("facts/scaling_measurements_dev.csv");
  if (!file) return;
  const std::vector<Measurement> table = measured_rows(*file);
  Predictor predictor(table, Catalog::builtin(), MeasuredNames::builtin());
  const std::vector<const Measurement*> rows = counted_rows(predictor, table);
  REQUIRE(fitted().size() <= 8);
  const ScalingConstants best = fit(predictor, rows);
  WARN("fit: staging " << best.staging_rate << ", host " << best.epyc_staging << ", sync " << best.sync_s
                       << ", optimiser " << best.optimiser_bytes << ", spread " << best.spread_fixed
                       << " and " << best.spread_variable << ", loss " << loss(predictor, rows, best)
                       << " against " << loss(predictor, rows, {}));
  // The table's rounded values lose next to nothing against the fit.
  CHECK(loss(predictor, rows, {}) <= loss(predictor, rows, best) + 0.003);
  for (const Fitted& f : fitted()) {
    CHECK(best.*(f.place) >= f.low);
    CHECK(best.*(f.place) <= f.high);
  }
}

}  // namespace
}  // namespace fleetsim
