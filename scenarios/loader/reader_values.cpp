// The Reader's getters of one value: text to quantity, its range, words.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <variant>

#include "scenarios/loader/reader.hpp"
#include "sim/base/units.hpp"
#include "sim/base/utf8.hpp"
#include "sim/economics/rounding.hpp"

namespace fleetsim {

namespace {

template <class T>
std::string shown(const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return fmt::format("{}", value);
  } else {
    return to_text(value);
  }
}

}  // namespace

namespace {

/// Tables, terminals and CSV would do what a control character says. Line ends and tabs are text, but not in
/// a name, which stands in a line of a table.
const char* unfit(std::string text, bool one_line) {
  if (!one_line)
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return unfit_in_name(text);
}

/// `649 EUR`, `0.30 EUR/kWh`: the currency, and the same text in USD.
struct ForeignMoney {
  std::string currency, as_usd;
};

/// Nothing when the text names no currency by three capital letters, or names USD.
std::optional<ForeignMoney> foreign_money(std::string_view text) {
  const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  std::size_t at = 0;
  while (at < text.size() && !capital(text[at])) ++at;
  std::size_t end = at;
  while (end < text.size() && capital(text[end])) ++end;
  const std::string currency(text.substr(at, end - at));
  if (currency.size() != 3 || currency == "USD") return std::nullopt;
  return ForeignMoney{currency, std::string(text.substr(0, at)) + "USD" + std::string(text.substr(end))};
}

UnitError no_exchange(const std::string& currency) {
  return {
      fmt::format("there is no exchange rate for {}", currency),
      fmt::format("give economics: {{exchange: {{{}: {{rate: 1.18 USD, as_of: 2026-11, source: ...}}}}}}, "
                  "or write USD",
                  currency)};
}

/// A parser that also takes the currencies of `rates`; null: USD alone.
template <class T, class Parse, class Convert>
auto in_any_currency(const std::map<std::string, Money>* rates, const Parse& parse, const Convert& convert) {
  return [=](std::string_view text) -> Parsed<T> {
    const std::optional<ForeignMoney> foreign = foreign_money(text);
    if (!foreign || rates == nullptr) return parse(text);
    const auto rate = rates->find(foreign->currency);
    if (rate == rates->end()) return no_exchange(foreign->currency);
    const Parsed<T> in_usd = parse(foreign->as_usd);
    if (const T* amount = std::get_if<T>(&in_usd)) return convert(*amount, rate->second);
    return UnitError{fmt::format("'{}' is not an amount in {}", text, foreign->currency),
                     fmt::format("write e.g. '649.50 {}'", foreign->currency)};
  };
}

}  // namespace

const std::string* Reader::scalar(const char* wanted) const {
  if (is_scalar() && !node_->text.empty()) return &node_->text;
  if (is_null() || is_scalar()) {
    error(fmt::format("'{}' has no value", name()), fmt::format("write {}", wanted));
  } else {
    error(fmt::format("'{}' must be {}, not a {}", name(), wanted, is_map() ? "map" : "list"));
  }
  return nullptr;
}

template <class T>
Range<T> Reader::range_of(const Range<T>& given) const {
  if (given.least || given.most || context_->schema == nullptr) return given;
  const SchemaKey* key = context_->schema->find(schema_path_);
  if (key == nullptr) return given;
  return std::visit(
      [&](const auto& described) -> Range<T> {
        if constexpr (std::is_same_v<std::decay_t<decltype(described)>, Range<T>>) return described;
        return given;
      },
      key->bounds);
}

template <class T>
bool Reader::in_range(const T& value, const Range<T>& range) const {
  // -0 is no legal way to write 0 where nothing may be negative.
  const bool minus = range.least && !(*range.least < T{}) && !node_->text.empty() && node_->text[0] == '-';
  const bool low = minus || (range.least && (range.above ? !(value > *range.least) : value < *range.least));
  const bool high = range.most && value > *range.most;
  if (!low && !high) return true;
  if (minus) {
    error(fmt::format("'{}' must not be negative, but is {}", name(), node_->text),
          fmt::format("{} {}", range.above ? "more than" : "at least", shown(*range.least)));
  } else {
    const char* relation = high ? "at most" : range.above ? "more than" : "at least";
    // An amount or a share beyond its range is mostly one of another unit: show one that is right.
    const SchemaKey* described = context_->schema != nullptr ? context_->schema->find(schema_path_) : nullptr;
    const bool shown_best =
        described != nullptr && (described->kind == KeyKind::money || described->kind == KeyKind::ratio);
    error(fmt::format("'{}' must be {} {}, not {}", name(), relation,
                      shown(high ? *range.most : *range.least), node_->text),
          shown_best ? what_to_write() : std::string{});
  }
  return false;
}

template <class T, class Parse>
std::optional<T> Reader::quantity(const char* wanted, const Parse& parse, const Range<T>& range) const {
  const std::string* written = scalar(wanted);
  if (written == nullptr) return std::nullopt;
  const Parsed<T> parsed = parse(*written);
  if (const auto* fault = std::get_if<UnitError>(&parsed)) {
    error(fault->message, fault->hint);
    return std::nullopt;
  }
  const T value = std::get<T>(parsed);
  return in_range(value, range_of(range)) ? std::optional<T>(value) : std::nullopt;
}

std::optional<std::string> Reader::text() const {
  const std::string* written = scalar("a text");
  if (written == nullptr) return std::nullopt;
  if (const char* fault = unfit(*written, schema_path_ == "name")) {
    error(fmt::format("'{}' holds {}", name(), fault), "write it without escapes such as \\e or \\0");
    return std::nullopt;
  }
  return *written;
}

std::optional<std::int64_t> Reader::integer(Range<std::int64_t> range) const {
  return quantity<std::int64_t>("a whole number", parse_integer, range);
}

std::optional<std::uint64_t> Reader::unsigned_integer() const {
  return quantity<std::uint64_t>("a whole number from 0 on", parse_unsigned, {});
}

std::optional<double> Reader::number(Range<double> range) const {
  return quantity<double>("a number", parse_number, range);
}

std::optional<double> Reader::ratio(Range<double> range) const {
  return quantity<double>("a ratio", parse_ratio, range);
}

std::optional<bool> Reader::boolean() const {
  const std::string* written = scalar("true or false");
  if (written == nullptr) return std::nullopt;
  if (*written == "true" || *written == "false") return *written == "true";
  std::string lower;
  for (const char c : *written) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto is = [&](std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), lower) != words.end();
  };
  const char* meant = is({"yes", "y", "on", "true", "1"})    ? "write true"
                      : is({"no", "n", "off", "false", "0"}) ? "write false"
                                                             : "";
  error(fmt::format("'{}' is neither true nor false", *written), meant);
  return std::nullopt;
}

std::optional<Duration> Reader::duration(Range<Duration> range) const {
  return quantity<Duration>("a duration", parse_duration, range);
}

std::optional<Duration> Reader::limit(Range<Duration> range) const {
  return quantity<Duration>("a duration", parse_time_limit, range);
}

std::optional<BytesPerSecond> Reader::data_rate(Range<BytesPerSecond> range) const {
  return quantity<BytesPerSecond>("a data rate", parse_data_rate, range);
}

std::optional<Bytes> Reader::bytes(Range<Bytes> range) const {
  return quantity<Bytes>("an amount of data", parse_bytes, range);
}

std::optional<Watts> Reader::power(Range<Watts> range) const {
  return quantity<Watts>("a power", parse_power, range);
}

std::optional<Money> Reader::money(Range<Money> range) const {
  const auto convert = [](Money amount, Money rate) { return exchanged(amount, rate); };
  return quantity<Money>("an amount of money",
                         in_any_currency<Money>(context_->exchange, parse_money, convert), range);
}

std::optional<MoneyPerEnergy> Reader::energy_price(Range<MoneyPerEnergy> range) const {
  const auto convert = [](MoneyPerEnergy price, Money rate) {
    return MoneyPerEnergy{exchanged(Money{price.count()}, rate).count()};
  };
  return quantity<MoneyPerEnergy>(
      "a price of energy", in_any_currency<MoneyPerEnergy>(context_->exchange, parse_energy_price, convert),
      range);
}

std::optional<CarbonIntensity> Reader::carbon_intensity(Range<CarbonIntensity> range) const {
  return quantity<CarbonIntensity>("a carbon intensity", parse_carbon_intensity, range);
}

std::optional<Celsius> Reader::temperature(Range<Celsius> range) const {
  return quantity<Celsius>("a temperature", parse_temperature, range);
}

std::optional<PerSecond> Reader::rate(Range<PerSecond> range) const {
  return quantity<PerSecond>("a rate", parse_rate, range);
}

std::optional<std::size_t> Reader::choose(const std::vector<std::string>& known, const std::string& what,
                                          const std::string& also) const {
  const std::string* written = scalar("a word");
  if (written == nullptr) return std::nullopt;
  const auto place = std::find(known.begin(), known.end(), *written);
  if (place != known.end()) return static_cast<std::size_t>(place - known.begin());
  const std::string near = did_you_mean(*written, known);
  const std::string kind = what.empty() ? fmt::format("value of '{}'", name()) : what;
  const std::string hint = !near.empty() ? fmt::format("did you mean '{}'?", near)
                                         : fmt::format("known: {}", fmt::join(known, ", "));
  error(fmt::format("unknown {}: '{}'", kind, *written),
        also.empty() ? hint : hint + (near.empty() ? "; " : " ") + also);
  return std::nullopt;
}

}  // namespace fleetsim
