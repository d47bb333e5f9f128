// Scenario -> canonical YAML: keys in schema order, defaults written out, one spelling for every value.
#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>
#include <string>

#include "scenarios/loader/load.hpp"
#include "scenarios/loader/sections.hpp"
#include "sim/base/units.hpp"

namespace fleetsim {

std::string yaml_word(const std::string& text) {
  static const std::array<std::string_view, 4> nulls = {"null", "Null", "NULL", "~"};
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.' || c == '/';
  };
  const bool safe = !text.empty() && std::isalnum(static_cast<unsigned char>(text.front())) != 0 &&
                    std::all_of(text.begin(), text.end(), plain) &&
                    std::find(nulls.begin(), nulls.end(), text) == nulls.end();
  if (safe) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

namespace {

std::string quoted(const std::string& text) {
  return yaml_word(text);
}

class Writer {
 public:
  std::string text;

  void line(int depth, const std::string& key, const std::string& value) {
    text += fmt::format("{:{}}{}: {}\n", "", 2 * depth, key, value);
  }
  void open(int depth, const std::string& key) { text += fmt::format("{:{}}{}:\n", "", 2 * depth, key); }
};

std::string limit_text(Duration limit) {
  return limit == kCentury ? "UNLIMITED" : to_text(limit);
}

std::string yes_no(bool value) {
  return value ? "true" : "false";
}

void write_deliveries(Writer& w, const Scenario& s) {
  if (s.availability.deliveries.empty()) return;
  w.open(1, "deliveries");
  for (const Delivery& d : s.availability.deliveries)
    w.text += fmt::format("    - {{pool: {}, nodes: {}, at: {}}}\n", quoted(s.pools[d.pool].name), d.nodes,
                          to_text(d.at));
}

void write_failures(Writer& w, const Scenario& s) {
  if (!s.availability.failures) return;
  const FailureSpec& f = *s.availability.failures;
  w.open(0, "failures");
  const auto time = [&](const char* key, Duration value) {
    if (value > Duration{}) w.line(1, key, to_text(value));
  };
  time("node_mtbf", f.node_mtbf);
  time("gpu_mtbf", f.gpu_mtbf);
  time("repair", f.repair);
  time("checkpoint_interval", f.checkpoint_interval);
  time("checkpoint_cost", f.checkpoint_cost);
  w.line(1, "requeue", yes_no(f.requeue));
}

void write_fleet(Writer& w, const Scenario& s) {
  w.open(0, "fleet");
  for (const NodePool& pool : s.pools) {
    if (pool.existing) continue;
    w.open(1, quoted(pool.name));
    w.line(2, "node", quoted(pool.node.name));
    if (pool.gpu_power_limit) w.line(2, "gpu_power_limit", to_text(*pool.gpu_power_limit));
    if (pool.off_when_idle) w.line(2, "when_idle", word_of(idle_words(), true));
  }
  if (bought_pools(s) > 0) {
    const bool counted = !s.request.counts.empty();
    w.open(1, counted ? "counts" : "split");
    for (std::size_t i = 0; i < bought_pools(s); ++i) {
      w.line(2, quoted(s.pools[i].name),
             counted ? fmt::format("{}", s.request.counts[i]) : fmt::format("{}", s.request.share[i]));
    }
  }
  write_deliveries(w, s);
  w.text += existing_text(s);
}

void write_site(Writer& w, const Scenario& s) {
  w.open(0, "fabric");
  w.line(1, "shape", word_of(fabric_words(), s.fabric.shape));
  if (!s.fabric.link.name.empty()) w.line(1, "link", quoted(s.fabric.link.name));
  w.line(1, "hcas_per_node", fmt::format("{}", s.fabric.adapters_per_node));
  w.line(1, "oversubscription", fmt::format("{}", s.fabric.oversubscription));
  if (s.fabric.levels != 0) w.line(1, "levels", fmt::format("{}", s.fabric.levels));
  if (s.fabric.su_nodes != 0) w.line(1, "su_nodes", fmt::format("{}", s.fabric.su_nodes));
  if (!s.fabric.dimensions.empty())
    w.line(1, "dimensions", fmt::format("[{}]", fmt::join(s.fabric.dimensions, ", ")));
  w.open(0, "site");
  w.line(1, "electricity", to_text(s.site.electricity));
  w.line(1, "pue", fmt::format("{}", s.site.pue));
  if (s.site.power_limit) w.line(1, "power_limit", to_text(*s.site.power_limit));
  w.open(1, "rack");
  w.line(2, "units", fmt::format("{}", s.site.rack.units));
  w.line(2, "power", to_text(s.site.rack.power));
  w.line(2, "provided", yes_no(s.site.rack.provided));
  if (s.site.facility.racks != 0) w.line(2, "count", fmt::format("{}", s.site.facility.racks));
  w.text += facility_text(s.site);
  const CarbonSpec& carbon = s.site.facility.carbon;
  if (carbon.grid_kg_per_kwh.empty()) return;
  std::vector<std::string> grid;
  for (const double kg : carbon.grid_kg_per_kwh) grid.push_back(to_text(CarbonIntensity{kg}));
  w.open(1, "carbon");
  w.line(2, "grid", grid.size() == 1 ? grid.front() : fmt::format("[{}]", fmt::join(grid, ", ")));
  w.line(2, "source", quoted(carbon.source));
  w.line(2, "as_of", quoted(carbon.as_of));
}

void write_scheduler(Writer& w, const Scenario& s) {
  w.open(0, "scheduler");
  w.line(1, "type", to_string(s.scheduler.policy));
  w.line(1, "sharing", to_string(s.scheduler.sharing));
  w.line(1, "ties", to_string(s.scheduler.ties));
  w.line(1, "placement", to_string(s.scheduler.placement));
  w.line(1, "kill_at_limit", yes_no(s.scheduler.kill_at_limit));
  w.open(1, "partitions");
  for (const Partition& p : s.scheduler.partitions) {
    w.open(2, quoted(p.name));
    std::vector<std::string> pools;
    for (const PoolId id : p.pools) pools.push_back(quoted(s.pools[index(id)].name));
    w.line(3, "nodes", fmt::format("[{}]", fmt::join(pools, ", ")));
    w.line(3, "max_time", limit_text(p.max_time));
    if (p.overflow_max_time) w.line(3, "overflow_max_time", limit_text(*p.overflow_max_time));
    w.line(3, "default", yes_no(p.is_default));
  }
  w.text += burst_text(s);
}

struct LawText {
  std::string operator()(const LognormalSpec& l) const {
    return fmt::format("lognormal: {{median: {}, mean: {}, max: {}}}", to_text(l.median), to_text(l.mean),
                       to_text(l.max));
  }
  std::string operator()(const ExponentialSpec& l) const {
    return fmt::format("exponential: {{mean: {}}}", to_text(l.mean));
  }
  std::string operator()(const FixedSpec& l) const { return fmt::format("fixed: {}", to_text(l.value)); }
};

void write_class(Writer& w, const Scenario& s, const JobClass& c) {
  w.open(2, quoted(c.name));
  if (c.model) w.line(3, "model", quoted(c.model->name));
  if (c.arrivals) {
    w.open(3, "arrivals");
    if (const auto& loop = c.arrivals->closed_loop) {
      w.line(4, "closed_loop",
             fmt::format("{{think_time: {}, jobs_in_flight: {}}}", to_text(loop->mean_think),
                         loop->jobs_in_flight));
    } else {
      w.line(4, "per_user", to_text(c.arrivals->per_user));
      w.line(4, "profile", word_of(profile_words(), c.arrivals->profile));
    }
  }
  w.open(3, "gpus");
  for (const SizeShare& size : c.gpus)
    w.line(4, fmt::format("{}", size.gpus), fmt::format("{}", size.probability));
  w.open(3, "wall_time");
  w.text += "        " + std::visit(LawText{}, c.wall_time.law) + "\n";
  if (c.wall_time.reference) w.line(4, "reference", quoted(c.wall_time.reference->name));
  w.line(3, "gpu_memory", to_text(c.gpu_memory));
  if (c.max_switches) w.line(3, "max_switches", fmt::format("{}", *c.max_switches));
  w.line(3, "time_limit", fmt::format("{{factor: {}}}", c.limit_factor_median));
  w.line(3, "partition", quoted(s.scheduler.partitions[index(c.partition)].name));
  if (c.promotes_to) {
    w.open(3, "promotes_to");
    w.line(4, "class", quoted(s.workload.classes[index(c.promotes_to->target)].name));
    w.line(4, "probability", fmt::format("{}", c.promotes_to->probability));
    w.line(4, "pause", to_text(c.promotes_to->mean_pause));
  }
}

void write_workload(Writer& w, const Scenario& s) {
  w.open(0, "workload");
  w.line(1, "users", fmt::format("{}", s.workload.users));
  if (s.availability.demand_growth != 0.0)
    w.line(1, "growth", fmt::format("{}", s.availability.demand_growth));
  const auto& groups = s.workload.groups;
  const auto has_users = [](const UserGroup& g) { return g.users > 0; };
  const auto has_ids = [](const UserGroup& g) { return !g.ids.empty(); };
  if (std::any_of(groups.begin(), groups.end(), has_users)) w.open(1, "groups");
  for (const UserGroup& g : groups)
    if (has_users(g)) w.line(2, quoted(g.name), fmt::format("{}", g.users));
  if (!s.workload.classes.empty()) {
    w.open(1, "classes");
    for (const JobClass& c : s.workload.classes) write_class(w, s, c);
  }
  if (!s.workload.trace_file.empty()) {
    w.open(1, "trace");
    w.line(2, "file", quoted(s.workload.trace_file));
    if (s.workload.trace_recorded_on) w.line(2, "recorded_on", quoted(s.workload.trace_recorded_on->name));
    w.line(2, "partition", quoted(s.scheduler.partitions[index(s.workload.trace_partition)].name));
    if (std::any_of(groups.begin(), groups.end(), has_ids)) w.open(2, "groups");
    for (const UserGroup& g : groups)
      if (has_ids(g)) w.line(3, quoted(g.name), fmt::format("[{}]", fmt::join(g.ids, ", ")));
  }
}

void write_study(Writer& w, const Scenario& s) {
  w.open(0, "study");
  w.line(1, "candidates", word_of(candidate_words(), s.study.candidates));
  if (!s.study.alternatives.empty()) {
    std::vector<std::string> words;
    for (const Alternative one : s.study.alternatives) words.emplace_back(to_string(one));
    w.line(1, "alternatives", fmt::format("[{}]", fmt::join(words, ", ")));
  }
  w.line(1, "objective", objective_text(s.study));
  if (s.study.constraints.empty()) {
    w.line(1, "constraints", "[]");
  } else {
    w.open(1, "constraints");
    for (const Constraint& c : s.study.constraints) w.text += fmt::format("    - {}\n", quoted(c.text));
  }
  w.line(1, "search", word_of(search_words(), s.study.search));
  w.line(1, "indifference", fmt::format("{}", s.study.indifference));
  // Written where they say something, so that the text of other scenarios stays that of older versions.
  if (s.study.price_draws != 0) w.line(1, "price_draws", fmt::format("{}", s.study.price_draws));
  if (s.study.draw_replications != StudySpec{}.draw_replications)
    w.line(1, "draw_replications", fmt::format("{}", s.study.draw_replications));
  if (s.study.max_replications != 0)
    w.line(1, "max_replications", fmt::format("{}", s.study.max_replications));
  if (!s.study.limits.empty()) w.open(1, "limits");
  for (const Constraint& c : s.study.limits) w.text += fmt::format("    - {}\n", quoted(c.text));
  if (!s.study.front.empty()) w.open(1, "front");
  for (const FrontMetric& m : s.study.front) w.text += fmt::format("    - {}\n", quoted(m.text));
  if (s.study.axes.empty()) return;
  w.open(1, "axes");
  for (const StudyAxis& axis : s.study.axes)
    w.line(2, quoted(axis.path),
           fmt::format("{{values: [{}], role: {}}}", fmt::join(axis.values, ", "),
                       word_of(role_words(), axis.role)));
}

/// Only what was written: a scenario that asks for no advice keeps its text.
void write_advice(Writer& w, const Scenario& s) {
  const AdviceSpec& a = s.advice;
  const AdviceSpec standard;
  if (a.tree == standard.tree && !a.buyer && !a.cooling_solved && !a.model_parallel && a.bands.empty())
    return;
  w.open(0, "advice");
  if (a.tree != standard.tree) w.line(1, "tree", quoted(a.tree));
  if (a.buyer) w.line(1, "buyer", *a.buyer);
  if (a.cooling_solved) w.line(1, "cooling_solved", yes_no(*a.cooling_solved));
  if (a.model_parallel) w.line(1, "model_parallel", yes_no(*a.model_parallel));
  if (a.bands.empty()) return;
  w.open(1, "bands");
  for (const BandEdges& band : a.bands) {
    w.open(2, quoted(band.band));
    if (band.from) w.line(3, "from", fmt::format("{}", *band.from));
    if (band.below) w.line(3, "below", fmt::format("{}", *band.below));
  }
}

}  // namespace

std::string dump_scenario(const Scenario& s) {
  Writer w;
  w.line(0, "name", quoted(s.name));
  w.line(0, "seed", fmt::format("{}", s.seed));
  w.open(0, "time");
  w.line(1, "warm_up", s.time.warm_up_by_mser ? "mser-5" : to_text(s.time.warm_up));
  w.line(1, "measure", to_text(s.time.measure));
  w.line(1, "drain", to_text(s.time.drain));
  w.line(1, "replications", fmt::format("{}", s.time.replications));
  if (s.time.precision > 0.0) w.line(1, "precision", fmt::format("{}", s.time.precision));
  if (!s.availability.starts.empty()) w.line(1, "starts", s.availability.starts);
  if (s.budget > Money{}) {
    std::string caps;
    for (const Money cap : s.economics.budget_by_year) caps += (caps.empty() ? "" : ", ") + to_text(cap);
    w.line(0, "budget",
           fmt::format("{{capital: {}{}}}", to_text(s.budget),
                       caps.empty() ? "" : fmt::format(", by_year: [{}]", caps)));
  }
  write_fleet(w, s);
  write_site(w, s);
  w.text += economics_text(s.economics) + prices_text(s.prices);
  write_scheduler(w, s);
  write_workload(w, s);
  write_failures(w, s);
  write_study(w, s);
  write_advice(w, s);
  return w.text;
}

std::string sha256_hex(const std::string& text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("libcrypto cannot compute a SHA-256");
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) hex += fmt::format("{:02x}", static_cast<unsigned>(digest[i]));
  return hex;
}

}  // namespace fleetsim
