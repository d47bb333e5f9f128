#!/usr/bin/env bash
# fleetsim run: result.json is whole, equal for any number of threads, and its tables agree with it.
set -eu
fleetsim=$1
source=$2
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
fail() { echo "run.sh: $*" >&2; exit 1; }
lab=$source/scenarios/lab-66-33.yaml
short=(--set 'time.warm_up=1 weeks' --set 'time.measure=2 weeks' --set 'time.drain=2 weeks' --replications 3)

"$fleetsim" run "$lab" "${short[@]}" --threads 1 --out "$here/a" --schedule "$here/schedule.csv" \
  --time-series "$here/series.csv" >"$here/a.txt"
"$fleetsim" run "$lab" "${short[@]}" --threads 2 --out "$here/b" --format json >"$here/b.json"
cmp "$here/a/result.json" "$here/b/result.json" || fail "1 and 2 threads differ"
cmp "$here/b.json" "$here/b/result.json" || fail "--format json prints something else than result.json"

for words in 'Offered load' 's = ' 'impossible work' 'submitted' 'wait h' 'utilisation' 'three years' 'replay hash'; do
  grep -q -- "$words" "$here/a.txt" || fail "the summary lacks '$words'"
done

python3 - "$here/a/result.json" "$here/schedule.csv" "$here/series.csv" <<'PY' || fail "result.json or a table is wrong"
import csv, json, sys
result = json.load(open(sys.argv[1]))
for key in "fleetsim scenario seed replications replay_hash metrics states cost findings not_evaluated offered_load dossier".split():
    assert key in result, key
names = """wait_s wait_s_p50 wait_s_p90 wait_s_p95 turnaround_s bounded_slowdown chain_slowdown time_to_result_s
utilisation_allocated utilisation_effective unserved_gpu_hours impossible_gpu_hours fragmentation scaling_efficiency
energy_kwh cost_per_useful_gpu_hour""".split()
for name in names:
    for field in ("mean", "ci95_low", "ci95_high", "unit"):
        assert field in result["metrics"][name], (name, field)
assert "wait_s" in result["metrics"]["classes"]["prototype"]
rows = list(csv.DictReader(open(sys.argv[2])))
assert list(rows[0]) == """replication,job_id,attempt,parent,class,partition,submit_s,eligible_s,start_s,end_s,state,gpus,nodes,placement,start_reason""".split(",")
states = {}
for row in rows:
    states[row["state"]] = states.get(row["state"], 0) + 1
    if row["start_s"]:
        assert float(row["start_s"]) >= float(row["submit_s"])
        held = sum(int(part.split(":")[1]) for part in row["placement"].split("+"))
        assert held == int(row["gpus"]), row
        assert len(row["placement"].split("+")) == int(row["nodes"]), row
assert states == {k: v for k, v in result["states"].items() if v}, (states, result["states"])
assert {r["replication"] for r in rows} == {"0", "1", "2"}
# Mean wait of the prototypes submitted in the window (hours 168 to 504), by replication, then over them.
means = []
for replication in "012":
    waits = [float(r["start_s"]) - float(r["submit_s"]) for r in rows
             if r["replication"] == replication and r["class"] == "prototype" and r["start_s"]
             and 168 * 3600 <= float(r["submit_s"]) < 504 * 3600]
    means.append(sum(waits) / len(waits))
told = result["metrics"]["classes"]["prototype"]["wait_s"]["mean"]
assert abs(sum(means) / 3 - told) < 1e-6 * max(1.0, told), (means, told)
series = list(csv.DictReader(open(sys.argv[3])))
# At a full hour the allocated GPUs are those of the jobs that hold them.
for at in (200, 300, 400):
    line = next(r for r in series if r["replication"] == "1" and int(r["time_s"]) == at * 3600)
    held = sum(int(r["gpus"]) for r in rows if r["replication"] == "1" and r["start_s"]
               and float(r["start_s"]) <= at * 3600 and (not r["end_s"] or float(r["end_s"]) > at * 3600))
    assert held == int(line["allocated_gpus_proto"]) + int(line["allocated_gpus_scale"]), (at, held, line)
PY

expect() { # code, words, arguments...
  local code=$1 words=$2 got=0
  shift 2
  "$fleetsim" run "$@" >"$here/out" 2>"$here/err" || got=$?
  [ "$got" = "$code" ] || fail "exit $got, not $code: run $*"
  grep -q -- "$words" "$here/err" || fail "stderr lacks '$words': run $*: $(cat "$here/err")"
}
expect 2 'which scenario' --out "$here/x"
expect 2 'must lie between 1 and' "$lab" --replications 0
expect 2 'must lie between 1 and' "$lab" --replications -3
expect 2 'must lie between 1 and' "$lab" --replications 999999999
expect 2 'replications' "$lab" --replications many
expect 2 'must lie between 1 and' "$lab" --threads 0
expect 2 'seed' "$lab" --seed -1
expect 2 'format' "$lab" --format xml
expect 2 "did you mean 'schedule'" "$lab" --dump schedul
expect 2 "'fleetsim report'" "$lab" --dump doc
expect 2 'builtin is not built yet' "$lab" --set scheduler.type=builtin
expect 3 'nowhere.yaml' "$here/nowhere.yaml"
[ ! -e "$here/x" ] || fail "a refused run made its folder"

"$fleetsim" run "$lab" "${short[@]}" --seed 7 --out "$here/c" >/dev/null
cmp -s "$here/a/result.json" "$here/c/result.json" && fail "another seed gives the same result"
for stage in scenario fabric jobs schedule metrics; do
  "$fleetsim" run "$lab" "${short[@]:0:6}" --replications 1 --dump $stage >"$here/$stage" || fail "--dump $stage"
  [ -s "$here/$stage" ] || fail "--dump $stage prints nothing"
done
"$fleetsim" run "$here/scenario" --dump scenario | cmp - "$here/scenario" || fail "the dumped scenario dumps differently"

# Nothing is written over what is read, and outputs do not overwrite each other.
cp "$lab" "$here/own.yaml"
refused() { "$fleetsim" "$@" >/dev/null 2>"$here/err" && fail "accepted: $*"; [ $? -eq 2 ] || fail "exit code of: $*"; }
refused run "$here/own.yaml" --replications 1 --out "$here/d" --schedule "$here/own.yaml"
refused run "$lab" --replications 1 --out "$here/d" --schedule "$here/z.csv" --time-series "$here/./z.csv"
refused run "$lab" --replications 1 --out "$here/d" --schedule "$here/d/result.json"
cmp "$lab" "$here/own.yaml" || fail "the scenario was overwritten"
refused study "$lab" --seed -1

# The command in a result can be typed again, whatever blanks and quotes its words hold.
cp "$lab" "$here/a b.yaml"
"$fleetsim" run "$here/a b.yaml" "${short[@]}" --set "name=it's" --out "$here/e" >/dev/null
command=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["dossier"]["command"])' "$here/e/result.json")
eval "$(printf '%s' "$command" | sed "s|^fleetsim|$fleetsim|") --out '$here/f'" >/dev/null || fail "cannot rerun: $command"
cmp "$here/e/result.json" "$here/f/result.json" || fail "the command gives another result: $command"

# An output never goes over the trace that the scenario reads, nor over another output, however they are spelled.
printf '%s\n' '1 0 -1 60 1 -1 -1 1 120 -1 1 1 1 -1 1 -1 -1 -1' >"$here/t.swf"
cat >"$here/t.yaml" <<'YAML'
name: traced
time: {warm_up: 0, measure: 1 h, drain: 1 h, replications: 1}
fleet: {box: {node: desktop-4x-rtx3090}, counts: {box: 1}}
workload: {trace: {file: t.swf}}
YAML
cp "$here/t.swf" "$here/t.kept"
for option in --schedule --time-series; do refused run "$here/t.yaml" --out "$here/g" $option "$here/t.swf"; done
cmp "$here/t.swf" "$here/t.kept" || fail "the trace was overwritten"
(cd "$here" && refused run t.yaml --out new --schedule ./new/result.json && refused run t.yaml --out "$here/new" --schedule new/result.json &&
  refused run t.yaml --out h --schedule q.csv --time-series ./q.csv)
[ ! -e "$here/new" ] || fail "a refused run wrote something"
# An empty value, as of an unset variable, is not "not given".
for option in --seed --replications --threads --catalog --schedule; do refused run "$here/t.yaml" --out "$here/g" $option ''; done
