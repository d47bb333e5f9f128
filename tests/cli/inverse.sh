# Questions turned round: the least fleet and the most users, on the screen, in study.json and in the report.
. "$(dirname "$0")/../script.sh" "$@"

# The most users: a small lab's fleet as it is, at few users and at far too many.
{
  small_lab -e 's/users: 9/users: 3/'
  cat <<'YAML'
study:
  candidates: as-given
  constraints: [wait_s_p95(prototype) <= 4 h]
  axes: {workload.users: [3, 400, 6]}
YAML
} > users.yaml
study() { # SCENARIO, DIR, more options; exit 1: no fleet qualifies
  local scenario=$1 dir=$2
  shift 2
  "$fleetsim" study "$scenario" --out "$dir" "$@" || [ $? -eq 1 ]
}
study users.yaml one --threads 1 --replications 5 > one.txt
study users.yaml two --threads 2 --replications 5 > two.txt
cmp one/study.json two/study.json || fail "the answer depends on the number of threads"
grep -q '^Demand carried within the limits by workload.users, sharing: overflow' one.txt || fail "no table of demand: $(cat one.txt)"
grep -qE '^ *fleet +3 +6 +400 +not surely more, because' one.txt || fail "the demands are not in ascending order"
grep -qE '^With overflow sharing, .* carries: ' one.txt || fail "no sentence"
python3 - <<'PY' || fail "the most demand in study.json is not as promised"
import json
study = json.load(open("one/study.json"))
most = study["most_demand"]
assert most["axis"] == {"path": "workload.users", "name": "users"} and most["values"] == ["3", "6", "400"]
assert most["loads"] == sorted(most["loads"]) and most["confidence"] == 0.95
assert most["limits"] == ["wait_s_p95(prototype) <= 4 h"]
assert {f["sharing"] for f in most["fleets"]} == {"strict", "overflow", "preempt", "one-pool"}
for fleet in most["fleets"]:
    words = [j["limits"] for j in fleet["judged"]]
    assert len(words) == 3 and words[2] == "broken" and fleet["surely_too_much"] is not None, fleet
    assert all(j["reason"] for j in fleet["judged"] if j["limits"] != "kept")
    first = next((i for i, w in enumerate(words) if w != "kept"), 3)
    assert fleet["surely_carried"] == (most["values"][first - 1] if first else None)
assert study["dossier"]["most_demand"] == most
PY
"$fleetsim" report one --to md > /dev/null || fail "no report"
grep -q '^# The most demand that a fleet carries' one/report/report.md || fail "the report says nothing of it"

# One replication has no interval, so nothing is sure.
study users.yaml single --replications 1 > single.txt
grep -q 'open at every demand that was tried' single.txt || fail "one replication is sure of something: $(cat single.txt)"

# An axis that is no demand has no such answer.
study users.yaml price --replications 2 --set 'study.axes={site.electricity: [0.1 USD/kWh, 0.2 USD/kWh]}' > price.txt
grep -q 'Demand carried' price.txt && fail "an axis of prices has an answer"

# The least fleet.
{
  small_lab
  cat <<'YAML'
study:
  candidates: affordable-fleets
  objective: {capex: {}}
  constraints: [wait_s_p95(prototype) <= 4 h]
YAML
} > least.yaml
study least.yaml least --replications 5 > least.txt
grep -q '^The least fleet$' least.txt || fail "the screen does not speak of the least fleet: $(cat least.txt)"
python3 - <<'PY' || fail "the least fleets in study.json are not as promised"
import json
study = json.load(open("least/study.json"))
assert {f["sharing"] for f in study["least_fleets"]} == {"strict", "overflow", "preempt", "one-pool"}
for least in study["least_fleets"]:
    rows = [c for c in study["candidates"] if c["sharing"] == least["sharing"]]
    assert least["fleets"] == len(rows)
    kept = [c["cost"]["capex_usd"] for c in rows if c["feasible"]]
    mean, low, high = (least[k] for k in ("by_mean", "low", "high"))
    assert (mean is None) == (not kept) and (mean is None or mean["capex_usd"] == min(kept))
    assert low is None or mean is None or low["capex_usd"] <= mean["capex_usd"]
    assert high is None or mean["capex_usd"] <= high["capex_usd"]
assert study["dossier"]["least_fleets"] == study["least_fleets"]
PY
"$fleetsim" report least --to md > /dev/null || fail "no report"
grep -q '^# The least fleet that carries this demand' least/report/report.md || fail "the report says nothing of the least fleet"
echo "inverse.sh: fine"
