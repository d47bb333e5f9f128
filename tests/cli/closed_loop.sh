#!/usr/bin/env bash
# A closed loop from check to report: what depends on load says that nobody waits there. Usage: closed_loop.sh FLEETSIM SOURCE_DIR
. "$(dirname "$0")/../script.sh" "$@"
file=$source/scenarios/lab-closed-loop.yaml
short=(--set 'time.warm_up=1 week' --set 'time.measure=3 weeks' --set 'time.drain=2 weeks' --set time.replications=2)

"$fleetsim" check "$file" >check.txt 2>check.err || fail "check"
[ ! -s check.err ] || fail "check is not clean: $(cat check.err)"
grep -q '^closed loop .*where nobody waits' check.txt || fail "check does not say what the load is: $(cat check.txt)"
# 30 users x 4 loops x 38 weeks / 8 h
grep -q 'about 95760 jobs are drawn a replication' check.txt || fail "check does not say how many jobs are drawn"
# Far too many users: they wait, and no queue grows without end.
"$fleetsim" check "$file" --set workload.users=3000 | grep -q OVERLOADED && fail "a closed loop is called overloaded"
"$fleetsim" price "$file" | grep -q 'if nobody waited, at most: a closed loop has no fixed demand' || fail "price does not say it"

"$fleetsim" run "$file" "${short[@]}" --dump jobs >jobs.csv
python3 - <<'PY' || fail "the drawn jobs are wrong"
import csv
from collections import defaultdict
rows = [r for r in csv.DictReader(open("jobs.csv")) if r["replication"] == "0"]
end = 6 * 7 * 86400
by_id = {r["job_id"]: r for r in rows}
heads = [r for r in rows if r["submit_s"]]
assert len(heads) == 30 * 4, len(heads)
loops = defaultdict(int)
for head in heads:
    at, row = float(head["submit_s"]), head
    while row["next"]:
        assert at <= end
        at += float(row["think_s"])
        row = by_id[row["next"]]
        assert row["submit_s"] == "" and row["user"] == head["user"]
        loops[head["job_id"]] += 1
assert sum(loops.values()) > 100 * 120 * 0.9  # 1008 h / 8 h = 126 a loop
PY

code=0; "$fleetsim" study "$file" "${short[@]}" --out s >study.txt || code=$?
[ $code -le 1 ] || fail "study ends with $code"
python3 - <<'PY' || fail "study.json is wrong"
import csv, json
study = json.load(open("s/study.json"))
assert study["objective"]["name"] == "results_per_week" and study["objective"]["k"] is None
assert study["demand"]["closed_loop"] is True
text = open("study.txt").read()
assert study["verdict"] in text and "if nobody waited" not in study["verdict"]
assert "ranked by results a week" in study["verdict"] and "A closed loop has no fixed demand" in study["verdict"]
rows = {r["label"]: r for r in csv.DictReader(open("s/candidates.csv"))}
for best in study["best_sets"]:
    assert best["k"] is None
    if best["best"] is None: continue
    top = float(rows[best["best"]]["results_per_week_mean"])
    for d in best["differences"]:
        rate = float(rows[d["label"]]["results_per_week_mean"])
        # How much less of the best's figure.
        assert abs(d["percent"] - 100 * (1 - rate / top)) < 1e-6, d
        assert rate <= top
PY
if command -v gnuplot >/dev/null && command -v dot >/dev/null; then
  "$fleetsim" report s --to md >/dev/null || fail "no report"
  grep -q 'If nobody waited, the demand of the closed loop would, at most' s/report/report.md || fail "the report lies about the load"
  grep -q 'Fleets are ranked by results a week' s/report/report.md || fail "the report does not say what is ranked"
fi

# Ranked by time to a result: allowed, and warned of.
"$fleetsim" check "$file" --set 'study.objective={time_to_result: {}}' >/dev/null 2>warned || fail "time to a result is refused"
grep -q 'hides what a slow fleet costs' warned || fail "no warning"
echo "closed_loop.sh: fine"
