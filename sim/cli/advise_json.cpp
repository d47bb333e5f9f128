#include <nlohmann/json.hpp>

#include "sim/cli/advise_text.hpp"

namespace fleetsim::cli {
namespace {

using Json = nlohmann::ordered_json;

Json option_json(const AdviceOption& option) {
  Json parts = Json::array();
  for (const AdvisedPart& part : option.parts) {
    parts.push_back({{"hardware", part.short_name},
                     {"node", part.bare_card ? Json(nullptr) : Json(part.node)},
                     {"gpu", part.gpu.name},
                     {"gpus_per_node", part.bare_card ? Json(nullptr) : Json(part.machine.gpus)},
                     {"share", {part.share_low, part.share_high}}});
  }
  return {{"preferred_by", option.preferred_by.empty() ? Json(nullptr) : Json(option.preferred_by)},
          {"parts", std::move(parts)}};
}

Json verdict_json(const AdviceVerdict& v) {
  Json options = Json::array();
  for (const AdviceOption& option : v.options) options.push_back(option_json(option));
  return {{"said_by", v.parts},
          {"rule", v.rule},
          {"guide", v.guide},
          {"verdict", v.text},
          {"band", v.band.empty() ? Json(nullptr) : Json(v.band)},
          {"as_written", v.as_written.empty() ? Json(nullptr) : Json(v.as_written)},
          {"our_reading", v.stretched},
          {"options", std::move(options)}};
}

Json segment_json(const AdviceSegment& s) {
  Json verdicts = Json::array();
  for (const AdviceVerdict& v : s.verdicts) verdicts.push_back(verdict_json(v));
  return {{"gpus", {s.first, s.last}}, {"verdicts", std::move(verdicts)}};
}

template <class T>
Json answer_json(const Answer<T>& answer) {
  return {{"value", answer.value}, {"because", answer.because}};
}

Json asked_json(const AdviceFacts& f) {
  return {{"buyer", answer_json(f.buyer)},
          {"gpus", answer_json(f.gpus)},
          {"gpus_of_budget", {f.gpus_least, f.gpus_most}},
          {"fleets_of_budget", f.fleets},
          {"cooling_solved", answer_json(f.cooling_solved)},
          {"geforce_barred", answer_json(f.geforce_barred)},
          {"model_parallel", answer_json(f.model_parallel)}};
}

Json steps_json(const Advice& a) {
  Json steps = Json::array();
  for (const AdviceTaken& taken : a.steps)
    steps.push_back({{"step", to_string(taken.step)},
                     {"rule", taken.rule},
                     {"guide", taken.guide},
                     {"says", taken.says}});
  return steps;
}

Json memory_json(const Advice& a) {
  Json memory = Json::array();
  for (const MemoryAnswer& m : a.memory)
    memory.push_back({{"class", m.job_class},
                      {"gpu_memory_gb", static_cast<double>(m.need.count()) / 1e9},
                      {"held_by", m.held_by},
                      {"too_small", m.too_small}});
  return memory;
}

Json prices_json(const std::vector<ClassWorkPrices>& all) {
  Json prices = Json::array();
  for (const ClassWorkPrices& c : all) {
    Json rows = Json::array();
    for (const WorkPrice& row : c.rows)
      rows.push_back({{"node", row.node},
                      {"hardware", row.short_name},
                      {"fits", row.fits},
                      {"usd_per_gpu", row.priced ? Json(to_usd(row.per_gpu)) : Json(nullptr)},
                      {"estimate", row.estimate},
                      {"speed", row.speed > 0.0 ? Json(row.speed) : Json(nullptr)},
                      {"cost_of_work", row.per_work > 0.0 ? Json(row.per_work) : Json(nullptr)}});
    prices.push_back(
        {{"class", c.job_class}, {"gpus", c.gpus}, {"reference", c.reference}, {"nodes", std::move(rows)}});
  }
  return prices;
}

Json best_json(const SimulatedBest& best) {
  Json pools = Json::array();
  for (const SimulatedPool& pool : best.pools)
    pools.push_back({{"pool", pool.pool},
                     {"node", pool.node},
                     {"nodes", pool.nodes},
                     {"share", {pool.share_low, pool.share_high}}});
  return {{"from", best.from},
          {"best", best.label.empty() ? Json(nullptr) : Json(best.label)},
          {"sharing", best.sharing},
          {"k", best.k},
          {"replications", best.replications},
          {"as_good", best.as_good.size()},
          {"undecided", best.undecided.size()},
          {"gpus", best.gpus},
          {"pools", std::move(pools)},
          {"verdict", best.verdict}};
}

Json parting_json(const Parting& p) {
  Json compared = Json::array();
  for (const Compared& c : p.compared)
    compared.push_back({{"where", c.where},
                        {"says", c.says},
                        {"guide", c.guide},
                        {"agreement", to_string(c.agreement)},
                        {"points", c.points}});
  return {{"agreement", to_string(p.agreement)},
          {"sentence", p.sentence},
          {"compared", std::move(compared)},
          {"why", p.why}};
}

}  // namespace

std::string advice_json(const AdviceReport& r) {
  const Advice& a = r.advice;
  Json crossed = Json::array();
  for (const AdviceSegment& s : a.segments) crossed.push_back(segment_json(s));
  Json own = segment_json(a.own);
  const Json out = {
      {"scenario", r.scenario},
      {"tree", {{"name", a.tree}, {"title", a.title}, {"source", a.source}, {"as_of", a.as_of}}},
      {"asked", asked_json(a.facts)},
      {"steps", steps_json(a)},
      {"memory", memory_json(a)},
      {"verdicts", own["verdicts"]},
      {"bands_crossed", std::move(crossed)},
      {"contradictions", a.contradictions},
      {"cost_for_performance", prices_json(r.prices)},
      {"note", r.note.empty() ? Json(nullptr) : Json(r.note)},
      {"simulated", r.best.from.empty() ? Json(nullptr) : best_json(r.best)},
      {"how_to_simulate", r.how_to_simulate.empty() ? Json(nullptr) : Json(r.how_to_simulate)},
      {"parting", parting_json(r.parting)}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace fleetsim::cli
