#include <nlohmann/json.hpp>

#include "sim/cli/advise_text.hpp"

namespace fleetsim::cli {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson option_json(const AdviceOption& option) {
  OrderedJson parts = OrderedJson::array();
  for (const AdvisedPart& part : option.parts) {
    parts.push_back({{"hardware", part.short_name},
                     {"node", part.bare_card ? OrderedJson(nullptr) : OrderedJson(part.node)},
                     {"gpu", part.gpu.name},
                     {"gpus_per_node", part.bare_card ? OrderedJson(nullptr) : OrderedJson(part.machine.gpus)},
                     {"share", {part.share_low, part.share_high}}});
  }
  return {{"preferred_by", option.preferred_by.empty() ? OrderedJson(nullptr) : OrderedJson(option.preferred_by)},
          {"parts", std::move(parts)}};
}

OrderedJson verdict_json(const AdviceVerdict& v) {
  OrderedJson options = OrderedJson::array();
  for (const AdviceOption& option : v.options) options.push_back(option_json(option));
  return {{"said_by", v.parts},
          {"rule", v.rule},
          {"guide", v.guide},
          {"verdict", v.text},
          {"band", v.band.empty() ? OrderedJson(nullptr) : OrderedJson(v.band)},
          {"as_written", v.as_written.empty() ? OrderedJson(nullptr) : OrderedJson(v.as_written)},
          {"our_reading", v.stretched},
          {"options", std::move(options)}};
}

OrderedJson segment_json(const AdviceSegment& s) {
  OrderedJson verdicts = OrderedJson::array();
  for (const AdviceVerdict& v : s.verdicts) verdicts.push_back(verdict_json(v));
  return {{"gpus", {s.first, s.last}}, {"verdicts", std::move(verdicts)}};
}

template <class T>
OrderedJson answer_json(const Answer<T>& answer) {
  return {{"value", answer.value}, {"because", answer.because}};
}

OrderedJson asked_json(const AdviceFacts& f) {
  return {{"buyer", answer_json(f.buyer)},
          {"gpus", answer_json(f.gpus)},
          {"gpus_of_budget", {f.gpus_least, f.gpus_most}},
          {"fleets_of_budget", f.fleets},
          {"cooling_solved", answer_json(f.cooling_solved)},
          {"geforce_barred", answer_json(f.geforce_barred)},
          {"model_parallel", answer_json(f.model_parallel)}};
}

OrderedJson steps_json(const Advice& a) {
  OrderedJson steps = OrderedJson::array();
  for (const AdviceTaken& taken : a.steps)
    steps.push_back({{"step", to_string(taken.step)},
                     {"rule", taken.rule},
                     {"guide", taken.guide},
                     {"says", taken.says}});
  return steps;
}

OrderedJson memory_json(const Advice& a) {
  OrderedJson memory = OrderedJson::array();
  for (const MemoryAnswer& m : a.memory)
    memory.push_back({{"class", m.job_class},
                      {"gpu_memory_gb", static_cast<double>(m.need.count()) / 1e9},
                      {"held_by", m.held_by},
                      {"too_small", m.too_small}});
  return memory;
}

OrderedJson prices_json(const std::vector<ClassWorkPrices>& all) {
  OrderedJson prices = OrderedJson::array();
  for (const ClassWorkPrices& c : all) {
    OrderedJson rows = OrderedJson::array();
    for (const WorkPrice& row : c.rows)
      rows.push_back({{"node", row.node},
                      {"hardware", row.short_name},
                      {"fits", row.fits},
                      {"usd_per_gpu", row.priced ? OrderedJson(to_usd(row.per_gpu)) : OrderedJson(nullptr)},
                      {"estimate", row.estimate},
                      {"speed", row.speed > 0.0 ? OrderedJson(row.speed) : OrderedJson(nullptr)},
                      {"cost_of_work", row.per_work > 0.0 ? OrderedJson(row.per_work) : OrderedJson(nullptr)}});
    prices.push_back(
        {{"class", c.job_class}, {"gpus", c.gpus}, {"reference", c.reference}, {"nodes", std::move(rows)}});
  }
  return prices;
}

OrderedJson best_json(const SimulatedBest& best) {
  OrderedJson pools = OrderedJson::array();
  for (const SimulatedPool& pool : best.pools)
    pools.push_back({{"pool", pool.pool},
                     {"node", pool.node},
                     {"nodes", pool.nodes},
                     {"share", {pool.share_low, pool.share_high}}});
  return {{"from", best.from},
          {"best", best.label.empty() ? OrderedJson(nullptr) : OrderedJson(best.label)},
          {"sharing", best.sharing},
          {"k", best.k},
          {"replications", best.replications},
          {"as_good", best.as_good.size()},
          {"undecided", best.undecided.size()},
          {"gpus", best.gpus},
          {"pools", std::move(pools)},
          {"verdict", best.verdict}};
}

OrderedJson parting_json(const Parting& p) {
  OrderedJson compared = OrderedJson::array();
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
  OrderedJson crossed = OrderedJson::array();
  for (const AdviceSegment& s : a.segments) crossed.push_back(segment_json(s));
  OrderedJson own = segment_json(a.own);
  const OrderedJson out = {
      {"scenario", r.scenario},
      {"tree", {{"name", a.tree}, {"title", a.title}, {"source", a.source}, {"as_of", a.as_of}}},
      {"asked", asked_json(a.facts)},
      {"steps", steps_json(a)},
      {"memory", memory_json(a)},
      {"verdicts", own["verdicts"]},
      {"bands_crossed", std::move(crossed)},
      {"contradictions", a.contradictions},
      {"cost_for_performance", prices_json(r.prices)},
      {"note", r.note.empty() ? OrderedJson(nullptr) : OrderedJson(r.note)},
      {"simulated", r.best.from.empty() ? OrderedJson(nullptr) : best_json(r.best)},
      {"how_to_simulate", r.how_to_simulate.empty() ? OrderedJson(nullptr) : OrderedJson(r.how_to_simulate)},
      {"parting", parting_json(r.parting)}};
  return out.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + '\n';
}

}  // namespace fleetsim::cli
