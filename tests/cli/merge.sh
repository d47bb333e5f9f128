# fleetsim study --shard, merge, run --from-study: any split gives the same store; what does not belong together is refused.
. "$(dirname "$0")/../script.sh" "$@"
expect() { # CODE, TEXT, command...
  wanted=$1 text=$2
  shift 2
  code=0
  "$@" > out.txt 2> err.txt || code=$?
  [ $code -eq "$wanted" ] || fail "'$*' ended with $code, not $wanted: $(cat out.txt err.txt)"
  cat out.txt err.txt | grep -qF -- "$text" || fail "'$*' does not say '$text' but: $(cat out.txt err.txt)"
}
lab=$source/scenarios/lab-66-33.yaml
short=(--replications 4 --set 'time.warm_up=1 week' --set 'time.measure=2 weeks' --set 'time.drain=1 week' --set study.price_draws=0)
study() { "$fleetsim" study "$lab" "${short[@]}" "$@"; }

study --out whole > /dev/null || [ $? -eq 1 ] || fail "a plain study failed"
expect 0 'Shard 1 of 1: ' study --shard 1/1 --out one
for k in 1 2 3 4 5 6 7; do
  study --shard $k/7 --out s$k > s$k.txt || fail "shard $k failed"
  [ ! -e s$k/study.json ] || fail "a shard gave a verdict"
done
"$fleetsim" merge one/study.db -o one.db > one.txt || fail "merging one shard failed"
"$fleetsim" merge s{1,2,3,4,5,6,7}/study.db -o up.db > /dev/null || fail "merging seven shards failed"
"$fleetsim" merge s{4,7,1,6,2,5,3}/study.db -o mixed.db > /dev/null || fail "the order of arguments matters"
cmp one.db up.db || fail "one shard and seven give different stores"
cmp one.db mixed.db || fail "the order of arguments changes the store"
grep -q ' 0 missing$' one.txt || fail "merge does not say that nothing is missing: $(cat one.txt)"
study --shard 3/7 --out s3 --plan | grep -qE ', [0-9]+ in this shard; .*, 0 to run$' || fail "the plan of a shard is wrong"
study --shard 3/7 --out s3 | grep -q '; 0 simulated' || fail "a shard was simulated again"

# A study on the merged store simulates nothing and says the same.
mkdir joined
"$fleetsim" merge s{7,6,5,4,3,2,1}/study.db -o joined/study.db > /dev/null
study --plan --out joined | grep -q ' 0 to run$' || fail "a merged store lacks something"
study --out joined > /dev/null || [ $? -eq 1 ] || fail "a study on a merged store failed"
cmp whole/study.json joined/study.json || fail "a sharded study gives another study.json"
cmp whole/candidates.csv joined/candidates.csv || fail "a sharded study gives another candidates.csv"

# What is missing is counted and named, exit 1; an output that exists is completed; inputs given twice are fine.
expect 1 'missing' "$fleetsim" merge s1/study.db s3/study.db s1/study.db -o part.db
grep -qE 'missing: [0-9]+\+[0-9]+ strict, replications [0-9]' out.txt || fail "it does not name what is missing: $(cat out.txt)"
expect 0 ' 0 missing' "$fleetsim" merge s{2,4,5,6,7}/study.db -o part.db
cmp part.db one.db || fail "a store made in two steps differs"
expect 0 '"missing_runs": 0' "$fleetsim" merge one/study.db -o again.db --format json

# Refused, by name, and nothing changed.
study --seed 9 --shard 1/2 --out other > /dev/null
before=$(sha256sum part.db)
expect 2 'other/study.db' "$fleetsim" merge s1/study.db other/study.db -o no.db
grep -q 'seed 9' err.txt || fail "the scenarios are not named: $(cat err.txt)"
expect 2 'different scenarios' "$fleetsim" merge other/study.db -o part.db
cp s1/study.db foreign.db
python3 - foreign.db <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("update study set engine = 'another-build'")
db.commit()
PY
expect 2 'different builds' "$fleetsim" merge s2/study.db foreign.db -o no.db
grep -q 'another-build' err.txt || fail "the builds are not named: $(cat err.txt)"
cp s1/study.db damaged.db
python3 - damaged.db <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("update run set events = events + 1 where replication = 0")
db.commit()
PY
expect 3 'is damaged' "$fleetsim" merge s2/study.db damaged.db -o no.db
expect 2 'both an input and the output' "$fleetsim" merge s1/study.db part.db -o ./part.db
expect 2 'which stores' "$fleetsim" merge -o no.db
expect 2 '-o needs' "$fleetsim" merge s1/study.db
expect 3 'absent.db' "$fleetsim" merge absent.db -o no.db
expect 3 'part.txt' "$fleetsim" merge s1/study.db part.txt -o no.db
expect 3 'cannot make the folder part.db' "$fleetsim" merge s1/study.db -o part.db/no.db
"$fleetsim" merge s1/study.db -o new/folder/no.db >/dev/null 2>&1 || [ $? -eq 1 ] || fail "merge does not make its folder"
[ "$before" = "$(sha256sum part.db)" ] || fail "a refused merge changed its output"
[ ! -e no.db ] || fail "a refused merge wrote something"
expect 2 'between 1 and 7' study --shard 8/7 --out no
expect 2 'between 1 and 7' study --shard 0/7 --out no
expect 2 'not K/N' study --shard 3 --out no
for left in .fleetsim*; do [ ! -e "$left" ] || fail "left behind: $left"; done

# One row again, bit for bit; with a schedule as `run` has it.
expect 0 'equal, bit for bit' "$fleetsim" run --from-study joined/study.db --candidate '13+3 overflow' --replication 2 --out row --schedule row.csv
[ "$(cut -d, -f1 row.csv | sort -u | tr '\n' ' ')" = '2 replication ' ] || fail "the schedule is of another replication"
expect 0 '"equal": true' "$fleetsim" run "$lab" "${short[@]:2}" --from-study joined/study.db --candidate '13+3 strict' --replication 0 --out row --format json
# the store keeps neither k nor the constraints: a row serves any k, and nobody is told that unknown constraints hold
k20=(--set study.objective.time_to_result.prototypes_per_result=20)
"$fleetsim" study "$lab" "${short[@]}" "${k20[@]}" --out k20 >/dev/null 2>&1 || fail "the study with k = 20 failed"
expect 0 'equal, bit for bit' "$fleetsim" run "$lab" "${short[@]:2}" "${k20[@]}" --from-study k20/study.db --candidate '13+3 overflow' --replication 0 --out row
expect 0 'time to result, k = 20 ' "$fleetsim" run "$lab" "${short[@]:2}" "${k20[@]}" --from-study k20/study.db --candidate '13+3 overflow' --replication 0 --out row
expect 0 'neither is checked' "$fleetsim" run --from-study k20/study.db --candidate '13+3 overflow' --replication 0 --out row
expect 2 "did you mean '13+3 overflow'" "$fleetsim" run --from-study joined/study.db --candidate '13+3 overflw' --replication 2 --out row
expect 2 'candidates are' "$fleetsim" run --from-study joined/study.db --candidate none --replication 2 --out row
expect 2 'no replication 4' "$fleetsim" run --from-study joined/study.db --candidate '13+3 strict' --replication 4 --out row
expect 2 'another scenario' "$fleetsim" run "$lab" --from-study joined/study.db --candidate '13+3 strict' --replication 1 --out row
expect 2 'as it was' "$fleetsim" run --from-study joined/study.db --candidate '13+3 strict' --replication 1 --seed 4 --out row
expect 2 'belong to --from-study' "$fleetsim" run "$lab" --candidate '13+3 strict' --out row
expect 2 'which --replication' "$fleetsim" run --from-study joined/study.db --candidate '13+3 strict' --out row
# A row that says something else, with a digest that fits: told, exit 1.
python3 - joined/study.db "$source" <<'PY' || fail "no row could be forged"
import sqlite3, sys
M = (1 << 64) - 1
def mixed(words):  # sim/base/hash.hpp
    s = 0x243F6A8885A308D3
    for w in words:
        x = s ^ (w * 0x9E3779B97F4A7C15 & M)
        s = ((((x << 27) | (x >> 37)) & M) * 0xBF58476D1CE4E5B9 + 0x52DCE729) & M
    z = s
    z = (z ^ (z >> 33)) * 0xFF51AFD7ED558CCD & M
    z = (z ^ (z >> 33)) * 0xC4CEB9FE1A85EC53 & M
    return z ^ (z >> 33)
def text(t):
    b = t.encode()
    return [len(b), *b]
db = sqlite3.connect(sys.argv[1])
(row,) = db.execute("select candidate, engine, label, replication, replay_hash, events, metrics, digest from run where label = '13+3 strict' and replication = 3")
c, e, l, r, h, n, m, d = row
def digest(h):
    return mixed(text(c) + text(e) + text(l) + [r, h & M, n] + text(m))
assert digest(h) == d & M, "the digest is not as documented"
signed = lambda x: x - (1 << 64) if x >> 63 else x
db.execute("update run set replay_hash = ?, digest = ? where candidate = ? and replication = 3", (signed((h ^ 1) & M), signed(digest(h ^ 1)), c))
db.commit()
PY
expect 1 'DIFFERS' "$fleetsim" run --from-study joined/study.db --candidate '13+3 strict' --replication 3 --out row
echo "merge.sh: fine"
