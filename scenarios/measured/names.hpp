// What published measurements call their machines and models, in the catalogue's terms. Facts about hardware
// and training recipes only: nothing here comes from a measured speed-up.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/loader/catalog.hpp"
#include "sim/base/diagnostic.hpp"
#include "topology/hardware.hpp"

namespace fleetsim {

/// A machine under the name of its publication.
struct MeasuredSystem {
  std::string node;    ///< catalogue node
  std::string link;    ///< between nodes; empty: one node only
  int adapters = 0;    ///< of `link`, per node
  bool torus = false;  ///< the links join accelerators in a torus instead of nodes over switches
  Provenance from;
};

/// A workload under the name of its publication: the catalogue's model and what its recipe does differently.
struct MeasuredModel {
  std::string model;                   ///< catalogue model
  std::optional<double> batch;         ///< samples a pass where the table says none
  std::optional<double> global_batch;  ///< samples an optimiser step, likewise
  std::optional<int> accumulation;     ///< passes before each exchange in weak scaling
  std::optional<bool> overlap;
  /// Time to train only: optimiser steps to the target, and kernels that one step launches.
  std::optional<double> steps, kernels;
  Provenance from;
};

struct MeasuredNames {
  std::map<std::string, MeasuredSystem, std::less<>> systems;
  std::map<std::string, MeasuredModel, std::less<>> models;

  /// The built-in ones. Asserts that every name leads to an entry of the built-in catalogue.
  static const MeasuredNames& builtin();
  /// The built-in ones and those of `folder`/measured, which may name the folder's own hardware. Throws
  /// EnvironmentError when a file cannot be read.
  static MeasuredNames with_folder(const std::filesystem::path& folder, const Catalog& catalog,
                                   Diagnostics& diagnostics);
  /// From `measured/*.yaml`; unknown nodes, links and models are errors with their place.
  static MeasuredNames from_files(const std::vector<Catalog::File>& files, const Catalog& catalog,
                                  Diagnostics& diagnostics);
};

}  // namespace fleetsim
