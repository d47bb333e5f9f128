// Keys of the advice section.
#include "scenarios/loader/schema_parts.hpp"
#include "sim/advice/tree.hpp"

namespace fleetsim::schema_parts {

void advice_keys(Keys& k) {
  k.push_back(
      key("advice", K::section, "for 'fleetsim advise': what the rest does not show; no run depends on it"));
  k.push_back(key("advice.tree", K::name, "entry of the catalogue's advice/", "guide-2020")
                  .of("tree of advice")
                  .otherwise("guide-2020"));
  k.push_back(key("advice.buyer", K::word, "who buys", "lab").one_of(buyer_words()).otherwise("lab"));
  k.push_back(key("advice.cooling_solved", K::boolean,
                  "whether the cooling of dense nodes is certain; when left out: yes if water cools a pool",
                  "true"));
  k.push_back(key("advice.model_parallel", K::boolean,
                  "whether models are spread over GPUs; when left out: yes if a job needs more than a node "
                  "or no GPU holds a model",
                  "false"));
  k.push_back(key("advice.bands", K::section, "edges of size bands, instead of the tree's"));
  k.push_back(key("advice.bands.*", K::section, "the band of this name, half-open"));
  k.push_back(key("advice.bands.*.from", K::integer, "first number of GPUs", "128")
                  .in(between<Count>(0, 10'000'000)));
  k.push_back(key("advice.bands.*.below", K::integer, "first number of GPUs beyond", "513")
                  .in(between<Count>(1, 10'000'000)));
}

}  // namespace fleetsim::schema_parts
