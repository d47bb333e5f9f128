#!/usr/bin/env bash
# Where jobs are put: the schedule tells what crossing leaf switches cost, max_switches keeps a class below one leaf,
# placement spreads, and words that mean nothing are refused.
set -eu
fleetsim=$1
source=$2
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
fail() { echo "placement.sh: $*" >&2; exit 1; }
lab=$source/scenarios/lab-66-33.yaml
# Eight adapters a node, so that 36 ports hold two or four nodes a leaf; 16 GPUs are two nodes.
leaves=(--set 'time.warm_up=1 weeks' --set 'time.measure=4 weeks' --set 'time.drain=2 weeks' --replications 1
  --set fabric.hcas_per_node=8 --set scheduler.sharing=one-pool)

"$fleetsim" run "$lab" "${leaves[@]}" --out "$here/free" --schedule "$here/free.csv" >/dev/null
"$fleetsim" run "$lab" "${leaves[@]}" --set workload.classes.scale_up.max_switches=1 --out "$here/one" \
  --schedule "$here/one.csv" >/dev/null
"$fleetsim" run "$lab" "${leaves[@]}" --set scheduler.placement=spread --out "$here/spread" \
  --schedule "$here/spread.csv" >/dev/null
python3 - "$here" <<'PY' || fail "a schedule is wrong"
import csv, re, sys
def rows(name):
    return [r for r in csv.DictReader(open(f"{sys.argv[1]}/{name}.csv")) if r["start_s"]]
free, one, spread = rows("free"), rows("one"), rows("spread")
told = [r for r in free if "leaves" in r["start_reason"]]
assert told, "no job crossed leaf switches"
for r in told:
    assert re.fullmatch(r"(head|backfill|overflow); 2 leaves; \+\d+\.\d % run time", r["start_reason"]), r
    assert int(r["gpus"]) == 16 and int(r["nodes"]) == 2, r
assert not any("leaves" in r["start_reason"] for r in one), "max_switches did not hold"
assert all(r["start_reason"] in ("head", "backfill", "overflow") for r in free if int(r["nodes"]) == 1)
def alone(rs):
    """Share of the one-GPU jobs that start on a node where no other job runs."""
    spans = [(r["job_id"], float(r["start_s"]), float(r["end_s"] or 1e12), p.split(":")[0])
             for r in rs for p in r["placement"].split("+")]
    small = [(job, start, node) for job, start, end, node in spans
             if next(r for r in rs if r["job_id"] == job)["gpus"] == "1"][:150]
    return sum(not any(node == n and a <= start < b for other, a, b, n in spans if other != job)
               for job, start, node in small) / len(small)
assert alone(spread) > 1.5 * alone(free), (alone(spread), alone(free))
PY

out=$("$fleetsim" check "$lab" --set scheduler.placement=scatter 2>&1) && fail "a wrong placement passes"
grep -q "scatter" <<<"$out" && grep -q "spread" <<<"$out" || fail "the message about a wrong placement: $out"
out=$("$fleetsim" check "$lab" --set fabric.shape=none --set workload.classes.scale_up.max_switches=1 2>&1) || true
grep -q "'max_switches' changes nothing for a fabric of shape none" <<<"$out" || fail "no warning without switches: $out"
out=$("$fleetsim" check "$lab" --set workload.classes.scale_up.max_switches=0 2>&1) && fail "0 switches pass"
grep -q "max_switches" <<<"$out" || fail "the message about 0 switches: $out"
"$fleetsim" run "$lab" "${leaves[@]}" --set workload.classes.scale_up.max_switches=3 --dump scenario >"$here/dump.yaml"
grep -q "max_switches: 3" "$here/dump.yaml" && grep -q "placement: pack" "$here/dump.yaml" || fail "the dump lacks a key"
