# study.front: what study prints, study.json, candidates.csv and the report say of the Pareto front, and that they agree.
. "$(dirname "$0")/../script.sh" "$@"
{
  small_lab -e 's/replications: 2/replications: 4/; s/90000 USD/110000 USD/; s|6 /day|10 /day|; s/^\( *\)promotes_to/\1time_limit: {factor: 20}\n&/'
  echo 'study: {candidates: affordable-fleets}'
} > lab.yaml
front=(--set 'study.front=[wait_s_p95(prototype), capex]')
study() { "$fleetsim" study lab.yaml "$@" || [ $? -eq 1 ]; }

study --out none > none.txt
study --out with "${front[@]}" > with.txt
grep -q '^Pareto front of wait_s_p95(prototype) and capex, sharing: overflow$' with.txt || fail "no front is printed: $(cat with.txt)"
grep -q 'Pareto' none.txt && fail "a front that nobody asked for is printed"

python3 - none with with.txt <<'PY'
import csv, json, sys
none, study = (json.load(open(f"{d}/study.json")) for d in sys.argv[1:3])
text = open(sys.argv[3]).read()
front = study.pop("front")
assert "front" not in none
# Nothing else changes but the scenario's own text.
for s in (none, study):
    s.pop("dossier"), s.pop("scenario")
assert none == study, [k for k in none if none[k] != study.get(k)]
assert front["axes"][0] == {"metric": "wait_s_p95(prototype)", "unit": "s", "larger_is_better": False, "exact": False}
assert front["axes"][1]["exact"] and front["guarantee"] in text
candidates = study["candidates"]
standing = {}
for rule in front["sharing"]:
    k = sum(c["sharing"] == rule["sharing"] for c in candidates)
    assert len(rule["fleets"]) == k and abs(rule["comparison_error"] - 0.05 / (k * (k - 1) / 2)) < 1e-12
    for f in rule["fleets"]:
        c = candidates[f["candidate"]]
        standing[c["label"]] = f["standing"]
        assert f["label"] == c["label"] and (f["standing"] == "left out") >= (not c["feasible"])
        assert f["values"][1]["mean"] == c["cost"]["capex_usd"]
        assert f["values"][0]["mean"] == c["classes"]["prototype"]["wait_s_p95"]["mean"]
        assert (f["by"] in [x["label"] for x in rule["fleets"]]) == (f["standing"] in ("dominated", "undecided"))
rows = list(csv.DictReader(open("with/candidates.csv")))
assert {r["label"]: r["front"] for r in rows if r["sharing"]} == standing
assert "front" not in open("none/candidates.csv").readline().split(",")
# The cheapest fleet that may be ranked is beaten by none that is not as cheap.
seen = {f["standing"] for rule in front["sharing"] for f in rule["fleets"]}
assert {"on the front", "undecided"} <= seen, seen
for rule in front["sharing"]:
    ranked = [f for f in rule["fleets"] if f["standing"] != "left out"]
    least = min((f["values"][1]["mean"] for f in ranked), default=0)
    cheapest = [f for f in ranked if f["values"][1]["mean"] == least]
    assert len(cheapest) != 1 or cheapest[0]["standing"] == "on the front"
PY

# Threads and resuming change no byte; the rows of the study without a front serve the one with it.
study --out with "${front[@]}" --threads 2 > again.txt
study --out two "${front[@]}" --threads 2 > /dev/null
cmp with/study.json two/study.json || fail "threads change the front"
cp -r none reused
study --plan --out reused "${front[@]}" --format json > plan.json
python3 -c 'import json; p = json.load(open("plan.json")); assert all(r["to_run"] == 0 for r in p["rows"]) and p["rows"], p' || fail "a front asks for other simulations"

# By rounds fewer replications are shared, which is said.
study --out rounds "${front[@]}" --set study.search=rounds --set study.max_replications=6 > rounds.txt
grep -q 'judged on the replications that it shares' rounds.txt || fail "rounds do not say on what fleets are judged: $(cat rounds.txt)"

# The report.
"$fleetsim" report with --to md --out with/report > /dev/null || fail "no report"
grep -rq 'No fleet is better in both' with/report || fail "the report has no front"
[ -s with/report/front.svg ] || fail "the front is not drawn: $(ls with/report)"

# Refused.
code=0
"$fleetsim" check lab.yaml --set 'study.front=[capex]' > /dev/null 2> err.txt || code=$?
[ $code -eq 2 ] && grep -q "a front is of two" err.txt || fail "a front of one figure is taken: $(cat err.txt)"
