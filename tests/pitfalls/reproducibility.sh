#!/usr/bin/env bash
# Known pitfalls of reproducibility. Usage: reproducibility.sh FLEETSIM SOURCE_DIR NUMBER
set -eu
fleetsim=$(realpath "$1") source=$(realpath "$2")
fail() { echo "reproducibility.sh: $*" >&2; exit 1; }

# scan PATTERN: no file that takes part in results holds it, in code; a probe shows that the search finds it.
scan() {
  local probe
  probe=$(mktemp -d)
  printf 'void f() {\n  %s;\n}\n' "$2" >"$probe/probe.cpp"
  grep -qE "$1" "$probe/probe.cpp" || fail "the search for $1 does not find '$2'"
  rm -r "$probe"
  local hits
  hits=$(cd "$source" && grep -rnE --include='*.cpp' --include='*.hpp' "$1" sim topology scenarios reports | grep -vE '^[^:]*:[0-9]*: *//' || true)
  [ -z "$hits" ] || fail "the results would depend on the standard library: $hits"
}
# golden LINE: the line of that name, made by this build, is the one kept in tests/determinism/replay_hashes.txt. Each
# build, whatever its compiler, is compared with the same file.
golden() {
  local made one=lab-66-33 # determinism.replay_hashes compares all scenarios
  made=$(FLEETSIM_SCENARIO=$one bash "$source/tests/determinism/replay_hashes.sh" "$fleetsim" "$source" print "$1")
  [ -n "$made" ] || fail "nothing is known of '$1'"
  diff <(grep -E "^$1 $one " "$source/tests/determinism/replay_hashes.txt") <(echo "$made") || fail "'$1' differs from what other builds make"
}

# The numbers of <random>'s distributions differ between libraries for one seed: fleetsim draws with its own. The
# drawn workload is the same bytes under every compiler.
B064() {
  scan 'std::[a-z_]+_distribution' '  std::normal_distribution<double> d(0, 1)'
  golden jobs
}

# ... and between releases of one library: only the engine whose numbers the C++ standard fixes is used (mt19937_64), no
# default one, no hash of the library, no container in the order of such hashes.
B065() {
  scan 'std::(mt19937\b|minstd|ranlux|knuth_b|default_random_engine|random_device|generate_canonical)' 'std::mt19937 g{std::random_device{}()}'
  scan 'std::hash|hash_combine|\.hash_code\(' 'return std::hash<int>{}(1)'
  scan 'std::unordered_|boost::unordered' 'std::unordered_map<int, int> m'
  golden replay
}

# std::shuffle and std::sample may take their numbers in any way, and sorts that leave equal elements in any order may
# not decide anything: two runs of a study on different numbers of threads are the same bytes.
B066() {
  scan 'std::(ranges::)?(shuffle|sample|random_shuffle)\b|[^_a-z]s?rand(om|48)?\(' 'std::shuffle(v.begin(), v.end(), g)'
  golden study
}

"$3"
