// The scenario schema: keys in the order of the canonical dump and of the reference page; parts: schema_*.cpp
#include "scenarios/loader/schema.hpp"

#include <fmt/format.h>

#include <type_traits>

#include "scenarios/loader/schema_parts.hpp"
#include "scenarios/loader/sections.hpp"
#include "sim/base/units.hpp"

namespace fleetsim {

namespace {

using namespace schema_parts;

constexpr MoneyPerEnergy kDearestEnergy{10'000'000};

void head_keys(Keys& k) {
  k.push_back(key("name", K::text, "what reports call the scenario", "lab-66-33").must());
  k.push_back(key("seed", K::seed, "start of all random numbers", "2020").otherwise("1"));
  k.push_back(key("time", K::section, "how long is simulated, and how often"));
  k.push_back(
      key("time.warm_up", K::duration,
          "simulated before the measurement, not measured; `mser-5`: `run` and `study` find it in pilot "
          "runs of their fleets",
          "4 weeks")
          .in(a_time())
          .one_of({"mser-5"})
          .otherwise("4 weeks"));
  k.push_back(key("time.measure", K::duration, "jobs submitted here, and those they promote, are measured",
                  "26 weeks")
                  .in(a_positive_time())
                  .otherwise("26 weeks"));
  k.push_back(key("time.drain", K::duration,
                  "arrivals go on at most this long until measured jobs have ended", "8 weeks")
                  .in(a_time())
                  .otherwise("8 weeks"));
  k.push_back(key("time.replications", K::integer, "independent repetitions", "20")
                  .in(between<Count>(1, 1'000'000))
                  .otherwise("20"));
  k.push_back(
      key("time.precision", K::ratio,
          "repeat until half of the 95 % interval of what fleets are ranked by is this part of its mean, "
          "at most study.max_replications times; `run`, and the best fleet of `search: rounds`",
          "2 %")
          .in(above_to(0.0, 1.0)));
  starts_key(k);
  k.push_back(key("budget", K::section, "what may be spent"));
  k.push_back(key("budget.capital", K::money,
                  "purchase money for nodes, network and racks, and what is charged on them", "300000 USD")
                  .in(above_to(Money{}, kDearest))
                  .must());
  k.push_back(
      key("budget.by_year", K::list,
          "most that may be paid in year 1, 2, ..., purchase and running costs; no caps when left out"));
  k.push_back(
      key("budget.by_year[]", K::money, "cap of one year", "180000 USD").in(between(Money{}, kDearest)));
}

void fleet_keys(Keys& k) {
  k.push_back(key("fleet", K::section, "pools of equal nodes under free names, and how many of each").must());
  k.push_back(key("fleet.*", K::section, "a pool: nodes of one type, bought together"));
  k.push_back(
      key("fleet.*.node", K::name, "node type of the pool", "supermicro-8x-rtx3080").of("nodes").must());
  pool_limit_keys(k);
  k.push_back(key("fleet.*.when_idle", K::word, "whether its nodes idle or are switched off while unused",
                  "switched-off")
                  .one_of({"idles", "switched-off"})
                  .otherwise("idles"));
  k.push_back(key("fleet.split", K::section,
                  "share of the node money for each pool; one pool left out takes the rest"));
  k.push_back(key("fleet.split.*", K::ratio, "share of the pool of this name", "27 %").in(between(0.0, 1.0)));
  k.push_back(key("fleet.counts", K::section, "whole nodes of every pool, instead of 'split'"));
  k.push_back(key("fleet.counts.*", K::integer, "nodes of the pool of this name", "13")
                  .in(between<Count>(0, kMostNodes)));
  delivery_keys(k);
  existing_keys(k);
}

void room_keys(Keys& k) {
  k.push_back(key("fabric", K::section, "the network between the nodes; none when left out"));
  k.push_back(key("fabric.shape", K::word, "how nodes are joined", "leaf-spine")
                  .one_of(spelled(fabric_words()))
                  .otherwise("none")
                  .must());
  k.push_back(key("fabric.link", K::name, "network link; needed unless the shape is 'none'", "infiniband-edr")
                  .of("links"));
  k.push_back(key("fabric.hcas_per_node", K::integer, "network adapters of a node", "1")
                  .in(between<Count>(1, 16))
                  .otherwise("1"));
  k.push_back(
      key("fabric.oversubscription", K::number, "bandwidth down over bandwidth up at a leaf switch", "1")
          .in(between(1.0, 64.0))
          .otherwise("1"));
  k.push_back(key("fabric.levels", K::integer,
                  "levels of switches of a fat tree; the fewest that reach when left out", "3")
                  .in(between<Count>(2, 3)));
  k.push_back(key("fabric.su_nodes", K::integer,
                  "nodes of a scalable unit of a superpod; as many as a leaf switch holds when left out",
                  "20")
                  .in(between<Count>(1, kMostNodes)));
  k.push_back(key("fabric.dimensions", K::list,
                  "accelerators along the two or three sides of a torus; three sides when left out"));
  k.push_back(key("fabric.dimensions[]", K::integer, "one side; all of them 0: as cubic as fits", "16")
                  .in(between<Count>(0, kMostNodes)));
  k.push_back(key("site", K::section, "the room and its power"));
  k.push_back(key("site.electricity", K::energy_price, "price of energy at the meter", "0.12 USD/kWh")
                  .in(between(MoneyPerEnergy{0}, kDearestEnergy))
                  .otherwise("0.12 USD/kWh"));
  k.push_back(key("site.pue", K::number, "power at the meter over power of the nodes", "1.5")
                  .in(between(1.0, 10.0))
                  .otherwise("1.5"));
  k.push_back(key("site.power_limit", K::power, "most power at the meter; no limit when left out", "120 kW")
                  .in(above_to(Watts{0.0}, kStrongest)));
  k.push_back(key("site.rack", K::section, "the racks"));
  k.push_back(key("site.rack.units", K::integer, "height units of a rack", "42")
                  .in(between<Count>(1, 100))
                  .otherwise("42"));
  k.push_back(key("site.rack.power", K::power, "power of a rack", "12 kW")
                  .in(above_to(Watts{0.0}, kStrongest))
                  .otherwise("12 kW"));
  k.push_back(key("site.rack.provided", K::boolean,
                  "racks stand in the room; one set of rack parts is charged", "true")
                  .otherwise("false"));
  k.push_back(
      key("site.rack.count", K::integer, "racks that the room has; as many as it takes when left out", "4")
          .in(between<Count>(1, kMostNodes)));
  k.push_back(key("site.inlet_temperature", K::temperature, "air at the front of the nodes", "22 C")
                  .in(between(Celsius{-20}, Celsius{60}))
                  .otherwise("22 C"));
  k.push_back(
      key("site.geforce_in_datacentre", K::word, "whether GeForce drivers may run in this room", "waived")
          .one_of(spelled(geforce_words()))
          .otherwise("waived"));
  facility_keys(k);
}

void scheduler_keys(Keys& k) {
  k.push_back(key("scheduler", K::section, "who starts when"));
  k.push_back(key("scheduler.type", K::word, "scheduling policy", "easy")
                  .one_of(spelled(policy_words()))
                  .otherwise("easy"));
  k.push_back(key("scheduler.sharing", K::word, "who may use whose nodes", "overflow")
                  .one_of(spelled(sharing_words()))
                  .otherwise("overflow"));
  k.push_back(key("scheduler.ties", K::word, "order of events within one instant", "batch")
                  .one_of(spelled(tie_words()))
                  .otherwise("batch"));
  k.push_back(
      key("scheduler.placement", K::word,
          "which node a job of one node takes: the fullest or the emptiest that has room; larger jobs "
          "lie below as few leaf switches as can be",
          "pack")
          .one_of(spelled(placement_words()))
          .otherwise("pack"));
  k.push_back(
      key("scheduler.kill_at_limit", K::boolean, "jobs end at their time limit", "true").otherwise("true"));
  k.push_back(key("scheduler.partitions", K::section,
                  "partitions under free names; one over all pools when left out"));
  k.push_back(key("scheduler.partitions.*", K::section, "a partition"));
  k.push_back(key("scheduler.partitions.*.nodes", K::name_list, "its pools, in order of preference", "proto")
                  .of("pool")
                  .must());
  k.push_back(key("scheduler.partitions.*.max_time", K::limit, "longest time limit of a job", "24 h")
                  .in(a_positive_time())
                  .otherwise("7 days"));
  k.push_back(key("scheduler.partitions.*.overflow_max_time", K::limit,
                  "jobs of other partitions may use idle nodes here, up to this limit", "24 h")
                  .in(a_positive_time()));
  k.push_back(key("scheduler.partitions.*.default", K::boolean, "for classes that name no partition", "true")
                  .otherwise("false"));
  burst_keys(k);
}

void study_keys(Keys& k) {
  k.push_back(key("study", K::section, "what is compared, and by what"));
  k.push_back(key("study.candidates", K::word, "which fleets", "maximal-fleets")
                  .one_of(spelled(candidate_words()))
                  .otherwise("maximal-fleets"));
  alternative_keys(k);
  objective_keys(k);
  k.push_back(
      key("study.constraints", K::list, "bounds that a fleet must keep to be ranked").otherwise("[]"));
  k.push_back(key("study.constraints[]", K::constraint,
                  "METRIC or METRIC(CLASS), <= or >=, a bound with its unit",
                  "wait_s_p95(prototype) <= 4 h"));
  k.push_back(
      key("study.search", K::word,
          "'exhaustive' gives every candidate time.replications; 'rounds' goes on only with those that "
          "may be the best (docs/selection.md), beginning with half of time.replications, at least 5",
          "exhaustive")
          .one_of(spelled(search_words()))
          .otherwise("exhaustive"));
  k.push_back(
      key("study.indifference", K::ratio, "fleets within this of the best count as equally good", "2 %")
          .in(between(0.0, 1.0))
          .otherwise("2 %"));
  k.push_back(key("study.max_replications", K::integer,
                  "most replications that 'search: rounds' gives a candidate, or time.precision a run; "
                  "without it 5 x "
                  "time.replications",
                  "100")
                  .in(between<Count>(2, 100'000)));
  k.push_back(
      key("study.price_draws", K::integer,
          "how often all prices are drawn from their ranges to see whether the verdict stands; 0: not at all",
          "200")
          .in(between<Count>(0, 10'000))
          .otherwise("0"));
  k.push_back(
      key("study.draw_replications", K::integer,
          "replications of a fleet that only drawn prices make affordable; never more than time.replications",
          "8")
          .in(between<Count>(1, 10'000))
          .otherwise("4"));
  front_keys(k);
  axis_keys(k);
}

std::string parent_of(const std::string& path) {
  if (path.ends_with("[]")) return path.substr(0, path.size() - 2);
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? std::string{} : path.substr(0, dot);
}

template <class T>
std::string number_text(const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return fmt::format("{}", value);
  } else {
    return to_text(value);
  }
}

}  // namespace

Schema::Schema(std::vector<SchemaKey> keys) : keys_(std::move(keys)) {
  for (std::size_t i = 0; i < keys_.size(); ++i) index_.emplace(keys_[i].path, i);
}

SchemaKey schema_parts::key(std::string path, KeyKind kind, std::string meaning, std::string example) {
  SchemaKey made;
  made.path = std::move(path);
  made.kind = kind;
  made.meaning = std::move(meaning);
  made.example = std::move(example);
  return made;
}

const SchemaKey* Schema::find(const std::string& path) const {
  const auto place = index_.find(path);
  return place == index_.end() ? nullptr : &keys_[place->second];
}

std::vector<const SchemaKey*> Schema::below(const std::string& path) const {
  std::vector<const SchemaKey*> result;
  for (const SchemaKey& one : keys_)
    if (parent_of(one.path) == path && one.path != path) result.push_back(&one);
  return result;
}

const Schema& scenario_schema() {
  static const Schema schema([] {
    Keys keys;
    head_keys(keys);
    fleet_keys(keys);
    room_keys(keys);
    economics_keys(keys);
    rent_keys(keys);
    price_keys(keys);
    carbon_keys(keys);
    scheduler_keys(keys);
    workload_keys(keys);
    failure_keys(keys);
    study_keys(keys);
    advice_keys(keys);
    return keys;
  }());
  return schema;
}

std::string bounds_text(const Bounds& bounds) {
  return std::visit(
      [](const auto& range) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(range)>, std::monostate>) {
          return {};
        } else {
          const std::string low = range.least ? number_text(*range.least) : "";
          const std::string high = range.most ? number_text(*range.most) : "";
          if (low.empty()) return high.empty() ? "" : "at most " + high;
          if (high.empty()) return (range.above ? "more than " : "at least ") + low;
          return range.above ? fmt::format("more than {}, at most {}", low, high)
                             : fmt::format("{} to {}", low, high);
        }
      },
      bounds);
}

}  // namespace fleetsim
