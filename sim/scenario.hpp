// A scenario with every name resolved: plain data, no YAML, no files. The loader makes it; everything below
// reads it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/quantity.hpp"
#include "sim/base/time.hpp"
#include "sim/scenario/advice_spec.hpp"
#include "sim/scenario/availability_spec.hpp"
#include "sim/scenario/burst_spec.hpp"
#include "sim/scenario/economics_spec.hpp"
#include "sim/scenario/facility_spec.hpp"
#include "sim/scenario/study_axis.hpp"
#include "sim/workload/trace.hpp"
#include "topology/fabric.hpp"
#include "topology/hardware.hpp"

namespace fleetsim {

struct Horizon {
  Duration warm_up = 4 * kWeek;  ///< simulated, not measured
  Duration measure =
      26 * kWeek;              ///< jobs submitted here, and their promoted children, are tagged and followed
  Duration drain = 8 * kWeek;  ///< arrivals go on, at most this long, until every tagged job has ended
  int replications = 20;
  /// `warm_up: mser-5`: `run` and `study` find it in pilot runs (sim/study/warm_up.hpp) and put it in place
  /// of `warm_up`, which until then is the default.
  bool warm_up_by_mser = false;
  /// Half the width of the 95 % interval of what fleets are ranked by, relative to its mean; 0: not asked
  /// for.
  double precision = 0.0;
};

/// Nodes of one type, bought together.
struct NodePool {
  std::string name;  ///< e.g. proto
  NodeType node;
  int count = 0;  ///< whole nodes; filled from `counts` or by economics/resolve
  /// The lab has these nodes: their count is fixed in every candidate, and they cost nothing to buy.
  bool existing = false;
  std::string bought{}, retires{};         ///< of existing nodes, YYYY-MM or YYYY-MM-DD; may be empty
  std::optional<Money> resale{};           ///< what a sale of one existing node brings; none: not said
  int sold = 0;                            ///< existing nodes that this fleet replaces
  std::optional<Watts> gpu_power_limit{};  ///< cap a GPU, below its board power; none: no cap
  bool off_when_idle = false;              ///< draws power only while it is used
};

/// What the fleet section asked for, before it was resolved to whole nodes. One entry a pool that is bought.
struct FleetRequest {
  std::vector<double>
      share;  ///< sums to 1; empty when counts were given. A pool without a share takes the rest
  std::vector<int> counts;  ///< empty when a split was given
};

struct RackSpec {
  int units = 42;
  Watts power{12000.0};
  bool provided = false;  ///< racks stand in the room already; one set of rack parts is charged
};

enum class GeforceRule { allowed, waived, forbidden };

struct Site {
  MoneyPerEnergy electricity{120'000};
  double pue = 1.5;  ///< meter over IT power
  std::optional<Watts> power_limit;
  RackSpec rack;
  Celsius inlet_temperature{22.0};
  GeforceRule geforce_in_datacentre = GeforceRule::waived;
  FacilitySpec facility;
};

enum class PolicyKind { fifo, easy, conservative, builtin, backfill };
/// private_machines: every user has one node of the only pool, a queue of its own and nobody else's.
enum class SharingRule { strict, overflow, preempt, one_pool, private_machines };
inline constexpr SharingRule kSharingRules[] = {SharingRule::strict, SharingRule::overflow,
                                                SharingRule::preempt, SharingRule::one_pool,
                                                SharingRule::private_machines};
/// Order of events within one instant; see engine.hpp.
enum class TieRule { batch, end_first, submit_first };

/// Which nodes a job gets; see cluster/free_map.hpp.
enum class PlacementRule { pack, spread };

/// What becomes of the nodes that the lab owns: they are all there will be, stay beside what is bought, or
/// are sold and their price is spent on new ones.
enum class Alternative { keep, add, replace };

[[nodiscard]] const char* to_string(Alternative alternative);  ///< keep, add, replace
[[nodiscard]] const char* to_string(RentTerms terms);          ///< on-demand, reserved, spot
[[nodiscard]] const char* to_string(PolicyKind kind);
[[nodiscard]] const char* to_string(SharingRule rule);    ///< strict, overflow, preempt, one-pool, private
[[nodiscard]] const char* to_string(TieRule rule);        ///< batch, end-first, submit-first
[[nodiscard]] const char* to_string(PlacementRule rule);  ///< pack, spread

struct Partition {
  std::string name;
  std::vector<PoolId> pools;  ///< own nodes, in order of preference
  Duration max_time = 7 * kDay;
  std::optional<Duration>
      overflow_max_time;  ///< jobs of other partitions may use idle nodes here, up to this limit
  bool is_default = false;
};

struct SchedulerSpec {
  PolicyKind policy = PolicyKind::easy;
  SharingRule sharing = SharingRule::overflow;
  TieRule ties = TieRule::batch;
  PlacementRule placement = PlacementRule::pack;
  bool kill_at_limit = true;
  std::vector<Partition> partitions;  ///< index = QueueId
  std::optional<BurstSpec> burst;     ///< none: jobs wait however long it takes
};

enum class ArrivalProfile { flat, office_hours };

/// Every user of the class keeps `jobs_in_flight` loops going: a think time after a job has ended, whatever
/// its state, the loop submits the next one.
struct ClosedLoop {
  Duration mean_think{};  ///< exponential, > 0
  int jobs_in_flight = 1;
};

struct ArrivalSpec {
  PerSecond per_user{};  ///< mean over calendar days, each user
  ArrivalProfile profile = ArrivalProfile::office_hours;
  std::optional<ClosedLoop> closed_loop{};  ///< instead of a rate and a profile, which then say nothing
};

struct SizeShare {
  int gpus = 1;
  double probability = 1.0;
};

/// Cut at `max` by redraw; median and mean hold after the cut (the loader refuses unreachable pairs).
struct LognormalSpec {
  Duration median{}, mean{}, max{};
};
struct ExponentialSpec {
  Duration mean{};
};
struct FixedSpec {
  Duration value{};
};

struct WallTimeSpec {
  std::variant<LognormalSpec, ExponentialSpec, FixedSpec> law;
  std::optional<NodeType>
      reference;  ///< node on which the drawn wall time holds, at the requested size; none: holds everywhere
};

struct PromotionSpec {
  ClassId target{};
  double probability = 0.0;          ///< per completed job
  Duration mean_pause = 12 * kHour;  ///< exponential
};

struct JobClass {
  std::string name;
  std::optional<ModelType> model;       ///< none: scales perfectly and runs equally fast everywhere
  std::optional<ArrivalSpec> arrivals;  ///< none: only entered by promotion
  std::vector<SizeShare> gpus;
  WallTimeSpec wall_time;
  Bytes gpu_memory{};
  /// The job waits for GPUs below at most so many leaf switches (Slurm's --switches, without its maximum
  /// wait).
  std::optional<int> max_switches;
  double limit_factor_median =
      2.5;  ///< requested limit over run time, log-normal per user, sigma 0.5, at least 1.1
  QueueId partition{};
  std::optional<PromotionSpec> promotes_to;
};

/// Users that belong together: a department, a project.
struct UserGroup {
  std::string name;
  int users = 0;                    ///< they are numbered group after group, in the order of the file
  std::vector<std::int32_t> ids{};  ///< of a trace: its group ids that are this group
};

struct WorkloadSpec {
  int users = 1;
  std::vector<UserGroup> groups;       ///< split the users; empty: nobody asks for groups
  std::vector<JobClass> classes;       ///< index = ClassId
  std::shared_ptr<const Trace> trace;  ///< beside or instead of the classes; null: none
  std::string trace_file;
  std::optional<GpuType> trace_recorded_on;
  QueueId trace_partition{};
};

/// pool_sizes: the private machines of all users, and shared pools of 1, 2, ... as many of them.
/// affordable_fleets: also those that leave money for further nodes.
enum class CandidateRule { maximal_fleets, as_given, pool_sizes, affordable_fleets };
enum class SearchKind { exhaustive, rounds };

/// e.g. wait_s_p95(prototype) <= 4 h
struct Constraint {
  std::string metric;
  std::optional<ClassId> job_class;
  bool at_most = true;                 ///< false: at least
  double bound = 0.0;                  ///< in the metric's own unit (seconds, ratio, ...)
  std::string text;                    ///< as written
  std::optional<std::size_t> group{};  ///< index into workload.groups; never beside a class
};

/// One of the two figures of study.front: the name of an objective, `cost_per_year`, or of a metric with its
/// class or group.
struct FrontMetric {
  std::string metric;
  std::optional<ClassId> job_class{};
  std::optional<std::size_t> group{};
  std::string text{};  ///< as written
};

struct StudySpec {
  CandidateRule candidates = CandidateRule::maximal_fleets;
  std::vector<Alternative> alternatives;     ///< laid side by side, `keep` always first; empty: only `add`
  std::string objective = "time_to_result";  ///< name of an objective, see sim/study/objectives/
  double prototypes_per_result = 30.0;       ///< k
  std::vector<Constraint> constraints;
  SearchKind search = SearchKind::exhaustive;
  double indifference = 0.02;   ///< "practically no worse" zone, relative
  int price_draws = 0;          ///< draws from the ranges of the estimates; 0: no robustness over prices
  int draw_replications = 4;    ///< of a fleet that only drawn prices make affordable
  int max_replications = 0;     ///< most that `search: rounds` gives a candidate; 0: 5 x time.replications
  std::vector<StudyAxis> axes;  ///< what is varied beside fleets and sharing rules
  /// What a map tells beside: which fleets keep these bounds. They rank nothing; empty: the constraints.
  std::vector<Constraint> limits;
  std::vector<FrontMetric> front;  ///< two figures that no fleet may beat both of, see front.hpp; or none
};

/// A price of the scenario's own: it replaces one of the catalogue, or is bought as a line of its own.
struct GivenPrice {
  std::string item;     ///< `NAME` or `NAME PART` of the catalogue; else what the quote calls it
  Figure<Money> price;  ///< whole cents
  int quantity = 0;     ///< 0: replaces a price of the catalogue; else so many are bought, whatever the fleet
};

/// kg CO2e of making one: a GPU card, a server without its cards, a workstation without its cards.
struct EmbodiedFigures {
  Figure<double> card, server, workstation;
};

/// Prices that belong to no node, from scenarios/catalog/prices/.
struct Prices {
  Figure<Money> management_switch;  ///< Ethernet, one a cluster
  Figure<Money> rack;               ///< rack with power distribution
  Figure<double> support_per_year;  ///< support and repair, share of the purchase
  Figure<Money> cable;              ///< between switches, or nodes of a torus; 0: no price is known
  EmbodiedFigures embodied;
  std::vector<GivenPrice> given;  ///< of the scenario, in its order; those of the catalogue are in place
};

/// A key that was read and range-checked but that nothing evaluates yet.
struct NotEvaluated {
  std::string path;
  std::string reason;
};

struct Scenario {
  std::string name;
  std::uint64_t seed = 1;
  Horizon time;
  Money budget{};
  std::vector<NodePool> pools;  ///< index = PoolId; existing ones stand behind those that are bought
  FleetRequest request;
  std::optional<Alternative> alternative;  ///< of a candidate of a study of alternatives
  std::string choice;  ///< of a candidate of a study with axes of choices, "link=infiniband-hdr"; else empty
  FabricSpec fabric;
  Site site;
  EconomicsSpec economics;
  AvailabilitySpec availability;
  SchedulerSpec scheduler;
  WorkloadSpec workload;
  StudySpec study;
  AdviceSpec advice;
  Prices prices;
  std::vector<NotEvaluated> not_evaluated;
};

/// The pair (class that promotes, class that is promoted to) that results are counted with; the first in
/// class order, or none when no class promotes.
struct ResultChain {
  ClassId prototype{}, result{};
};
[[nodiscard]] std::optional<ResultChain> result_chain(const Scenario& scenario);

/// Whether some class has no rate of arrivals of its own, so that the demand depends on the waits.
[[nodiscard]] bool has_closed_loop(const Scenario& scenario);

/// How many pools can be bought; they stand before the existing ones.
[[nodiscard]] std::size_t bought_pools(const Scenario& scenario);

/// What a fleet is called: counts of the bought pools, e.g. `13+3`, behind the alternative where there is
/// one: `add 1+2`, `replace 3+1`, `keep`; and before the choice where there is one: `13+3 shape=none`.
[[nodiscard]] std::string fleet_label(const Scenario& scenario);

/// The pool that shares speak of: the first pool of the result class's partition, unless the prototypes'
/// partition starts with the same; else, and without a chain, the last pool. Precondition: there is a pool.
[[nodiscard]] PoolId scale_pool(const Scenario& scenario);

}  // namespace fleetsim
