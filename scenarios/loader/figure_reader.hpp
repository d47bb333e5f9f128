// Reading figures of catalogue files: value with unit, range, source and date. Shared by the record readers.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "scenarios/loader/reader.hpp"
#include "topology/hardware.hpp"

namespace fleetsim {

/// The key must be there; whoever reads it later says what is wrong with its value.
inline void need(Reader& r, const std::string& key) {
  static_cast<void>(r.require(key));
}

/// `source` and `as_of` of the map that `r` reads.
[[nodiscard]] Provenance read_provenance(Reader& r);
/// The same of a map of several words (an interface, a wiring): an estimate needs its `basis`, a source may
/// have a `note`.
[[nodiscard]] Provenance read_map_provenance(Reader& r);
[[nodiscard]] std::string title_of(Reader& file);

/// `59.5 TFLOP/s`, as FLOP/s.
[[nodiscard]] std::optional<double> read_flops(const Reader& value);

/// `150 kg`, as kg.
[[nodiscard]] std::optional<double> read_kilograms(const Reader& value);

/// `3.4 us`, as seconds: finer than the clock of a simulation.
[[nodiscard]] std::optional<Latency> read_latency(const Reader& value);

/// One figure. `get(reader, key)` reads a value with its unit.
template <class T, class Get>
void read_figure(Reader& r, const Get& get, Figure<T>& figure) {
  if (!r.is_map()) {
    r.error(fmt::format("'{}' needs a source and a date", r.name()),
            "write {value: ..., source: ..., as_of: YYYY-MM}");
    return;
  }
  need(r, "value");
  figure.value = figure.low = figure.high = get(r, "value").value_or(T{});
  figure.from = read_provenance(r);
  if (figure.from.estimate) {
    need(r, "low");
    need(r, "high");
    need(r, "basis");
    const auto low = get(r, "low"), high = get(r, "high");
    figure.from.note = r.text("basis").value_or("");
    if (low && high) {
      figure.low = *low;
      figure.high = *high;
      if (figure.low > figure.value || figure.value > figure.high)
        r.error("an estimate needs low <= value <= high");
    }
  } else {
    for (const char* key : {"low", "high", "basis"}) {
      if (const auto extra = r.find(key))
        extra->error_at_key(fmt::format("'{}' belongs to an estimate", key),
                            "write 'source: estimate' or leave it out");
    }
    figure.from.note = r.text("note").value_or("");
  }
  r.finish();
}

template <class T, class Get>
bool optional_figure(Reader& parent, const std::string& key, const Get& get, Figure<T>& figure) {
  auto r = parent.find(key);
  if (r) read_figure(*r, get, figure);
  return r.has_value();
}

template <class T, class Get>
void figure_at(Reader& parent, const std::string& key, const Get& get, Figure<T>& figure) {
  if (auto r = parent.require(key)) read_figure(*r, get, figure);
}

/// Getters for read_figure(): the value at a key, with its unit and its legal range. Ranges hold any machine
/// that could be meant and end where a step or a sum would leave what the clock and the ledgers hold.
namespace figure {
inline const auto kCount = [](Reader& r, const std::string& key) -> std::optional<int> {
  const auto n = r.integer(key, between<std::int64_t>(1, 1'000'000));
  return n ? std::optional<int>(static_cast<int>(*n)) : std::nullopt;
};
inline auto number_in(double least, double most) {
  return [=](Reader& r, const std::string& key) { return r.number(key, between(least, most)); };
}
inline const auto kShare = [](Reader& r, const std::string& key) { return r.ratio(key, between(0.0, 1.0)); };
inline const auto kBytes = [](Reader& r, const std::string& key) {
  return r.bytes(key, between(Bytes{1}, Bytes{10'000'000'000'000}));
};
inline const auto kRate = [](Reader& r, const std::string& key) {
  return r.data_rate(key, between(BytesPerSecond{1e7}, BytesPerSecond{1e15}));
};
inline const auto kPower = [](Reader& r, const std::string& key) {
  return r.power(key, between(Watts{0.1}, Watts{1e6}));
};
/// A price. 0 USD would be bought as a gift.
inline const auto kMoney = [](Reader& r, const std::string& key) -> std::optional<Money> {
  const auto money = r.money(key, at_least(Money{0}));
  if (!money || *money > Money{}) return money;
  if (const auto place = r.find(key))
    place->error("a price cannot be 0 USD", "leave the price out where none is known");
  return std::nullopt;
};
inline const auto kLatency = [](Reader& r, const std::string& key) { return r.at(key, read_latency); };
inline const auto kBool = [](Reader& r, const std::string& key) { return r.boolean(key); };
inline const auto kKilograms = [](Reader& r, const std::string& key) { return r.at(key, read_kilograms); };
inline const auto kFlops = [](Reader& r, const std::string& key) { return r.at(key, read_flops); };
}  // namespace figure

/// Counts errors of one file: the record is kept only when none came.
class Faultless {
 public:
  explicit Faultless(Reader& file)
      : diagnostics_(file.context().diagnostics), before_(diagnostics_.errors()) {}
  [[nodiscard]] bool so_far() const { return diagnostics_.errors() == before_; }
  template <class T>
  std::optional<T> give(T&& record) const {
    return diagnostics_.errors() == before_ ? std::optional<T>(std::forward<T>(record)) : std::nullopt;
  }

 private:
  const Diagnostics& diagnostics_;
  int before_;
};

}  // namespace fleetsim
