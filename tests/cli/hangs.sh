#!/usr/bin/env bash
# What must not hang or be ended: pipes without a writer, devices and pipes in the place of a store, a store that another
# process keeps locked, nohup. Usage: hangs.sh FLEETSIM SOURCE_DIR
set -eu
fleetsim=$(realpath "$1") source=$(realpath "$2")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
faults=0
fault() { echo "hangs.sh: $*" >&2; faults=$((faults + 1)); }

lab=$source/scenarios/lab-66-33.yaml
short=(--set 'time.warm_up=1 day' --set 'time.measure=1 week' --set 'time.drain=1 week' --set study.price_draws=0 --threads 1)
study=("$fleetsim" study "$lab" "${short[@]}" --replications 1)
# expect CODE TEXT command...: within a minute
expect() {
  local want=$1 said=$2 code=0
  shift 2
  timeout -k 1 60 "$@" >out.txt 2>err.txt </dev/null || code=$?
  [ $code -eq "$want" ] || fault "'$*' ends with $code, not $want: $(head -c 600 err.txt)"
  [ -z "$said" ] || grep -qF -- "$said" err.txt || fault "'$*' does not say '$said' but: $(head -c 600 err.txt)"
}
"${study[@]}" --out good >/dev/null || [ $? -eq 1 ]

# ---- stores that are no files ----------------------------------------------------------------------------------
mkfifo pipe
pipe_said="cannot use the results store pipe: it is a pipe, and a store must be a file"
expect 3 "$pipe_said" "$fleetsim" merge pipe -o x.db
expect 3 "$pipe_said" "$fleetsim" run --from-study pipe --candidate a --replication 0
expect 3 "$pipe_said" "$fleetsim" merge good/study.db -o pipe
expect 3 "store /dev/full: it is a device" "$fleetsim" merge good/study.db -o /dev/full
expect 3 "store /dev/null: it is a device" "$fleetsim" merge /dev/null -o x.db
expect 3 "store good: it is a folder" "$fleetsim" merge good -o x.db
mkdir piped linked beside
mkfifo piped/study.db
ln -s /dev/null linked/study.db
expect 3 "piped/study.db: it is a pipe" "${study[@]}" --out piped
expect 3 "piped/study.db: it is a pipe" "${study[@]}" --out piped --plan
expect 3 "linked/study.db: it is a device" "${study[@]}" --out linked
cp good/study.db beside; mkfifo beside/study.db-wal
expect 3 "study.db-wal beside it: it is a pipe" "${study[@]}" --out beside
[ -p pipe ] && [ -p piped/study.db ] && [ -c /dev/null ] && [ ! -e x.db ] || fault "a refused place was changed"

# ---- texts from pipes ------------------------------------------------------------------------------------------
expect 3 "cannot read pipe: nobody writes into this pipe" "$fleetsim" check pipe
mkdir catalog reported; mkdir catalog/gpus; mkfifo catalog/gpus/own.yaml reported/study.json
expect 3 "nobody writes into this pipe" "$fleetsim" check "$lab" --catalog catalog
expect 3 "nobody writes into this pipe" "$fleetsim" report reported --to md
expect 0 "" "$fleetsim" check <(sleep 1; cat "$lab")
# A writer that is slower than the patience with no writer at all.
expect 0 "" "$fleetsim" check <(head -n 5 "$lab"; sleep 6; tail -n +6 "$lab")
code=0; cat "$lab" | "$fleetsim" check /dev/stdin >out.txt 2>err.txt || code=$?
[ $code -eq 0 ] || fault "a scenario from /dev/stdin: $(cat err.txt)"
code=0; "$fleetsim" check /dev/stdin <"$lab" >out.txt 2>err.txt || code=$?
[ $code -eq 0 ] || fault "a scenario from a file at /dev/stdin: $(cat err.txt)"
(sleep 1; cat "$lab") >pipe & expect 0 "" "$fleetsim" check pipe; wait

# ---- a locked store and a signal -------------------------------------------------------------------------------
# lock FILE: another process holds the write lock until it is told to go
lock() {
  python3 - "$1" <<'PYTHON' &
import os, sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute('BEGIN IMMEDIATE')
open('locked', 'w').close()
while os.path.exists('locked'): time.sleep(0.05)
PYTHON
  for _ in $(seq 200); do [ -e locked ] && break; sleep 0.05; done
}
for signal in INT TERM; do
  lock good/study.db
  "$fleetsim" study "$lab" "${short[@]}" --replications 2 --out good >out.txt 2>err.txt &
  victim=$!
  sleep 2
  kill -$signal $victim
  begun=$SECONDS code=0
  wait $victim || code=$?
  [ $code -eq 130 ] || fault "SIG$signal at a locked store ends with $code: $(cat err.txt)"
  [ $((SECONDS - begun)) -le 5 ] || fault "SIG$signal at a locked store takes $((SECONDS - begun)) s"
  grep -q 'interrupted while another process kept good/study.db locked' err.txt || fault "SIG$signal at a locked store says: $(cat err.txt)"
  rm locked
  wait
done
# An output of merge that another process uses is told as such, after a second.
lock good/study.db
cp -r good copied 2>/dev/null; rm -f copied/study.db-wal copied/study.db-shm
expect 3 "good/study.db: another process has kept it locked for 1 s" "$fleetsim" merge copied/study.db -o good/study.db
rm locked
wait

# ---- nohup -----------------------------------------------------------------------------------------------------
(trap '' HUP; exec "$fleetsim" run "$lab" --replications 3 --out kept >out.txt 2>err.txt) &
victim=$!
sleep 0.3
kill -HUP $victim 2>/dev/null || true
code=0; wait $victim || code=$?
[ $code -eq 0 ] && [ -s kept/result.json ] || fault "SIGHUP ends a run under nohup: $code, $(cat err.txt)"
"$fleetsim" run "$lab" --replications 5000 --out closed >out.txt 2>err.txt &
victim=$!
sleep 0.3
kill -HUP $victim
code=0; wait $victim || code=$?
[ $code -eq 130 ] || fault "SIGHUP ends a run with $code, not 130: $(cat err.txt)"

[ $faults -eq 0 ] || { echo "hangs.sh: $faults faults" >&2; exit 1; }
echo "hangs.sh: fine"
