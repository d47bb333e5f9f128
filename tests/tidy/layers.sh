#!/usr/bin/env bash
# Who may include whom (README, "The house"), and which third party lives in which room. Usage: layers.sh FLEETSIM SOURCE_DIR
set -u
cd "$2" || exit 2
faults=0

# ROOM: the folders its files may name in #include "...". A room may always name itself.
rooms='
sim/base:
topology: sim/base
sim/workload: sim/scenario.hpp topology sim/base
sim/cluster: sim/scenario.hpp sim/workload topology sim/base
sim/policies: sim/scenario.hpp sim/cluster sim/workload topology sim/base
sim/engine: sim/scenario.hpp sim/policies sim/cluster sim/workload topology sim/base
sim/metrics: sim/scenario.hpp sim/engine sim/policies sim/cluster sim/workload topology sim/base
sim/economics: sim/scenario.hpp sim/metrics sim/engine sim/cluster sim/workload topology sim/base
sim/facility: sim/scenario.hpp sim/economics topology sim/base
sim/advice: sim/scenario.hpp sim/economics sim/workload topology sim/base
sim/study: sim/advice sim/scenario.hpp sim/simulate.hpp sim/facility sim/economics sim/metrics sim/engine sim/workload topology sim/base
scenarios: sim/advice sim/study sim/scenario.hpp sim/simulate.hpp sim/facility sim/economics sim/metrics sim/engine sim/workload topology sim/base
reports: sim/advice sim/study sim/scenario.hpp sim/simulate.hpp sim/facility sim/economics sim/metrics sim/engine sim/workload topology sim/base
'
check_room() {
  local room=$1 allowed=$2 file include ok
  while IFS=: read -r file _ include; do
    include=${include#*\"}
    include=${include%%\"*}
    ok=0
    for folder in $room $allowed; do
      case "$include" in "$folder" | "$folder"/*) ok=1 ;; esac
    done
    if ((!ok)); then
      echo "$file includes \"$include\", which is above its room ($room may name: $allowed)"
      faults=$((faults + 1))
    fi
  done < <(grep -rn --include='*.cpp' --include='*.hpp' '^#include "' "$room")
}
checked=0
while IFS=: read -r room allowed; do
  [[ -n $room ]] || continue
  [[ -d $room ]] || { echo "room $room does not exist"; faults=$((faults + 1)); continue; }
  check_room "$room" "$allowed"
  checked=$((checked + 1))
done <<<"$rooms"
((checked == 13)) || { echo "only $checked rooms were checked"; faults=$((faults + 1)); }

# only PATTERN ROOM...: the pattern may stand in these rooms alone.
only() {
  local pattern=$1 hit
  shift
  while IFS= read -r hit; do
    for room in "$@"; do
      case "$hit" in "$room"/*) continue 2 ;; esac
    done
    echo "$hit: '$pattern' belongs in $* only"
    faults=$((faults + 1))
  done < <(grep -rnE --include='*.cpp' --include='*.hpp' "$pattern" sim topology scenarios reports)
}
only '#include <boost/graph' topology
only '#include <yaml-cpp' scenarios
only '#include <sqlite3' sim/study
only '#pragma omp|#include <omp' sim/study
only '#include <(thread|future)>' sim/study
only '#include <zlib' scenarios/import
only '#include <fstream>' sim/study reports scenarios sim/cli
only '#include <boost/program_options' sim/cli
only '#include <openssl' scenarios
only 'system_clock|std::time\(|gettimeofday' reports sim/cli
only 'steady_clock' sim/cli sim/study

# never PATTERN WHY: results would depend on the standard library or on addresses.
never() {
  local hits
  hits=$(grep -rnE --include='*.cpp' --include='*.hpp' "$1" sim topology scenarios reports)
  if [[ -n $hits ]]; then
    echo "$hits"
    echo "  forbidden: $2"
    faults=$((faults + 1))
  fi
}
never 'std::(uniform_int|uniform_real|normal|lognormal|exponential|poisson|bernoulli|discrete)_distribution' 'the std distributions are implementation-defined'
never 'std::(shuffle|sample)\(' 'implementation-defined'
never 'std::sto[dfil]|[^_a-z](atof|strtod|atoi)\(' 'follows the locale or ignores faults; use from_chars'
never '\b(TODO|FIXME|XXX)\b' 'finish it or open an issue'
grep -rnE --include='*.cpp' --include='*.hpp' '\.as<' scenarios sim reports topology | grep -v '^scenarios/loader/reader' | grep -vE 'values\[|options\[' &&
  { echo "  .as<T>() of yaml-cpp belongs in scenarios/loader/reader only"; faults=$((faults + 1)); }

((faults == 0)) || { echo "$faults faults"; exit 1; }
echo "layering holds in $checked rooms"
