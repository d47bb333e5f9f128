#!/usr/bin/env bash
# The id of the engine depends on names and contents of its sources, on no folder and no date. Usage: engine_id.sh FLEETSIM SOURCE_DIR
set -eu
source=$(realpath "$2")
command -v cmake > /dev/null || { echo "engine_id.sh: SKIPPED, no cmake"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "engine_id.sh: $*" >&2; exit 1; }
id() { # ROOT: of all sources of the engine below it
  local files
  files=$(ls "$1"/sim/{base,engine,metrics,policies,cluster,workload,economics,}/*.{cpp,hpp} "$1"/topology/*.{cpp,hpp} 2> /dev/null | sed 's://*:/:g' | LC_ALL=C sort | paste -sd '|')
  cmake -DROOT="$1" "-DFILES=$files" -DOUTPUT="$work/id.cpp" -P "$source/.cmake/engine-id.cmake"
  sed -n 's/.*return "\([0-9a-f]\{16\}\)";.*/\1/p' id.cpp | grep .
}
mkdir one two
for root in one two; do
  mkdir -p $root/sim $root/topology
  cp -r "$source"/sim/. $root/sim
  cp "$source"/topology/*.?pp $root/topology
done
first=$(id "$work/one")
touch -d '2020-01-01' two/sim/simulate.cpp
[ "$(id "$work/two")" = "$first" ] || fail "the id depends on the folder or a date"
echo >> two/sim/engine/engine.cpp
second=$(id "$work/two")
[ "$second" != "$first" ] || fail "a change of a source does not change the id"
mv one/sim/engine/engine.cpp one/sim/engine/motor.cpp
[ "$(id "$work/one")" != "$first" ] || fail "a renamed source does not change the id"
# Every room that decides a result is among the sources of the real id.
for room in base workload cluster policies engine metrics economics . ../topology; do
  sed -n '/foreach(dir /p' "$source/sim/CMakeLists.txt" | grep -qE "[ (]$room( |\))" || fail "$room is not part of the id"
done
echo "engine_id.sh: fine"
