// Does the fleet fit the room and the rules? Every check is a pure function of the scenario; docs/facility.md
// lists them with threshold, source and remedy.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario.hpp"

namespace fleetsim::facility {

enum class Severity {
  hard,  ///< cannot be run like this: the fleet is no candidate
  soft,  ///< runs, but worse or with less reserve than it should
  note   ///< to know before buying, among it what could not be checked
};
[[nodiscard]] const char* to_string(Severity severity);  ///< hard, soft, note

/// What one check found at one place.
struct Finding {
  Severity severity = Severity::note;
  std::string check;    ///< id of the check, e.g. power-supply
  std::string place;    ///< path in the scenario: fleet.NAME for a pool, site.KEY for the room
  std::string figure;   ///< what the fleet has or needs, with unit; empty where nothing is known
  std::string limit;    ///< what the place allows, with unit; empty where there is none
  std::string message;  ///< one sentence
  std::string remedy;   ///< one sentence; empty where there is nothing to do
};

/// A check of the list. `run` adds what it finds; it looks only at pools that have nodes of the lab's own.
struct Check {
  const char* id;
  void (*run)(const Scenario& scenario, std::vector<Finding>& out);
};
/// All checks, in the order in which findings are listed.
[[nodiscard]] const std::vector<Check>& checks();

/// Findings of the scenario's fleet as counted in its pools: hard ones first, then soft ones, then notes; in
/// the order of checks() and pools within. Rented nodes stand in another's room and are not looked at.
/// Cost: no simulation; O(pools x classes).
[[nodiscard]] std::vector<Finding> check(const Scenario& scenario);

/// Hard findings of a fleet as one text, `CHECK: MESSAGE; CHECK: MESSAGE`; empty when it is admissible.
[[nodiscard]] std::string rejection(const Scenario& scenario);

}  // namespace fleetsim::facility
