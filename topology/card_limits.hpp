// What slows a card down: a power limit that its owner sets, and heat that does not leave it.
#pragma once

#include <optional>

#include "topology/hardware.hpp"

namespace fleetsim {

/// A figure of the models below with its range: all of them are estimates or single measurements.
struct Span {
  double value = 0.0, low = 0.0, high = 0.0;
};

/// Speed of a card that may draw `limit`, over its speed at board power; 1 for a limit at or above it.
///
/// Piecewise linear in limit / board power through (0.25, 0.25), (0.5, 0.65), (0.7, 0.90), (0.8, 0.96), (1,
/// 1); below the first point proportional. Ranges at these points: 0.10-0.50, 0.45-0.85, 0.70-0.98,
/// 0.95-0.99.
/// Source: Puget Systems, Quad RTX3090 GPU Wattage Limited, 2020-11-13: four RTX 3090 at 280 W of 350 W keep
/// over 95 % of their speed in ResNet-50 training. The rest is an estimate: nodehome.ai, Power Caps On Three
/// RTX 3090s (300 W -> 250 W costs 27 % of gpu-burn, the worst case of pure arithmetic, hence 0.70 at 0.7);
/// jeanfbrito.github.io, RTX 3090 Power Limit (280 W costs 1 % of text generation, below 200 W it collapses).
[[nodiscard]] Span capped_speed(Watts limit, Watts board_power);

/// Whether the cards of a node stand without a free slot between them: fewer free slots than gaps.
[[nodiscard]] bool cards_touch(const NodeType& node);
/// Slots that one card covers in this node; 0: a module, or not known.
[[nodiscard]] int card_width(const NodeType& node);
/// How the cards are cooled: as the node says; a water-cooled node by water; a module (SXM, OAM) by the air
/// stream of its chassis; else not known.
[[nodiscard]] CardCooling card_cooling(const NodeType& node);

/// Kelvin by which a card at board power is warmer than the air at the node's front, in steady state; none
/// where the cooling is not known. A card's cooler is built for its board power, so the rise at that power is
/// taken as one figure a kind of cooling, whatever the card:
///
///   water 30 (20-40), blower 56 (50-62), passive 56 (50-62),
///   open-air 54 (46-60), and 16 (10-30) more where cards touch.
///
/// Source: guide 2020: a gap between cards is worth 10-30 C; four RTX 2080 Ti Founders that touch pass 90 C;
/// lambdal/deeplearning-benchmark monitor logs: 78 C (95th percentile) in a well-aired server. The rest is an
/// estimate. The case, 1-3 C by the guide, is within the ranges.
[[nodiscard]] std::optional<Span> temperature_rise(const NodeType& node);

/// Steady-state temperature of a card: T = inlet + R x P with R = rise / board power and P the smaller of
/// board power and limit. None where the cooling is not known.
[[nodiscard]] std::optional<Celsius> card_temperature(const NodeType& node, std::optional<Watts> limit,
                                                      Celsius inlet);

/// Cards clock down from here on (estimate, 80-89 C): the logs show full speed at 78 C, less at 87 C; boost
/// targets of GeForce cards are 83 or 84 C by vendor pages, entered from memory.
inline constexpr Celsius kThrottleFrom{84.0};
/// Speed lost a kelvin above that: 8 % (measured 6.3, 8 and 10 %) at 87 C, so 8 % / 3 K.
inline constexpr double kThrottleLossPerKelvin = 0.08 / 3.0;
/// No card is taken as slower than this: nobody published more loss. The guide has four RTX 2080 Ti above 90
/// C below a cool RTX 2070, which is 0.73 of a RTX 2080 Ti by memory bandwidth.
inline constexpr double kThrottleFloor = 0.70;
/// Temperature at which the floor is reached (95.25 C): beyond it the loss is not known.
inline constexpr Celsius kThrottleUnknown{84.0 + (1.0 - kThrottleFloor) / kThrottleLossPerKelvin};

/// Speed of a card that would reach `temperature` at full clocks, over that of a cool one: 1 up to
/// kThrottleFrom, then linear down to kThrottleFloor.
[[nodiscard]] double throttled_speed(Celsius temperature);

/// Both together: speed of a card of this node under a limit and with this air. 1 where neither slows it, and
/// exactly 1 where the cooling is not known and no limit is set.
[[nodiscard]] double card_speed(const NodeType& node, std::optional<Watts> limit, Celsius inlet);

/// Run time of a job on slower cards over that on cards at full speed: the computing part of a step, its
/// scaling efficiency, takes 1 / speed as long; exposed communication stays. At most 1 / speed.
[[nodiscard]] double slower_run_time(double speed, double efficiency);

}  // namespace fleetsim
