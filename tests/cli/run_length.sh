# time.warm_up: mser-5 and time.precision: found, the same for threads and shards, and told in text and JSON.
. "$(dirname "$0")/../script.sh" "$@"
small_lab -e 's/warm_up: 1 week/warm_up: mser-5/; s/replications: 2/replications: 3/' > found.yaml
small_lab -e 's/replications: 2/replications: 3/' > fixed.yaml
study() { "$fleetsim" study "$@" || [ $? -eq 1 ] || fail "study $* failed"; }

# A run: its own fleet's warm-up, and then the bytes of a run to which it is given.
"$fleetsim" run found.yaml --out run --threads 2 > run.txt
hours=$(python3 -c 'import json; print(int(json.load(open("run/result.json"))["warm_up"]["hours"]))')
grep -qF "Warm-up by MSER-5: $hours h are cut off every run, as asked for by 1 pilot run (replication 0, from empty)." run.txt ||
  grep -qF "Warm-up by MSER-5: none of 1 pilot run" run.txt || fail "the warm-up is not told: $(cat run.txt)"
"$fleetsim" run fixed.yaml --set "time.warm_up=$hours h" --out given > given.txt
diff <(grep 'replay hash' run.txt) <(grep 'replay hash' given.txt) || fail "the warm-up that is told is not the one of the runs"
grep -q 'MSER' given.txt && fail "a given warm-up is called found"

# A study: one warm-up for all, whatever the threads; shards find the same, and their rows make the same study.
study found.yaml --out one --threads 1 > one.txt
study found.yaml --out two --threads 2 > two.txt
cmp one/study.json two/study.json || fail "the study depends on the number of threads"
for k in 1 2; do study found.yaml --shard $k/2 --out "shard$k" > /dev/null; done
mkdir joined
"$fleetsim" merge shard1/study.db shard2/study.db -o joined/study.db > /dev/null
study found.yaml --out joined --plan | grep -q ' 0 to run$' || fail "the shards simulated another study"
study found.yaml --out joined > /dev/null
cmp one/study.json joined/study.json || fail "shards give another study"
python3 - one one.txt <<'PY'
import json, sys
study = json.load(open(sys.argv[1] + "/study.json"))
found, text = study["warm_up"], open(sys.argv[2]).read()
assert found["sentence"] in text and found["sentence"] in study["dossier"]["limitations"]
assert [p["fleet"] for p in found["pilots"]] == [c["label"] for c in study["candidates"]]
settled = [p["hours"] for p in found["pilots"] if p["settled"]]
assert found["hours"] == (max(settled) if settled else 672)
PY
store=one/study.db
label=$(python3 -c 'import json; print(json.load(open("one/study.json"))["candidates"][3]["label"])')
"$fleetsim" run found.yaml --from-study $store --candidate "$label" --replication 1 --out row > row.txt || fail "a row cannot be run again: $(cat row.txt)"

# Precision: more replications until it is met; the cap ends it, and it is said.
"$fleetsim" run fixed.yaml --set 'time.precision=40 %' --set study.max_replications=40 --out wide > wide.txt
"$fleetsim" run fixed.yaml --set 'time.precision=0.1 %' --set study.max_replications=5 --out capped --threads 1 > capped.txt
"$fleetsim" run fixed.yaml --set 'time.precision=0.1 %' --set study.max_replications=5 --out again --threads 2 > again.txt
cmp capped/result.json again/result.json || fail "precision depends on the number of threads"
"$fleetsim" run fixed.yaml --replications 5 --out five > five.txt
diff <(grep 'replay hash' capped.txt) <(grep 'replay hash' five.txt) || fail "five replications are not the first five"
python3 - <<'PY'
import json
wide, capped = (json.load(open(d + "/result.json")) for d in ("wide", "capped"))
p = wide["precision"]
assert p["met"] and p["reached"] <= 0.4 / 1.4 and 3 <= p["replications"] == wide["replications"] <= 40, p
p = capped["precision"]
assert not p["met"] and p["replications"] == p["most"] == capped["replications"] == 5, p
text = open("capped.txt").read()
assert "NOT enough: the cap ended it (study.max_replications)." in text and p["sentence"] in text
PY

# An exhaustive study refuses it; by rounds the best fleet goes on.
"$fleetsim" study fixed.yaml --set 'time.precision=2 %' --out no > no.txt 2> err.txt && fail "an exhaustive study took a precision"
grep -q 'time.precision: an exhaustive study gives every fleet time.replications' err.txt || fail "no reason: $(cat err.txt)"
grep -q 'study.search: rounds' err.txt || fail "no hint: $(cat err.txt)"
rounds=(--set study.search=rounds --set study.max_replications=12)
study fixed.yaml "${rounds[@]}" --set 'time.precision=0.1 %' --out rounds --threads 1 > rounds.txt
study fixed.yaml "${rounds[@]}" --set 'time.precision=0.1 %' --out rounds2 --threads 2 > /dev/null
cmp rounds/study.json rounds2/study.json || fail "rounds to a precision depend on the number of threads"
python3 - <<'PY'
import json
study = json.load(open("rounds/study.json"))
best = study["recommended"]
if study["recommended_feasible"]:
    p = study["precision"]
    assert p["most"] == 12 and (p["met"] or p["replications"] == 12), p
    assert p["sentence"] in open("rounds.txt").read()
PY
