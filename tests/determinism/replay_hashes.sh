#!/usr/bin/env bash
# What every build of fleetsim must compute: replay hashes and SHA-256 of outputs for all shipped scenarios, kept in
# replay_hashes.txt beside this script. Usage: replay_hashes.sh FLEETSIM SOURCE_DIR [check|print [NAME [THREADS]]]
# NAME limits it to the lines of one kind, FLEETSIM_SCENARIO=lab-66-33 to those of one scenario. FLEETSIM_UPDATE_GOLDEN=1 rewrites
# the file.
set -euo pipefail
fleetsim=$(realpath "$1") source=$(realpath "$2") mode=${3:-check} only=${4:-all} threads=${5:-2}
kept=$source/tests/determinism/replay_hashes.txt
one=${FLEETSIM_SCENARIO:-*}
top=$(mktemp -d)
dir=$top
trap 'rm -rf "$top"' EXIT
cd "$source" # file names stand in the reports' commands: they must be the same everywhere
fail() { echo "replay_hashes.sh: $*" >&2; exit 1; }
wanted() { [[ $only == all || $only == "$1" ]]; }
sha() { sha256sum | cut -d' ' -f1; }

# Two replications of eight weeks: long enough that every kind of event occurs, short enough for slow builds.
short=(--set 'time.warm_up=1 week' --set 'time.measure=8 weeks' --set 'time.drain=2 weeks' --set time.replications=2)
policies=(fifo easy conservative builtin backfill)
sharings=(strict overflow preempt one-pool)

# Not built in this version is said so, so that a policy that is built later cannot be forgotten here.
replays() { # SCENARIO NAME
  local policy sharing code hash
  for policy in "${policies[@]}"; do
    hash=
    for sharing in "${sharings[@]}"; do
      if [[ $hash == unbuilt ]]; then # with one rule, so with every one
        echo "replay $2 $policy $sharing unbuilt"
        continue
      fi
      code=0
      "$fleetsim" run "$1" "${short[@]}" --set "scheduler.type=$policy" --set "scheduler.sharing=$sharing" --threads "$threads" \
        --out "$dir/replay" >/dev/null 2>"$dir/err" || code=$?
      if [[ $code -eq 2 ]] && grep -q 'cannot run this scenario' "$dir/err"; then
        hash=unbuilt
      else
        [[ $code -eq 0 ]] || fail "run $1 with $policy, $sharing ends with $code: $(cat "$dir/err")"
        hash=$(sed -n 's/^ *"replay_hash": "\([0-9a-f]*\)".*/\1/p' "$dir/replay/result.json" | head -n 1)
        [[ -n $hash ]] || fail "no replay hash in the result of $1"
      fi
      echo "replay $2 $policy $sharing $hash"
    done
  done
}

outputs() { # SCENARIO NAME
  local code=0 axes=()
  # A map of two cells has all that one of thirty has.
  [[ $2 == split-map ]] && axes=(--set 'study.axes={workload.demand.load: [0.5], workload.demand.scale_share: [20 %, 40 %]}')
  wanted jobs && echo "jobs $2 $("$fleetsim" run "$1" "${short[@]}" --dump jobs | sha)"
  wanted fabric && echo "fabric $2 $("$fleetsim" run "$1" --dump fabric | sha)"
  wanted price && echo "price $2 $({ "$fleetsim" price "$1" --format json || [[ $? -eq 1 ]]; } | sha)"
  if wanted schedule || wanted result; then
    "$fleetsim" run "$1" "${short[@]}" --threads "$threads" --out "$dir/run" --schedule "$dir/run.csv" >/dev/null 2>&1
    wanted schedule && echo "schedule $2 $(sha <"$dir/run.csv")"
    wanted result && echo "result $2 $(sha <"$dir/run/result.json")"
  fi
  if wanted study || wanted report; then
    "$fleetsim" study "$1" "${short[@]}" "${axes[@]}" --threads "$threads" --out "$dir/study" >/dev/null 2>"$dir/err" || code=$?
    if [[ $code -eq 2 ]] && grep -qE 'promotes|cannot study' "$dir/err"; then
      echo "study $2 cannot be studied"
      return 0
    fi
    [[ $code -le 1 ]] || fail "study $1 ends with $code: $(cat "$dir/err")"
    wanted study && echo "study $2 study.json $(sha <"$dir/study/study.json")"
    wanted study && echo "study $2 candidates.csv $(sha <"$dir/study/candidates.csv")"
    wanted study && [[ -e $dir/study/map.csv ]] && echo "study $2 map.csv $(sha <"$dir/study/map.csv")"
    if wanted report && ((drawing)); then
      SOURCE_DATE_EPOCH=1600000000 "$fleetsim" report "$dir/study" --to md >/dev/null
      # The versions of the drawing tools stand in the report and are the machine's.
      echo "report $2 report.md $(sed -E '/^\| (gnuplot|dot|pandoc|weasyprint) /d' "$dir/study/report/report.md" | sha)"
    fi
    rm -rf "$dir/study"
  fi
  return 0
}

drawing=1
for tool in gnuplot dot; do
  command -v "$tool" >/dev/null || { echo "SKIPPED report.md: $tool is not installed" >&2; drawing=0; }
done
of_scenario() { # SCENARIO
  local name
  name=$(basename "$1" .yaml)
  dir=$dir/$name
  mkdir "$dir"
  wanted replay && replays "$1" "$name"
  outputs "$1" "$name"
}
# As many at once as there are processors; the order of lines is that of the scenarios.
everything() {
  local scenario running=0
  for scenario in scenarios/$one.yaml; do
    ((running < $(nproc))) || { wait -n; running=$((running - 1)); }
    (of_scenario "$scenario" >"$dir/$(basename "$scenario").txt") &
    running=$((running + 1))
  done
  while ((running-- > 0)); do wait -n; done
  for scenario in scenarios/$one.yaml; do cat "$dir/$(basename "$scenario").txt"; done
}

everything >"$dir/made.txt"
if [[ $mode == print ]]; then
  cat "$dir/made.txt"
  exit 0
fi
if [[ ${FLEETSIM_UPDATE_GOLDEN:-0} == 1 ]]; then
  [[ $only == all && $one == '*' ]] && ((drawing)) || fail "all lines are needed to rewrite $kept"
  {
    echo "# Every build computes this. Made by: FLEETSIM_UPDATE_GOLDEN=1 tests/determinism/replay_hashes.sh FLEETSIM SOURCE_DIR"
    echo "# replay SCENARIO POLICY SHARING HASH; others: WHAT SCENARIO [FILE] SHA-256. A change is told in CHANGELOG, Changed results."
    cat "$dir/made.txt"
  } >"$kept"
  echo "rewrote $kept"
  exit 0
fi
grep -v '^#' "$kept" >"$dir/kept.txt"
[[ $only == all ]] || sed -i "/^$only /!d" "$dir/kept.txt"
[[ $one == '*' ]] || sed -i "/^[a-z]* $one /!d" "$dir/kept.txt"
((drawing)) || sed -i '/^report /d' "$dir/kept.txt"
[[ -s $dir/kept.txt ]] || fail "$kept has nothing to compare with"
diff "$dir/kept.txt" "$dir/made.txt" >"$dir/diff.txt" || {
  cat "$dir/diff.txt" >&2
  fail "this build computes something else (< kept, > made). On purpose? FLEETSIM_UPDATE_GOLDEN=1, and a line in CHANGELOG"
}
echo "replay_hashes.sh: $(wc -l <"$dir/kept.txt") lines are as kept"
