#include "sim/study/dossier_energy_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace fleetsim {

namespace {

using Json = nlohmann::json;

}  // namespace

Json energy_json(const EnergyInfo& info) {
  Json lines = Json::array();
  for (const EnergyLine& line : info.lines)
    lines.push_back({{"name", line.name},
                     {"gpu_hours", line.gpu_hours},
                     {"kwh", line.kwh},
                     {"cost_usd", to_usd(line.cost)},
                     {"carbon_kg", line.carbon_kg}});
  return {{"lines", std::move(lines)},
          {"kwh", info.kwh},
          {"cost_usd", to_usd(info.cost)},
          {"grid", info.grid},
          {"grid_source", info.grid_source},
          {"grid_as_of", info.grid_as_of},
          {"operational_kg", info.operational_kg},
          {"embodied_kg", info.embodied_kg},
          {"embodied_low_kg", info.embodied_low_kg},
          {"embodied_high_kg", info.embodied_high_kg},
          {"embodied_basis", info.embodied_basis}};
}

EnergyInfo energy_from_json(const Json& json) {
  try {
    EnergyInfo info;
    for (const Json& line : json.at("lines"))
      info.lines.push_back({line.at("name").get<std::string>(), line.at("gpu_hours").get<double>(),
                            line.at("kwh").get<double>(), usd(line.at("cost_usd").get<double>()),
                            line.at("carbon_kg").get<double>()});
    info.kwh = json.at("kwh").get<double>();
    info.cost = usd(json.at("cost_usd").get<double>());
    info.grid = json.at("grid").get<std::string>();
    info.grid_source = json.at("grid_source").get<std::string>();
    info.grid_as_of = json.at("grid_as_of").get<std::string>();
    info.operational_kg = json.at("operational_kg").get<double>();
    info.embodied_kg = json.at("embodied_kg").get<double>();
    info.embodied_low_kg = json.at("embodied_low_kg").get<double>();
    info.embodied_high_kg = json.at("embodied_high_kg").get<double>();
    info.embodied_basis = json.at("embodied_basis").get<std::string>();
    return info;
  } catch (const Json::exception& e) {
    throw std::runtime_error(fmt::format("not a fleetsim dossier: dossier.energy: {}", e.what()));
  }
}

}  // namespace fleetsim
