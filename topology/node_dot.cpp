// The inside of one node as a picture: CPUs, PCIe switches, GPUs, adapters, NVLink, with usable GB/s each
// way.
#include <fmt/format.h>

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <map>

#include "sim/base/assert.hpp"
#include "topology/dot.hpp"
#include "topology/graph.hpp"

namespace fleetsim {
namespace {

class NodePicture {
 public:
  NodePicture(const Fabric& fabric, NodeId id)
      : g_(fabric.graph()), v_(g_.nodes[index(id)]), type_(fabric.node(id)), link_(fabric.spec().link) {}

  std::string draw() {
    place();
    std::string out = dot::begin("inside");
    for (const VertexId v : v_.cpus) out += device(v, 118, dot::kBlue, dot::kBlue, "white");
    for (const VertexId v : v_.switches)
      out += device(v, std::min(94.0, pitch_ * 2.4), "white", dot::kBlue, dot::kBlue);
    for (const VertexId v : v_.gpus)
      out += device(v, slot_width(), dot::kTints[0], dot::kTints[0], dot::kInk);
    for (const VertexId v : v_.nics)
      out += device(v, slot_width(), dot::kTints[1], dot::kTints[1], dot::kInk);
    draw_links(out);
    draw_gpu_links(out);
    draw_note(out);
    return out + "}\n";
  }

 private:
  static constexpr double kSlotY = 19, kSwitchY = 112;
  [[nodiscard]] double cpu_y() const { return v_.switches.empty() ? 112.0 : 200.0; }
  [[nodiscard]] double slot_width() const { return std::min(62.0, pitch_ - 5); }
  [[nodiscard]] const Vertex& at(VertexId v) const { return g_.wiring[v]; }

  /// PCIe neighbour above a GPU, adapter or switch.
  [[nodiscard]] VertexId parent(VertexId v) const {
    for (const auto e : boost::make_iterator_range(boost::out_edges(v, g_.wiring))) {
      const VertexId to = boost::target(e, g_.wiring);
      const Device device = at(to).device;
      if (device == Device::cpu) return to;
      // Devices hang on any switch; a switch on one that was there before it.
      if (device == Device::pcie_switch && (at(v).device != Device::pcie_switch || to < v)) return to;
    }
    return v;
  }

  /// Slots from left to right: what hangs on the first switch (or CPU), then on the second, and so on.
  void place() {
    std::vector<VertexId> hosts = v_.switches.empty() ? v_.cpus : v_.switches;
    std::vector<std::vector<VertexId>> below;
    for (const VertexId host : hosts) {
      below.emplace_back();
      for (const auto* all : {&v_.gpus, &v_.nics}) {
        for (const VertexId v : *all) {
          if (parent(v) == host) below.back().push_back(v);
        }
      }
      std::sort(below.back().begin(), below.back().end());  // a cube mesh hands out GPUs in another order
    }
    std::size_t slots = 0;
    for (const auto& group : below) slots += group.size();
    const double gap = below.size() > 1 ? 10.0 : 0.0;
    pitch_ = std::min(70.5, (dot::kWidth - 8 - gap * static_cast<double>(below.size())) /
                                static_cast<double>(std::max<std::size_t>(slots, 1)));
    double x =
        (dot::kWidth - pitch_ * static_cast<double>(slots) - gap * static_cast<double>(below.size() - 1)) / 2;
    std::map<VertexId, std::vector<double>> children;
    for (std::size_t h = 0; h < hosts.size(); ++h) {
      for (const VertexId v : below[h]) {
        x_[v] = x + pitch_ / 2;
        x += pitch_;
      }
      if (!below[h].empty()) {
        x_[hosts[h]] = (x_[below[h].front()] + x_[below[h].back()]) / 2;
        x += gap;
      }
    }
    for (const VertexId v : v_.switches) children[parent(v)].push_back(x_[v]);
    double right = 0;
    for (const VertexId cpu : v_.cpus) {
      if (!v_.switches.empty() && children.count(cpu) != 0) {
        const auto& c = children[cpu];
        x_[cpu] = (c.front() + c.back()) / 2;
      } else if (x_.count(cpu) == 0) {
        x_[cpu] = std::min(right + 250, dot::kWidth - 62);  // nothing hangs on this socket
      }
      right = x_[cpu];
    }
    if (v_.cpus.size() == 2 && x_[v_.cpus[1]] - x_[v_.cpus[0]] < 200) x_[v_.cpus[0]] = x_[v_.cpus[1]] - 230;
  }

  [[nodiscard]] std::string id(VertexId v) const {
    static constexpr const char* kLetters[] = {"G", "P", "C", "M", "E", "H", "L", "S", "K"};
    return fmt::format("{}{}", kLetters[static_cast<int>(at(v).device)], at(v).index);
  }

  [[nodiscard]] std::string memory() const {
    return fmt::format("{:.0f} GB", static_cast<double>(type_.gpu.memory.value.count()) / 1e9);
  }

  std::string device(VertexId v, double width, std::string_view fill, std::string_view border,
                     std::string_view ink) {
    dot::Box box{id(v), x_[v], kSlotY, width, 34};
    box.fill = fill;
    box.border = border;
    box.ink = ink;
    box.title_size = width < 44 ? 9.5 : 11;
    const bool narrow = width < 31;  // the number alone fits; a note says what it is
    switch (at(v).device) {
      case Device::cpu:
        box.y = cpu_y();
        box.title = fmt::format("CPU {}", at(v).index);
        box.lines = {"with host memory"};
        break;
      case Device::pcie_switch:
        box.y = kSwitchY;
        box.title = fmt::format("Switch {}", at(v).index);
        if (width < 60) box.title_size = 9.5;
        box.lines = {width > 66 ? type_.pcie.title : "PCIe"};
        break;
      case Device::gpu:
        box.title = fmt::format("{}{}", narrow ? "" : "GPU ", at(v).index);
        if (!narrow) box.lines = {memory()};
        break;
      default:
        box.title = fmt::format("{}{}", narrow ? "" : "NIC ", at(v).index);
        if (!narrow)
          box.lines = {dot::gb_per_s(link_.usable_rate.value.count()) + (width > 50 ? " GB/s" : "")};
    }
    y_[v] = box.y;
    return dot::box(box);
  }

  void draw_links(std::string& out) {
    for (const auto e : boost::make_iterator_range(boost::edges(g_.wiring))) {
      const VertexId a = boost::source(e, g_.wiring), b = boost::target(e, g_.wiring);
      if (a < v_.first || a >= v_.last || x_.count(a) == 0 || x_.count(b) == 0 || a < b) continue;
      const Link& link = g_.wiring[e];
      if (link.kind == LinkKind::nvlink) continue;
      const bool sockets = link.kind == LinkKind::cpu;
      const bool nic = at(a).device == Device::nic || at(b).device == Device::nic;
      const auto is_host = [&](VertexId v) {
        return at(v).device == Device::pcie_switch || at(v).device == Device::cpu;
      };
      const bool trunk = is_host(a) && is_host(b);
      out += dot::line(id(a), id(b), sockets || nic ? dot::kOchre : (trunk ? dot::kBlue : dot::kPaleBlue),
                       sockets || trunk ? 1.5 : 1.0);
      if (pitch_ < 30 && !trunk && !sockets && a != v_.gpus.front() && b != v_.gpus.front()) continue;
      // The label lies nearer to the narrow end of a fan, where the lines stand apart.
      const bool a_above = is_host(a) && !is_host(b);
      const double t = trunk || sockets ? 0.5 : (a_above ? 0.62 : 0.38);
      const double x = x_[a] + t * (x_[b] - x_[a]), y = y_[a] + t * (y_[b] - y_[a]);
      out += dot::text(fmt::format("r{}{}", id(a), id(b)), x, y,
                       dot::gb_per_s(link.rate) + (sockets || (trunk && pitch_ > 30) ? " GB/s" : ""),
                       sockets || nic ? dot::kDarkOchre : dot::kSecond, pitch_ < 44 ? 9.5 : 10);
    }
  }

  void draw_gpu_links(std::string& out) {
    if (!type_.gpu_link || type_.gpu_links == GpuLinkTopology::none) return;
    const std::string rate = dot::gb_per_s(type_.gpu_link->usable_rate.value.count()) + " GB/s";
    dot::Box box{"H0", dot::kWidth / 2, kSlotY - 78, 260, 34};
    box.fill = dot::kTints[2];
    box.border = box.fill;
    box.ink = dot::kInk;
    if (type_.gpu_links == GpuLinkTopology::nvswitch) {
      box.title = "NVSwitch";
      box.lines = {fmt::format("{} to every GPU, each way", rate)};
      out += dot::box(box);
      for (const VertexId v : v_.gpus) out += dot::line(id(v), "H0", dot::kTeal, 1.25, true);
      lowest_ = box.y - 17;
      return;
    }
    if (type_.gpu_links == GpuLinkTopology::cube_mesh) return draw_cube_mesh(out);
    for (std::size_t i = 0; i + 1 < v_.gpus.size(); i += 2) {
      box.id = fmt::format("B{}", i / 2);
      box.x = (x_[v_.gpus[i]] + x_[v_.gpus[i + 1]]) / 2;
      box.y = kSlotY - 52;
      box.width = std::min(100.0, 2 * pitch_ - 6);
      box.title = "NVLink bridge";
      box.title_size = 10;
      box.lines = {rate};
      out += dot::box(box);
      out += dot::line(id(v_.gpus[i]), box.id, dot::kTeal, 1.25);
      out += dot::line(id(v_.gpus[i + 1]), box.id, dot::kTeal, 1.25);
      lowest_ = box.y - 17;
    }
  }

  /// The mesh again, as two rows of four: links in a row that skip a GPU bend around it.
  void draw_cube_mesh(std::string& out) {
    const double top = kSlotY - 112, gap = 64;
    std::map<VertexId, std::size_t> number;
    std::vector<VertexId> gpus = v_.gpus;
    std::sort(gpus.begin(), gpus.end());
    const auto x = [&](std::size_t i) { return dot::kWidth / 2 + (static_cast<double>(i % 4) - 1.5) * 110; };
    const auto y = [&](std::size_t i) { return i < 4 ? top : top - gap; };
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      number[gpus[i]] = i;
      dot::Box box{fmt::format("Q{}", i), x(i), y(i), 52, 22};
      box.fill = box.border = dot::kTints[0];
      box.ink = dot::kInk;
      box.title = fmt::format("GPU {}", at(gpus[i]).index);
      out += dot::box(box);
    }
    double one = 0.0;
    for (const auto e : boost::make_iterator_range(boost::edges(g_.wiring))) {
      const auto a = number.find(boost::source(e, g_.wiring)), b = number.find(boost::target(e, g_.wiring));
      if (g_.wiring[e].kind != LinkKind::nvlink || a == number.end() || b == number.end() ||
          b->second < a->second)
        continue;
      const std::size_t i = a->second, j = b->second;
      const double width = g_.wiring[e].cables > 1 ? 3.0 : 1.25;
      one = g_.wiring[e].rate / g_.wiring[e].cables;
      if (j - i == 1 || j - i == 4) {
        out += dot::line(fmt::format("Q{}", i), fmt::format("Q{}", j), dot::kTeal, width);
        continue;
      }
      const std::string bend = fmt::format("Z{}_{}", i, j);
      const double far = (j - i == 2 ? 22.0 : 52.0) * (i < 4 ? 1.0 : -1.0);
      out +=
          fmt::format("  {} [pos=\"{:.1f},{:.1f}\", shape=point, width=0.01, height=0.01, color=\"{}\"];\n",
                      bend, (x(i) + x(j)) / 2, y(i) + far, dot::kTeal);
      out += dot::line(fmt::format("Q{}", i), bend, dot::kTeal, width);
      out += dot::line(bend, fmt::format("Q{}", j), dot::kTeal, width);
    }
    out += dot::text("mesh", 4, top - gap / 2, "NVLink", dot::kSecond, 11, 'l', false);
    lowest_ = top - gap - 58;
    notes_.push_back(fmt::format("Thick: two NVLinks, {} GB/s. Thin: one, {} GB/s.", dot::gb_per_s(2 * one),
                                 dot::gb_per_s(one)));
  }

  void draw_note(std::string& out) {
    std::vector<std::string> notes{"Figures: usable GB/s each way."};
    notes.insert(notes.end(), notes_.begin(), notes_.end());
    if (slot_width() < 31) {
      notes.push_back(fmt::format(
          "Blue: GPUs with {} each.{}", memory(),
          v_.nics.empty()
              ? ""
              : fmt::format(" Sand: adapters of {} GB/s.", dot::gb_per_s(link_.usable_rate.value.count()))));
    }
    if (!type_.gpu.peer_to_peer) {
      notes.push_back(fmt::format(
          "{} exchange through host memory: {} GB/s for all of them together{}.",
          type_.gpu_link ? "GPUs without NVLink between them" : "GPUs cannot reach each other and",
          dot::gb_per_s(type_.host_staging.value.count()),
          type_.host_staging.from.estimate ? " (estimate)" : ""));
    } else if (type_.gpu_links != GpuLinkTopology::nvswitch) {
      notes.front() += type_.gpu_links == GpuLinkTopology::none
                           ? " GPUs reach each other over PCIe."
                           : " GPUs without NVLink between them reach each other over PCIe.";
    }
    double y = lowest_ - 16;
    for (std::size_t i = 0; i < notes.size(); ++i, y -= 14)
      out += dot::text(fmt::format("note{}", i), 4, y, notes[i], dot::kSecond, 10, 'l', false);
  }

  const Fabric::Graph& g_;
  const NodeVertices& v_;
  const NodeType& type_;
  const LinkType& link_;
  double pitch_ = 70.5, lowest_ = kSlotY - 17;
  std::map<VertexId, double> x_, y_;
  std::vector<std::string> notes_;
};

}  // namespace

std::string Fabric::node_to_dot(NodeId id) const {
  FLEETSIM_ASSERT(index(id) < graph_->nodes.size());
  return NodePicture(*this, id).draw();
}

}  // namespace fleetsim
