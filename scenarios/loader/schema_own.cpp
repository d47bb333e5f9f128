// Keys of owning and renting: nodes that are there already, and what a cloud would charge.
#include "scenarios/loader/schema_parts.hpp"

namespace fleetsim::schema_parts {

namespace {

constexpr Money kDearestNode{10'000'000LL * 1'000'000}, kDearestHour{1'000LL * 1'000'000};

}  // namespace

void existing_keys(Keys& k) {
  k.push_back(key("fleet.existing", K::list,
                  "nodes that the lab owns already: in every candidate, bought by nobody"));
  k.push_back(key("fleet.existing[]", K::section, "one group of such nodes"));
  k.push_back(
      key("fleet.existing[].node", K::name, "their type", "supermicro-8x-rtx2080ti").of("nodes").must());
  k.push_back(
      key("fleet.existing[].count", K::integer, "how many", "2").in(between<Count>(1, kMostNodes)).must());
  k.push_back(key("fleet.existing[].name", K::text,
                  "what partitions call them; existing, existing-2, ... when left out", "old"));
  k.push_back(key("fleet.existing[].bought", K::date, "month or day of purchase", "2018-11"));
  k.push_back(key("fleet.existing[].retires", K::date, "month or day on which they go", "2022-11"));
  k.push_back(key("fleet.existing[].resale", K::money, "what a sale of one of these nodes brings", "2500 USD")
                  .in(between(Money{}, kDearestNode)));
}

void alternative_keys(Keys& k) {
  k.push_back(key("study.alternatives", K::list,
                  "uses of the nodes that are there, side by side; 'keep' (doing nothing) is always one"));
  k.push_back(key("study.alternatives[]", K::word,
                  "keep: buy nothing; add: buy beside them; replace: sell them and buy", "add")
                  .one_of({"keep", "add", "replace"}));
}

void cloud_rate_keys(Keys& k, const std::string& path, const char* example) {
  k.push_back(
      key(path + ".rate", K::money, "price of a GPU-hour; that of the catalogue when left out", example)
          .in(above_to(Money{}, kDearestHour)));
  k.push_back(key(path + ".source", K::text, "where 'rate' is from", "price list"));
  k.push_back(key(path + ".as_of", K::date, "date of 'rate'", "2020-09"));
}

void rent_keys(Keys& k) {
  const std::string r = "economics.rent";
  k.push_back(key(r, K::section, "what the bought GPUs are compared with: as much work in a cloud"));
  k.push_back(
      key(r + ".gpu", K::name, "rented GPU; its catalogue rate holds unless 'rate' is given", "v100-sxm2-16")
          .of("gpus"));
  k.push_back(key(r + ".node", K::name, "rented node, instead of 'gpu'", "aws-p3-16xlarge").of("nodes"));
  cloud_rate_keys(k, r, "2.14 USD");
  k.push_back(key(r + ".terms", K::word,
                  "on-demand and spot pay hours of use, reserved all hours; spot may be interrupted",
                  "on-demand")
                  .one_of({"on-demand", "reserved", "spot"})
                  .otherwise("on-demand"));
  k.push_back(key(r + ".speed", K::number, "work of a rented GPU-hour over that of an owned one", "1")
                  .in(between(0.01, 100.0))
                  .otherwise("1"));
  k.push_back(key(r + ".interruptions", K::section, "how often a spot GPU is taken away"));
  k.push_back(
      key(r + ".interruptions.rate", K::rate, "mean over the running time of a rented GPU", "0.5 /day")
          .in(between(PerSecond{0.0}, PerSecond{1.0}))
          .must());
  k.push_back(key(r + ".interruptions.lost", K::duration,
                  "time lost to each: work since the last checkpoint, and the restart", "30 min")
                  .in(between(Duration{}, kCentury))
                  .must());
}

}  // namespace fleetsim::schema_parts
