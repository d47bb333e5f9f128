// Dossier <-> JSON, by the lists of fields in dossier_fields.hpp.
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "sim/study/credibility_json.hpp"
#include "sim/study/dossier.hpp"
#include "sim/study/dossier_economics_json.hpp"
#include "sim/study/dossier_energy_json.hpp"
#include "sim/study/dossier_fields.hpp"
#include "sim/study/finding_json.hpp"
#include "sim/study/front_json.hpp"
#include "sim/study/inverse_json.hpp"
#include "sim/study/json_values.hpp"
#include "sim/study/map_json.hpp"
#include "sim/study/objectives/objective.hpp"
#include "sim/study/pooling_json.hpp"
#include "sim/study/prices_json.hpp"
#include "sim/study/rounds_json.hpp"

namespace fleetsim {
namespace {

using Json = nlohmann::json;  // keys sorted

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// ---- writing -----------------------------------------------------------------------------------------

class Writer {
 public:
  template <class T>
  using Field = const T;

  template <class T>
  void operator()(const char* key, const T& value) {
    object_[key] = encode(value);
  }
  /// What only some scenarios have; left out where it says nothing.
  template <class T>
  void extra(const char* key, const T& value, bool nothing) {
    if (!nothing) (*this)(key, value);
  }
  /// A 64-bit hash as text: readers in other languages hold numbers in doubles.
  void hex(const char* key, std::uint64_t value) { object_[key] = fmt::format("{:016x}", value); }

  template <class T>
  static Json of(const T& value) {
    Writer writer;
    fields(writer, value);
    return std::move(writer.object_);
  }

 private:
  static Json encode(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }
  static Json encode(bool x) { return x; }
  static Json encode(int x) { return x; }
  static Json encode(std::int64_t x) { return x; }
  static Json encode(std::uint64_t x) { return x; }
  static Json encode(const std::string& x) { return x; }
  static Json encode(Money x) { return to_usd(x); }
  static Json encode(Watts x) { return encode(x.count()); }
  static Json encode(SharingRule x) { return to_string(x); }
  template <class T>
  static Json encode(const std::vector<T>& all) {
    Json array = Json::array();
    for (const T& x : all) array.push_back(encode(x));
    return array;
  }
  template <class T>
  static Json encode(const std::map<std::string, T>& all) {
    Json object = Json::object();
    for (const auto& [key, x] : all) object[key] = encode(x);
    return object;
  }
  template <class T>
  static Json encode(const std::optional<T>& x) {
    return x ? encode(*x) : Json(nullptr);
  }
  template <class T>
  requires std::is_class_v<T>
  static Json encode(const T& x) { return of(x); }

  Json object_ = Json::object();
};

// ---- reading -----------------------------------------------------------------------------------------

class Reader {
 public:
  template <class T>
  using Field = T;

  Reader(const Json& object, std::string path) : object_(object), path_(std::move(path)) {
    if (!object.is_object()) fail("is not an object");
  }

  template <class T>
  void operator()(const char* key, T& value) {
    decode(member(key), value, path_ + '.' + key);
  }
  template <class T>
  void extra(const char* key, T& value, bool) {
    if (object_.contains(key)) (*this)(key, value);
  }
  void hex(const char* key, std::uint64_t& value) {
    std::string text;
    (*this)(key, text);
    if (text.size() != 16 || text.find_first_not_of("0123456789abcdef") != std::string::npos) {
      fail(fmt::format("has no hash of 16 hexadecimal digits under '{}'", key));
    }
    value = std::stoull(text, nullptr, 16);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(fmt::format("not a fleetsim dossier: {} {}", path_, what));
  }
  const Json& member(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) fail(fmt::format("lacks '{}'", key));
    return *found;
  }
  template <class T>
  static void plain(const Json& json, T& x, const std::string& path, bool right, const char* kind) {
    if (!right) throw std::runtime_error(fmt::format("not a fleetsim dossier: {} is not {}", path, kind));
    json.get_to(x);
  }
  static void decode(const Json& j, double& x, const std::string& path) {
    if (j.is_null()) {
      x = kNaN;
      return;
    }
    plain(j, x, path, j.is_number(), "a number");
  }
  static void decode(const Json& j, bool& x, const std::string& path) {
    plain(j, x, path, j.is_boolean(), "true or false");
  }
  static void decode(const Json& j, int& x, const std::string& path) {
    std::int64_t wide = 0;
    decode(j, wide, path);
    x = static_cast<int>(wide);
    plain(j, wide, path, wide == x, "a 32-bit integer");
  }
  static void decode(const Json& j, std::int64_t& x, const std::string& path) {
    plain(j, x, path, j.is_number_integer(), "an integer");
  }
  static void decode(const Json& j, std::uint64_t& x, const std::string& path) {
    plain(j, x, path, j.is_number_unsigned(), "an integer of at least 0");
  }
  static void decode(const Json& j, std::string& x, const std::string& path) {
    plain(j, x, path, j.is_string(), "a text");
  }
  static void decode(const Json& j, Money& x, const std::string& path) {
    double value = 0.0;
    plain(j, value, path, j.is_number() && std::abs(j.get<double>()) < 9e12, "an amount of money");
    x = usd(value);
  }
  static void decode(const Json& j, Watts& x, const std::string& path) {
    double value = 0.0;
    decode(j, value, path);
    x = Watts{value};
  }
  static void decode(const Json& j, SharingRule& x, const std::string& path) {
    std::string text;
    decode(j, text, path);
    for (const SharingRule rule : kSharingRules) {
      if (text != to_string(rule)) continue;
      x = rule;
      return;
    }
    plain(j, text, path, false, "a sharing rule");
  }
  template <class T>
  static void decode(const Json& j, std::vector<T>& all, const std::string& path) {
    if (!j.is_array())
      throw std::runtime_error(fmt::format("not a fleetsim dossier: {} is not a list", path));
    all.clear();
    for (std::size_t i = 0; i < j.size(); ++i) {
      T x{};
      decode(j[i], x, fmt::format("{}[{}]", path, i));
      all.push_back(std::move(x));
    }
  }
  template <class T>
  static void decode(const Json& j, std::map<std::string, T>& all, const std::string& path) {
    if (!j.is_object()) {
      throw std::runtime_error(fmt::format("not a fleetsim dossier: {} is not an object", path));
    }
    all.clear();
    for (const auto& [key, value] : j.items()) decode(value, all[key], path + '.' + key);
  }
  template <class T>
  static void decode(const Json& j, std::optional<T>& x, const std::string& path) {
    x.reset();
    if (!j.is_null()) decode(j, x.emplace(), path);
  }
  template <class T>
  requires std::is_class_v<T>
  static void decode(const Json& j, T& x, const std::string& path) {
    Reader reader(j, path);
    fields(reader, x);
    if constexpr (std::is_same_v<T, Summary> || std::is_same_v<T, BestSet::Difference>) reopen(x);
  }

  static void reopen(Summary& x) { open_ends(x.mean, x.ci95_low, x.ci95_high); }
  static void reopen(BestSet::Difference& x) { open_ends(x.percent, x.low, x.high); }

  const Json& object_;
  std::string path_;
};

}  // namespace

std::string to_json(const Dossier& dossier) {
  Json json = Writer::of(dossier);
  json["facility"] = findings_json(dossier.facility);
  if (dossier.study.prices) json["price_robustness"] = prices_json(*dossier.study.prices);
  write_economics(dossier, json);
  json["energy"] = energy_json(dossier.energy);
  if (dossier.study.credibility) json["credibility"] = credibility_json(*dossier.study.credibility);
  if (dossier.study.pooling) json["pooling"] = pooling_json(*dossier.study.pooling);
  if (dossier.study.rounds) json["search"] = rounds_json(*dossier.study.rounds);
  if (dossier.study.front) json["front"] = front_json(*dossier.study.front);
  if (dossier.study.map) json["map"] = map_json(*dossier.study.map);
  if (!dossier.study.least.empty()) json["least_fleets"] = least_fleets_json(dossier.study.least);
  if (dossier.study.most_demand) json["most_demand"] = most_demand_json(*dossier.study.most_demand);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

Dossier dossier_from_json(const std::string& text) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception& e) {
    throw std::runtime_error(fmt::format("not a fleetsim dossier: {}", e.what()));
  }
  Dossier dossier;
  Reader reader(json, "dossier");
  fields(reader, dossier);
  if (json.contains("facility")) dossier.facility = findings_from_json(json["facility"]);
  if (json.contains("price_robustness")) dossier.study.prices = prices_from_json(json["price_robustness"]);
  read_economics(json, dossier);
  dossier.energy = energy_from_json(json.contains("energy") ? json["energy"] : Json::object());
  if (json.contains("credibility")) dossier.study.credibility = credibility_of(json["credibility"]);
  if (find_objective(dossier.study.objective) == nullptr)
    throw std::runtime_error(
        fmt::format("not a fleetsim dossier: '{}' is no objective", dossier.study.objective));
  if (json.contains("pooling")) dossier.study.pooling = pooling_from_json(json["pooling"]);
  if (json.contains("search")) dossier.study.rounds = rounds_from_json(json["search"]);
  if (json.contains("front")) dossier.study.front = front_from_json(json["front"]);
  if (json.contains("map")) dossier.study.map = map_from_json(json["map"]);
  if (json.contains("least_fleets")) dossier.study.least = least_fleets_from_json(json["least_fleets"]);
  if (json.contains("most_demand")) dossier.study.most_demand = most_demand_from_json(json["most_demand"]);
  return dossier;
}

}  // namespace fleetsim
