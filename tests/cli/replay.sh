#!/usr/bin/env bash
# fleetsim replay: a trace made by hand, its schedule made by hand, and what wrong input is told.
set -eu
fleetsim=$1
source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "replay.sh: $*" >&2; exit 1; }

# id submit wait run allocated cpu memory requested time memory status user ... : 10 processors
cat >"$dir/trace.swf" <<'SWF'
; MaxProcs: 10
70 1000 0 100 6 -1 -1 6 100 -1 1 1 1 -1 1 -1 -1 -1
71 1010 90 50 8 -1 -1 8 60 -1 1 1 1 -1 1 -1 -1 -1
72 1020 0 40 2 -1 -1 2 80 -1 1 1 1 -1 1 -1 -1 -1
73 1030 0 200 2 -1 -1 2 200 -1 1 1 1 -1 1 -1 -1 -1
74 1040 0 5 16 -1 -1 16 10 -1 1 1 1 -1 1 -1 -1 -1
75 1050 0 -1 4 -1 -1 4 10 -1 5 1 1 -1 1 -1 -1 -1
SWF
# EASY: 70 runs 1000-1100, 71 (8 processors) is reserved for 1100 with 10 - 8 = 2 extra; 72 ends before that
# (1020 + 80 <= 1100); 73 takes the two extra processors; 74 is larger than the machine, 75 has no run time.
printf 'job_id,submit,start,end\n70,1000,1000,1100\n71,1010,1100,1150\n72,1020,1020,1060\n73,1030,1030,1230\n' >"$dir/easy.csv"
# FIFO: 72 and 73 wait for 71; both fit beside it or after it.
printf 'job_id,submit,start,end\n70,1000,1000,1100\n71,1010,1100,1150\n72,1020,1100,1140\n73,1030,1140,1340\n' >"$dir/fifo.csv"

for policy in easy fifo; do
  for ties in batch end-first submit-first; do
    "$fleetsim" replay "$dir/trace.swf" --processors 10 --policy $policy --ties $ties --schedule "$dir/out.csv" >"$dir/out" 2>"$dir/err" ||
      fail "exit $? for $policy: $(cat "$dir/err")"
    cmp "$dir/out.csv" "$dir/$policy.csv" || fail "$policy, $ties: another schedule: $(cat "$dir/out.csv")"
  done
done

"$fleetsim" replay "$dir/trace.swf" --processors 10 --format json 2>"$dir/err" >"$dir/out.json"
python3 - "$dir/out.json" <<'PY' || fail "the JSON does not say what happened"
import json, sys
d = json.load(open(sys.argv[1]))
assert (d["rows"], d["kept"], d["repaired"], d["dropped"]) == (6, 5, 0, 1), d
assert d["by_reason"] == {"cancelled_before_start": 1}, d["by_reason"]
assert d["states"]["completed"] == 4 and d["states"]["impossible"] == 1, d["states"]
# waits 0, 90, 0, 0
assert d["wait_s"] == 22.5
# slowdowns 1, (90 + 50) / 50, 1, 1
assert abs(d["bounded_slowdown"] - (3 + 2.8) / 4) < 1e-12
assert d["makespan_s"] == 230
# work 600 + 400 + 80 + 400 over 10 * 230
assert abs(d["utilisation"] - 1480 / 2300) < 1e-12
assert d["impossible_job_ids"] == [74], d["impossible_job_ids"]
assert d["recorded_waits"] == 4 and d["recorded_wait_s"] == 22.5
PY
gzip -k "$dir/trace.swf"
"$fleetsim" replay "$dir/trace.swf.gz" --processors 10 --schedule "$dir/gz.csv" >/dev/null 2>&1
cmp "$dir/gz.csv" "$dir/easy.csv" || fail "the gzip trace gives another schedule"

# nodes: 16 processors need two nodes of 8, which exist now
"$fleetsim" replay "$dir/trace.swf" --nodes 2 --gpus-per-node 8 --format json 2>/dev/null >"$dir/nodes.json"
grep -q '"impossible": 0' "$dir/nodes.json" || fail "a job of 16 GPUs does not fit two nodes of 8"

# impossible jobs are named: eight in the text, all in the JSON
! "$fleetsim" replay "$dir/trace.swf" --nodes 2 --gpus-per-node 8 2>/dev/null | grep '^impossible' || fail "impossible jobs where none are"
awk 'BEGIN {for (i = 11; i >= 1; --i) printf "%d %d -1 5 %d -1 -1 16 10 -1 1 1 1 1 1 -1 -1 -1\n", i, 20 - i, i == 4 ? 1 : 16}' >"$dir/wide.swf"
"$fleetsim" replay "$dir/wide.swf" --processors 10 2>/dev/null >"$dir/wide.txt"
grep -qx 'impossible jobs   1, 2, 3, 5, 6, 7, 8, 9 and 2 more' "$dir/wide.txt" || fail "impossible jobs: $(cat "$dir/wide.txt")"
"$fleetsim" replay "$dir/wide.swf" --processors 10 --format json 2>/dev/null |
  python3 -c 'import json, sys; assert json.load(sys.stdin)["impossible_job_ids"] == [1, 2, 3, 5, 6, 7, 8, 9, 10, 11]' || fail "impossible_job_ids"

# limits
sed 's/^70 1000 0 100 6 -1 -1 6 100/70 1000 0 100 6 -1 -1 6 60/' "$dir/trace.swf" >"$dir/over.swf"
"$fleetsim" replay "$dir/over.swf" --processors 10 --schedule "$dir/killed.csv" 2>/dev/null | grep -q '1 timeout' || fail "no job timed out"
grep -q '^70,1000,1000,1060$' "$dir/killed.csv" || fail "job 70 was not ended at its limit"
"$fleetsim" replay "$dir/over.swf" --processors 10 --kill-at-limit no --schedule "$dir/over.csv" >/dev/null 2>&1
grep -q '^70,1000,1000,1100$' "$dir/over.csv" || fail "job 70 did not run on"

# refused ARGUMENT... : exit code and words
refused() {
  local code=0 want=$1 words=$2
  shift 2
  "$fleetsim" replay "$@" >"$dir/out" 2>"$dir/err" || code=$?
  [ "$code" = "$want" ] || fail "exit $code, not $want, for: $*"
  grep -q -e "$words" "$dir/err" || fail "'$words' is not said for: $* ($(cat "$dir/err"))"
}
refused 2 'not built' "$dir/trace.swf" --processors 10 --policy builtin
refused 2 "did you mean 'easy'" "$dir/trace.swf" --processors 10 --policy eazy
refused 2 'no value of --ties' "$dir/trace.swf" --processors 10 --ties random
refused 2 'machine is not described' "$dir/trace.swf"
refused 2 'machine is not described' "$dir/trace.swf" --nodes 3
refused 2 'described twice' "$dir/trace.swf" --processors 10 --nodes 3
refused 2 'must lie between' "$dir/trace.swf" --processors 0
refused 2 'no trace was given' --processors 10
refused 3 'missing.swf' "$dir/missing.swf" --processors 10
refused 3 'nowhere' "$dir/trace.swf" --processors 10 --schedule "$dir/nowhere/out.csv"
printf ';1;2;3;4;5;6\n' >"$dir/pseudo.swf"
refused 2 "separated by ';'" "$dir/pseudo.swf" --processors 10

# a pipe, the policies, and what is no trace
"$fleetsim" replay <(cat "$dir/trace.swf.gz") --processors 10 --schedule "$dir/pipe.csv" >/dev/null 2>&1
cmp "$dir/pipe.csv" "$dir/easy.csv" || fail "a pipe gives another schedule"
tr '\n' '\r' <"$dir/trace.swf" >"$dir/cr.swf"
"$fleetsim" replay "$dir/cr.swf" --processors 10 --schedule "$dir/cr.csv" >/dev/null 2>&1
cmp "$dir/cr.csv" "$dir/easy.csv" || fail "line ends of CR alone give another schedule"
refused 2 "did you mean 'repair'" "$dir/trace.swf" --processors 10 --on-error repare
refused 2 'no value of --size-from' "$dir/trace.swf" --processors 10 --size-from both
head -c 120 "$dir/trace.swf.gz" >"$dir/cut.swf.gz"
refused 2 'cut.swf.gz:[0-9]*:1: error: the gzip data end early' "$dir/cut.swf.gz" --processors 10 --schedule "$dir/cut.csv"
[ ! -e "$dir/cut.csv" ] || fail "half a trace was replayed"
refused 3 'it is a folder' "$dir" --processors 10
refused 3 'it is a device' /dev/zero --processors 10
code=0
head -c 3000000 /dev/zero | timeout 60 "$fleetsim" replay /dev/stdin --processors 10 >/dev/null 2>"$dir/err" || code=$?
[ "$code" = 2 ] && grep -q 'longer than 65536 bytes' "$dir/err" || fail "an endless line: exit $code, $(cat "$dir/err")"
: >"$dir/none.swf"
"$fleetsim" replay "$dir/none.swf" --processors 10 2>/dev/null | grep -q '^wait p50, p90 *none, none$' || fail "waits of no jobs"
