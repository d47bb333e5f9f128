// The list of every figure that a result rests on.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/units.hpp"
#include "sim/economics/carbon.hpp"
#include "sim/study/dossier_parts.hpp"
#include "sim/study/objectives/objective.hpp"
#include "topology/scaling_constants.hpp"
#include "topology/step_time.hpp"

namespace fleetsim {
namespace {

std::string text_of(Money x) {
  return money_text(x);
}
std::string text_of(Watts x) {
  return to_text(x);
}
std::string text_of(Bytes x) {
  return to_text(x);
}
std::string text_of(BytesPerSecond x) {
  return fmt::format("{:.4g} GB/s", x.count() / 1e9);
}
std::string text_of(Latency x) {
  return fmt::format("{:.4g} us", 1e6 * x.count());
}
std::string ratio_text(double x) {
  return fmt::format("{:.4g}", x);
}
std::string percent_text(double x) {
  return fmt::format("{:.4g} %", 100.0 * x);
}

class Collector {
 public:
  explicit Collector(std::string used_for) : used_for_(std::move(used_for)) {}

  /// `owner` tells two figures of one name apart, where they differ.
  void add(Assumption assumption, const std::string& owner) {
    assumption.used_for = used_for_;
    if (holds(assumption)) return;
    const bool taken =
        std::any_of(all_.begin(), all_.end(), [&](const Assumption& a) { return a.what == assumption.what; });
    if (taken) assumption.what += fmt::format(" ({})", owner);
    if (!holds(assumption)) all_.push_back(std::move(assumption));
  }

  template <class T, class Text>
  void figure(const std::string& what, const Figure<T>& figure, const std::string& owner, Text text) {
    Assumption a{
        what,     text(figure.value), "", "", figure.from.source, figure.from.as_of, figure.from.estimate,
        used_for_};
    if (figure.from.estimate && figure.low < figure.high) {
      a.low = text(figure.low);
      a.high = text(figure.high);
    }
    if (a.estimate && !figure.from.note.empty() && a.source.find(figure.from.note) == std::string::npos) {
      a.source += ": " + figure.from.note;
    }
    add(std::move(a), owner);
  }
  template <class T>
  void figure(const std::string& what, const Figure<T>& x, const std::string& owner) {
    figure(what, x, owner, [](const T& value) { return text_of(value); });
  }
  void of_scenario(const std::string& what, const std::string& value) {
    add({what, value, "", "", "scenario file", "", false, used_for_}, "scenario");
  }
  void estimate(const std::string& what, const std::string& value, const std::string& low,
                const std::string& high, const std::string& source) {
    add({what, value, low, high, source, "", true, used_for_}, "scenario");
  }

  [[nodiscard]] std::vector<Assumption> take() && { return std::move(all_); }

 private:
  [[nodiscard]] bool holds(const Assumption& x) const {
    return std::any_of(all_.begin(), all_.end(), [&](const Assumption& a) {
      return a.what == x.what && a.value == x.value && a.low == x.low && a.high == x.high &&
             a.source == x.source;
    });
  }

  std::string used_for_;
  std::vector<Assumption> all_;
};

std::vector<Assumption> price_figures(const Scenario& scenario) {
  Collector out("price");
  for (const NodePool& pool : scenario.pools) {
    for (const PricePart& part : pool.node.price_parts) {
      out.figure(part.item + ", price", part.unit_price, pool.node.title);
    }
  }
  const LinkType& link = scenario.fabric.link;
  if (scenario.fabric.shape != FabricShape::none) {
    out.figure(link.title + " adapter with cable, price", link.adapter_price, link.title);
    out.figure(link.title + " switch, price", link.switch_price, link.title);
  }
  out.figure("Ethernet management switch, price", scenario.prices.management_switch, "room");
  out.figure("rack with power distribution, price", scenario.prices.rack, "room");
  out.figure("support and repair a year, share of the nodes' price", scenario.prices.support_per_year, "room",
             percent_text);
  if (const auto& burst = scenario.scheduler.burst)
    out.figure(fmt::format("{}, rent of a {}-hour, {}", burst->node.gpu.title,
                           accelerator_word(burst->node.gpu), to_string(burst->terms)),
               burst->rate, burst->node.title);
  out.of_scenario(
      "electricity, price",
      fmt::format("{:.4g} USD/kWh", static_cast<double>(scenario.site.electricity.count()) / 1e6));
  if (scenario.budget > Money{}) out.of_scenario("budget", money_text(scenario.budget));
  return std::move(out).take();
}

std::vector<Assumption> power_figures(const Scenario& scenario) {
  Collector out("power");
  for (const NodePool& pool : scenario.pools) {
    const NodeType& node = pool.node;
    out.figure(node.gpu.title + ", board power", node.gpu.board_power, node.title);
    out.figure(node.gpu.title + ", idle power over board power", node.gpu.idle_power_share, node.title,
               ratio_text);
    out.figure(node.title + ", power of all but the GPUs at load", node.base_power_load, node.title);
    out.figure(node.title + ", power of all but the GPUs when idle", node.base_power_idle, node.title);
  }
  if (carbon_asked(scenario)) {
    const CarbonSpec& carbon = scenario.site.facility.carbon;
    out.add({"CO2e of a kWh", grid_text(carbon), "", "", carbon.source, carbon.as_of,
             carbon.source == "estimate", ""},
            "site");
    for (const NodePool& pool : scenario.pools)
      out.figure(pool.node.title + ", CO2e of making one",
                 embodied_carbon(scenario.prices.embodied, pool.node), pool.node.title,
                 [](double kg) { return fmt::format("{:.0f} kg", kg); });
  }
  out.of_scenario("PUE (meter over IT power)", ratio_text(scenario.site.pue));
  if (scenario.site.power_limit) {
    out.of_scenario("power limit at the meter", to_text(*scenario.site.power_limit));
  }
  out.of_scenario("rack",
                  fmt::format("{} U, {}, {}", scenario.site.rack.units, to_text(scenario.site.rack.power),
                              scenario.site.rack.provided ? "provided" : "to be bought"));
  return std::move(out).take();
}

void link_figures(Collector& out, const LinkType& link) {
  if (link.wire_rate.value.count() > 0.0) {
    out.figure(link.title + ", wire rate a direction", link.wire_rate, link.name);
  }
  out.figure(link.title + ", usable rate a direction", link.usable_rate, link.name);
  if (link.latency.value > Latency{}) out.figure(link.title + ", latency of a step", link.latency, link.name);
}

void model_figures(Collector& out, const Scenario& scenario, const JobClass& job_class) {
  const ModelType& model = *job_class.model;
  const std::string& unit = model.throughput_unit;
  out.figure(fmt::format("{}, throughput of one {}", model.title, model.reference_gpu),
             model.reference_throughput, model.name,
             [&](double x) { return fmt::format("{:.4g} {}/s", x, unit); });
  out.figure(model.title + ", batch a GPU", model.batch_per_gpu, model.name, ratio_text);
  out.figure(model.title + ", gradient exchanged a step", model.gradient, model.name);
  std::vector<const GpuType*> gpus;
  for (const NodePool& pool : scenario.pools) gpus.push_back(&pool.node.gpu);
  if (scenario.scheduler.burst) gpus.push_back(&scenario.scheduler.burst->node.gpu);
  for (const GpuType* one : gpus) {
    const GpuType& gpu = *one;
    if (gpu.name == model.reference_gpu || !may_hold(gpu, job_class)) continue;
    const auto listed = model.relative_speed.find(gpu.name);
    const std::string what =
        fmt::format("{}, speed of {} over {}", model.title, gpu.title, model.reference_gpu);
    if (listed != model.relative_speed.end()) {
      out.figure(what, listed->second, model.name, ratio_text);
    } else {
      const RelativeSpeed speed = relative_speed(model, gpu);
      out.add({what, ratio_text(speed.value), ratio_text(speed.low), ratio_text(speed.high), speed.source,
               gpu.memory_bandwidth.from.as_of, speed.estimated, ""},
              model.name);
    }
    if (const auto batch = model.batch_on.find(gpu.name); batch != model.batch_on.end()) {
      out.figure(fmt::format("{}, batch a GPU on {}", model.title, gpu.title), batch->second, model.name,
                 ratio_text);
    }
  }
}

/// A unit that is a phrase ("of wire rate") stands in the name, not behind every number.
bool is_phrase(std::string_view unit) {
  return unit.find(' ') != std::string_view::npos;
}

std::string constant_name(const scaling::Constant& constant) {
  return is_phrase(constant.unit) ? fmt::format("scaling model, {} ({})", constant.name, constant.unit)
                                  : fmt::format("scaling model, {}", constant.name);
}

std::string constant_text(const scaling::Constant& constant, double x) {
  if (constant.unit == "B/s") return text_of(BytesPerSecond{x});
  if (constant.unit == "B") return fmt::format("{:.4g} MB", x / 1e6);
  if (constant.unit == "s") return fmt::format("{:.4g} us", x * 1e6);
  if (constant.unit.empty() || is_phrase(constant.unit)) return ratio_text(x);
  return fmt::format("{:.4g} {}", x, constant.unit);
}

std::vector<Assumption> speed_figures(const Scenario& scenario) {
  Collector out("speed");
  for (const JobClass& job_class : scenario.workload.classes) {
    if (job_class.model) model_figures(out, scenario, job_class);
  }
  for (const NodePool& pool : scenario.pools) {
    const NodeType& node = pool.node;
    out.figure(node.gpu.title + ", memory bandwidth", node.gpu.memory_bandwidth, node.title);
    out.figure(node.title + ", staging through host memory", node.host_staging, node.title);
    link_figures(out, node.pcie);
    if (node.cpu_link.usable_rate.value.count() > 0.0) link_figures(out, node.cpu_link);
    if (node.gpu_link && node.gpu_links != GpuLinkTopology::none) link_figures(out, *node.gpu_link);
  }
  if (scenario.fabric.shape != FabricShape::none) link_figures(out, scenario.fabric.link);
  for (const scaling::Constant& constant : scaling::kAll) {
    const bool range = constant.low < constant.high;
    out.add({constant_name(constant), constant_text(constant, constant.value),
             range ? constant_text(constant, constant.low) : "",
             range ? constant_text(constant, constant.high) : "",
             fmt::format("{} ({})", constant.source, constant.origin), "", range, ""},
            "scaling model");
  }
  return std::move(out).take();
}

struct LawText {
  std::string operator()(const LognormalSpec& x) const {
    return fmt::format("log-normal, median {:.4g} h, mean {:.4g} h, at most {:.4g} h", to_hours(x.median),
                       to_hours(x.mean), to_hours(x.max));
  }
  std::string operator()(const ExponentialSpec& x) const {
    return fmt::format("exponential, mean {:.4g} h", to_hours(x.mean));
  }
  std::string operator()(const FixedSpec& x) const { return fmt::format("{:.4g} h", to_hours(x.value)); }
};

void class_figures(Collector& out, const WorkloadSpec& workload, const JobClass& job_class) {
  const std::string name = job_class.name + ", ";
  if (job_class.arrivals && job_class.arrivals->closed_loop) {
    const ClosedLoop& loop = *job_class.arrivals->closed_loop;
    out.of_scenario(name + "closed loop",
                    fmt::format("{} in flight of each user, the next one {:.4g} h after an end on average "
                                "(exponential, at all hours)",
                                loop.jobs_in_flight == 1 ? std::string("one job")
                                                         : fmt::format("{} jobs", loop.jobs_in_flight),
                                to_hours(loop.mean_think)));
  } else if (job_class.arrivals) {
    out.of_scenario(
        name + "arrivals",
        fmt::format(
            "{:.4g} a day and user, {}", job_class.arrivals->per_user.count() * 86400.0,
            job_class.arrivals->profile == ArrivalProfile::office_hours ? "office hours" : "spread evenly"));
  }
  std::string sizes;
  for (const SizeShare& size : job_class.gpus) {
    sizes += fmt::format("{}{}: {:.4g} %", sizes.empty() ? "" : ", ", size.gpus, 100.0 * size.probability);
  }
  out.of_scenario(name + "GPUs", sizes);
  out.of_scenario(name + "wall time at the requested size",
                  std::visit(LawText{}, job_class.wall_time.law) +
                      (job_class.wall_time.reference ? " on " + job_class.wall_time.reference->title : ""));
  out.of_scenario(name + "GPU memory", to_text(job_class.gpu_memory));
  if (job_class.promotes_to) {
    out.of_scenario(name + "promotion",
                    fmt::format("{:.4g} % of completed jobs become {} after a pause of {:.4g} h on average",
                                100.0 * job_class.promotes_to->probability,
                                workload.classes.at(index(job_class.promotes_to->target)).name,
                                to_hours(job_class.promotes_to->mean_pause)));
  }
  out.estimate(name + "requested limit over run time",
               fmt::format("median {:.4g} over users, log-normal with sigma 0.5, at least 1.1",
                           job_class.limit_factor_median),
               "", "", "estimate: how far users overstate their run times; median from the scenario");
}

std::vector<Assumption> workload_figures(const Scenario& scenario) {
  Collector out("workload");
  const WorkloadSpec& workload = scenario.workload;
  if (!workload.classes.empty()) out.of_scenario("users", fmt::format("{}", workload.users));
  for (const JobClass& job_class : workload.classes) class_figures(out, workload, job_class);
  if (workload.trace) {
    out.of_scenario("recorded workload",
                    fmt::format("{}, {} job{}", workload.trace_file, workload.trace->jobs.size(),
                                workload.trace->jobs.size() == 1 ? "" : "s"));
  }
  if (const auto& burst = scenario.scheduler.burst) {
    out.of_scenario("wait after which a job goes to rented GPUs", to_text(burst->above_wait));
    if (burst->terms == RentTerms::spot)
      out.add({"interruptions of a rented GPU", to_text(burst->interruptions), "", "",
               burst->interruptions_source.empty() ? "scenario file" : burst->interruptions_source, "", false,
               ""},
              "scenario");
  }
  for (const NodePool& pool : scenario.pools) {
    out.figure(pool.node.gpu.title + ", memory", pool.node.gpu.memory, pool.node.title);
  }
  // The range is a judgement of what labs do: few or very many tries for each result.
  if (objective_of(scenario.study).of_k)
    out.estimate("k, prototypes run in sequence for each result",
                 ratio_text(scenario.study.prototypes_per_result), "3", "300",
                 "estimate: own judgement; value from the scenario");
  return std::move(out).take();
}

}  // namespace

bool may_hold(const GpuType& gpu, const JobClass& job_class) {
  return gpu.memory.value >= job_class.gpu_memory;
}

std::vector<Assumption> assumptions_of(const Scenario& scenario) {
  std::vector<Assumption> all;
  for (auto part : {price_figures, power_figures, room_figures, speed_figures, workload_figures}) {
    std::vector<Assumption> some = part(scenario);
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace fleetsim
