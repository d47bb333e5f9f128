// The model against the published measurements: the bars it must clear, and predictors that must not clear
// them.
#include "tests/measured_rows.hpp"

namespace fleetsim {
namespace {

using namespace test;

struct Table {
  std::vector<Measurement> rows;
  std::vector<Prediction> predictions;
};

/// Empty, after saying so, where the file is absent.
std::optional<Table> predicted(const ScalingConstants& c = {}) {
  const auto file = shared_file("facts/scaling_measurements_dev.csv");
  if (!file) return std::nullopt;
  Table out;
  out.rows = measured_rows(*file);
  // The predictions point into the rows, whose place a move keeps.
  out.predictions = Predictor(out.rows, Catalog::builtin(), MeasuredNames::builtin()).all(c);
  return out;
}

bool clears(const Scores& s) {
  return s.all.median <= 0.04 && s.all.p90 <= 0.18 && s.hard.median <= 0.115 && s.skill >= 0.30 &&
         s.contrasts_right >= 0.45;
}

TEST_CASE("The model clears the bars on published measurements") {
  const auto table = predicted();
  if (!table) return;
  const Scores s = score(table->predictions);
  CHECK(s.coverage() >= 0.98);
  CHECK(s.all.median <= 0.04);
  CHECK(s.all.p90 <= 0.18);
  CHECK(s.hard.median <= 0.115);
  CHECK(s.skill >= 0.30);
  CHECK(s.contrasts_right >= 0.45);
  CHECK(s.by_path[static_cast<std::size_t>(PathClass::pcie_no_p2p)].median <= 0.05);
  CHECK(clears(s));
}

TEST_CASE("A constant does not clear the bars") {
  auto table = predicted();
  if (!table) return;
  for (const double constant : {0.90, 0.955, 1.0}) {
    for (Prediction& p : table->predictions)
      p.predicted = constant * p.row->gpus / std::max(1, p.row->base_gpus);
    const Scores s = score(table->predictions);
    CHECK_FALSE(clears(s));
    CHECK(s.skill <= 0.001);  // it is at most the best constant
    CHECK(s.contrasts_right == 0.0);
  }
}

TEST_CASE("Without communication the model does not clear the bars") {
  auto table = predicted();
  if (!table) return;
  // As control rows: the same replicas, exchanging nothing.
  for (Measurement& row : table->rows) {
    if (row.split != "exclude") row.split = "control";
  }
  std::vector<Prediction> silent = Predictor(table->rows, Catalog::builtin(), MeasuredNames::builtin()).all();
  for (Prediction& p : silent) {
    if (p.kind == RowKind::control) p.kind = RowKind::speedup;
  }
  CHECK_FALSE(clears(score(silent)));
}

TEST_CASE("Runs that exchange nothing keep 92 to 100 %, bus bandwidths come within 10 % in the median") {
  const auto table = predicted();
  if (!table) return;
  std::vector<double> bus;
  int controls = 0;
  for (const Prediction& p : table->predictions) {
    if (p.kind == RowKind::bus_bandwidth && p.predicted) bus.push_back(relative_error(p));
    if (p.kind != RowKind::control) continue;
    REQUIRE(p.predicted);
    const double efficiency = *p.predicted * p.row->base_gpus / p.row->gpus;
    CHECK(efficiency >= 0.92);
    CHECK(efficiency <= 1.0);
    ++controls;
  }
  CHECK(controls > 50);
  REQUIRE(bus.size() > 10);
  CHECK(errors_of(bus).median <= 0.10);
}

TEST_CASE("G6: eight A100 scale 1.05 times as well as eight V100 on a CNN") {
  // Guide: the A100's lead grows by 5 % from one GPU to eight on NVLink, against the V100's cube mesh.
  const Catalog& c = Catalog::builtin();
  const auto speed_up = [&](const char* node) {
    const NodeType* type = c.node(node);
    REQUIRE(type != nullptr);
    ModelType m = *c.model("resnet50");
    const std::vector<const NodeType*> one(1, type);
    const Fabric fabric = Fabric::build({}, one);
    return 8.0 * step_time(m, {8}, fabric, {{NodeId{0}, 8}}).efficiency;
  };
  CHECK(speed_up("dgx-a100") / speed_up("dgx-1-v100-32") == Approx(1.05).epsilon(0.05));
}

}  // namespace
}  // namespace fleetsim
