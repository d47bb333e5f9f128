// Numbers as a reader sees them: grouped thousands, units after a no-break space, intervals in words. Locale
// "C".
#pragma once

#include <string>

#include "sim/base/quantity.hpp"
#include "sim/study/study.hpp"

namespace fleetsim {

inline constexpr const char* kNbsp = "\xC2\xA0";      ///< between a number and its unit
inline constexpr const char* kNone = "\xE2\x80\x93";  ///< an en dash: no value

/// 1234567.8 with one digit -> "1,234,567.8"; negative numbers carry U+2212; NaN and infinity -> kNone.
[[nodiscard]] std::string grouped(double value, int digits = 0);
/// Whole dollars: "$258,948".
[[nodiscard]] std::string dollars(Money amount);
/// To the cent where there are cents: "$258,948", "$70.96". For tables whose lines add up; the digits are
/// those of money_text().
[[nodiscard]] std::string exact_dollars(Money amount);
/// Dollars and cents: "$0.43".
[[nodiscard]] std::string cents(Money amount);
/// 0.27 -> "27 %".
[[nodiscard]] std::string percent(double ratio, int digits = 0);
/// 57.46 -> "57.5 h"; a day and more keeps hours, so that 30 h is never read as 6 h.
[[nodiscard]] std::string hours(double value);
/// A wait in seconds: "0 min", "18 min", "1.8 h", "317 h".
[[nodiscard]] std::string wait(double seconds);
/// `one(low)` to `one(high)`, or kNone where the interval is not finite (a single replication).
[[nodiscard]] std::string between(double low, double high, std::string (*one)(double));
/// +4.1 % / −2.0 %, from a number that is already in percent.
[[nodiscard]] std::string signed_percent(double value);
/// 3 -> "3 nodes", 1 -> "1 node".
[[nodiscard]] std::string count(long long number, const std::string& singular,
                                const std::string& plural = {});

}  // namespace fleetsim
