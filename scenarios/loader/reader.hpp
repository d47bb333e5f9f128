// The one Reader: typed access to a YAML tree that collects every fault with its place, and that knows which
// keys nobody asked for.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/loader/document.hpp"
#include "scenarios/loader/schema.hpp"
#include "sim/base/diagnostic.hpp"
#include "sim/base/quantity.hpp"
#include "sim/base/time.hpp"

namespace fleetsim {

/// Shared by all readers of one file.
struct ReadContext {
  explicit ReadContext(Diagnostics& d) : diagnostics(d) {}
  Diagnostics& diagnostics;
  /// Ranges of keys, and where a misplaced key belongs; may be null.
  const Schema* schema = nullptr;
  std::set<std::string> asked;   ///< paths that were asked for, in the same notation
  std::set<std::string> said;    ///< faults already reported: an alias is read in several places
  std::string today;             ///< YYYY-MM-DD: later dates of figures are warned of; empty: none is
  bool future_is_wrong = false;  ///< later dates of figures are errors: prices of a scenario
  /// Currency -> what a unit of it costs: in these, too, money may be written. Null: USD alone is known here.
  const std::map<std::string, Money>* exchange = nullptr;
  bool full = false;  ///< so many faults that no more are told
};

template <class E>
using Words = std::vector<std::pair<std::string, E>>;

/// A node with its dotted path. A getter without a range takes that of the schema, if there is one. Getters
/// report what is wrong and then return nothing; they never throw. Typical:
///
///   ReadContext context(diagnostics);
///   Reader file(context, parse_yaml(name, text, diagnostics));          // check for null before
///   if (auto watts = file.power("board_power", more_than(Watts{0}))) gpu.power = *watts;   // optional key
///   if (auto part = file.require("memory")) { part->bytes("value"); part->finish(); }      // required key
///   file.finish();                                                      // unknown keys
class Reader {
 public:
  Reader(ReadContext& context, YamlPtr node, std::string path = {}, YamlPtr key = nullptr,
         std::string schema_path = {});

  [[nodiscard]] const std::string& path() const { return path_; }
  /// The key as written; for items of a list the last word of the path.
  [[nodiscard]] std::string name() const;
  [[nodiscard]] SourcePos position() const;      ///< of the value (of the key when there is no value)
  [[nodiscard]] SourcePos key_position() const;  ///< of the key (of the value for items of a list)
  [[nodiscard]] bool is_null() const { return node_->kind == YamlNode::Kind::null; }
  [[nodiscard]] bool is_map() const { return node_->kind == YamlNode::Kind::map; }
  [[nodiscard]] bool is_sequence() const { return node_->kind == YamlNode::Kind::sequence; }
  [[nodiscard]] bool is_scalar() const { return node_->kind == YamlNode::Kind::scalar; }
  /// The scalar as written, without any check; empty for maps and lists.
  [[nodiscard]] const std::string& raw() const { return node_->text; }
  [[nodiscard]] const YamlNode& node() const { return *node_; }

  /// At the value, or at the key.
  void error(const std::string& message, const std::string& hint = {}) const;
  void error_at_key(const std::string& message, const std::string& hint = {}) const;
  /// At `part` of this scalar, where it can be found in the source; else at the scalar.
  void error_within(const std::string& part, const std::string& message, const std::string& hint = {}) const;
  [[nodiscard]] ReadContext& context() const { return *context_; }

  // --- maps ---
  [[nodiscard]] bool has(const std::string& key) const;
  /// The value at `key`, or nothing. A key without value is an error and gives nothing.
  [[nodiscard]] std::optional<Reader> find(const std::string& key);
  /// As find(); finish() reports the key when it is absent.
  [[nodiscard]] std::optional<Reader> require(const std::string& key);
  /// All entries of a map with free names (classes, pools), in the order of the text, each name once.
  [[nodiscard]] std::vector<Reader> entries();
  /// Marks `key` as known without reading it.
  void accept(const std::string& key);
  /// Takes back that `key` is known: finish() reports it.
  void refuse(const std::string& key);
  /// True when one of this map's unknown keys looks like one of `words`: finish() will say so.
  [[nodiscard]] bool misspelled(const std::vector<std::string>& words) const;
  /// Reports keys that nobody asked for and required keys that are absent. Call once a map, after all
  /// getters.
  void finish();
  /// False, and one error, when this is not a map.
  bool expect_map() const;

  // --- lists ---
  [[nodiscard]] std::vector<Reader> items() const;
  /// Items of a list, or this one value.
  [[nodiscard]] std::vector<Reader> one_or_many() const;

  // --- one value ---
  [[nodiscard]] std::optional<std::string> text() const;  ///< any scalar that is not empty
  [[nodiscard]] std::optional<std::int64_t> integer(Range<std::int64_t> range = {}) const;
  [[nodiscard]] std::optional<std::uint64_t> unsigned_integer() const;
  [[nodiscard]] std::optional<double> number(Range<double> range = {}) const;
  [[nodiscard]] std::optional<double> ratio(Range<double> range = {}) const;  ///< 0.27 or 27 %
  [[nodiscard]] std::optional<bool> boolean() const;                          ///< true or false, nothing else
  [[nodiscard]] std::optional<Duration> duration(Range<Duration> range = {}) const;
  /// A duration, or UNLIMITED or INFINITE as in Slurm: a century.
  [[nodiscard]] std::optional<Duration> limit(Range<Duration> range = {}) const;
  [[nodiscard]] std::optional<BytesPerSecond> data_rate(Range<BytesPerSecond> range = {}) const;
  [[nodiscard]] std::optional<Bytes> bytes(Range<Bytes> range = {}) const;
  [[nodiscard]] std::optional<Watts> power(Range<Watts> range = {}) const;
  [[nodiscard]] std::optional<Money> money(Range<Money> range = {}) const;
  [[nodiscard]] std::optional<MoneyPerEnergy> energy_price(Range<MoneyPerEnergy> range = {}) const;
  [[nodiscard]] std::optional<CarbonIntensity> carbon_intensity(Range<CarbonIntensity> range = {}) const;
  [[nodiscard]] std::optional<Celsius> temperature(Range<Celsius> range = {}) const;
  [[nodiscard]] std::optional<PerSecond> rate(Range<PerSecond> range = {}) const;
  template <class E>
  [[nodiscard]] std::optional<E> word(const Words<E>& words) const {
    std::vector<std::string> known;
    for (const auto& [name_of, value] : words) known.push_back(name_of);
    const std::optional<std::size_t> i = choose(known);
    return i ? std::optional<E>(words[*i].second) : std::nullopt;
  }
  /// Index of the value among `known`; else an error with "did you mean". `what` names the kind, e.g. "node";
  /// `also` is added to the hint.
  [[nodiscard]] std::optional<std::size_t> choose(const std::vector<std::string>& known,
                                                  const std::string& what = {},
                                                  const std::string& also = {}) const;

  // --- the same at a key, absent key: nothing, no error. Every occurrence of a repeated key is checked ---
  template <class Get>
  [[nodiscard]] auto at(const std::string& key, const Get& get)
      -> decltype(get(std::declval<const Reader&>())) {
    decltype(get(std::declval<const Reader&>())) result;
    for (const Reader& value : occurrences(key)) {
      auto one = get(value);
      if (!result) result = one;
    }
    return result;
  }
  [[nodiscard]] std::optional<std::string> text(const std::string& key) {
    return at(key, [](const Reader& r) { return r.text(); });
  }
  [[nodiscard]] std::optional<std::int64_t> integer(const std::string& key, Range<std::int64_t> range = {}) {
    return at(key, [&](const Reader& r) { return r.integer(range); });
  }
  [[nodiscard]] std::optional<std::uint64_t> unsigned_integer(const std::string& key) {
    return at(key, [](const Reader& r) { return r.unsigned_integer(); });
  }
  [[nodiscard]] std::optional<double> number(const std::string& key, Range<double> range = {}) {
    return at(key, [&](const Reader& r) { return r.number(range); });
  }
  [[nodiscard]] std::optional<double> ratio(const std::string& key, Range<double> range = {}) {
    return at(key, [&](const Reader& r) { return r.ratio(range); });
  }
  [[nodiscard]] std::optional<bool> boolean(const std::string& key) {
    return at(key, [](const Reader& r) { return r.boolean(); });
  }
  [[nodiscard]] std::optional<Duration> duration(const std::string& key, Range<Duration> range = {}) {
    return at(key, [&](const Reader& r) { return r.duration(range); });
  }
  [[nodiscard]] std::optional<Duration> limit(const std::string& key, Range<Duration> range = {}) {
    return at(key, [&](const Reader& r) { return r.limit(range); });
  }
  [[nodiscard]] std::optional<BytesPerSecond> data_rate(const std::string& key,
                                                        Range<BytesPerSecond> range = {}) {
    return at(key, [&](const Reader& r) { return r.data_rate(range); });
  }
  [[nodiscard]] std::optional<Bytes> bytes(const std::string& key, Range<Bytes> range = {}) {
    return at(key, [&](const Reader& r) { return r.bytes(range); });
  }
  [[nodiscard]] std::optional<Watts> power(const std::string& key, Range<Watts> range = {}) {
    return at(key, [&](const Reader& r) { return r.power(range); });
  }
  [[nodiscard]] std::optional<Money> money(const std::string& key, Range<Money> range = {}) {
    return at(key, [&](const Reader& r) { return r.money(range); });
  }
  [[nodiscard]] std::optional<MoneyPerEnergy> energy_price(const std::string& key,
                                                           Range<MoneyPerEnergy> range = {}) {
    return at(key, [&](const Reader& r) { return r.energy_price(range); });
  }
  [[nodiscard]] std::optional<Celsius> temperature(const std::string& key, Range<Celsius> range = {}) {
    return at(key, [&](const Reader& r) { return r.temperature(range); });
  }
  [[nodiscard]] std::optional<PerSecond> rate(const std::string& key, Range<PerSecond> range = {}) {
    return at(key, [&](const Reader& r) { return r.rate(range); });
  }
  [[nodiscard]] std::optional<std::size_t> choose(const std::string& key,
                                                  const std::vector<std::string>& known,
                                                  const std::string& what) {
    return at(key, [&](const Reader& r) { return r.choose(known, what); });
  }
  template <class E>
  [[nodiscard]] std::optional<E> word(const std::string& key, const Words<E>& words) {
    return at(key, [&](const Reader& r) { return r.word(words); });
  }

 private:
  [[nodiscard]] std::vector<Reader> occurrences(const std::string& key);
  [[nodiscard]] Reader below(const YamlNode::Entry& entry, const std::string& schema_word) const;
  [[nodiscard]] const std::string* scalar(const char* wanted) const;
  /// The hint where a value is missing: the example of the schema.
  [[nodiscard]] std::string what_to_write() const;
  template <class T, class Parse>
  std::optional<T> quantity(const char* wanted, const Parse& parse, const Range<T>& range) const;
  template <class T>
  bool in_range(const T& value, const Range<T>& range) const;
  template <class T>
  [[nodiscard]] Range<T> range_of(const Range<T>& given) const;
  void report(const YamlNode& place, const std::string& message, const std::string& hint) const;
  void unknown_key(const YamlNode& key, const std::vector<std::string>& absent,
                   std::set<std::string>& suggested) const;

  ReadContext* context_;
  YamlPtr node_, key_;
  [[nodiscard]] std::string example_of_map() const;

  std::string path_, schema_path_;
  std::set<std::string> known_;       ///< keys asked for
  std::vector<std::string> missing_;  ///< required keys that are absent
  mutable bool refused_ = false;      ///< not a map, and said so
};

}  // namespace fleetsim
