#!/usr/bin/env bash
# Known pitfalls of what computing costs. Usage: cost.sh FLEETSIM SOURCE_DIR NUMBER
set -eu
fleetsim=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
fail() { echo "cost.sh: $*" >&2; exit 1; }

# write FACTOR GPUS: jobs that run 2 h on GPUS of an 8-GPU node, requested at FACTOR x 2 h
write() {
  cat >one.yaml <<YAML
name: one
time: {warm_up: 0, measure: 2 weeks, drain: 1 week, replications: 1}
fleet: {box: {node: supermicro-8x-rtx3080}, counts: {box: 1}}
workload:
  users: 1
  classes:
    job:
      arrivals: {per_user: 6 /day, profile: flat}
      gpus: $2
      wall_time: {fixed: 2 h}
      time_limit: {factor: $1}
YAML
}
figure() { "$fleetsim" price one.yaml --format json | python3 -c "import json,sys; print(json.load(sys.stdin)['$1'])"; }

# Two jobs of 4 GPUs share one 8-GPU node, and each costs half of what a job of 8 GPUs does.
B088() {
  write 2.5 4
  "$fleetsim" run one.yaml --seed 7 --schedule four.csv >/dev/null
  python3 - four.csv <<'PY' || fail "no two jobs ever run beside each other on the one node: $(head -5 four.csv)"
import csv, sys
jobs = [(float(r["start_s"]), float(r["end_s"])) for r in csv.DictReader(open(sys.argv[1])) if r["state"] == "completed"]
together = sum(1 for i, a in enumerate(jobs) for b in jobs[i + 1:] if a[0] < b[1] and b[0] < a[1])
assert together > 0
# never more than two: 3 x 4 GPUs do not fit
assert all(sum(1 for b in jobs if b[0] <= a[0] < b[1]) <= 2 for a in jobs)
PY
  # utilisation of price = 6 jobs/day x 2 h x GPUs / (24 h x 8 GPUs): 0.25 for 4 GPUs, 0.5 for 8
  [ "$(figure utilisation)" = 0.25 ] || fail "4 GPUs for 2 h, 6 times a day, are not 0.25 of 8 GPUs: $(figure utilisation)"
  write 2.5 8
  [ "$(figure utilisation)" = 0.5 ] || fail "a job of 8 GPUs does not hold twice what one of 4 holds: $(figure utilisation)"
}

# Requested 10 h, real 2 h: utilisation, energy and cost follow what runs, and the output says so.
B117() {
  write 5 4
  ten=$(figure utilisation)/$(figure kwh_year)/$(figure total)
  write 1.1 4
  two=$(figure utilisation)/$(figure kwh_year)/$(figure total)
  [ "$ten" = "$two" ] || fail "what is requested changes the cost: $ten against $two"
  figure cost_basis | grep -q 'what jobs run, not what they request' || fail "JSON does not state the basis: $(figure cost_basis)"
  "$fleetsim" price one.yaml | tr -s ' \n' ' ' | grep -q 'what jobs run, not what they request' || fail "the text does not state the basis"
}

"$3"
