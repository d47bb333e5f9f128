// The report as blocks. One renderer writes Markdown; HTML and PDF come from that Markdown.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace fleetsim {

/// Text of a document: already escaped where it came from a scenario. Build with text(), strong(), code().
struct Heading {
  int level = 1;
  std::string text;
};
struct Paragraph {
  std::string text;
};
struct BulletList {
  std::vector<std::string> items;
};
struct KeyFigures {
  struct Item {
    std::string value, label;
  };
  std::vector<Item> items;
};
enum class Align { left, right };
struct Table {
  std::string caption;  ///< states the finding in a sentence
  struct Column {
    std::string title;
    Align align = Align::left;
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<int> total_rows;  ///< set bold
};
/// A drawing made from data: `name`.csv and the chart's script are written beside `name`.svg.
struct Drawing {
  std::string name;   ///< file stem, unique
  std::string chart;  ///< script in reports/charts (gnuplot), or "dot"
  std::string data;   ///< CSV text, or Graphviz text for "dot"
  std::vector<std::string> args;
  std::string alt, caption;
};
struct Callout {
  std::string text;
};
struct CodeBlock {
  std::string language, text;
};
using Block = std::variant<Heading, Paragraph, BulletList, KeyFigures, Table, Drawing, Callout, CodeBlock>;

struct Doc {
  std::string title, subtitle, organisation, date, language = "en", scenario, seed, version, description;
  std::vector<Block> blocks;
};

}  // namespace fleetsim
