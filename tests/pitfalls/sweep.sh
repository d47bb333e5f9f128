# Pitfalls of long series of simulations, one function each: bash sweep.sh FLEETSIM SOURCEDIR ID
set -eu
fleetsim=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "$*" >&2; exit 1; }
short=(study "$source/scenarios/lab-66-33.yaml" --set 'time.warm_up=1 week' --set 'time.measure=1 week' --set 'time.drain=1 week' --set study.price_draws=0)
study() { "$fleetsim" "${short[@]}" --replications 3 "$@" || [ $? -eq 1 ]; }
sql() { # DB, STATEMENT: prints the first value
  python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
row = db.execute(sys.argv[2]).fetchone()
db.commit()
print(row[0] if row else "")' "$1" "$2"
}

# A run that was killed in the middle leaves something that looks done: it is seen and simulated again.
B148() {
  study --out calm > /dev/null
  "$fleetsim" "${short[@]}" --replications 3 --out killed --threads 1 > /dev/null 2>&1 &
  victim=$!
  # However slow the build or the machine: the kill comes when two rows are there.
  for _ in $(seq 3000); do
    [ "$(sql killed/study.db 'select count(*) from run' 2> /dev/null || echo 0)" -lt 2 ] || break
    sleep 0.01
  done
  kill -KILL $victim 2> /dev/null || true
  { wait $victim || true; } 2> /dev/null
  [ "$(sql killed/study.db 'select count(*) from run')" -gt 1 ] || fail "nothing was stored before the kill"
  sql killed/study.db "update run set metrics = '' where candidate = (select min(candidate) from run)" > /dev/null
  sql killed/study.db "update run set metrics = substr(metrics, 1, length(metrics) / 2) where candidate = (select max(candidate) from run)" > /dev/null
  study --out killed > /dev/null 2> err.txt || fail "it does not resume: $(cat err.txt)"
  grep -qE '[0-9]+ damaged runs? w(as|ere) removed and simulated again' err.txt || fail "the damaged runs are not told: $(cat err.txt)"
  cmp calm/study.json killed/study.json || fail "the truncated runs were taken for done"
  # The whole store as a file of 0 bytes, and study.json cut short: both are made again.
  for log in killed/study.db-wal killed/study.db-shm; do rm -f $log; done
  : > killed/study.db
  head -c 1000 calm/study.json > killed/study.json
  study --out killed > /dev/null || fail "an empty store is not filled again"
  cmp calm/study.json killed/study.json || fail "a study on an empty store differs"
}

# Eight processes on one store.
B150() {
  study --out calm > /dev/null
  pids=()
  for k in 1 2 3 4 5 6 7 8; do
    "$fleetsim" "${short[@]}" --replications 3 --out shared --shard $k/8 --threads 1 > /dev/null 2> err$k.txt &
    pids+=($!)
  done
  for k in 1 2 3 4 5 6 7 8; do
    wait "${pids[$((k - 1))]}" || fail "process $k ended with $?: $(cat err$k.txt)"
    [ ! -s err$k.txt ] || fail "process $k complains: $(cat err$k.txt)"
  done
  rows=$(sql calm/study.db 'select count(*) from run')
  [ "$(sql shared/study.db 'select count(*) from run')" = "$rows" ] || fail "rows were lost"
  study --out shared --plan | grep -q ' 0 to run$' || fail "rows are missing"
  study --out shared > /dev/null
  cmp calm/study.json shared/study.json || fail "eight processes give another result"
}

# A file system that cannot lock files, as some network disks: a sentence at once, and no store.
B152() {
  command -v cc > /dev/null || { echo "skipped: no C compiler to make a file system without locks"; exit 0; }
  ! ldd "$fleetsim" | grep -q asan || { echo "skipped: the sanitizer must be loaded first"; exit 0; }
  cat > nolocks.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
static int call(const char* name, int fd, int command, void* argument) {
  if (command == F_SETLK || command == F_SETLKW || command == F_GETLK) { errno = ENOLCK; return -1; }
  int (*next)(int, int, ...) = (int (*)(int, int, ...))dlsym(RTLD_NEXT, name);
  return next(fd, command, argument);
}
#define WRAP(NAME) int NAME(int fd, int command, ...) { va_list l; va_start(l, command); void* a = va_arg(l, void*); va_end(l); return call(#NAME, fd, command, a); }
WRAP(fcntl)
WRAP(fcntl64)
C
  cc -shared -fPIC -o nolocks.so nolocks.c -ldl
  code=0
  LD_PRELOAD=$PWD/nolocks.so timeout 20 "$fleetsim" "${short[@]}" --replications 1 --out nfs > /dev/null 2> err.txt || code=$?
  [ $code -eq 3 ] || fail "exit $code: $(cat err.txt)"
  grep -q 'nfs/study.db' err.txt && grep -q 'cannot lock files' err.txt || fail "the message is not clear: $(cat err.txt)"
  [ ! -e nfs/study.json ] || fail "a result was written without a store"
}

# Resumed by what the runs are, not by their number: 6 of 10 are there, 4 are simulated, the 6 stay as they were.
B153() {
  ten() { "$fleetsim" study "$source/scenarios/lab-66-33.yaml" --set 'time.warm_up=1 week' --set 'time.measure=1 week' --set 'time.drain=1 week' --set study.price_draws=0 "$@"; }
  ten --shard 6/10 --replications 10 --out o > /dev/null
  for k in 1 2 3 4 5; do ten --shard $k/10 --replications 10 --out o > /dev/null; done
  stored=$(sql o/study.db 'select count(*) from run')
  total=$(ten --replications 10 --out o --plan | sed -n 's/.* = \([0-9]*\) runs;.*/\1/p')
  [ $((stored * 10)) -eq $((total * 6)) ] || fail "$stored of $total runs are not 6 of 10"
  sql o/study.db "update run set wall_s = 12345" > /dev/null
  ten --replications 10 --out o > /dev/null || [ $? -eq 1 ]
  [ "$(sql o/study.db 'select count(*) from run')" = "$total" ] || fail "runs are missing or doubled"
  [ "$(sql o/study.db 'select count(*) from run where wall_s = 12345')" = "$stored" ] || fail "runs that were there were made again"
  ten --replications 10 --out fresh > /dev/null || [ $? -eq 1 ]
  cmp o/study.json fresh/study.json || fail "the resumed study differs"
}

"$3"
