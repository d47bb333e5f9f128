#include "scenarios/import/swf_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/import/swf_record.hpp"
#include "sim/base/diagnostic.hpp"

namespace fleetsim {

namespace {

constexpr const char* kTimeZoneString = "TimeZoneString";
constexpr const char* kKeys[] = {"MaxJobs",       "MaxRecords", "MaxNodes",     "MaxProcs",
                                 "MaxRuntime",    "MaxMemory",  "MaxQueues",    "MaxPartitions",
                                 "UnixStartTime", "TimeZone",   kTimeZoneString};
constexpr std::size_t kMostWarnings = 8;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view without_swf_blanks(std::string_view text) {
  while (!text.empty() && swf_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && swf_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The key's own spelling, or empty when it is none of ours.
std::string known_key(std::string_view word) {
  for (const std::string_view key : kKeys) {
    if (std::equal(key.begin(), key.end(), word.begin(), word.end(),
                   [](char a, char b) { return lower(a) == lower(b); }))
      return std::string(key);
  }
  return {};
}

}  // namespace

void SwfHeader::line(std::string_view text, std::int64_t number) {
  if (std::count(text.begin(), text.end(), ';') >= 5) ++semicolon_records_;
  while (!text.empty() && (text.front() == ';' || swf_blank(text.front()))) text.remove_prefix(1);
  text = without_swf_blanks(text);
  const std::size_t colon = text.find_first_of(":=");
  const std::string key =
      colon == std::string_view::npos ? std::string{} : known_key(without_swf_blanks(text.substr(0, colon)));
  const std::string pending = std::exchange(pending_, {});
  if (key.empty()) {
    // A known key without a value is continued by a line that begins with a number.
    if (!pending.empty() && !text.empty()) value(pending, text, number);
    return;
  }
  const std::string_view rest = without_swf_blanks(text.substr(colon + 1));
  if (rest.empty()) {
    pending_ = key;
    return;
  }
  value(key, rest, number);
}

void SwfHeader::value(const std::string& key, std::string_view text, std::int64_t number) {
  if (key == kTimeZoneString) {
    if (time_zone_.empty()) time_zone_ = printable(text.substr(0, 64));
    return;
  }
  // `MaxNodes: 128 (8 of them for tests)` is legal: the number ends at the first blank.
  const std::string_view word = text.substr(0, text.find_first_of(" \t\v\f;("));
  SwfRecord parsed;
  parsed.fractions = parsed.rounded = parsed.huge = 0;
  const bool fine = read_number(word, 0, parsed) && (parsed.fractions | parsed.rounded | parsed.huge) == 0;
  const auto warn = [&](std::string sentence) {
    if (warnings_.size() < kMostWarnings) warnings_.push_back(std::move(sentence));
  };
  if (!fine) {
    warn(fmt::format("the header's {} at line {} is {}, not a whole number; it is ignored", key, number,
                     quoted(word)));
    return;
  }
  const auto [place, is_new] = numbers_.try_emplace(key, parsed.whole[0]);
  if (is_new) {
    line_of_[key] = number;
  } else if (place->second != parsed.whole[0]) {
    warn(fmt::format("the header's {} is {} at line {} and {} at line {}; the first holds", key,
                     place->second, line_of_[key], parsed.whole[0], number));
  }
}

std::int64_t SwfHeader::number(const std::string& key) const {
  const auto found = numbers_.find(key);
  return found == numbers_.end() ? 0 : found->second;
}

std::string SwfHeader::time_zone() const {
  if (!time_zone_.empty() || numbers_.count("TimeZone") == 0) return time_zone_;
  return fmt::format("UTC{:+} s", numbers_.at("TimeZone"));
}

std::vector<std::string> SwfHeader::warnings() const {
  std::vector<std::string> all = warnings_;
  const std::int64_t nodes = number("MaxNodes"), processors = number("MaxProcs");
  if (nodes > 0 && processors > 0 && nodes > processors) {
    all.push_back(fmt::format("the header has more nodes (MaxNodes {}) than processors (MaxProcs {})", nodes,
                              processors));
  }
  return all;
}

}  // namespace fleetsim
