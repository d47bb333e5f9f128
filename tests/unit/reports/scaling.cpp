// What the report says of scaling: its caption and the box on how well the model predicts.
#include <fmt/format.h>

#include <string>

#include "fixture.hpp"
#include "reports/markdown.hpp"
#include "reports/section.hpp"
#include "sim/study/prediction_record.hpp"
#include "tests/catch.hpp"
#include "tests/unit/reports/report_text.hpp"

using namespace fleetsim;
using test::has;
using test::report_markdown;

TEST_CASE("the box on predictions has the digits of validate scaling and says what a right contrast is") {
  const std::string text = report_markdown(test::study_dossier());
  // 0.336 is printed as 33.6 %, as the command does, not as 34.0 %.
  CHECK(
      has(text, fmt::format("the model explains {:.1f}\xC2\xA0% of the error", 100.0 * prediction::kSkill)));
  CHECK(has(text, fmt::format("the model gets {:.1f}\xC2\xA0% right", prediction::kContrastsPercent)));
  CHECK(has(text, "at least a quarter of the measured gap"));
  CHECK(has(text, "Guesses"));
}

TEST_CASE("the scaling figure is summed up by the curves that reach the largest size") {
  Dossier d = test::study_dossier();
  d.scaling.clear();
  for (const int gpus : {1, 2, 4}) d.scaling.push_back({"small", gpus, 1.0 - 0.1 * gpus});
  for (const int gpus : {1, 4, 16}) d.scaling.push_back({"good", gpus, 1.0 - 0.01 * gpus});
  const std::string one = report_markdown(d);
  CHECK(has(one, "good keeps 84\xC2\xA0% at 16\xC2\xA0GPUs"));
  for (const int gpus : {1, 4, 16}) d.scaling.push_back({"bad", gpus, 1.0 - 0.02 * gpus});
  const std::string two = report_markdown(d);
  CHECK(has(two, "At 16\xC2\xA0GPUs good keeps 84\xC2\xA0% of perfect scaling, bad 68\xC2\xA0%"));
  CHECK(has(two, "between 60\xC2\xA0% and 96\xC2\xA0% at 4\xC2\xA0GPUs"));
}
