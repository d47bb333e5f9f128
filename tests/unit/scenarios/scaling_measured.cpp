// The model against the published measurements: the bars it must clear, and predictors that must not clear
// them.
#include <cmath>
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

TEST_CASE(
    "G6: the A100's lead over the V100 from one GPU to eight is within 5 percent of the guide's 1.05 on "
    "CNNs") {
  // Guide: 7.00 over 6.67. Published measurements show 0.97 to 1.03, so the model's is the lower side of the
  // band.
  const Catalog& c = Catalog::builtin();
  const auto speed_up = [&](const char* node, const char* model) {
    const NodeType* type = c.node(node);
    REQUIRE(type != nullptr);
    const std::vector<const NodeType*> one(1, type);
    const Fabric fabric = Fabric::build({}, one);
    return 8.0 * step_time(*c.model(model), {8}, fabric, {{NodeId{0}, 8}}).efficiency;
  };
  double product = 1.0;
  for (const char* cnn : {"resnet50", "ssd300-resnet50", "se-resnext101", "mask-rcnn"})
    product *= speed_up("dgx-a100", cnn) / speed_up("dgx-1-v100-16", cnn);
  CHECK(std::pow(product, 0.25) == Approx(1.05).epsilon(0.05));
  // The smaller batches of a 16 GB card exchange more often: the lead is there where communication matters.
  CHECK(speed_up("dgx-a100", "transformer-xl-large") >
        1.01 * speed_up("dgx-1-v100-16", "transformer-xl-large"));
}

}  // namespace
}  // namespace fleetsim
