#include "sim/study/record.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace fleetsim {

namespace {

using Json = nlohmann::json;

double number(const Json& j) {
  return j.is_null() ? std::numeric_limits<double>::quiet_NaN() : j.get<double>();
}

Json encode(const MetricSet& set) {
  Json values = Json::array();
  for (const Metric& m : set.values) values.push_back({m.name, m.unit, m.value});
  return {set.scope, std::move(values)};
}

MetricSet decode_set(const Json& j) {
  MetricSet set;
  set.scope = j.at(0).get<std::string>();
  for (const Json& m : j.at(1))
    set.values.push_back({m.at(0).get<std::string>(), m.at(1).get<std::string>(), number(m.at(2))});
  return set;
}

template <std::size_t N>
std::array<std::int64_t, N> decode_states(const Json& j) {
  std::array<std::int64_t, N> states{};
  if (j.size() != N) throw std::runtime_error("wrong number of job states");
  for (std::size_t i = 0; i < N; ++i) states[i] = j.at(i).get<std::int64_t>();
  return states;
}

}  // namespace

std::string encode_metrics(const Metrics& metrics) {
  Json classes = Json::array(), pools = Json::array();
  for (const MetricSet& set : metrics.classes) classes.push_back(encode(set));
  for (const PoolMetrics& p : metrics.pools)
    pools.push_back({p.pool, p.utilisation_allocated, p.backlog_growth});
  Json record = {{"all", encode(metrics.all)},
                 {"classes", std::move(classes)},
                 {"pools", std::move(pools)},
                 {"states", metrics.states},
                 {"tagged_states", metrics.tagged_states},
                 {"submitted", metrics.submitted},
                 {"tagged", metrics.tagged},
                 {"utilisation_by_hour", metrics.utilisation_by_hour},
                 {"broken_laws", metrics.broken_laws}};
  for (const MetricSet& set : metrics.groups) record["groups"].push_back(encode(set));
  return record.dump();
}

Metrics decode_metrics(const std::string& text) {
  try {
    const Json record = Json::parse(text);
    Metrics m;
    m.all = decode_set(record.at("all"));
    for (const Json& set : record.at("classes")) m.classes.push_back(decode_set(set));
    if (record.contains("groups"))
      for (const Json& set : record.at("groups")) m.groups.push_back(decode_set(set));
    for (const Json& p : record.at("pools"))
      m.pools.push_back({p.at(0).get<std::string>(), number(p.at(1)), number(p.at(2))});
    m.states = decode_states<kJobStates>(record.at("states"));
    m.tagged_states = decode_states<kJobStates>(record.at("tagged_states"));
    m.submitted = record.at("submitted").get<std::int64_t>();
    m.tagged = record.at("tagged").get<std::int64_t>();
    for (const Json& u : record.at("utilisation_by_hour")) m.utilisation_by_hour.push_back(number(u));
    m.broken_laws = record.at("broken_laws").get<std::vector<std::string>>();
    return m;
  } catch (const std::exception& e) {
    throw std::runtime_error(fmt::format("not a record of a replication: {}", e.what()));
  }
}

}  // namespace fleetsim
