# fleetsim submit of a study by rounds, without Slurm: each merge submits the next round; a shard of a later round that is
# lost is submitted again; the result is that of a study on one machine.
. "$(dirname "$0")/../script.sh" "$@"
short=(--replications 4 --set study.search=rounds --set 'budget.capital=130000 USD' --set 'workload.users=12' --set 'time.warm_up=1 week'
  --set 'time.measure=1 week' --set 'time.drain=1 week' --set study.price_draws=0 --set study.max_replications=8)
mkdir bin
printf '#!/bin/bash\nid=$(($(cat "$NOTES/id" 2> /dev/null || echo 100) + 1))\necho $id | tee "$NOTES/id"\nprintf "%%s|" "$@" >> "$NOTES/sbatch.txt"\n' > bin/sbatch
printf '#!/bin/bash\nexit 0\n' > bin/scancel
cp bin/scancel bin/squeue # an empty queue
chmod +x bin/*
export NOTES=$work PATH=$work/bin:$PATH
dir=$work/study

"$fleetsim" submit "$source/scenarios/lab-66-33.yaml" "${short[@]}" --shards 3 --out "$dir" > out.txt || fail "submit ended with $?"
last_jobs() { python3 -c 'import json, sys
jobs = json.load(open(sys.argv[1] + "/submission.json"))["jobs"]
print(jobs[-1]["round"], len(jobs), *jobs[-1]["shards"])' "$dir"; }
merge() { (cd "$dir" && bash submit/merge.sh > "$work/merge.txt" 2> "$work/err.txt"); }
task() { (cd "$dir" && SLURM_ARRAY_TASK_ID=$1 SLURM_CPUS_PER_TASK=1 bash submit/shards.sh > "$work/shard.txt" 2>&1) || fail "shard $1: $(cat shard.txt)"; }
lost=0
for _ in $(seq 20); do
  read -r round submissions shards <<< "$(last_jobs)"
  for k in $shards; do task "$k"; done
  if [ "$round" -eq 2 ] && [ $lost -eq 0 ]; then # a store of a later round is lost: seen, and made again
    lost=1
    set -- $shards
    rm -r "$dir/round-2/shard-$1"
    code=0
    merge || code=$?
    [ $code -eq 1 ] && grep -q "^  shard $1: there is no store" merge.txt || fail "a lost shard of round 2: $code, $(cat merge.txt err.txt)"
    [ "$(last_jobs)" = "2 2 $shards" ] || fail "a round follows one that is not whole: $(last_jobs)"
    "$fleetsim" submit --resubmit --out "$dir" > out.txt 2> err.txt || fail "resubmit ended with $?: $(cat err.txt)"
    [ "$(last_jobs)" = "2 3 $1" ] || fail "resubmitted: $(last_jobs)"
    task "$1"
  fi
  code=0
  merge || code=$?
  [ $code -le 1 ] || fail "the merge of round $round ended with $code: $(cat merge.txt err.txt)"
  [ ! -e "$dir/study.json" ] || break
  [ "$(last_jobs | cut -d' ' -f1)" -eq $((round + 1)) ] || fail "round $round is whole, but no other follows: $(cat merge.txt err.txt)"
  grep -q "^Round $round: 3 of 3 shards are whole" merge.txt && grep -q "round $((round + 1)) (" merge.txt || fail "the merge of round $round says: $(cat merge.txt)"
done
[ -e "$dir/study.json" ] || fail "no end after 20 rounds"
[ $lost -eq 1 ] || fail "the study had only one round, so nothing was tested"

"$fleetsim" study "$dir/submit/scenario.yaml" --out local > /dev/null || [ $? -eq 1 ] || fail "the local study failed"
for file in study.json candidates.csv; do cmp "local/$file" "$dir/$file" || fail "$file is not that of a local study"; done
rows() { sqlite3 "$1" 'select candidate, replication, replay_hash, metrics from run order by 1, 2'; }
rows local/study.db > local.txt
rows "$dir/study.db" | cmp - local.txt || fail "the joined store is not that of a local study"
echo "submit_rounds.sh: fine, $round rounds"
