#include "topology/card_limits.hpp"

#include <algorithm>
#include <array>

namespace fleetsim {

namespace {

struct CurvePoint {
  double power;  ///< limit / board power
  Span speed;
};
constexpr std::array<CurvePoint, 6> kCurve = {{{0.0, {0.0, 0.0, 0.0}},
                                               {0.25, {0.25, 0.10, 0.50}},
                                               {0.5, {0.65, 0.45, 0.85}},
                                               {0.7, {0.90, 0.70, 0.98}},
                                               {0.8, {0.96, 0.95, 0.99}},
                                               {1.0, {1.0, 1.0, 1.0}}}};

double between(double a, double b, double t) {
  return a + (b - a) * t;
}

constexpr Span kWater{30.0, 20.0, 40.0}, kBlower{56.0, 50.0, 62.0}, kPassive{56.0, 50.0, 62.0},
    kOpenAir{54.0, 46.0, 60.0}, kTouching{16.0, 10.0, 30.0};

}  // namespace

Span capped_speed(Watts limit, Watts board_power) {
  const double power = limit / board_power;
  if (!(power < 1.0)) return kCurve.back().speed;
  const auto above = std::find_if(kCurve.begin() + 1, kCurve.end(),
                                  [&](const CurvePoint& point) { return power <= point.power; });
  const CurvePoint& a = *(above - 1);
  const double t = (power - a.power) / (above->power - a.power);
  return {between(a.speed.value, above->speed.value, t), between(a.speed.low, above->speed.low, t),
          between(a.speed.high, above->speed.high, t)};
}

int card_width(const NodeType& node) {
  return node.cards.slot_width > 0 ? node.cards.slot_width : node.gpu.slot_width.value;
}

bool cards_touch(const NodeType& node) {
  const int width = card_width(node);
  if (node.gpus < 2 || width == 0 || node.cards.slots == 0) return false;
  return node.cards.slots - node.gpus * width < node.gpus - 1;
}

CardCooling card_cooling(const NodeType& node) {
  if (node.cards.cooling != CardCooling::unknown) return node.cards.cooling;
  if (node.cooling == Cooling::water) return CardCooling::water;
  return node.gpu.slot_width.value == 0 ? CardCooling::passive : CardCooling::unknown;
}

std::optional<Span> temperature_rise(const NodeType& node) {
  switch (card_cooling(node)) {
    case CardCooling::unknown:
      return std::nullopt;
    case CardCooling::water:
      return kWater;
    case CardCooling::blower:
      return kBlower;
    case CardCooling::passive:
      return kPassive;
    case CardCooling::open_air:
      break;
  }
  if (!cards_touch(node)) return kOpenAir;
  return Span{kOpenAir.value + kTouching.value, kOpenAir.low + kTouching.low, kOpenAir.high + kTouching.high};
}

std::optional<Celsius> card_temperature(const NodeType& node, std::optional<Watts> limit, Celsius inlet) {
  const std::optional<Span> rise = temperature_rise(node);
  const Watts board = node.gpu.board_power.value;
  if (!rise || !(board > Watts{})) return std::nullopt;
  const double power = limit ? std::min(1.0, *limit / board) : 1.0;
  return Celsius{inlet.count() + rise->value * power};
}

double throttled_speed(Celsius temperature) {
  const double above = temperature.count() - kThrottleFrom.count();
  if (!(above > 0.0)) return 1.0;
  return std::max(kThrottleFloor, 1.0 - kThrottleLossPerKelvin * above);
}

double card_speed(const NodeType& node, std::optional<Watts> limit, Celsius inlet) {
  const double capped = limit && node.gpu.board_power.value > Watts{}
                            ? capped_speed(*limit, node.gpu.board_power.value).value
                            : 1.0;
  const std::optional<Celsius> temperature = card_temperature(node, limit, inlet);
  return capped * (temperature ? throttled_speed(*temperature) : 1.0);
}

double slower_run_time(double speed, double efficiency) {
  if (speed == 1.0) return 1.0;
  return 1.0 + efficiency * (1.0 / speed - 1.0);
}

}  // namespace fleetsim
