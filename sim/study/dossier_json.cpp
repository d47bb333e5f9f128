// Dossier <-> JSON. One list of fields per struct serves both directions, so they cannot drift apart.
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "sim/study/dossier.hpp"
#include "sim/study/dossier_economics_json.hpp"
#include "sim/study/dossier_energy_json.hpp"
#include "sim/study/finding_json.hpp"
#include "sim/study/pooling_json.hpp"
#include "sim/study/prices_json.hpp"

namespace fleetsim {
namespace {

using Json = nlohmann::json;  // keys sorted

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr SharingRule kRules[] = {SharingRule::strict, SharingRule::overflow, SharingRule::preempt,
                                  SharingRule::one_pool, SharingRule::private_machines};

class Writer;
class Reader;
/// What `fields` takes: const when written, mutable when read.
template <class Archive, class T>
using In = std::conditional_t<std::is_same_v<Archive, Writer>, const T, T>;

// ---- fields ------------------------------------------------------------------------------------------

template <class A>
void fields(A& a, In<A, Assumption>& x) {
  a("what", x.what), a("value", x.value), a("low", x.low), a("high", x.high), a("source", x.source);
  a("as_of", x.as_of), a("estimate", x.estimate), a("used_for", x.used_for);
}
template <class A>
void fields(A& a, In<A, ScalingPoint>& x) {
  a("series", x.series), a("gpus", x.gpus), a("efficiency", x.efficiency);
}
template <class A>
void fields(A& a, In<A, PoolInfo>& x) {
  a("name", x.name), a("node", x.node), a("title", x.title), a("gpu_title", x.gpu_title);
  a("cooling", x.cooling), a("count", x.count), a("gpus_per_node", x.gpus_per_node);
  a("node_price_usd", x.node_price), a("load_power_w", x.load_power), a("idle_power_w", x.idle_power);
}
template <class A>
void fields(A& a, In<A, Provenance>& x) {
  a("source", x.source), a("as_of", x.as_of), a("estimate", x.estimate), a("note", x.note);
}
template <class A>
void fields(A& a, In<A, Figure<Money>>& x) {
  a("value_usd", x.value), a("low_usd", x.low), a("high_usd", x.high), a("from", x.from);
}
template <class A>
void fields(A& a, In<A, BillLine>& x) {
  a("item", x.item), a("group", x.group), a("quantity", x.quantity), a("unit_price", x.unit_price);
  a("priced", x.priced);
}
template <class A>
void fields(A& a, In<A, Bill>& x) {
  a("lines", x.lines), a("node_money_usd", x.node_money), a("fixed_money_usd", x.fixed_money);
  a("total_usd", x.total), a("unpriced", x.unpriced);
}
template <class A>
void fields(A& a, In<A, CostLine>& x) {
  a("item", x.item), a("by_year_usd", x.by_year), a("basis", x.basis), a("estimate", x.estimate);
}
template <class A>
void fields(A& a, In<A, CostTable>& x) {
  a("lines", x.lines), a("total_by_year_usd", x.total_by_year), a("total_usd", x.total);
}
template <class A>
void fields(A& a, In<A, FabricCounts>& x) {
  a("nodes", x.nodes), a("adapters", x.adapters), a("leaf_switches", x.leaf_switches);
  a("spine_switches", x.spine_switches), a("node_cables", x.node_cables), a("switch_cables", x.switch_cables);
  a("core_switches", x.core_switches), a("core_cables", x.core_cables), a("torus_cables", x.torus_cables);
}
template <class A>
void fields(A& a, In<A, NotEvaluated>& x) {
  a("path", x.path), a("reason", x.reason);
}
template <class A>
void fields(A& a, In<A, ClassDemand>& x) {
  a("name", x.name), a("jobs_per_day", x.jobs_per_day), a("mean_node_share", x.mean_node_share);
  a("busy_nodes", x.busy_nodes), a("cheapest_node", x.cheapest_node), a("money_usd", x.money);
  a("impossible_share", x.impossible_share);
}
template <class A>
void fields(A& a, In<A, OfferedLoad>& x) {
  a("classes", x.classes), a("load", x.load), a("s", x.s), a("node_budget_usd", x.node_budget);
  a("node_budget_basis", x.node_budget_basis), a("fleet_load", x.fleet_load);
  a("identity", x.identity), a("trace", x.trace);
}
template <class A>
void fields(A& a, In<A, Summary>& x) {
  a("mean", x.mean), a("ci95_low", x.ci95_low), a("ci95_high", x.ci95_high), a("n", x.n), a("unit", x.unit);
}
template <class A>
void fields(A& a, In<A, ClassSummary>& x) {
  a("name", x.name), a("metrics", x.metrics);
}
template <class A>
void fields(A& a, In<A, ObjectiveValue>& x) {
  a("k", x.k), a("hours", x.hours);
}
template <class A>
void fields(A& a, In<A, CandidateResult>& x) {
  a("label", x.label), a("sharing", x.sharing), a("counts", x.counts), a("share", x.share);
  a("feasible", x.feasible), a("reasons", x.reasons), a("end_point", x.end_point);
  a("saturated", x.saturated), a("metrics", x.metrics), a("classes", x.classes);
  a("pool_utilisation", x.pool_utilisation), a("objective", x.objective);
  a("results_per_week", x.results_per_week), a("capex_usd", x.capex), a("unspent_usd", x.unspent);
  a("three_year_cost_usd", x.three_year_cost), a("utilisation_by_hour", x.utilisation_by_hour);
  a("states", x.states), a.hex("replay_hash", x.replay_hash);
  a("broken_laws", x.broken_laws), a("unpriced", x.unpriced);
}
template <class A>
void fields(A& a, In<A, BestSet::Difference>& x) {
  a("candidate", x.candidate), a("percent", x.percent), a("low", x.low), a("high", x.high);
}
template <class A>
void fields(A& a, In<A, BestSet>& x) {
  a("sharing", x.sharing), a("k", x.k), a("best", x.best), a("members", x.members);
  a("undecided", x.undecided), a("differences", x.differences);
}
template <class A>
void fields(A& a, In<A, AlternativeRow>& x) {
  a("alternative", x.alternative), a("fleet", x.fleet), a("candidate", x.candidate), a("fleets", x.fleets);
  a("feasible", x.feasible), a("reasons", x.reasons), a("hours", x.hours);
  a("results_per_week", x.results_per_week), a("purchase_usd", x.purchase), a("sale_usd", x.sale);
  a("three_year_cost_usd", x.three_year_cost);
}
template <class A>
void fields(A& a, In<A, RejectedFleet>& x) {
  a("fleet", x.label), a("counts", x.counts), a("share", x.share), a("reason", x.reason);
}
template <class A>
void fields(A& a, In<A, StudyResult>& x) {
  a("ks", x.ks), a("pool_names", x.pool_names), a("scale_pool", x.scale_pool);
  a("candidates", x.candidates);
  a("best_sets", x.best_sets), a("demand", x.demand), a("replications", x.replications);
  a("indifference", x.indifference), a("band_low", x.band_low), a("band_high", x.band_high),
      a("first_order_share", x.first_order_share);
  a("rule_status", x.rule_status), a("s_low", x.s_low), a("s_high", x.s_high);
  a("loss_percent", x.loss_percent), a("verdict", x.verdict), a("rejected", x.rejected);
  a.extra("existing_pools", x.existing_pools, x.existing_pools == 0);
  a.extra("alternatives", x.alternatives, x.alternatives.empty());
}
template <class A>
void fields(A& a, In<A, Dossier>& x) {
  a("kind", x.kind), a("version", x.version), a("scenario_name", x.scenario_name);
  a("scenario_sha256", x.scenario_sha256), a("canonical_scenario", x.canonical_scenario);
  a("command", x.command), a("seed", x.seed), a("replications", x.replications);
  a("replay_hash", x.replay_hash), a("budget_usd", x.budget), a("k", x.k), a("sharing", x.sharing);
  a("recommended", x.recommended), a("recommended_index", x.recommended_index), a("pools", x.pools);
  a("bill", x.bill), a("cost", x.cost), a("unspent_usd", x.unspent);
  a("candidates", x.candidates), a("maximal_fleet", x.maximal_fleet);
  a("gpu_hours_useful_per_year", x.gpu_hours_useful_per_year);
  a("cost_per_useful_gpu_hour_usd", x.cost_per_useful_gpu_hour);
  a("energy_kwh_per_year", x.energy_kwh_per_year), a("peak_power_at_meter_w", x.peak_power_at_meter);
  a("power_limit_w", x.power_limit);
  a("racks", x.racks), a("scaling", x.scaling), a("fabric_dot", x.fabric_dot), a("node_dot", x.node_dot);
  a("fabric_counts", x.fabric_counts), a("fabric_link", x.fabric_link), a("fabric_shape", x.fabric_shape);
  a("assumptions", x.assumptions), a("not_evaluated", x.not_evaluated), a("limitations", x.limitations);
  a("study", x.study);
}

// ---- writing -----------------------------------------------------------------------------------------

class Writer {
 public:
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
    for (const SharingRule rule : kRules) {
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
    if constexpr (std::is_same_v<T, Summary> || std::is_same_v<T, BestSet::Difference>) open_ends(x);
  }

  /// An interval of one replication is infinite; JSON has no infinity and shows null.
  static void open_ends(double middle, double& low, double& high) {
    if (!std::isfinite(middle)) return;
    if (std::isnan(low)) low = -kInfinity;
    if (std::isnan(high)) high = kInfinity;
  }
  static void open_ends(Summary& x) { open_ends(x.mean, x.ci95_low, x.ci95_high); }
  static void open_ends(BestSet::Difference& x) { open_ends(x.percent, x.low, x.high); }

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
  if (dossier.study.pooling) json["pooling"] = pooling_json(*dossier.study.pooling);
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
  if (json.contains("pooling")) dossier.study.pooling = pooling_from_json(json["pooling"]);
  return dossier;
}

}  // namespace fleetsim
