# fleetsim study with search: rounds: what it tells, threads, kills, shards of a round, merge.
. "$(dirname "$0")/../script.sh" "$@"
cp "$source/scenarios/lab-66-33.yaml" lab.yaml
short=(--replications 4 --set study.search=rounds --set 'budget.capital=130000 USD' --set 'workload.users=12'
  --set 'time.warm_up=1 week' --set 'time.measure=3 weeks' --set 'time.drain=1 week' --set study.price_draws=0)
study() { "$fleetsim" study lab.yaml "${short[@]}" "$@" || [ $? -eq 1 ]; }

study --plan --out whole > plan.txt
grep -q '^Round 1: ' plan.txt || fail "the plan does not speak of round 1: $(cat plan.txt)"
[ ! -e whole ] || fail "--plan made a folder"
study --threads 1 --out whole > whole.txt
grep -q '^Rounds: [0-9]* candidates up to replication 5 ' whole.txt || fail "the rounds are not told: $(cat whole.txt)"
grep -q 'In all [0-9]* runs, [0-9.]* % of the [0-9]* that 20 replications' whole.txt || fail "the cost is not told"
grep -q 'was not simulated further after round [0-9]* ([0-9]* replications): ' whole.txt || fail "nobody was stopped"
study --plan --out whole | grep -q '^The study is complete after ' || fail "the plan does not see that all is done"
study --threads 2 --out two > /dev/null
cmp whole/study.json two/study.json || fail "threads change study.json"
cmp whole/candidates.csv two/candidates.csv || fail "threads change candidates.csv"

# What JSON and text say agrees.
python3 - whole/study.json whole.txt <<'PY'
import json, sys
study, text = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
search = study["search"]
assert search["runs"] == sum(r["runs"] for r in search["rounds"]) == sum(c["replications"] for c in study["candidates"])
assert f'In all {search["runs"]} runs' in text
assert search["guarantee"] in text
assert study["replications"] == max(c["replications"] for c in study["candidates"]) <= search["max_replications"] == 20
for c in study["candidates"]:
    assert c["last_round"] <= len(search["rounds"])
    if c["last_round"] == 0:
        assert c["replications"] == 0 and not c["feasible"] and c["stopped"]
    elif c["stopped"]:
        assert f'{c["fleet"]} was not simulated further after round {c["last_round"]} ({c["replications"]} replications): {c["stopped"]}' in text, c["label"]
PY

# Killed and resumed.
for _ in $(seq 6); do
  "$fleetsim" study lab.yaml "${short[@]}" --threads 2 --out killed > /dev/null 2>&1 &
  pid=$!
  sleep 0.4
  kill -9 $pid 2> /dev/null || true
  wait $pid 2> /dev/null || true
done
study --out killed > /dev/null
cmp whole/study.json killed/study.json || fail "kills change study.json"

# Round by round in three shards.
round=0
until study --plan --format json --out joined > plan.json && grep -q '"complete": true' plan.json; do
  round=$((round + 1))
  [ $round -lt 30 ] || fail "it never ends"
  for k in 1 2 3; do
    mkdir -p s$k
    [ ! -e joined/study.db ] || cp joined/study.db s$k/study.db
    study --shard $k/3 --out s$k > s.txt
    grep -q "^Round $round, shard $k of 3: " s.txt || fail "the shard does not say that it is of round $round: $(cat s.txt)"
  done
  "$fleetsim" merge s3/study.db s1/study.db s2/study.db -o joined/study.db > merge.txt || fail "merging round $round failed: $(cat merge.txt)"
done
study --out joined > joined.txt
cmp whole/study.json joined/study.json || fail "shards change study.json"
study --shard 2/3 --out joined | grep -q "^The study is complete after $round rounds\?; nothing to run in shard 2 of 3" || fail "a shard of a complete study finds work"

# A shard that is missing is told; with JSON for programs.
study --shard 1/2 --out lost --format json > lost.json
grep -q '"round": 1' lost.json && grep -q '"round_whole": false' lost.json || fail "JSON of a shard: $(cat lost.json)"
code=0
"$fleetsim" merge lost/study.db -o lost.db > lost.txt || code=$?
[ $code -eq 1 ] && grep -q 'missing: ' lost.txt || fail "a missing shard is not told: $(cat lost.txt)"

# The report shows it.
"$fleetsim" report whole --to md --out whole/report > /dev/null || fail "no report"
grep -rq 'How the best fleets were found' whole/report || fail "the report has no part on the rounds"

# Refused or told.
"$fleetsim" check lab.yaml --set study.max_replications=50 | grep -q 'study.max_replications' || fail "an unused cap is not told"
code=0
"$fleetsim" check lab.yaml --set study.max_replications=1 > /dev/null 2> err.txt || code=$?
[ $code -eq 2 ] && grep -q 'study.max_replications' err.txt || fail "a cap of 1 is taken: $(cat err.txt)"
