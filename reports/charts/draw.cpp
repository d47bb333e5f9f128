#include "reports/charts/draw.hpp"

#include <fmt/format.h>

#include "reports/charts/svg.hpp"
#include "reports/pipeline.hpp"
#include "reports/tool.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"

namespace fleetsim {

namespace {

namespace fs = std::filesystem;

constexpr int kLimit_s = 60;

std::string short_title(const std::string& chart, const std::string& name) {
  if (chart == "split_curve") return "Time to result against share";
  if (chart == "split_map") return "Best share of node money by cell";
  if (chart == "cost_year") return "Cost by year";
  if (chart == "money") return "Where the money goes";
  if (chart == "price_draws") return "Fleets in the best set under drawn prices";
  if (chart == "waits") return "Queue wait by class";
  if (chart == "front") return "Pareto front of two figures";
  if (chart == "util") return "Utilisation over the week";
  if (chart == "scaling") return "Scaling efficiency";
  if (chart == "interconnect") return "What the interconnect is worth";
  return name == "fabric" ? "Network of the fleet" : name == "node" ? "Inside a node" : name;
}

}  // namespace

std::vector<std::string> draw(const Drawing& drawing, const fs::path& folder) {
  const std::string svg = drawing.name + ".svg", log = drawing.name + ".log";
  const std::string title = short_title(drawing.chart, drawing.name);
  std::vector<std::string> made;
  if (drawing.chart == "dot") {
    const std::string source = drawing.name + ".dot";
    write_file(folder / source, drawing.data);
    run_tool(
        {{"dot", "-Kneato", "-n2", "-Tsvg", "-o", svg, source}, folder, folder / log, kLimit_s, {}, svg});
    write_file(folder / svg, tidy_graphviz_svg(read_file(folder / svg), drawing.name, title, drawing.alt));
    made = {source, svg};
  } else {
    const std::string script = drawing.chart + ".gp", data = drawing.name + ".csv";
    write_file(folder / script, report_asset("charts/" + script));
    write_file(folder / "style.gp", report_asset("charts/style.gp"));
    write_file(folder / data, drawing.data);
    std::vector<std::string> words{"gnuplot", "-d", "-c", script, svg, data};
    words.insert(words.end(), drawing.args.begin(), drawing.args.end());
    run_tool({words, folder, folder / log, kLimit_s, {}, svg});
    write_file(folder / svg, tidy_gnuplot_svg(read_file(folder / svg), drawing.name, title, drawing.alt));
    made = {"style.gp", script, data, svg};
  }
  std::error_code ignored;
  fs::remove(folder / log, ignored);
  return made;
}

}  // namespace fleetsim
