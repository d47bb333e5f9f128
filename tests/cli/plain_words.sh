# What the commands say where something is missing or there is just one: no budget, no result, two results files.
. "$(dirname "$0")/../script.sh" "$@"
has() { grep -qF -- "$2" "$1" || fail "$1 lacks '$2': $(cat "$1")"; }
lacks() { ! grep -qF -- "$2" "$1" || fail "$1 says '$2'"; }

sed -e '/^budget:/d' -e 's/split: .*/counts: {proto: 3, scale: 1}/' "$source/scenarios/lab-66-33.yaml" >free.yaml
sed -e 's/split: .*/counts: {proto: 3, scale: 1}/' "$source/scenarios/lab-66-33.yaml" >small.yaml
short=(--set 'time.warm_up=1 week' --set 'time.measure=1 week' --set 'time.drain=1 week' --set study.price_draws=0 --set time.replications=1)

# Without a budget nothing is unspent, and 'check' says beforehand what 'study' refuses.
"$fleetsim" run free.yaml "${short[@]}" --out free --schedule jobs.csv --time-series hours.csv >run.txt
lacks run.txt 'unspent'
has run.txt 'Files: free/result.json, jobs.csv, hours.csv'
has run.txt '1 replication of 1 week,'
lacks run.txt '- %'
python3 - free/result.json <<'PY' || fail "money without a budget is not null"
import json, sys
result = json.load(open(sys.argv[1]))
assert result["cost"]["unspent_usd"] is None
assert result["dossier"]["unspent_usd"] is None
assert result["dossier"]["study"]["candidates"][0]["unspent_usd"] is None
PY
"$fleetsim" check free.yaml >check.txt
has check.txt "'study' refuses this scenario: there is no budget"
has check.txt 'give budget.capital, or study.candidates: as-given'
"$fleetsim" check free.yaml --format json >check.json
python3 -c 'import json; f = json.load(open("check.json"))["files"][0]
assert f["can_study"] is False and f["study_refusals"] and f["unspent_usd"] is None' || fail "check.json: can_study"
code=0; "$fleetsim" study free.yaml --out none 2>err.txt || code=$?
[ $code -eq 2 ] || fail "a study without a budget ends with $code"
has err.txt 'give budget.capital, or study.candidates: as-given'

# The given fleet can be studied without one, and its report speaks of no budget.
code=0; "$fleetsim" study free.yaml "${short[@]}" --set study.candidates=as-given --out given >given.txt || code=$?
[ $code -le 1 ] || fail "an as-given study ends with $code"
"$fleetsim" report given --to md >/dev/null
lacks given/report/report.md 'nspent'
lacks given/report/report.md 'further node'
lacks given/report/report.md 'the budget affords'
python3 - <<'PY' || fail "money without a budget is neither empty nor null"
import csv, json
assert all(row["unspent_usd"] == "" and float(row["capex_usd"]) > 0 for row in csv.DictReader(open("given/candidates.csv")))
assert all(c["cost"]["unspent_usd"] is None for c in json.load(open("given/study.json"))["candidates"])
PY
# A small fleet under a large budget leaves room for many nodes.
"$fleetsim" run small.yaml "${short[@]}" --out small >/dev/null
"$fleetsim" report small --to md >/dev/null
lacks small/report/report.md 'further node'
has small/report/report.md 'stays unspent'

# The plan for programs.
"$fleetsim" study small.yaml "${short[@]}" --plan --format json --out plan >plan.json
python3 - <<'PY' || fail "the plan is not as promised"
import json
plan = json.load(open("plan.json"))
assert plan["replications"] == 1 and plan["stored"] == 0
assert plan["total"] == plan["runs"] == plan["to_run"] == len(plan["rows"]) > 0
assert set(plan["rows"][0]) == {"label", "replications", "stored", "to_run"}
PY
[ ! -e plan ] || fail "--plan wrote something"

# No result at all: nobody delivers most.
code=0
"$fleetsim" study small.yaml --set time.replications=1 --set study.candidates=as-given --set 'time.warm_up=0 h' --set 'time.measure=1 h' \
  --set 'time.drain=0 h' --out nothing >nothing.txt || code=$?
[ $code -eq 1 ] || fail "a study without results ends with $code: $(cat nothing.txt)"
lacks nothing.txt 'most results'
has nothing.txt 'none delivers a result'
lacks nothing.txt 'over 1 replications'

# A folder with both: what was taken, and how to get the other.
cp free/result.json given/result.json
"$fleetsim" report given --to md >/dev/null 2>both.txt
has both.txt 'this is the report of study.json. For the run: fleetsim report given/result.json'
"$fleetsim" report given/result.json --to md --out other >/dev/null 2>err.txt
has other/report.md 'describes one fleet'
"$fleetsim" report --help >help.txt
has help.txt 'study.json goes before result.json'
lacks help.txt ' arg'
"$fleetsim" catalog --help >help.txt
lacks help.txt ' arg'
code=0; "$fleetsim" report small.yaml 2>err.txt || code=$?
[ $code -eq 2 ] || fail "a report of a scenario ends with $code"
has err.txt "small.yaml is a scenario"
has err.txt "fleetsim study small.yaml --out out"

# One row of a study: two hashes, and which is which.
label=$(sed -n 2p given/candidates.csv | cut -d, -f1)
"$fleetsim" run --from-study given/study.db --candidate "$label" --replication 0 --out again >again.txt
has again.txt "chained over the run's replications"
has again.txt 'its own replay hash, as stored'

# One of a thing.
printf '1 0 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 -1 -1 -1\n' >one.swf
"$fleetsim" replay one.swf --processors 1 >one.txt
has one.txt '1 processor'
lacks one.txt '1 processors'
