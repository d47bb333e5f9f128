// What gnuplot and Graphviz write becomes what WeasyPrint prints.
#include "reports/charts/svg.hpp"

#include "tests/catch.hpp"

using namespace fleetsim;

TEST_CASE("a gnuplot point drawn by reference becomes a circle and the definitions go") {
  const std::string svg =
      "<?xml version=\"1.0\"?>\n<svg \n viewBox=\"0 0 640 300\">\n<title>Gnuplot</title>\n<defs>\n<circle "
      "id='gpPt6'/>\n</defs>\n"
      "<g id=\"gnuplot_canvas\">\n"
      "\t<use xlink:href='#gpPt6' transform='translate(10.5,20.0) scale(3.69)' color='#275D8C'/>\n"
      "<g fill=\"none\" color=\"black\" stroke=\"currentColor\"><text "
      "font-family=\"Inter:Bold\">a</text></g>\n</g>\n</svg>\n";
  const std::string out = tidy_gnuplot_svg(svg, "waits", "Waits", "a < b & \"c\"");
  CHECK(out.find("<circle cx='10.5' cy='20.0' r='3.69' fill='#275D8C' stroke='none'/>") != std::string::npos);
  CHECK(out.find("currentColor") == std::string::npos);
  CHECK(out.find("gpPt6") == std::string::npos);
  CHECK(out.find("font-family=\"Inter\" font-weight=\"600\"") != std::string::npos);
  CHECK(out.find("<title id=\"waits-t\">Waits</title>") != std::string::npos);
  CHECK(out.find("<desc id=\"waits-e\">a &lt; b &amp; &quot;c&quot;</desc>") != std::string::npos);
  CHECK(out.find("role=\"img\" aria-labelledby=\"waits-t waits-e\"") != std::string::npos);
}

TEST_CASE("a Graphviz drawing is centred in 640 px and its boxes get round corners") {
  const std::string svg =
      "<svg width=\"600pt\" height=\"100pt\"\n viewBox=\"0.00 0.00 600.00 100.00\" "
      "xmlns=\"http://www.w3.org/2000/svg\">\n"
      "<!-- N0 -->\n<g id=\"graph0\" class=\"graph\" transform=\"scale(1 1)\">\n<title>fabric</title>\n<g "
      "id=\"node1\" class=\"node\">\n"
      "<polygon fill=\"#ffffff\" stroke=\"#275d8c\" points=\"40,10 0,10 0,-5 40,-5 40,10\"/>\n"
      "<text text-anchor=\"middle\" x=\"20\" y=\"5.00\">N</text>\n</g>\n</g>\n</svg>\n";
  const std::string out = tidy_graphviz_svg(svg, "fabric", "Network", "one node");
  // (600 - 640)/2 = -20; height 100 + 6.
  CHECK(out.find("viewBox=\"-20.00 0 640.00 106.00\"") != std::string::npos);
  CHECK(out.find("x=\"0.00\" y=\"-5.00\" width=\"40.00\" height=\"15.00\" rx=\"3\"") != std::string::npos);
  CHECK(out.find("y=\"6.80\"") != std::string::npos);
  CHECK(out.find("pt\"") == std::string::npos);
  CHECK(out.find("<title>fabric</title>") == std::string::npos);
}
