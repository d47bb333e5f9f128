#!/usr/bin/env bash
# Known mistakes of trace importers, seen from the command line. Usage: importer-swf.sh FLEETSIM SOURCEDIR ID
set -eu
fleetsim=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "importer-swf.sh: $*" >&2; exit 1; }

# job ID SUBMIT RUN PROCESSORS [TIME] [REQUESTED] [PRECEDING]: one SWF record
job() { echo "$1 $2 -1 $3 $4 -1 -1 ${6:-$4} ${5:-3600} -1 1 1 1 -1 1 -1 ${7:--1} -1"; }
# replay NAME ARGUMENT...: NAME.swf on 8 processors; leaves NAME.csv, NAME.json, NAME.err
replay() {
  local name=$1
  shift
  "$fleetsim" replay "$dir/$name.swf" --processors 8 --format json --schedule "$dir/$name.csv" "$@" >"$dir/$name.json" 2>"$dir/$name.err"
}
# is NAME EXPRESSION: about the JSON, as d
is() {
  python3 -c "import json,sys; d=json.load(open(sys.argv[1])); sys.exit(0 if ($2) else 1)" "$dir/$1.json" ||
    fail "not so: $2 ($(cat "$dir/$1.json"))"
}
row() { grep -qx "$2" "$dir/$1.csv" || fail "no row $2 in $(cat "$dir/$1.csv")"; }

# Allocated processors -1, requested 4: the job is not lost, and the repair is counted.
B001() {
  { job 1 0 10 -1 60 4; job 2 100 10 4; job 3 200 10 -1 60 -1; } >"$dir/t.swf"
  replay t
  row t 1,0,0,10
  is t 'd["rows"] == 3 and d["kept"] == 1 and d["repaired"] == 1 and d["dropped"] == 1'
  is t 'd["by_reason"] == {"processors_from_request": 1, "no_processors": 1}'
  # 4 processors for 10 s, twice, over 8 processors and 110 s: the size is 4
  is t 'abs(d["utilisation"] - 80 / 880) < 1e-12'
}

B003() {
  { job 1 0 100 8; job 2 0 3600 8; } >"$dir/t.swf"
  replay t
  row t 1,0,0,100
  row t 2,0,100,3700
  is t 'd["utilisation"] == 1'  # no second more and none less: 8 * 3700 of 8 * 3700
}

B005() {
  { for i in 1 2 3 4 5 6; do job $i $i 10 1; done; echo '7 0 stray text'; job 8 8 10 1; } >"$dir/t.swf"
  replay t
  grep -q 'line 7' "$dir/t.err" || fail "line 7 is not named: $(cat "$dir/t.err")"
  is t 'd["dropped"] == 1 and d["by_reason"] == {"malformed": 1}'
  local code=0
  replay t --on-error fail || code=$?
  [ $code = 2 ] || fail "exit $code under --on-error fail"
  grep -q 't.swf:7:5: error: ' "$dir/t.err" || fail "no place: $(cat "$dir/t.err")"
  grep -q '      |     ^' "$dir/t.err" || fail "no caret: $(cat "$dir/t.err")"
}

B006() {
  for text in '' '; MaxProcs: 8\n; Note: nothing ran\n'; do
    printf "$text" >"$dir/t.swf"
    replay t || fail "exit $? for '$text'"
    is t 'd["rows"] == 0 and d["jobs"] == 0 and d["utilisation"] is None and d["wait_s"] is None'
    "$fleetsim" replay "$dir/t.swf" --processors 8 >"$dir/out" 2>&1
    ! grep -qi 'nan' "$dir/out" || fail "NaN is printed: $(cat "$dir/out")"
    grep -q 'no job line' "$dir/out" || fail "nothing is said: $(cat "$dir/out")"
    [ "$(cat "$dir/t.csv")" = job_id,submit,start,end ] || fail "schedule: $(cat "$dir/t.csv")"
  done
}

B008() {
  { job 700 0 10 8; job 90 5 10 8 60 8 700; } >"$dir/t.swf"
  replay t
  row t 700,0,0,10
  row t 90,5,10,20
  is t 'any("preceding job" in w for w in d["warnings"])'
}

B012() {
  for i in $(seq 1 60); do job $i $((i / 4)) $((i * 7 % 23)) $((i % 8 + 1)); done >"$dir/a.swf"
  sort -k4,4n -k1,1nr "$dir/a.swf" >"$dir/b.swf"
  replay a
  replay b
  cmp "$dir/a.csv" "$dir/b.csv" || fail 'the shuffled trace gives another schedule'
  grep -q 'not in the order of submission' "$dir/b.err" || fail 'no warning'
  ! grep -q 'not in the order' "$dir/a.err" || fail 'a warning without cause'
}

B014() {
  for header in 'MaxNodes:4' 'MaxNodes:    4' ' MaxNodes: 4' 'maxnodes :	4'; do
    { echo ";$header"; job 1 0 10 6; } >"$dir/t.swf"
    replay t
    grep -q "MaxNodes of 4" "$dir/t.err" || fail "';$header' was not read: $(cat "$dir/t.err")"
  done
  job 1 0 10 6 >"$dir/t.swf"
  replay t || fail 'a missing MaxNodes is fatal'
}

B015() {
  { job 1 0 10 4; job 2 1 20 4; } >"$dir/a.swf"
  sed 's/$/ {n1,n2} batch 1163199901/' "$dir/a.swf" >"$dir/b.swf"
  replay a
  replay b
  cmp "$dir/a.csv" "$dir/b.csv" || fail '21 fields give another schedule than 18'
  is b 'd["kept"] == 2'
}

B016() {
  { job 1 0 10 16; job 2 0 10 8; } >"$dir/t.swf"
  replay t
  is t 'd["states"]["impossible"] == 1 and d["states"]["completed"] == 1'
  row t 2,0,0,10
  ! grep -q '^1,' "$dir/t.csv" || fail 'the job of 16 ran on 8 processors'
}

B019() {
  job 1 10.5 0.25 4 >"$dir/t.swf"
  replay t
  row t 1,10.5,10.5,10.75
}

B021() {
  { job 1 0 0 4; job 2 0 -1 4; } >"$dir/t.swf"
  replay t
  row t 1,0,0,0
  is t 'd["kept"] == 1 and d["by_reason"] == {"no_run_time": 1} and d["bounded_slowdown"] == 1'
}

B022() {
  { echo '; MaxNodes: 9408'; job 1 0 10 8; job 2 0 10 589824 60 8; } >"$dir/t.swf"
  replay t
  grep -q '1 job has more processors than .*MaxNodes of 9408.*the first is line 3' "$dir/t.err" || fail "$(cat "$dir/t.err")"
  is t 'd["states"]["impossible"] == 1'
  replay t --size-from requested
  is t 'd["states"]["completed"] == 2'
}

B025() {
  { job 1 0 10 8; job 2 5 10 -1 60 4; job 3 6 -1 4; echo bogus; job 5 -7 10 4; } >"$dir/t.swf"
  replay t --on-error repair
  is t '(d["rows"], d["kept"], d["repaired"], d["dropped"]) == (5, 1, 1, 3) and sum(d["by_reason"].values()) == 4'
  is t 'd["by_reason"]["negative_submit_time"] == 1'
  replay t --on-error skip
  is t '(d["rows"], d["kept"], d["repaired"], d["dropped"]) == (5, 1, 0, 4) and sum(d["by_reason"].values()) == 4'
  rm "$dir/t.csv"
  local code=0
  replay t --on-error fail || code=$?
  [ $code = 2 ] || fail "exit $code under fail"
  [ "$(grep -c ': error: ' "$dir/t.err")" = 4 ] || fail "not all four faults are told: $(cat "$dir/t.err")"
  [ ! -e "$dir/t.csv" ] || fail 'a schedule was written'
}

# Requested 3600 s, ran 600 s: the GPUs are free at 600, and until then backfilling plans with 3600.
B026() {
  # Job 2 needs all and is planned for 3600. Job 3 (1000 s by request) ends before that and starts at once;
  # job 4 (4000 s by request) would end behind it and waits, although it runs for 10 s only.
  { job 1 0 600 6 3600; job 2 1 100 8 100; job 3 2 50 2 1000; job 4 3 10 2 4000; } >"$dir/t.swf"
  replay t
  row t 1,0,0,600
  row t 2,1,600,700
  row t 3,2,2,52
  row t 4,3,700,710
}

B028() {
  { job 5 0 10 1; job 6 1 10 1; job 5 2 10 1; } >"$dir/t.swf"
  replay t
  grep -q 'id 5 at lines 1 and 3' "$dir/t.err" || fail "$(cat "$dir/t.err")"
  local code=0
  replay t --on-error fail || code=$?
  [ $code = 2 ] || fail "exit $code under fail"
  grep -q 't.swf:3:1: error: .*id 5 at lines 1 and 3' "$dir/t.err" || fail "$(cat "$dir/t.err")"
}

B030() {
  { job 1 0 10 8; job 2 1000 10 8; } >"$dir/t.swf"
  replay t
  row t 1,0,0,10
  row t 2,1000,1000,1010
  is t 'd["wait_s"] == 0'
}

# The same three mistakes of text files, for traces.
B143() {
  { printf '\xef\xbb\xbf'; job 7 0 10 8; } >"$dir/t.swf"
  replay t
  row t 7,0,0,10
}

B169() {
  : >"$dir/t.swf"
  replay t || fail "exit $? for an empty file"
  is t 'd["rows"] == 0'
  echo '; MaxProcs: 8' >"$dir/t.swf"
  replay t || fail "exit $? for a header without rows"
  is t 'd["rows"] == 0'
}

B171() {
  { job 1 0 10 8; job 2 0 0,12 8; } >"$dir/t.swf"
  replay t
  grep -q "decimal comma? write 0.12" "$dir/t.err" || fail "$(cat "$dir/t.err")"
  echo '1;0;0,12;8;4;5;6' >"$dir/u.swf"
  local code=0
  replay u || code=$?
  [ $code = 2 ] && grep -q "separated by ';'" "$dir/u.err" || fail "$(cat "$dir/u.err")"
}

"$3"
