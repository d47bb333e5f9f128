#include "sim/workload/profile.hpp"

#include <cstddef>

namespace fleetsim {

namespace {

using Week = std::array<double, kHoursPerWeek>;

// Submissions to KTH-SP2 (1996-97, Parallel Workloads Archive) by hour of day (UTC+1) and by weekday, each
// over its mean.
constexpr std::array<double, 24> kHourOfDay = {.38,  .34,  .21,  .11,  .06,  .08,  .19,  .54,
                                               1.30, 1.77, 1.81, 1.71, 1.82, 2.11, 2.08, 2.14,
                                               1.91, 1.65, .82,  .75,  .63,  .57,  .59,  .43};
constexpr std::array<double, 7> kDayOfWeek = {1.09, 1.25, 1.28, 1.31, 1.09, .44, .55};

constexpr Week office_hours() {
  Week week{};
  double sum = 0.0;
  for (std::size_t hour = 0; hour < week.size(); ++hour)
    sum += week[hour] = kDayOfWeek[hour / 24] * kHourOfDay[hour % 24];
  for (double& weight : week) weight *= static_cast<double>(kHoursPerWeek) / sum;
  return week;
}

constexpr Week flat() {
  Week week{};
  for (double& weight : week) weight = 1.0;
  return week;
}

constexpr Week kOfficeHours = office_hours();
constexpr Week kFlat = flat();

}  // namespace

const Week& weekly_profile(ArrivalProfile profile) {
  switch (profile) {
    case ArrivalProfile::flat:
      return kFlat;
    case ArrivalProfile::office_hours:
      return kOfficeHours;
  }
  return kFlat;
}

}  // namespace fleetsim
