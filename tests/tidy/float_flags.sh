#!/usr/bin/env bash
# Every file of this build is compiled so that floating-point results do not depend on the compiler: no fused
# multiply-add, nothing that reorders or approximates. Usage: float_flags.sh FLEETSIM SOURCE_DIR
set -u
build=$(realpath "$(dirname "$1")/../..")
commands=$build/compile_commands.json
[[ -s $commands ]] || { echo "$commands is missing"; exit 1; }
faults=0
files=$(grep -c '"command":' "$commands")
# Ten files of a folder are joined into one that is compiled; see CMakePresets.json.
((files > 40)) || { echo "only $files files are compiled"; exit 1; }
without=$(grep '"command":' "$commands" | grep -cv -- ' -ffp-contract=off')
# An object file of the test runner alone draws nothing; everything else must carry the option.
((without == 0)) || { grep '"command":' "$commands" | grep -v -- ' -ffp-contract=off' | head -3; echo "$without files without -ffp-contract=off"; faults=1; }
if grep -E -- '-(Ofast|ffast-math|funsafe-math-optimizations|fassociative-math|freciprocal-math|mfpmath=387|m32|fsingle-precision-constant)' "$commands" | head -3 | grep .; then
  echo "options that change results"
  faults=1
fi
((faults == 0)) || exit 1
echo "$files files keep to the rules"
