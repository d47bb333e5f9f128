#include "sim/study/credibility_json.hpp"

#include <stdexcept>

namespace fleetsim {

nlohmann::json credibility_json(const Credibility& credibility) {
  nlohmann::json waits = nlohmann::json::array();
  for (const WaitPair& w : credibility.waits) {
    waits.push_back(
        {{"jobs", w.jobs},
         {"n", w.n},
         {"recorded_s", {{"mean", w.recorded_mean_s}, {"p50", w.recorded_p50_s}, {"p95", w.recorded_p95_s}}},
         {"simulated_s",
          {{"mean", w.simulated_mean_s}, {"p50", w.simulated_p50_s}, {"p95", w.simulated_p95_s}}}});
  }
  return {{"answer", credibility.answer},
          {"sentence", credibility.sentence},
          {"trace", credibility.trace},
          {"cluster", credibility.cluster},
          {"policy", credibility.policy},
          {"most_difference", kCredibleDifference},
          {"jobs_without_wait", credibility.without_wait},
          {"jobs_not_run", credibility.not_run},
          {"waits", std::move(waits)}};
}

Credibility credibility_of(const nlohmann::json& json) {
  Credibility out;
  try {
    out.answer = json.at("answer").get<std::string>();
    out.sentence = json.at("sentence").get<std::string>();
    out.trace = json.at("trace").get<std::string>();
    out.cluster = json.at("cluster").get<std::string>();
    out.policy = json.at("policy").get<std::string>();
    out.without_wait = json.at("jobs_without_wait").get<std::int64_t>();
    out.not_run = json.at("jobs_not_run").get<std::int64_t>();
    for (const nlohmann::json& w : json.at("waits")) {
      const nlohmann::json &recorded = w.at("recorded_s"), &simulated = w.at("simulated_s");
      const auto s = [](const nlohmann::json& of, const char* what) { return of.at(what).get<double>(); };
      out.waits.push_back({w.at("jobs").get<std::string>(), w.at("n").get<std::int64_t>(),
                           s(recorded, "mean"), s(recorded, "p50"), s(recorded, "p95"), s(simulated, "mean"),
                           s(simulated, "p50"), s(simulated, "p95")});
    }
  } catch (const nlohmann::json::exception& e) {
    throw std::runtime_error(std::string("not a fleetsim dossier: credibility: ") + e.what());
  }
  return out;
}

}  // namespace fleetsim
