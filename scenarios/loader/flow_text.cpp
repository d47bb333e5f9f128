#include "scenarios/loader/flow_text.hpp"

#include <algorithm>
#include <cctype>

#include "scenarios/loader/sections.hpp"

namespace fleetsim {

namespace {

/// Quantities keep their blanks without quotes: `100000 USD`, `20 %`, `8.5 /day`.
std::string scalar_text(const std::string& text) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string(" _-./%+").find(c) != std::string::npos;
  };
  const bool quantity = !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0 &&
                        text.back() != ' ' && std::all_of(text.begin(), text.end(), plain);
  return quantity ? text : yaml_word(text);
}

}  // namespace

std::string flow_text(const YamlNode& node) {
  std::string text;
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "null";
    case YamlNode::Kind::scalar:
      return scalar_text(node.text);
    case YamlNode::Kind::sequence:
      for (const YamlPtr& item : node.items) text += (text.empty() ? "" : ", ") + flow_text(*item);
      return "[" + text + "]";
    case YamlNode::Kind::map:
      break;
  }
  for (const auto& [key, value] : node.entries)
    text += (text.empty() ? "" : ", ") + scalar_text(key->text) + ": " + flow_text(*value);
  return "{" + text + "}";
}

}  // namespace fleetsim
