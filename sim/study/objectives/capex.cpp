// What a fleet costs to buy: with service limits as constraints, the least budget that meets them.
#include "sim/economics/economics.hpp"
#include "sim/study/objectives/objective.hpp"

namespace fleetsim {

namespace {

std::vector<double> scores(const CandidateResult& fleet, const Scenario& scenario,
                           const std::vector<RunResult>& runs, double k) {
  static_cast<void>(scenario), static_cast<void>(k);
  return std::vector<double>(runs.size(), to_usd(fleet.capex));
}

/// The same in every replication: a number without spread.
Summary value(const CandidateResult& fleet, double k) {
  static_cast<void>(k);
  const double price = to_usd(fleet.capex);
  return {price, price, price, 1, "USD"};
}

std::string in_words(const Summary& price) {
  return money_text(usd(price.mean));
}

}  // namespace

const Objective kCapex{
    .name = "capex",
    .metric = "capex_usd",
    .meaning =
        "what the fleet costs to buy; least is best. Of use with constraints and candidates that need "
        "not spend the budget: the least money that keeps them",
    .ranked = "purchase price",
    .column = "Purchase, USD",
    .worst = "costs {} more",
    .money = true,
    .scores = scores,
    .value = value,
    .in_words = in_words};

}  // namespace fleetsim
