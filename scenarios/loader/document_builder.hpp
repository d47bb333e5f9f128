// From yaml-cpp's events to our tree. Only document.cpp includes this.
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/loader/document.hpp"

namespace fleetsim {

/// Lines of the text, for places and widths. yaml-cpp's marks are 0-based and count bytes.
class Lines {
 public:
  Lines(std::string file, std::string_view text);
  /// The text from a mark on, over line ends; empty past the end.
  [[nodiscard]] std::string_view rest(int line, int byte) const;
  [[nodiscard]] std::string_view line(int number) const;
  /// Whether `sign` is the next that is no blank behind a word of one line.
  [[nodiscard]] bool follows(const YamlNode& word, char sign) const;
  [[nodiscard]] SourcePos position(int line, int byte) const;
  [[nodiscard]] SourcePos position(const YAML::Mark& mark) const;
  /// Of a part of the text that rest() gave.
  [[nodiscard]] SourcePos position(std::string_view part) const;

 private:
  std::string file_;
  std::string_view text_;
  std::vector<std::size_t> begins_;
};

class DocumentBuilder : public YAML::EventHandler {
 public:
  DocumentBuilder(const Lines& lines, Diagnostics& diagnostics) : lines_(lines), diagnostics_(diagnostics) {}

  YamlPtr root;
  YAML::Mark begun;
  bool unclosed = false;  ///< a quote is open at the end of the file, so nothing behind it was read
  /// Of the innermost '[' or '{' that is still open; line 0 when there is none.
  [[nodiscard]] SourcePos open_bracket() const;

  void OnDocumentStart(const YAML::Mark& mark) override { begun = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override;

 private:
  struct Frame {
    YamlPtr node, key;
    YAML::anchor_t anchor = 0;
    bool flow = false;
  };

  [[nodiscard]] YamlPtr make(const YAML::Mark& mark, YamlNode::Kind kind);
  void remember(YAML::anchor_t anchor, const YamlPtr& node);
  void put(const YamlPtr& node);
  void add(YamlNode& map, const YamlPtr& key, const YamlPtr& value);
  void close();
  void join_at_commas(YamlNode& map);
  void merge(YamlNode& map);
  void merge_one(const YamlNode::Entry& entry, std::vector<YamlNode::Entry>& merged,
                 std::set<std::string>& known);

  const Lines& lines_;
  Diagnostics& diagnostics_;
  std::vector<Frame> open_;
  std::map<YAML::anchor_t, YamlPtr> anchors_;
  std::string_view source_;  ///< the text from the node made last on
};

}  // namespace fleetsim
