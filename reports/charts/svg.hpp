// What gnuplot and Graphviz write, made fit for the report: same fonts, plain circles, a description for
// screen readers.
#pragma once

#include <string>

namespace fleetsim {

/// gnuplot's svg terminal -> SVG that WeasyPrint 57 prints: points drawn by reference (with currentColor, on
/// which it stops) become circles, bold is weight 600, ids are prefixed with `name`, title and desc are
/// `title` and `alt`.
[[nodiscard]] std::string tidy_gnuplot_svg(const std::string& svg, const std::string& name,
                                           const std::string& title, const std::string& alt);

/// Graphviz's SVG -> 640 px wide viewBox with the graph centred (wider graphs keep their width and shrink),
/// boxes with 3 px corners, text set 1.8 px lower, no tooltips, ids prefixed.
[[nodiscard]] std::string tidy_graphviz_svg(const std::string& svg, const std::string& name,
                                            const std::string& title, const std::string& alt);

}  // namespace fleetsim
