#!/usr/bin/env bash
# A study first replays the recorded trace on the nodes that are there. Usage: credibility.sh FLEETSIM SOURCE_DIR
set -eu
fleetsim=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
fail() { echo "credibility.sh: $*" >&2; exit 1; }

# swf FACTOR: id submit wait run procs ... of first come, first served on 8 GPUs, waits times FACTOR; -1: none recorded.
# By hand, in minutes: 0-60 on all eight; then 60-90 on one and 60-120 on four side by side; then 120-130 on all.
swf() {
  python3 - "$1" <<'PY'
import sys
factor = float(sys.argv[1])
print("; MaxProcs: 8")
for job in range(40):
    start = job // 4 * 24 * 60  # the same four jobs every day
    submit, wait, run, gpus = [(0, 0, 60, 8), (10, 50, 30, 1), (20, 40, 60, 4), (30, 90, 10, 8)][job % 4]
    recorded = -1 if factor < 0 else round(60 * wait * factor)
    print(job + 1, 60 * (start + submit), recorded, 60 * run, gpus, -1, -1, gpus, 60 * run, -1, 1, 1, 1, -1, 1, -1, -1, -1)
PY
}
scenario() { # TRACE
  cat <<YAML
name: old-and-new
time: {warm_up: 1 day, measure: 1 week, drain: 2 weeks, replications: 2}
budget: {capital: 60000 USD}
fleet:
  proto: {node: supermicro-8x-rtx3080}
  scale: {node: supermicro-8x-rtx3090-water}
  split: {scale: 50 %}
  existing: [{node: supermicro-8x-rtx2080ti, count: 1}]
fabric: {shape: single-switch, link: infiniband-edr}
site: {rack: {provided: true}}
scheduler:
  type: fifo
  partitions:
    proto: {nodes: [existing, proto], default: true}
    scale: {nodes: scale}
workload:
  users: 4
  classes:
    prototype:
      arrivals: {per_user: 2 /day}
      gpus: 1
      wall_time: {exponential: 1 h}
      promotes_to: {class: result, probability: 20 %}
    result: {gpus: 8, wall_time: {exponential: 5 h}, partition: scale}
  trace: {file: $1}
YAML
}
swf 1 >exact.swf
swf 3 >tripled.swf
swf -1 >silent.swf
for trace in exact tripled silent; do
  scenario $trace.swf >$trace.yaml
  code=0; "$fleetsim" study $trace.yaml --out $trace >$trace.txt 2>$trace.err || code=$?
  [ $code -le 1 ] || fail "study of $trace ends with $code: $(cat $trace.err)"
  # Before any advice.
  head -n 1 $trace.txt | grep -q '^Credibility: ' || fail "$trace: $(head -n 3 $trace.txt)"
done

python3 - <<'PY' || fail "study.json is wrong"
import json
study = {name: json.load(open(f"{name}/study.json")) for name in ("exact", "tripled", "silent")}
exact, tripled, silent = (study[n]["credibility"] for n in ("exact", "tripled", "silent"))
assert exact["answer"] == "agrees", exact
everything = exact["waits"][0]
# (0 + 50 + 40 + 90) / 4 minutes
assert everything["n"] == 40 and everything["recorded_s"]["mean"] == everything["simulated_s"]["mean"] == 45 * 60, everything
assert [w["jobs"] for w in exact["waits"]] == ["all", "1 GPU", "2 to 8 GPUs"], exact
assert tripled["answer"] == "differs" and tripled["waits"][0]["recorded_s"]["mean"] == 3 * 45 * 60
assert study["tripled"]["rule"]["status"] == "undecided"
assert study["tripled"]["verdict"].startswith(tripled["sentence"])
assert not study["exact"]["verdict"].startswith("Replayed")
assert silent["answer"] == "unchecked" and silent["jobs_without_wait"] == 40 and silent["waits"] == []
for name in study:
    assert study[name]["credibility"]["sentence"] in open(f"{name}.txt").read()
# Nothing else of the study hangs on recorded waits.
for key in ("best_sets", "candidates", "recommended"):
    assert study["exact"][key] == study["silent"][key], key
PY

# The report says it before the decision.
if command -v gnuplot >/dev/null && command -v dot >/dev/null; then
  for trace in exact tripled; do "$fleetsim" report $trace --to md >/dev/null || fail "no report of $trace"; done
  python3 - <<'PY' || fail "the report is wrong"
import json
text = open("tripled/report/report.md").read()
assert text.index("Can the simulation be believed?") < text.index("Summary and decision")
assert "The simulator does not reproduce the recorded waits" in text
assert "does not reproduce" not in open("exact/report/report.md").read()
PY
fi
echo "credibility.sh: fine"
