// The description of a scenario file: every legal key with its kind, range, words, default and meaning. The
// Reader takes its ranges from here; the JSON Schema and the reference page are printed from here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/quantity.hpp"
#include "sim/base/time.hpp"

namespace fleetsim {

/// Legal values of a quantity. Both ends are included unless `above`.
template <class T>
struct Range {
  std::optional<T> least{}, most{};
  bool above = false;  ///< `least` itself is excluded
};
/// From `a` on; more than `a`; from `a` to `b`; more than `a`, up to `b`.
template <class T>
[[nodiscard]] Range<T> at_least(T a) {
  return {a, std::nullopt, false};
}
template <class T>
[[nodiscard]] Range<T> more_than(T a) {
  return {a, std::nullopt, true};
}
template <class T>
[[nodiscard]] Range<T> between(T a, T b) {
  return {a, b, false};
}
template <class T>
[[nodiscard]] Range<T> above_to(T a, T b) {
  return {a, b, true};
}

using Bounds = std::variant<std::monostate, Range<std::int64_t>, Range<double>, Range<Duration>, Range<Bytes>,
                            Range<Watts>, Range<Money>, Range<MoneyPerEnergy>, Range<CarbonIntensity>,
                            Range<Celsius>, Range<PerSecond>>;

enum class KeyKind {
  section,  ///< a map of keys that are listed below it, and of free names where a key `*` is
  list,     ///< of what is listed as `[]`
  text,
  integer,
  seed,  ///< a whole number up to 2^64 - 1
  number,
  ratio,
  boolean,
  duration,
  limit,  ///< a duration or UNLIMITED
  bytes,
  power,
  money,
  energy_price,
  carbon_intensity,
  temperature,
  rate,
  word,        ///< one of `words`
  name,        ///< a name of the catalogue or of another section, see `names`
  name_list,   ///< one or a list of those
  date,        ///< YYYY-MM or YYYY-MM-DD
  constraint,  ///< METRIC <= BOUND
  values,      ///< a list of values, each as another key takes it
};

/// One key. `path` is dotted; free names are `*`, items of a list `[]`. A key that holds one value may also
/// have keys below it: then either is legal (`gpus: 8` and `gpus: {8: 1}`).
struct SchemaKey {
  std::string path;
  KeyKind kind = KeyKind::section;
  std::string meaning;     ///< one line
  std::string example{};   ///< a legal value, as written in the file
  std::string standard{};  ///< default, as written in the file; empty: none
  Bounds bounds{};         ///< same type as the value
  std::vector<std::string> words{};
  std::string names{};    ///< whose name: nodes, links, models, gpus, or pool, partition, class
  bool required = false;  ///< whenever the map around it is written
  std::string later{};    ///< why nothing evaluates it yet; empty: it is evaluated

  SchemaKey&& in(Bounds b) && {
    bounds = std::move(b);
    return std::move(*this);
  }
  SchemaKey&& otherwise(std::string text) && {
    standard = std::move(text);
    return std::move(*this);
  }
  SchemaKey&& of(std::string whose) && {
    names = std::move(whose);
    return std::move(*this);
  }
  SchemaKey&& one_of(std::vector<std::string> all) && {
    words = std::move(all);
    return std::move(*this);
  }
  SchemaKey&& must() && {
    required = true;
    return std::move(*this);
  }
  SchemaKey&& not_yet(std::string why) && {
    later = std::move(why);
    return std::move(*this);
  }
};

class Schema {
 public:
  explicit Schema(std::vector<SchemaKey> keys);
  [[nodiscard]] const std::vector<SchemaKey>& keys() const { return keys_; }
  /// nullptr when the path is not legal.
  [[nodiscard]] const SchemaKey* find(const std::string& path) const;
  /// Keys directly below a path, in the order of the description.
  [[nodiscard]] std::vector<const SchemaKey*> below(const std::string& path) const;

 private:
  std::vector<SchemaKey> keys_;
  std::map<std::string, std::size_t> index_;
};

/// Of a scenario file.
[[nodiscard]] const Schema& scenario_schema();

/// A century: longer times are slips of the pen. UNLIMITED is read as this.
inline constexpr Duration kCentury = 5200 * kWeek;

/// `at least 1`, `0 s to 5200 weeks`, `more than 0 W`; empty without bounds.
[[nodiscard]] std::string bounds_text(const Bounds& bounds);

}  // namespace fleetsim
