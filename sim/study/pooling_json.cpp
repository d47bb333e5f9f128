#include "sim/study/pooling_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sim/study/json_values.hpp"

namespace fleetsim {

using Json = nlohmann::json;

namespace {

Json to_json(const WaitSummary& w) {
  return {{"mean_s", number_json(w.mean_s)},
          {"ci95_low_s", number_json(w.low_s)},
          {"ci95_high_s", number_json(w.high_s)},
          {"n", w.n}};
}

WaitSummary wait_from(const Json& j) {
  WaitSummary w;
  w.mean_s = number_from(j.at("mean_s"));
  w.low_s = number_from(j.at("ci95_low_s"));
  w.high_s = number_from(j.at("ci95_high_s"));
  open_ends(w.mean_s, w.low_s, w.high_s);
  w.n = j.at("n").get<int>();
  return w;
}

Json to_json(const PoolSize& size) {
  return {{"candidate", size.candidate},
          {"machines", size.machines},
          {"wait_p95", to_json(size.p95)},
          {"difference", to_json(size.difference)},
          {"answer", size.answer},
          {"utilisation", number_json(size.utilisation)},
          {"purchase_usd", to_usd(size.purchase)},
          {"three_year_usd", to_usd(size.three_year_cost)}};
}

PoolSize size_from(const Json& j) {
  PoolSize size;
  size.candidate = j.at("candidate").get<int>();
  size.machines = j.at("machines").get<int>();
  size.p95 = wait_from(j.at("wait_p95"));
  size.difference = wait_from(j.at("difference"));
  size.answer = j.at("answer").get<std::string>();
  size.utilisation = number_from(j.at("utilisation"));
  size.purchase = usd(j.at("purchase_usd").get<double>());
  size.three_year_cost = usd(j.at("three_year_usd").get<double>());
  return size;
}

}  // namespace

Json pooling_json(const Pooling& pooling) {
  Json sizes = Json::array();
  for (const PoolSize& size : pooling.sizes) sizes.push_back(to_json(size));
  return {{"private", to_json(pooling.apart)},
          {"pools", std::move(sizes)},
          {"least", pooling.least},
          {"first_open", pooling.first_open}};
}

Pooling pooling_from_json(const Json& json) {
  try {
    Pooling pooling;
    pooling.apart = size_from(json.at("private"));
    for (const Json& size : json.at("pools")) pooling.sizes.push_back(size_from(size));
    pooling.least = json.at("least").get<int>();
    pooling.first_open = json.at("first_open").get<int>();
    return pooling;
  } catch (const Json::exception& e) {
    throw std::runtime_error(fmt::format("not a fleetsim dossier: dossier.pooling: {}", e.what()));
  }
}

}  // namespace fleetsim
