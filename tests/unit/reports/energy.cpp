// What the report says of energy, carbon and pools.
#include <string>

#include "fixture.hpp"
#include "reports/markdown.hpp"
#include "reports/section.hpp"
#include "tests/catch.hpp"
#include "tests/unit/reports/report_text.hpp"

using namespace fleetsim;
using test::has;
using test::report_markdown;

namespace {

PoolSize size(int machines, double mean_s, const std::string& answer) {
  PoolSize out;
  out.machines = machines;
  out.p95 = {mean_s, mean_s - 60.0, mean_s + 60.0, 20};
  out.difference = {mean_s - 7200.0, mean_s - 7300.0, mean_s - 7100.0, 20};
  out.answer = answer;
  out.utilisation = 0.3;
  return out;
}

}  // namespace

TEST_CASE("the energy table names every class, what is idle, and the meter") {
  const std::string text = report_markdown(test::study_dossier());
  CHECK(has(text, "\n# Energy\n"));
  CHECK(has(text, "Idle power of all nodes"));
  CHECK(has(text, "$9,600.00"));
  CHECK(has(text,
            "310,170\xC2\xA0kWh a year at the meter; 26\xC2\xA0% of it is drawn whether jobs run or not"));
  CHECK_FALSE(has(text, "carbon:"));
}

TEST_CASE("operational and embodied carbon stand apart, the latter with its range") {
  Dossier d = test::study_dossier();
  d.energy.grid = "0.4 kg CO2e/kWh";
  d.energy.grid_source = "EIA US average";
  d.energy.grid_as_of = "2022";
  d.energy.operational_kg = 124068;
  d.energy.embodied_kg = 42000;
  d.energy.embodied_low_kg = 20000;
  d.energy.embodied_high_kg = 70000;
  d.energy.embodied_basis = "own judgement";
  const std::string text = report_markdown(d);
  CHECK(has(text, "\n# Energy and carbon\n"));
  CHECK(has(text,
            "**Operational carbon:** 124,068\xC2\xA0kg CO2e a year, from a grid that emits 0.4 kg CO2e/kWh "
            "(EIA US average, 2022)."));
  CHECK(
      has(text, "emitted about 42,000\xC2\xA0kg CO2e, once (20,000 to 70,000; an estimate: own judgement)"));
}

TEST_CASE("energy and pools are read back from JSON as they were written") {
  Dossier d = test::study_dossier();
  d.energy.grid = "0.4 kg CO2e/kWh";
  Pooling pooling;
  pooling.apart = size(30, 7200.0, "");
  pooling.sizes = {size(1, 90000.0, "longer"), size(2, 7210.0, "undecided"), size(3, 600.0, "no longer")};
  pooling.least = 3;
  pooling.first_open = 2;
  d.study.pooling = pooling;
  const std::string json = to_json(d);
  CHECK(to_json(dossier_from_json(json)) == json);
}

TEST_CASE("a study of pool sizes recommends the least pool and marks what is open") {
  Dossier d = test::study_dossier();
  Pooling pooling;
  pooling.apart = size(30, 7200.0, "");
  pooling.sizes = {size(1, 90000.0, "longer"), size(2, 7210.0, "undecided"), size(3, 600.0, "no longer")};
  pooling.least = 3;
  pooling.first_open = 2;
  d.study.pooling = pooling;
  d.study.verdict = pooling_verdict(pooling, 3);
  const std::string text = report_markdown(d);
  CHECK(has(text,
            "**We recommend a shared pool of 3\xC2\xA0machines instead of 30\xC2\xA0private machines.**"));
  CHECK(has(text, "2 machines is undecided: the interval is too wide to say"));
  CHECK(has(text, "**Not fully decided.**"));
  CHECK_FALSE(has(text, "How to split the budget"));
}
