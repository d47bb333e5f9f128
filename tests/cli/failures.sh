#!/usr/bin/env bash
# Failures, deliveries and growth from the scenario file to the results: attempts in the schedule, metrics, the best checkpoint
# interval, and faults in words.
set -eu
fleetsim=$1
source=$2
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
fail() { echo "failures.sh: $*" >&2; exit 1; }
cat >"$here/small.yaml" <<'YAML'
name: small
seed: 7
time: {warm_up: 1 weeks, measure: 10 weeks, drain: 2 weeks, replications: 2}
fleet:
  all: {node: supermicro-8x-rtx3080}
  counts: {all: 4}
workload:
  users: 4
  classes:
    short:
      arrivals: {per_user: 6 /day}
      gpus: {1: 0.6, 4: 0.3, 16: 0.1}
      wall_time: {exponential: 6 h}
YAML
small=$here/small.yaml
failing=(--set 'failures={node_mtbf: 200 h, repair: 24 h, checkpoint_interval: 2 h, checkpoint_cost: 5 min}')

# --- what fails is told, and adds up ---
for policy in fifo easy conservative; do
  "$fleetsim" run "$small" "${failing[@]}" --set scheduler.type=$policy --out "$here/$policy" --schedule "$here/$policy.csv" \
    --time-series "$here/$policy-series.csv" >"$here/$policy.txt" || fail "run with $policy"
done
"$fleetsim" run "$small" --out "$here/none" --schedule "$here/none.csv" >"$here/none.txt"
"$fleetsim" run "$small" "${failing[@]}" --set failures.requeue=false --out "$here/ends" --schedule "$here/ends.csv" >/dev/null
python3 - "$here" <<'PY' || fail "a result is wrong"
import csv, json, sys
here = sys.argv[1]
def result(name): return json.load(open(f"{here}/{name}/result.json"))
def rows(name): return list(csv.DictReader(open(f"{here}/{name}.csv")))
outage_metrics = ("node_availability", "lost_gpu_hours", "checkpoint_gpu_hours", "requeued")
for name in ("fifo", "easy", "conservative"):
    r = result(name)
    assert not [f for f in r["findings"] if f["kind"] == "broken-law"], r["findings"]
    m = r["metrics"]
    # 200 / 224 = 0.893; 4 nodes for 10 weeks are some thirty failures a replication, so a wide band.
    assert 0.8 < m["node_availability"]["mean"] < 0.96, m["node_availability"]
    assert m["lost_gpu_hours"]["mean"] > 0 and m["requeued"]["mean"] > 0 and m["checkpoint_gpu_hours"]["mean"] > 0
    by_job = {}
    for row in rows(name):
        by_job.setdefault((row["replication"], row["job_id"]), []).append(row)
    again = [a for a in by_job.values() if len(a) > 1]
    assert again, "no job was requeued"
    for attempts in by_job.values():
        assert [int(a["attempt"]) for a in attempts] == list(range(1, len(attempts) + 1)), attempts
        assert all(a["state"] == "requeued" for a in attempts[:-1]) and attempts[-1]["state"] != "requeued", attempts
        assert attempts[0]["eligible_s"] == attempts[0]["submit_s"]
        for before, after in zip(attempts, attempts[1:]):
            assert after["eligible_s"] == before["end_s"] and after["submit_s"] == before["submit_s"]
            assert not after["start_s"] or float(after["start_s"]) >= float(before["end_s"])
    # The hours of the time series are those that the attempts hold.
    last = max(float(a["end_s"] or 0) for a in rows(name) if a["replication"] == "0")
    held = {}
    for a in rows(name):
        if a["replication"] != "0" or not a["start_s"]: continue
        first, end = -(-float(a["start_s"]) // 3600), -(-float(a["end_s"] or 1e12) // 3600)
        for hour in range(int(first), int(min(end, last // 3600))): held[hour] = held.get(hour, 0) + int(a["gpus"])
    for row in csv.DictReader(open(f"{here}/{name}-series.csv")):
        hour = int(row["time_s"]) // 3600
        if row["replication"] == "0" and hour < last // 3600:
            assert int(row["allocated_gpus_all"]) == held.get(hour, 0), (hour, row, held.get(hour))
assert result("fifo")["metrics"]["node_availability"] == result("easy")["metrics"]["node_availability"], "outages differ by policy"
none = result("none")
assert not any(m in none["metrics"] for m in outage_metrics) and "checkpoints" not in none
assert all(r["attempt"] == "1" for r in rows("none"))
ends = result("ends")
assert ends["states"]["node-fail"] > 0 and ends["metrics"]["requeued"]["mean"] == 0
assert ends["metrics"]["unserved_gpu_hours"]["mean"] > 0
PY
grep -q 'nodes up' "$here/easy.txt" || fail "the summary does not tell how many nodes were up"
! grep -qE 'nodes up|Daly' "$here/none.txt" || fail "a fleet that does not fail speaks of failures"

# --- the best interval: sqrt(2 x 5 min x 200 h) = 5.77 h for one node, / sqrt 2 for two ---
"$fleetsim" check "$small" "${failing[@]}" >"$here/check.txt"
grep -qE 'short +1 +1 +200 +5\.77 +5\.7[0-9] ' "$here/check.txt" || fail "the interval of one node: $(cat "$here/check.txt")"
grep -qE 'short +16 +2 +100 +4\.08 +4\.0[0-9] ' "$here/check.txt" || fail "the interval of two nodes: $(cat "$here/check.txt")"
"$fleetsim" check "$small" "${failing[@]}" --format json | python3 -c '
import json, sys
c = json.load(sys.stdin)["files"][0]["checkpoints"]
assert len(c) == 3 and abs(c[0]["young_h"] - (2 * 200 / 12) ** 0.5) < 1e-9 and c[2]["mtbf_h"] == 100, c'

# --- deliveries: the last two nodes hold nothing before ---
"$fleetsim" run "$small" --set 'fleet.deliveries=[{pool: all, nodes: 2, at: 4 weeks}]' --out "$here/late" --schedule "$here/late.csv" \
  >/dev/null
python3 - "$here/late.csv" <<'PY' || fail "deliveries"
import csv, re, sys
used = {}
for row in csv.DictReader(open(sys.argv[1])):
    for node in re.findall(r"all-(\d+):", row["placement"]):
        used.setdefault(int(node), []).append(float(row["start_s"]))
assert min(used[0]) < 7 * 86400 and min(used[2]) >= 28 * 86400 and min(used[3]) >= 28 * 86400, {n: min(s) for n, s in used.items()}
PY

# --- growth: arrivals follow (1 + g)^t ---
"$fleetsim" run "$small" --set workload.users=40 --set 'workload.growth=300 %' --replications 1 --dump jobs >"$here/jobs.csv"
python3 - "$here/jobs.csv" <<'PY' || fail "growth"
import csv, sys
at = [float(r["submit_s"]) / 3600 for r in csv.DictReader(open(sys.argv[1]))]
end, half = 13 * 168.0, 6 * 168.0  # whole weeks, since the rate follows the week
total = lambda a, b: (4 ** (b / 8760) - 4 ** (a / 8760))
expected = total(half, end) / total(0, end)
found = sum(t >= half for t in at) / len(at)
assert abs(found - expected) < 3 * (expected * (1 - expected) / len(at)) ** 0.5, (found, expected, len(at))
PY
"$fleetsim" check "$small" --set 'workload.growth=30 %' | grep -q 'grows by 30 % a year' || fail "check does not say when the load holds"

# --- the dump is a scenario that says the same ---
"$fleetsim" run "$small" "${failing[@]}" --set time.starts=2020-10 --set 'workload.growth=30 %' \
  --set 'fleet.deliveries=[{pool: all, nodes: 2, at: 4 weeks}]' --dump scenario >"$here/dump.yaml"
"$fleetsim" run "$here/dump.yaml" --dump scenario | cmp - "$here/dump.yaml" || fail "the dump of a dump differs"
for words in 'starts: 2020-10' 'growth: 0.3' 'node_mtbf: 200 h' 'checkpoint_cost: 5 min' '{pool: all, nodes: 2, at: 4 weeks}'; do
  grep -q -- "$words" "$here/dump.yaml" || fail "the dump lacks '$words'"
done

# --- faults ---
refused() { # WORDS SETTING...
  local words=$1 out code=0
  shift
  out=$("$fleetsim" check "$small" "$@" 2>&1) || code=$?
  [[ $code -eq 2 ]] || fail "$* ends with $code: $out"
  grep -q -- "$words" <<<"$out" || fail "$* says: $out"
}
refused "'repair' does not say how long" --set 'failures={node_mtbf: 200 h}'
refused 'node_mtbf' --set 'failures={node_mtbf: -3 h, repair: 24 h}'
refused 'repair' --set 'failures={node_mtbf: 200 h, repair: 0 h}'
refused 'no less than the' --set 'failures={checkpoint_interval: 1 min, checkpoint_cost: 2 min}'
refused 'mtbf' --set 'failures={mtbf: 200 h}'
refused 'pool' --set 'fleet.deliveries=[{pool: none, nodes: 2, at: 4 weeks}]'
refused 'but the fleet has 4 of them' --set 'fleet.deliveries=[{pool: all, nodes: 5, at: 4 weeks}]'
refused 'nodes' --set 'fleet.deliveries=[{pool: all, at: 4 weeks}]'
refused 'is not a date' --set time.starts=soon
refused 'growth' --set 'workload.growth=-200 %'
out=$("$fleetsim" check "$small" --set 'failures={checkpoint_cost: 2 min}' 2>&1) || fail "a cost without an interval is no error"
grep -q "changes nothing without 'checkpoint_interval'" <<<"$out" || fail "no warning: $out"

# --- the table of a year where nodes come: the window at its pace, so that what is switched off or not there draws nothing
cat >"$here/late.yaml" <<'YAML'
name: late
time: {warm_up: 0 h, measure: 4 weeks, drain: 2 weeks, replications: 1}
fleet:
  b: {node: supermicro-8x-rtx3090-water, when_idle: switched-off}
  counts: {b: 2}
  deliveries: [{pool: b, nodes: 1, at: 200 days}]
fabric: {shape: leaf-spine, link: infiniband-edr}
scheduler: {sharing: one-pool}
workload:
  users: 5
  classes:
    p: {arrivals: {per_user: 2 /day, profile: flat}, gpus: 1, wall_time: {fixed: 5 h}, gpu_memory: 8 GB}
YAML
"$fleetsim" run "$here/late.yaml" --out "$here/late" >"$here/late.txt" || fail "a late node: $(cat "$here/late.txt")"
python3 - "$here/late/result.json" <<'PY' || fail "the energy of a year is not that of the window"
import json, sys
r = json.load(open(sys.argv[1]))
energy, lines = r["dossier"]["energy"], {l["name"]: l for l in r["dossier"]["energy"]["lines"]}
year = r["metrics"]["energy_kwh"]["mean"] * 365 / 28
assert abs(energy["kwh"] - year) <= 1, (energy["kwh"], year)
assert abs(lines["idle"]["kwh"]) <= 1, lines["idle"]  # switched off
assert abs(sum(l["kwh"] for l in lines.values()) - energy["kwh"]) < 1e-6
# one node of eight GPUs is there for all of the year's pace, the other one never
assert abs(sum(l["gpu_hours"] for l in lines.values()) - 8 * 8760) < 1, lines
PY
