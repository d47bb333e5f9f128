# fleetsim submit without Slurm: an sbatch that only writes down what it is told. What is submitted, what is refused and
# undone, odd names, and shards that are missing, incomplete or damaged. tests/slurm/run.sh does it on a real Slurm.
. "$(dirname "$0")/../script.sh" "$@"
expect() { # CODE, TEXT, command...
  wanted=$1 text=$2
  shift 2
  code=0
  "$@" > out.txt 2> err.txt || code=$?
  [ $code -eq "$wanted" ] || fail "'$*' ended with $code, not $wanted: $(cat out.txt err.txt)"
  cat out.txt err.txt | grep -qF -- "$text" || fail "'$*' does not say '$text' but: $(cat out.txt err.txt)"
}
short=(--replications 2 --set 'time.warm_up=1 week' --set 'time.measure=1 week' --set 'time.drain=1 week' --set study.price_draws=0)
cp "$source/scenarios/lab-66-33.yaml" lab.yaml
submit() { "$fleetsim" submit lab.yaml "${short[@]}" "$@"; }

mkdir bin notes
cat > bin/sbatch <<'SH'
#!/bin/bash
# Each call is a line of words between '|', then the folder and the settings that jobs would inherit.
{ printf '%s|' "$@"; echo; } >> "$NOTES/sbatch.txt"
echo "$PWD $TZ ${TMPDIR-unset}" >> "$NOTES/places.txt"
refuse() { printf 'sbatch: error: %s\n' "$@" >&2; exit 1; }
for word in "$@"; do
  case $word in
    --partition=nope) refuse 'invalid partition specified: nope' 'Batch job submission failed: Invalid partition name specified' ;;
    --account=none) refuse 'Batch job submission failed: Invalid account or account/partition combination specified' ;;
  esac
  last=$word
done
[ ! -e "$NOTES/refuse-$(basename "$last" .sh)" ] || refuse 'Batch job submission failed: Job violates accounting/QOS policy'
id=$(($(cat "$NOTES/id" 2> /dev/null || echo 100) + 1))
echo $id > "$NOTES/id"
echo 'sbatch: warning: a word of the site' >&2
echo "$id;cluster"
SH
cat > bin/scancel <<'SH'
#!/bin/bash
echo "$@" >> "$NOTES/scancel.txt"
SH
cat > bin/squeue <<'SH'
#!/bin/bash
[ ! -e "$NOTES/queue" ] || { cat "$NOTES/queue"; exit 0; }
echo 'slurm_load_jobs error: Invalid job id specified' >&2
exit 1
SH
chmod +x bin/*
export NOTES=$work/notes
bare=$PATH
export PATH=$work/bin:$PATH

# --dry-run prints both scripts and what submits them, as a reader expects them; it makes nothing and needs no Slurm.
PATH=$bare submit --shards 40 --partition cpu --time-limit '2 h' --account lab --at-once 8 --sbatch-option cpus-per-task=2 \
  --out dry --dry-run > dry.txt || fail "a dry run failed"
[ ! -e dry ] && [ ! -e notes/sbatch.txt ] || fail "a dry run did something"
sed -e "s|$fleetsim|/opt/fleetsim|" -e "s|$work|/home/me|" dry.txt > shown.txt
golden=$source/tests/cli/submit_dry_run.txt
if [ "${FLEETSIM_UPDATE_GOLDEN:-}" = 1 ]; then cp shown.txt "$golden"; fi
diff "$golden" shown.txt || fail "the scripts changed; FLEETSIM_UPDATE_GOLDEN=1 rewrites $golden"
# The cells of a map count: (1 + 2) x 96.
submit --set 'study.axes={workload.users: [20, 40]}' --shards 100 --out dry --dry-run > cells.txt || fail "a dry run of a map failed"
grep -q '288 simulations' cells.txt || fail "cells are not counted: $(cat cells.txt)"
submit --shards 3 --out dry --dry-run --format json | python3 -c 'import json, sys
j = json.load(sys.stdin)
assert [s["command"][0] for s in j["scripts"]] == ["sbatch", "sbatch"] and "#SBATCH" in j["scripts"][0]["text"], j' || fail "the JSON of a dry run"

# Refused before anything is made or submitted.
PATH=$bare
if ! command -v sbatch > /dev/null; then
  expect 3 'slurm-client' submit --shards 2 --out absent
  grep -q 'sbatch.* not found' err.txt || fail "it does not name sbatch: $(cat err.txt)"
fi
export PATH=$work/bin:$PATH
expect 2 'which scenario' "$fleetsim" submit --shards 2
expect 2 'how many --shards' submit --out no
expect 2 'between 1 and' submit --shards 0 --out no
expect 2 'between 1 and' submit --shards -3 --out no
expect 2 "'many'" submit --shards many --out no
expect 2 'simulations' submit --shards 5000 --out no
grep -qE 'shards 5000: the study has only [0-9]+ simulations' err.txt || fail "too many shards: $(cat err.txt)"
expect 2 'cannot stand in a line' submit --shards 2 --partition 'a b' --out no
expect 2 'cannot stand in a line' submit --shards 2 --partition "a'b" --out no
expect 2 "did you mean 'qos'" submit --shards 2 --sbatch-option qso=high --out no
expect 2 'is none that is passed on' submit --shards 2 --sbatch-option output=/etc/passwd --out no
expect 2 'given twice' submit --shards 2 --sbatch-option mem=1G --sbatch-option mem=2G --out no
expect 2 'no unit' submit --shards 2 --time-limit 90 --out no
expect 2 'less than a minute' submit --shards 2 --time-limit '30 s' --out no
expect 2 'takes no --shards' "$fleetsim" submit --continue no --shards 2
expect 2 'nothing was submitted' "$fleetsim" submit --continue no
expect 2 'nothing was submitted' "$fleetsim" submit --resubmit --out no
expect 2 'nod_type' "$fleetsim" submit lab.yaml --set fleet.nod_type=2 --shards 2 --out no
expect 3 'cannot read nowhere.yaml' "$fleetsim" submit nowhere.yaml --shards 2 --out no
touch file
expect 3 'a file stands there' submit --shards 2 --out file
[ ! -e no ] && [ ! -e notes/sbatch.txt ] || fail "a refused call made or submitted something"
expect 2 'with a backslash in its name' submit --shards 2 --out 'no\way'
mkdir -p taken && touch taken/study.db
expect 2 'not submitted from here' submit --shards 2 --out taken

# Slurm's own words; nothing stays half submitted.
expect 2 'Slurm refuses the job array: invalid partition specified: nope; Batch job submission failed: Invalid partition name specified' \
  submit --shards 2 --partition nope --out refused
grep -q "sinfo" err.txt || fail "no hint at the partitions"
expect 2 'Invalid account' submit --shards 2 --account none --out refused
touch notes/refuse-merge
expect 3 'Slurm refuses the merge job: Batch job submission failed: Job violates accounting/QOS policy; the job array 101, which was accepted before, is cancelled' \
  submit --shards 2 --out refused
[ "$(cat notes/scancel.txt)" = 101 ] || fail "cancelled: $(cat notes/scancel.txt)"
rm notes/refuse-merge
touch notes/refuse-shards
expect 3 'Slurm refuses the job array' submit --shards 2 --out refused
rm notes/refuse-shards
[ ! -e refused/submission.json ] || fail "a refused submission left its record"
expect 0 'Submitted: job array 102' submit --shards 2 --out refused
rm notes/sbatch.txt notes/places.txt

# Odd names; what sbatch is told; the scenario of the moment.
odd=$'my "lab\'s" 5%a $HOME `x` study\nof two lines'
TZ=Asia/Kathmandu TMPDIR=$work expect 0 'Submitted: merge job 105, after all tasks' submit --shards 5 --partition cpu --time-limit 1-2 --at-once 2 --out "$odd"
output=--output=$work/${odd//%/%%}/submit/log # Slurm would put the task's number for the folder's %a
rest='|--open-mode=append|--ntasks=1|--cpus-per-task=1|--partition=cpu|--time=1-02:00:00|'
cat > wanted.txt <<TXT
--parsable|--array=1-5%2|--job-name=lab-66-33|$output/shard-%a.txt${rest}submit/shards.sh|
--parsable|--dependency=afterany:104|--job-name=lab-66-33-merge|$output/merge-%j.txt${rest}submit/merge.sh|
TXT
diff wanted.txt notes/sbatch.txt || fail "sbatch was told something else"
grep -q " Asia/Kathmandu $work\$" notes/places.txt || fail "jobs would inherit another time zone or TMPDIR: $(cat notes/places.txt)"
python3 - "$odd" <<'PY' || fail "submission.json is not as promised"
import json, sys
r = json.load(open(sys.argv[1] + "/submission.json"))
assert r["shards"] == 5 and r["study"] == "lab-66-33" and r["at_once"] == 2, r
assert r["jobs"] == [{"round": 1, "shards": [1, 2, 3, 4, 5], "array": "104", "merge": "105"}], r
PY
expect 2 'holds this study, submitted already in 5 shards' submit --shards 5 --out "$odd"
expect 2 'holds another study' submit --set seed=7 --shards 5 --out "$odd"
cp lab.yaml before.yaml
sed -i 's/^seed: .*/seed: 999/' lab.yaml # an edit after the submission
for script in shards merge; do bash -n "$odd/submit/$script.sh" || fail "$script.sh is no script"; done

task() { # K: as Slurm would run it
  (cd "$odd" && SLURM_ARRAY_TASK_ID=$1 SLURM_CPUS_PER_TASK=1 bash submit/shards.sh > "submit/log/shard-$1.txt" 2>&1)
}
merge() { (cd "$odd" && bash submit/merge.sh); }
expect 1 '0 of 5 shards are whole' merge
for k in 1 2 4 5; do task $k || fail "shard $k failed"; done
expect 1 '4 of 5 shards are whole' merge
grep -q '  shard 3: there is no store' out.txt || fail "the missing shard is not named: $(cat out.txt)"
grep -q 'submit --resubmit --out' out.txt || fail "it does not say how to go on: $(cat out.txt)"
[ ! -e "$odd/study.json" ] || fail "a verdict on a part"

# One missing, one incomplete, one with a damaged row, one cut: told, and these alone are submitted again.
python3 - "$odd" <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1] + "/shard-1/study.db")
db.execute("delete from run where (candidate, replication) in (select candidate, replication from run limit 3)")
db.commit(); db.close()
db = sqlite3.connect(sys.argv[1] + "/shard-4/study.db")
db.execute("update run set events = events + 1 where candidate = (select min(candidate) from run)")
db.commit()
PY
truncate -s 5000 "$odd/shard-5/study.db"
expect 1 '1 of 5 shards are whole' merge
grep -qE '  shard 1: [0-9]+ of [0-9]+ runs are stored; see submit/log/shard-1.txt' out.txt || fail "an incomplete shard: $(cat out.txt)"
[ "$(grep -cE '  shard [45]: its store is damaged' out.txt)" -eq 2 ] || fail "damaged shards: $(cat out.txt)"
merge_json() { (cd "$odd" && "$fleetsim" submit --continue . --format json); }
expect 1 '"unfinished"' merge_json
python3 -c 'import json; j = json.load(open("out.txt"))
assert j["unfinished"] == [1, 3, 4, 5] and [s["state"] for s in j["shards"]] == ["incomplete", "whole", "missing", "damaged", "damaged"], j' || fail "the JSON of an unfinished study: $(cat out.txt)"
echo '104_[3-5]' > notes/queue
expect 2 'still wait or run: 104_[3-5]' "$fleetsim" submit --resubmit --out "$odd"
rm notes/queue notes/sbatch.txt
expect 2 'is not the scenario that was submitted' submit --resubmit --out "$odd"
expect 2 'cut into 5 shards, not 6' "$fleetsim" submit --resubmit --shards 6 --out "$odd"
touch notes/refuse-merge
cp "$odd/submission.json" record.json
expect 3 'the job array 106, which was accepted before, is cancelled' "$fleetsim" submit --resubmit --out "$odd"
cmp record.json "$odd/submission.json" || fail "a refused resubmission changed the record"
rm notes/refuse-merge notes/sbatch.txt
[ -e "$odd/shard-5/study.db.damaged" ] || fail "the damaged store is not kept"
expect 0 'Submitted: job array 107, shards 1, 3-5 of 5' "$fleetsim" submit --resubmit --time-limit '3 h' --out "$odd"
grep -q -- '^--parsable|--array=1,3-5%2|' notes/sbatch.txt && [ "$(grep -c -- '|--time=0-03:00:00|submit/' notes/sbatch.txt)" -eq 2 ] || fail "resubmitted: $(cat notes/sbatch.txt)"
for k in 1 3 4 5; do task $k || fail "shard $k failed again"; done
grep -q 'damaged' "$odd/submit/log/shard-4.txt" || fail "the damaged row was not mended"
code=0
merge > out.txt 2> err.txt || code=$?
[ $code -le 1 ] && grep -q '5 of 5 shards are whole' out.txt || fail "the last merge: $code, $(cat out.txt err.txt)"

# The same as on one machine: every row, and the bytes of the results.
"$fleetsim" study "$odd/submit/scenario.yaml" --out local > /dev/null || [ $? -eq 1 ] || fail "the local study failed"
for store in local "$odd"; do # the bytes of a merged store depend on its rows alone
  "$fleetsim" merge "$store/study.db" -o "$(basename "$store").db" > /dev/null || fail "merging the store of $store"
done
cmp local.db "$odd.db" || fail "the joined store is not that of a local study"
for file in study.json candidates.csv; do
  cmp <(sed 's|"command": .*||' local/$file) <(sed 's|"command": .*||' "$odd/$file") || fail "$file is not that of a local study"
done
"$fleetsim" study before.yaml "${short[@]}" --out "$odd" --plan | grep -q ' 0 to run$' || fail "the copy is another scenario than the one submitted"
expect 0 'nothing is submitted' "$fleetsim" submit --resubmit --out "$odd"

# A copy that was changed, another build.
cp -r "$odd" changed
echo '# note' >> changed/submit/scenario.yaml
expect 2 'was changed after it was submitted' "$fleetsim" submit --continue changed
cp "$odd/submit/scenario.yaml" changed/submit/
sed -i 's/"engine": "[0-9a-f]*"/"engine": "0000000000000000"/' changed/submission.json
expect 2 'another build' "$fleetsim" submit --continue changed
echo '{' > changed/submission.json
expect 3 'submission.json is no record' "$fleetsim" submit --resubmit --out changed

# A catalogue and a trace go with the scenario.
mkdir -p own/models traces
printf '1 0 -1 60 1 -1 -1 1 60 -1 1 1 1 1 1 -1 -1 -1\n' > traces/tiny.swf
rm notes/sbatch.txt
expect 0 'Submitted' "$fleetsim" submit before.yaml "${short[@]}" --catalog own --shards 2 --out with
[ -d with/submit/catalog ] && grep -q -- '--catalog submit/catalog' with/submit/shards.sh || fail "the catalogue was not kept"
echo "submit.sh: fine"
