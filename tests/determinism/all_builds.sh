#!/usr/bin/env bash
# Builds fleetsim with every compiler and optimisation that must agree and compares each, on one thread and on two, with
# replay_hashes.txt. Usage: all_builds.sh [BUILD...]; without names all of them. Exit 1 when one differs or cannot be made.
# Takes about 20 minutes on two cores; what is built stays in build/determinism.
set -uo pipefail
cd "$(dirname "$0")/../.."
root=build/determinism
jobs=${FLEETSIM_JOBS:-$(nproc)}

# NAME COMPILER FLAGS: every one with assertions and -ffp-contract=off, from .cmake/options.cmake. clang-debug compiles file
# by file and so finds missing includes; the others join files, as the presets do.
builds='
gcc-debug     g++      -O0 -g1
gcc-release   g++      -O2
gcc-o3-v3     g++      -O3 -march=x86-64-v3
gcc-asan      g++      -O1 -g1
clang-debug   clang++  -O0 -g1
clang-release clang++  -O2
clang-o3-v3   clang++  -O3 -march=x86-64-v3
clang-asan    clang++  -O1 -g1
'
table=() faults=0
row() { table+=("$(printf '%-14s %-12s %-12s %s' "$@")"); }

make_build() { # NAME COMPILER FLAGS...
  local name=$1 compiler=$2
  shift 2
  local sanitize=OFF joined=ON
  [[ $name == *asan ]] && sanitize=ON
  [[ $name == clang-debug ]] && joined=OFF
  cmake -S . -B "$root/$name" -G Ninja -Wno-dev -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="$*" \
    -DFLEETSIM_TESTS=OFF -DFLEETSIM_SANITIZE=$sanitize -DCMAKE_UNITY_BUILD=$joined -DCMAKE_UNITY_BUILD_BATCH_SIZE=10 && ninja -j "$jobs" -C "$root/$name" fleetsim
}

compare() { # FLEETSIM THREADS LOG: fine | DIFFERS
  if bash tests/determinism/replay_hashes.sh "$1" "$PWD" check all "$2" >"$3" 2>&1; then echo same; else echo DIFFERS; fi
}

run_build() { # NAME COMPILER FLAGS...
  local name=$1 log=$root/$1.log begun=$SECONDS one two
  if ! command -v "$2" >/dev/null; then
    row "$name" "-" "-" "NOT RUN: $2 is not installed"
    faults=$((faults + 1))
    return
  fi
  if ! make_build "$@" >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    row "$name" "-" "-" "NOT BUILT: see $log"
    faults=$((faults + 1))
    return
  fi
  if [[ $* == *x86-64-v3* ]] && ! grep -qw avx2 /proc/cpuinfo; then
    row "$name" "-" "-" "NOT RUN: this processor has no AVX2"
    faults=$((faults + 1))
    return
  fi
  local fleetsim=$root/$name/sim/cli/fleetsim remark=
  one=$(compare "$fleetsim" 1 "$root/$name.1.txt")
  two=$(compare "$fleetsim" 2 "$root/$name.2.txt")
  # Where the processor may fuse multiply and add, the compiler must not have done so.
  if [[ $* == *x86-64-v3* ]]; then
    local fused
    fused=$(objdump -d --no-show-raw-insn "$fleetsim" | grep -cE '\bvfn?m(add|sub)')
    remark=", $fused fused instructions"
    ((fused == 0)) || faults=$((faults + 1))
  fi
  [[ $one$two == samesame ]] || { faults=$((faults + 1)); cat "$root/$name.1.txt" "$root/$name.2.txt" >&2; }
  row "$name" "$one" "$two" "$((SECONDS - begun)) s$remark"
}

# The C library picks its exp, log and pow by the processor: with fused multiply-add or without. The same program, told
# that it has none, stands for an older processor.
run_older_processor() {
  local fleetsim=$root/gcc-release/sim/cli/fleetsim one two
  [[ -x $fleetsim ]] || { row old-processor "-" "-" "NOT RUN: needs gcc-release"; faults=$((faults + 1)); return; }
  export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-FMA,-FMA_Usable,-FMA4
  one=$(compare "$fleetsim" 1 "$root/old-processor.1.txt")
  two=$(compare "$fleetsim" 2 "$root/old-processor.2.txt")
  unset GLIBC_TUNABLES
  [[ $one$two == samesame ]] || { faults=$((faults + 1)); cat "$root/old-processor.1.txt" >&2; }
  row old-processor "$one" "$two" "gcc-release with the C library's functions for processors without FMA"
}

mkdir -p "$root"
asked=" $* "
known=" old-processor "
while read -r name compiler flags; do
  [[ -n $name ]] || continue
  known+="$name "
  [[ $# -eq 0 || $asked == *" $name "* ]] || continue
  echo "all_builds.sh: $name"
  # shellcheck disable=SC2086
  run_build "$name" "$compiler" $flags
done <<<"$builds"
for name in "$@"; do
  [[ $known == *" $name "* ]] || { echo "all_builds.sh: unknown build '$name'; known:$known" >&2; exit 2; }
done
if [[ $# -eq 0 || $asked == *" old-processor "* ]]; then run_older_processor; fi

printf '%-14s %-12s %-12s %s\n' build "1 thread" "2 threads" "time and remarks"
printf '%s\n' "${table[@]}"
((faults == 0)) || { echo "$faults faults"; exit 1; }
