# workload.groups: what run, study and the report tell of groups of users; recorded jobs by their group id; no draw changes.
. "$(dirname "$0")/../script.sh" "$@"
small_lab > small.yaml
sed 's/^  users: 9$/  users: 9\n  groups: {vision: 6, nlp: 3}/' small.yaml > grouped.yaml
"$fleetsim" run small.yaml --out plain > plain.txt
"$fleetsim" run grouped.yaml --out grouped > grouped.txt
grep -q '^ *group vision ' grouped.txt || fail "no waits of a group: $(cat grouped.txt)"
grep -q "Jain's index" grouped.txt || fail "no index of fairness: $(cat grouped.txt)"
grep -q 'group' plain.txt && fail "groups are told of that nobody named"

python3 - <<'PY'
import json
plain, grouped = (json.load(open(f"{d}/result.json")) for d in ("plain", "grouped"))
assert plain["replay_hash"] == grouped["replay_hash"]  # the same draws, the same schedule
m = grouped["metrics"]
groups = m.pop("groups")
fairness = m.pop("group_fairness")["mean"]
assert m == plain["metrics"] and sorted(groups) == ["nlp", "vision"]
assert sum(g["tagged_jobs"]["mean"] for g in groups.values()) == m["tagged_jobs"]["mean"]
assert abs(sum(g["use_share"]["mean"] for g in groups.values()) - 1) < 1e-9
held = sum(c["gpu_hours_held"]["mean"] for c in m["classes"].values())
assert abs(sum(g["gpu_hours_held"]["mean"] for g in groups.values()) - held) < 1e-6 * held
assert 0.5 <= fairness <= 1
PY

# A study: bounds, the front, the table and candidates.csv.
ask=(--set 'study.constraints=[wait_s_p95(group nlp) <= 100 h]' --set 'study.front=[wait_s_p95(group nlp), capex]')
"$fleetsim" study grouped.yaml --out st "${ask[@]}" > st.txt || [ $? -eq 1 ]
grep -q 'group nlp p95 h' st.txt || fail "the study's table has no group: $(cat st.txt)"
grep -q '^Pareto front of wait_s_p95(group nlp) and capex' st.txt || fail "no front by group"
head -1 st/candidates.csv | grep -q 'wait_s_p95(group nlp)_mean' || fail "candidates.csv has no group: $(head -1 st/candidates.csv)"
python3 - <<'PY'
import csv, json
study = json.load(open("st/study.json"))
rows = {r["label"]: r for r in csv.DictReader(open("st/candidates.csv"))}
for rule in study["front"]["sharing"]:
    for f in rule["fleets"]:
        c = study["candidates"][f["candidate"]]
        mean = c["groups"]["nlp"]["wait_s_p95"]["mean"]
        assert f["values"][0]["mean"] == mean
        assert mean is None or float(rows[c["label"]]["wait_s_p95(group nlp)_mean"]) == mean
PY
code=0
"$fleetsim" study grouped.yaml --out none --set 'study.constraints=[wait_s_p95(group nlp) <= 0 s, wait_s(group vision) <= 0 s]' > none.txt || code=$?
[ $code -eq 1 ] && grep -q 'wait_s_p95(group nlp) <= 0 s: mean' none.txt || fail "a bound of a group is not kept: $code $(cat none.txt)"
"$fleetsim" report st --to md --out st/report > /dev/null || fail "no report"
grep -rq 'Waits and use by group of users' st/report || fail "the report has no groups"

# Recorded jobs by field 13: 40 of group 3, 40 of group 5, 20 of group 9.
python3 - <<'PY'
with open("jobs.swf", "w") as f:
    for i in range(100):
        group = 3 if i % 5 < 2 else 5 if i % 5 < 4 else 9
        f.write(f"{i + 1} {i * 600 + 700000} 0 3600 8 -1 -1 8 7200 -1 1 {i % 7} {group} -1 1 -1 -1 -1\n")
PY
cat > traced.yaml <<'YAML'
name: traced
time: {warm_up: 0 s, measure: 1 week, drain: 1 week, replications: 1}
fleet:
  box: {node: supermicro-8x-rtx3080}
  counts: {box: 2}
fabric: {shape: none}
scheduler: {partitions: {box: {nodes: box, default: true}}}
workload:
  trace: {file: jobs.swf, groups: {physics: 3, chemistry: [5, 77]}}
YAML
"$fleetsim" run traced.yaml --out traced > traced.txt 2> err.txt || fail "no run of a trace with groups: $(cat err.txt)"
grep -q 'no job of the trace is of group 77' err.txt || fail "an id that nobody has is not told: $(cat err.txt)"
python3 - <<'PY'
import json
groups = json.load(open("traced/result.json"))["metrics"]["groups"]
jobs = {name: g["tagged_jobs"]["mean"] for name, g in groups.items()}
assert jobs == {"physics": 40, "chemistry": 40, "no group": 20}, jobs
PY

code=0
"$fleetsim" check grouped.yaml --set workload.users=10 > /dev/null 2> err.txt || code=$?
[ $code -eq 2 ] && grep -q 'the groups have 9 users in all, and workload.users is 10' err.txt || fail "groups that do not add up are taken: $(cat err.txt)"
