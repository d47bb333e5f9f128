// One catalogue file -> one record. Every figure with value, source and date; faults go to the Reader's
// diagnostics.
#pragma once

#include <optional>
#include <string>

#include "scenarios/loader/catalog.hpp"
#include "scenarios/loader/reader.hpp"

namespace fleetsim {

// Each returns nothing when the file has faults. Names of other entries are looked up in `catalog`; a GPU or
// link that has faults of its own is in `broken` and is not reported a second time.
using Broken = std::set<std::string>;

[[nodiscard]] std::optional<GpuType> read_gpu(Reader& file, const std::string& name);
[[nodiscard]] std::optional<LinkType> read_link(Reader& file, const std::string& name);
[[nodiscard]] std::optional<NodeType> read_node(Reader& file, const std::string& name, const Catalog& catalog,
                                                const Broken& broken);
[[nodiscard]] std::optional<ModelType> read_model(Reader& file, const std::string& name,
                                                  const Catalog& catalog, const Broken& broken);
/// Data sheets of the GPUs that the model was measured on.
void fill_measured_cards(ModelType& model, const Catalog& catalog);
[[nodiscard]] std::optional<SystemType> read_system(Reader& file, const std::string& name,
                                                    const Catalog& catalog, const Broken& broken);
[[nodiscard]] std::optional<AdviceTree> read_advice_tree(Reader& file, const std::string& name,
                                                         const Catalog& catalog, const Broken& broken);
/// prices/cloud.yaml; replaces `rates`.
bool read_cloud_rates(Reader& file, const Catalog& catalog, std::vector<CloudRate>& rates);
/// `name` must be a price that fleetsim uses; replaces it in `prices`.
bool read_price(Reader& file, const std::string& name, Prices& prices);

}  // namespace fleetsim
