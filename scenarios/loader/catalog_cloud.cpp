// prices/cloud.yaml: what clouds charge for a GPU-hour, by terms.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/loader/catalog_records.hpp"
#include "scenarios/loader/figure_reader.hpp"
#include "scenarios/loader/sections.hpp"

namespace fleetsim {

bool read_cloud_rates(Reader& file, const Catalog& catalog, std::vector<CloudRate>& rates) {
  const int before = file.context().diagnostics.errors();
  static_cast<void>(title_of(file));
  std::vector<CloudRate> all;
  const auto list = file.require("rates");
  for (Reader item : list ? list->items() : std::vector<Reader>{}) {
    if (!item.expect_map()) continue;
    CloudRate made;
    need(item, "gpu");
    need(item, "terms");
    const std::vector<std::string> gpus = catalog.names(CatalogKind::gpus);
    if (const auto i = item.choose("gpu", gpus, "GPU")) made.gpu = gpus[*i];
    if (const auto terms = item.word("terms", rent_words())) made.terms = *terms;
    read_figure(item, figure::kMoney, made.rate);
    const bool twice = std::any_of(all.begin(), all.end(), [&](const CloudRate& other) {
      return other.gpu == made.gpu && other.terms == made.terms;
    });
    if (twice && !made.gpu.empty())
      item.error(fmt::format("{} has two {} rates", made.gpu, to_string(made.terms)), "keep one of them");
    all.push_back(std::move(made));
  }
  file.finish();
  if (file.context().diagnostics.errors() > before) return false;
  rates = std::move(all);
  return true;
}

}  // namespace fleetsim
