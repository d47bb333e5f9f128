# fleetsim study with price draws: the same bytes for every number of threads, for shards and after kills; what is said
# of prices in study.json, in the verdict and in the report.
. "$(dirname "$0")/../script.sh" "$@"

lab=$source/scenarios/lab-66-33.yaml
short=("$lab" --replications 2 --set 'time.warm_up=1 week' --set 'time.measure=1 week'
  --set 'time.drain=1 week' --set 'study.constraints=[]')
drawn=("${short[@]}" --set study.price_draws=3)
study() { "$fleetsim" study "${drawn[@]}" "$@" || [ $? -eq 1 ]; }
rows() { # DB: every row of the runs but what was measured
  python3 -c 'import sqlite3, sys
for row in sorted(sqlite3.connect(sys.argv[1]).execute("select candidate, engine, replication, label, replay_hash, events, metrics, digest from run")): print(row)' "$1"
}

study --plan --format json --out none > plan.json
study --out one --threads 1 > one.txt
study --out two --threads 2 > two.txt
cmp one/study.json two/study.json || fail "1 and 2 threads give different study.json"
cmp one/candidates.csv two/candidates.csv || fail "1 and 2 threads give different candidates.csv"
rows one/study.db > one.rows
rows two/study.db | cmp - one.rows || fail "1 and 2 threads store different rows"
study --plan --out one | grep -q ' 0 to run$' || fail "after the study the plan still wants runs: $(study --plan --out one | tail -1)"

# Two shards joined are the whole.
study --shard 1/2 --out s1 > s1.txt
study --shard 2/2 --out s2 > s2.txt
grep -q 'of drawn prices x 2 replications' s1.txt || fail "a shard does not tell the fleets of drawn prices: $(cat s1.txt)"
"$fleetsim" merge s1/study.db s2/study.db -o joined/study.db > merged.txt || fail "shards do not join: $(cat merged.txt)"
grep -q 'drawn prices' merged.txt || fail "merge does not count the fleets of drawn prices: $(cat merged.txt)"
study --out joined > /dev/null
cmp one/study.json joined/study.json || fail "shards joined give another study.json"
rows joined/study.db | cmp - one.rows || fail "shards joined hold other rows"

# A row of a fleet that only drawn prices make can be simulated again.
label=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["rows"][-1]["label"])' plan.json)
"$fleetsim" run --from-study joined/study.db --candidate "$label" --replication 1 --out again > again.txt || fail "$label is not repeated: $(cat again.txt)"
grep -q 'equal, bit for bit' again.txt || fail "$label gives another result: $(cat again.txt)"

# Killed and resumed is as undisturbed; a store that lacks rows of one shard is told.
killed=0
for wait in 0.15 0.3 0.5 0.8 1.2; do
  "$fleetsim" study "${drawn[@]}" --out killed --threads 2 > /dev/null 2>&1 &
  victim=$!
  sleep $wait
  kill -KILL $victim 2> /dev/null || true
  code=0
  { wait $victim || code=$?; } 2> /dev/null
  [ $code -ne 137 ] || killed=$((killed + 1))
done
[ $killed -gt 0 ] || fail "no kill came in time"
study --out killed > /dev/null
cmp one/study.json killed/study.json || fail "killed and resumed gives another study.json"
code=0
"$fleetsim" merge s2/study.db -o half.db > half.txt || code=$?
[ $code -eq 1 ] || fail "half of the runs joins with exit $code"

# More draws reuse what is stored; no draws are the study of before, without a word on prices.
"$fleetsim" study "${short[@]}" --set study.price_draws=0 --out one > plain.txt || [ $? -eq 1 ]
! grep -q 'price_robustness' one/study.json || fail "price_robustness without draws"
! grep -q 'Prices are estimates' plain.txt || fail "the verdict speaks of draws that were not made"

# What it says.
python3 - two/study.json plan.json <<'PY' || fail "study.json says something else"
import json, sys
study, plan = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
p = study["price_robustness"]
assert p["draws"] == p["asked"] == 3 and p["replications"] == 2
assert plan["drawn_fleets"] == p["fleets_added"] > 0
candidates = len(study["candidates"])
assert plan["total"] == candidates * 2 + p["fleets_added"] * 2 == plan["to_run"]
own = [f for f in p["fleets"] if f["of_study"]]
assert [f["label"] for f in own] == [c["label"] for c in study["candidates"] if c["sharing"] == p["sharing"]]
for f in p["fleets"]:
    for share in ("affordable", "in_best_set", "undecided", "best"):
        assert -1e-9 <= f[share] <= 1 + 1e-9, f
        assert abs(f[share] * 3 - round(f[share] * 3)) < 1e-6, f  # so many of three draws
    assert f["in_best_set"] + f["undecided"] <= f["affordable"] + 1e-9, f
if p["rule"]:
    assert abs(sum(p["rule"].values()) - 1) < 1e-9
items = [q["item"] for q in p["quantities"]]
assert len(items) == len(set(items)) and "water cooling for 8 cards" in items
assert sum(i.startswith("8-GPU barebone") for i in items) == 1, "the same item of two nodes is one quantity"
for row in p["flips"]:
    assert row["flips_at"] is None or row["low"] <= row["flips_at"] <= row["high"], row
assert {r["item"] for r in p["flips"]} == set(items)
assert study["dossier"]["price_robustness"] == p
assert "Prices are estimates: over 3 draws" in study["verdict"]
PY

# What the report says is what study.json says.
if command -v gnuplot > /dev/null && command -v dot > /dev/null; then
  "$fleetsim" report two --to md > /dev/null 2> err.txt || fail "no report: $(cat err.txt)"
  python3 - two/study.json two/report/report.md <<'PY' || fail "the report says something else"
import json, re, sys
p, text = json.load(open(sys.argv[1]))["price_robustness"], open(sys.argv[2]).read()
section = text[text.index("# Price uncertainty"):]
for f in p["fleets"]:
    if f["of_study"]:
        row = next(l for l in section.splitlines() if re.match(r"\|\s*" + re.escape(f["fleet"]) + r"\s*\|", l))
        cells = [c.replace("\u00a0", " ").strip() for c in row.strip("|").split("|")]
        assert cells[3] == f"{100 * f['in_best_set']:.0f} %", (cells, f)
for row in p["flips"]:
    assert row["item"] in section, row["item"]
    if row["flips_at"] is not None and row["unit"] == "USD":
        assert f"{row['flips_at']:,.0f} USD" in section.replace("\u00a0", " "), row
# The tornado: whatever moves the best fleet's time stands there with the fleets of both ends.
part = section[section.index("## What each estimate does to the recommendation"):]
home = p["at_values"]["hours"]
for q in p["quantities"]:
    ends = [q["at_low"], q["at_high"]]
    if not any(e["hours"] is not None and e["hours"] != home for e in ends):
        continue
    row = next(l for l in part.splitlines() if l.startswith("|") and q["item"] in l)
    for e in ends:
        assert e["best"] is None or e["best"] in row, (row, e)
PY
else
  echo "price_draws.sh: SKIPPED the report: it needs gnuplot and dot"
fi

# Bad values are refused with place and range.
code=0
"$fleetsim" study "$lab" --set study.price_draws=-1 --out no 2> err.txt || code=$?
[ $code -eq 2 ] || fail "a negative number of draws: exit $code"
grep -q 'price_draws' err.txt || fail "a negative number of draws is not named: $(cat err.txt)"
echo "price_draws.sh: fine, $killed kills"
