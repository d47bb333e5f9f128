// Pieces that the two Graphviz pictures share: palette, boxes, labels. Positions are points, y upwards,
// pinned; the text is meant for `dot -Kneato -n2`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fleetsim::dot {

inline constexpr std::string_view kInk = "#1B2733", kSecond = "#55626F";
inline constexpr std::string_view kBlue = "#275D8C", kPaleBlue = "#9DB8CF", kOchre = "#B87A1E",
                                  kTeal = "#2F8480";
inline constexpr std::string_view kDarkOchre = "#8F5D12";
/// Fills for the node types of a fabric, first pool first.
inline constexpr std::string_view kTints[] = {"#D3E2EF", "#F3E3C8", "#D0E6E4", "#F0D6CF", "#EEF1F4"};
inline constexpr double kWidth = 640.0;  ///< of a page column

struct Box {
  std::string id;
  double x = 0, y = 0;  ///< centre
  double width = 72, height = 34;
  std::string_view fill = "white", border = kBlue, ink = kBlue;
  std::string title{};               ///< bold; may be empty
  std::vector<std::string> lines{};  ///< below the title, smaller
  double title_size = 11;
};

[[nodiscard]] std::string begin(std::string_view name);
[[nodiscard]] std::string box(const Box& box);
/// Unframed text on white, to lie on a line. `align`: 'c' centres at x, 'l' begins there.
[[nodiscard]] std::string text(const std::string& id, double x, double y, std::string_view words,
                               std::string_view ink = kSecond, double size = 10, char align = 'c',
                               bool opaque = true);
/// `downwards`: from the foot of `a` to the head of `b`, so that no line runs behind a neighbouring box.
[[nodiscard]] std::string line(const std::string& a, const std::string& b, std::string_view colour,
                               double width, bool downwards = false);
/// `12.5`, `240`: at most one decimal.
[[nodiscard]] std::string gb_per_s(double bytes_per_s);

}  // namespace fleetsim::dot
