// What the figure of the interconnect says in words and data.
#include "reports/charts/interconnect.hpp"

#include <algorithm>

#include "tests/catch.hpp"

namespace fleetsim {
namespace {

ValueCurve curve(const std::string& technology, const std::string& model, double at_8, double at_128) {
  return {technology, "with, against without", model, {{2, 0.0}, {8, at_8}, {128, at_128}, {1024, 99.0}}};
}

TEST_CASE("Without curves there is no figure") {
  CHECK_FALSE(interconnect_drawing({}).has_value());
}

TEST_CASE("The caption states the range over the models at 8 and at 128 GPUs") {
  const auto drawing = interconnect_drawing(
      {curve("NVLink", "A", 1.0, 3.0), curve("NVLink", "B", 4.27, 2.0), curve("EDR", "A", 0.0, 7.0)});
  REQUIRE(drawing.has_value());
  CHECK(
      drawing->caption ==
      "What the interconnect is worth by the model: NVLink 1.0 to 4.3\u00A0%, EDR 0.0\u00A0% at 8\u00A0GPUs; "
      "NVLink 2.0 to 3.0\u00A0%, EDR 7.0\u00A0% at 128\u00A0GPUs.");
}

TEST_CASE("Six models at most are drawn, the first ones, with all their technologies") {
  std::vector<ValueCurve> curves;
  for (const char* technology : {"NVLink", "EDR"})
    for (const char* model : {"a", "b", "c", "d", "e", "f", "g"})
      curves.push_back(curve(technology, model, 1, 2));
  const auto drawing = interconnect_drawing(curves);
  REQUIRE(drawing.has_value());
  CHECK(drawing->data.find(",f,") != std::string::npos);
  CHECK(drawing->data.find(",g,") == std::string::npos);
  // 1 head line, 2 technologies x 6 models x 4 points
  CHECK(std::count(drawing->data.begin(), drawing->data.end(), '\n') == 1 + 2 * 6 * 4);
}

}  // namespace
}  // namespace fleetsim
