// What a piece of interconnect is worth to a job: the same GPUs with it and without it, both by step_time.
#pragma once

#include <string>
#include <vector>

#include "topology/fabric.hpp"
#include "topology/step_time.hpp"

namespace fleetsim {

/// Equal nodes on one fabric, enough of them for the largest job.
class Park {
 public:
  /// Throws std::invalid_argument when the nodes cannot be wired, or when the job needs several nodes and the
  /// fabric joins none. Cost: one fabric.
  Park(NodeType node, FabricSpec fabric, int largest_job);

  /// Seconds of one optimiser step's samples on `gpus` GPUs, packed on as few nodes as hold them.
  /// Precondition: 1 <= gpus <= largest job.
  [[nodiscard]] double step_s(const ModelType& model, int gpus) const;
  /// Speed of `gpus` GPUs over one.
  [[nodiscard]] double speedup(const ModelType& model, int gpus) const;
  [[nodiscard]] const NodeType& node() const { return node_; }

 private:
  NodeType node_;
  int largest_;
  Fabric fabric_;
};

/// How much faster the job runs in `with` than in `without`, per cent: 100 (t_without / t_with - 1).
[[nodiscard]] double gain_percent(const ModelType& model, int gpus, const Park& with, const Park& without);

/// The same for a mix of jobs: the GPU-hours that the jobs take in `with` are spread equally over the sizes
/// 1, 2, 4, ... `largest`; per cent by which all of them together take longer in `without`.
[[nodiscard]] double mix_gain_percent(const ModelType& model, int largest, const Park& with,
                                      const Park& without);

/// Variants of a node; the name tells the change, because equal names are one type to a fabric.
[[nodiscard]] NodeType with_slot(NodeType node, const LinkType& slot);
[[nodiscard]] NodeType without_gpu_links(NodeType node);
[[nodiscard]] NodeType with_bridges(NodeType node, const LinkType& bridge);

/// Shape `leaf-spine`, fully provisioned.
[[nodiscard]] FabricSpec spine_fabric(const LinkType& link, int adapters_per_node);

/// One line of the figure: gain over job size.
struct ValueCurve {
  std::string technology;  ///< e.g. "NVLink"
  std::string basis;       ///< the two machines in words
  std::string model;       ///< title
  struct Point {
    int gpus = 2;
    double gain_percent = 0.0;
  };
  std::vector<Point> points;
};

/// Gains at 2, 4, 8, ... `largest`, from `first` on.
[[nodiscard]] ValueCurve value_curve(std::string technology, std::string basis, const ModelType& model,
                                     const Park& with, const Park& without, int first, int largest);

}  // namespace fleetsim
