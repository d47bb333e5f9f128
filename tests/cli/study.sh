# fleetsim study: same bytes for any number of threads and after kills; plan, verdict, exit codes.
. "$(dirname "$0")/../script.sh" "$@"

scenario=$source/scenarios/lab-66-33.yaml
# Four replications of twelve weeks: a second or two, long enough to be killed in.
short=(study "$scenario" --replications 4 --set 'time.warm_up=1 week' --set 'time.measure=12 weeks' --set 'time.drain=2 weeks' --set study.price_draws=0)
study() { # DIR, more options
  dir=$1
  shift
  "$fleetsim" "${short[@]}" --out "$dir" "$@"
}
stored() { # DIR: rows in its store
  study "$1" --plan 2> /dev/null | sed -n 's/.*; \([0-9]*\) stored.*/\1/p' | grep . || echo 0
}

study one --threads 1 > one.txt || [ $? -eq 1 ] || fail "a plain study failed"
study two --threads 2 > two.txt || [ $? -eq 1 ] || fail "a study on two threads failed"
cmp one/study.json two/study.json || fail "study.json depends on the number of threads"
cmp one/candidates.csv two/candidates.csv || fail "candidates.csv depends on the number of threads"
diff <(sed 's/^Files:.*//' one.txt) <(sed 's/^Files:.*//' two.txt) || fail "the text depends on the number of threads"
[ ! -e one/study.db-wal ] || fail "the store was not closed"

for words in 'Sharing: strict' 'Sharing: overflow' 'Sharing: preempt' 'Sharing: one-pool' 'Verdict: ' \
  "66-80 / 20-33 holds while scale-up is between 20 and 34 % of the demand's money (s), at these prices" \
  'end point' 'Demand: load'; do
  grep -qF "$words" one.txt || fail "the text lacks '$words'"
done
python3 - one/study.json <<'PY' || fail "study.json is not as promised"
import json, sys
study = json.load(open(sys.argv[1]))
for key in ("scenario", "best", "verdict", "rule", "objective", "candidates", "replications", "dossier"):
    assert key in study, key
assert study["replications"] == 4
assert study["rule"]["band"] == [0.20, 0.34]
labels = [c["label"] for c in study["candidates"]]
assert len(labels) == len(set(labels)) and len(labels) % 4 == 0
ranked = {d["label"] for s in study["best_sets"] for d in s["differences"]}
for c in study["candidates"]:
    assert c["feasible"] == (not c["reasons"]), c["label"]
    assert c["feasible"] or c["label"] not in ranked, c["label"]
    assert not (c["end_point"] and c["feasible"]), c["label"]
    assert not c["broken_laws"], c["broken_laws"]
strict = [c for c in study["candidates"] if c["sharing"] == "strict"]
assert strict[0]["end_point"] and strict[-1]["end_point"]
PY

# A second time nothing is simulated, and more replications keep what is there.
study one --threads 2 > again.txt || [ $? -eq 1 ] || fail "the second study failed"
diff one.txt again.txt || fail "the second study says something else"
study one --plan > plan.txt
grep -q ' 0 to run$' plan.txt || fail "the plan of a finished study has something to run: $(tail -1 plan.txt)"
study one --plan --replications 5 2> err.txt && fail "an option given twice was taken"
study fresh --plan > plan.txt
grep -q '; 0 stored' plan.txt || fail "the plan of a fresh study has something stored"
[ ! -e fresh ] || fail "a plan wrote something"

# Killed in the middle, at three moments, then resumed: the same bytes.
for round in 1 2 3; do # 192 rows in all
  "$fleetsim" "${short[@]}" --out killed --threads 2 > /dev/null 2>&1 & # no function: its shell would be killed
  victim=$!
  for _ in $(seq 600); do
    [ "$(stored killed)" -ge $((round * 20)) ] && break
    kill -0 $victim 2> /dev/null || break
    sleep 0.01
  done
  kill -9 $victim 2> /dev/null || true
  { wait $victim || true; } 2> /dev/null
done
[ ! -e killed/study.json ] || fail "the study ended before it was killed"
[ "$(stored killed)" -gt 0 ] || fail "a killed study left nothing"
study killed --threads 1 > /dev/null || [ $? -eq 1 ] || fail "the killed study does not resume"
cmp one/study.json killed/study.json || fail "a killed and resumed study gives another study.json"

# Interrupted: what runs is finished and stored, exit 130.
"$fleetsim" "${short[@]}" --out stopped --threads 2 > /dev/null 2> err.txt &
victim=$!
for _ in $(seq 600); do
  [ -s stopped/study.db ] && break
  sleep 0.05
done
kill -INT $victim
code=0
wait $victim || code=$?
[ $code -eq 130 ] || fail "an interrupted study ended with $code"
grep -q 'the same command resumes' err.txt || fail "the interrupted study does not say how to go on"
[ ! -e stopped/study.json ] || fail "an interrupted study wrote a result"

# No fleet keeps the constraints: the question is answered "no".
cp -r one strictest
code=0
study strictest --set 'study.constraints=[utilisation_allocated >= 0.99]' > none.txt || code=$?
[ $code -eq 1 ] || fail "a study without a feasible fleet ended with $code"
grep -q 'delivers most results a week' none.txt || fail "a study without a feasible fleet recommends nothing"

# Wrong input.
expect() { # CODE, TEXT, command...
  wanted=$1 text=$2
  shift 2
  code=0
  "$@" > out.txt 2> err.txt || code=$?
  [ $code -eq "$wanted" ] || fail "'$*' ended with $code, not $wanted: $(cat err.txt)"
  grep -qF -- "$text" err.txt || fail "'$*' does not say '$text' but: $(cat err.txt)"
}
expect 2 'which scenario' "$fleetsim" study
expect 2 'did you mean' "$fleetsim" study "$scenario" --thread 2
expect 2 'neither text nor json' "$fleetsim" study "$scenario" --format yaml
expect 2 'between 1 and 100000' "$fleetsim" study "$scenario" --replications 0
expect 2 'between 1 and 1024' "$fleetsim" study "$scenario" --threads 0
expect 2 'backfill' "$fleetsim" study "$scenario" --set scheduler.type=backfill --out no
expect 3 'missing.yaml' "$fleetsim" study missing.yaml
sed '/promotes_to/d' "$scenario" > alone.yaml
code=0
"$fleetsim" study alone.yaml --out no 2> err.txt || code=$?
[ $code -eq 2 ] || fail "a scenario without promotion ended with $code: $(cat err.txt)"
[ ! -e no ] || fail "a refused study left a folder"
echo "study.sh: fine"
