#include "reports/numbers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "sim/economics/economics.hpp"
#include "sim/economics/rounding.hpp"

namespace fleetsim {

namespace {

constexpr const char* kMinus = "\xE2\x88\x92";

std::string with_commas(std::string digits) {
  const std::size_t point = digits.find('.');
  std::size_t at = point == std::string::npos ? digits.size() : point;
  while (at > 3) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

}  // namespace

std::string grouped(double value, int digits) {
  if (!std::isfinite(value)) return kNone;
  std::string text = with_commas(fmt::format("{:.{}f}", std::abs(value), digits));
  const bool zero = text.find_first_not_of("0.,") == std::string::npos;
  return value < 0.0 && !zero ? kMinus + text : text;
}

std::string dollars(Money amount) {
  const std::string text = grouped(std::round(std::abs(to_usd(amount))));  // halves away from zero, as bills
  return (amount < Money{} && text != "0" ? std::string(kMinus) : std::string{}) + "$" + text;
}

std::string exact_dollars(Money amount) {
  return (to_cents(amount) < Money{} ? std::string(kMinus) : std::string{}) + "$" + money_digits(amount);
}

std::string cents(Money amount) {
  const std::string text = grouped(std::abs(to_usd(amount)), 2);
  return (amount < Money{} ? std::string(kMinus) : std::string{}) + "$" + text;
}

std::string percent(double ratio, int digits) {
  if (!std::isfinite(ratio)) return kNone;
  return grouped(ratio * 100.0, digits) + kNbsp + "%";
}

std::string hours(double value) {
  if (!std::isfinite(value)) return kNone;
  return grouped(value, std::abs(value) < 99.95 ? 1 : 0) + kNbsp + "h";
}

std::string wait(double seconds) {
  if (!std::isfinite(seconds)) return kNone;
  if (seconds < 59.5 * 60.0) {
    const bool short_wait = seconds > 0.0 && seconds < 30.0;
    return short_wait ? std::string("<1") + kNbsp + "min" : grouped(seconds / 60.0) + kNbsp + "min";
  }
  const double h = seconds / 3600.0;
  return grouped(h, h < 9.95 ? 1 : 0) + kNbsp + "h";
}

std::string between(double low, double high, std::string (*one)(double)) {
  if (!std::isfinite(low) || !std::isfinite(high)) return kNone;
  return one(low) + " to " + one(high);
}

std::string signed_percent(double value) {
  if (!std::isfinite(value)) return kNone;
  const std::string text = grouped(value, std::abs(value) < 99.95 ? 1 : 0);
  return (value > 0.0 && text != "0.0" ? "+" : "") + text + kNbsp + "%";
}

std::string count(long long number, const std::string& singular, const std::string& plural) {
  const std::string word = number == 1 ? singular : plural.empty() ? singular + "s" : plural;
  return grouped(static_cast<double>(number)) + kNbsp + word;
}

}  // namespace fleetsim
