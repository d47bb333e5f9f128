# fleetsim study and a results store that cannot be used: exit 3, a sentence with the path, nothing lost.
. "$(dirname "$0")/../script.sh" "$@"

study() { # two replications, unless told otherwise
  case " $* " in *' --replications '*) ;; *) set -- "$@" --replications 2 ;; esac
  "$fleetsim" study "$source/scenarios/lab-66-33.yaml" --set 'time.warm_up=1 week' \
    --set 'time.measure=1 week' --set 'time.drain=1 week' --set study.price_draws=0 "$@"
}
sql() { # FILE, STATEMENT
  python3 -c 'import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute(sys.argv[2]); db.commit()' "$1" "$2"
}
expect_fault() { # FILE, command...: exit 3, FILE named
  file=$1
  shift
  code=0
  "$@" > out.txt 2> err.txt || code=$?
  [ $code -eq 3 ] || fail "'$*' ended with $code: $(cat err.txt)"
  grep -qF -- "$file" err.txt || fail "'$*' does not name $file: $(cat err.txt)"
}

study --out good > good.txt || [ $? -eq 1 ] || fail "a plain study failed"

mkdir text old
head -c 9000 /dev/zero | tr '\0' x > text/study.db
expect_fault text/study.db study --out text
sql old/study.db 'create table cats (name text)'
expect_fault old/study.db study --out old
expect_fault old/study.db study --out old --plan
cp -r good newer
sql newer/study.db 'pragma user_version = 99'
expect_fault newer/study.db study --out newer
cp -r good torn
size=$(stat -c %s torn/study.db)
dd if=/dev/urandom of=torn/study.db bs=1 seek=4096 count=$((size - 4096)) conv=notrunc status=none iflag=fullblock 2> /dev/null || true
expect_fault torn/study.db study --out torn
echo 'a file' > file
expect_fault file study --out file
expect_fault file study --out file/below

# A full disk, as a limit on the size of files: the study stops with a sentence; with room again it resumes.
full() { (ulimit -f 64; study --out full --threads 1); }
expect_fault full full
[ ! -e full/study.json ] || fail "a study on a full disk wrote a result"
study --out full > full.txt || [ $? -eq 1 ] || fail "the study does not resume after a full disk: $(cat full.txt)"
cmp good/study.json full/study.json || fail "a resumed study gives another study.json"

# A disk that is really full, where the system lets us make one.
disk=$work/disk
mkdir "$disk"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=300k tmpfs "$disk" 2> /dev/null; then
  trap 'umount -l "$disk"; rm -rf "$work"' EXIT
  for threads in 1 2; do
    rm -rf "${disk:?}"/*
    expect_fault "$disk/out" study --out "$disk/out" --replications 2 --threads $threads
    grep -q 'full' err.txt || fail "the reason is not named: $(cat err.txt)"
    [ ! -e "$disk/out/study.json" ] || fail "a study on a full disk wrote a result"
    stored=$(study --out "$disk/out" --plan | sed -n 's/.*; \([0-9]*\) stored.*/\1/p')
    [ "$stored" -gt 0 ] || fail "nothing was kept on the full disk"
    mount -o remount,size=20m "$disk"
    study --out "$disk/out" > disk.txt || [ $? -eq 1 ] || fail "it does not go on after space was made: $(cat disk.txt)"
    cmp good/study.json "$disk/out/study.json" || fail "after a full disk study.json differs"
    # What only reads a store reads one where nothing can be written.
    mount -o remount,ro "$disk"
    study --out "$disk/out" --plan > plan.txt 2>&1 || fail "no plan from a read-only disk: $(cat plan.txt)"
    grep -q ' 0 to run' plan.txt || fail "the store of a read-only disk is not seen: $(cat plan.txt)"
    "$fleetsim" merge "$disk/out/study.db" -o from-read-only.db > plan.txt 2>&1 || fail "no merge from a read-only disk: $(cat plan.txt)"
    rm from-read-only.db
    mount -o remount,rw "$disk"
    rm -rf "${disk:?}"/*
    mount -o remount,size=300k "$disk"
  done
else
  echo "study_store.sh: SKIPPED the full tmpfs: it needs root and mount; the limit on file sizes stood in for it"
fi

# Two processes on one store: both end well, with the same result; a run is there once.
study --out pair --replications 6 --threads 1 > pair1.txt 2> pair1.err &
first=$!
study --out pair --replications 6 --threads 1 > pair2.txt 2> pair2.err || [ $? -eq 1 ] || fail "the second of two processes failed: $(cat pair2.err)"
code=0
wait $first || code=$?
[ $code -le 1 ] || fail "the first of two processes ended with $code: $(cat pair1.err)"
cmp pair1.txt pair2.txt || fail "two processes on one store say different things"
study --out single --replications 6 > /dev/null || [ $? -eq 1 ]
cmp single/study.json pair/study.json || fail "two processes on one store give another study.json"

# Rows of another build are not used, and counted.
cp -r good build
python3 - build/study.db <<'PY' || fail "no rows of another build could be made"
import sqlite3, sys
M = (1 << 64) - 1
def mixed(words):  # sim/base/hash.hpp
    s = 0x243F6A8885A308D3
    for w in words:
        x = s ^ (w * 0x9E3779B97F4A7C15 & M)
        s = ((((x << 27) | (x >> 37)) & M) * 0xBF58476D1CE4E5B9 + 0x52DCE729) & M
    z = (s ^ (s >> 33)) * 0xFF51AFD7ED558CCD & M
    z = (z ^ (z >> 33)) * 0xC4CEB9FE1A85EC53 & M
    return z ^ (z >> 33)
def text(t):
    b = t.encode()
    return [len(b), *b]
db = sqlite3.connect(sys.argv[1])
for c, e, l, r, h, n, m in db.execute("select candidate, engine, label, replication, replay_hash, events, metrics from run").fetchall():
    d = mixed(text(c) + text("another") + text(l) + [r, h & M, n] + text(m))
    db.execute("update run set engine = 'another', digest = ? where candidate = ? and engine = ? and replication = ?",
               (d - (1 << 64) if d >> 63 else d, c, e, r))
db.commit()
PY
study --out build > /dev/null 2> err.txt || [ $? -eq 1 ] || fail "a store with rows of another build cannot be used"
grep -qE '[0-9]+ runs of another build of fleetsim are not used' err.txt || fail "rows of another build are not told: $(cat err.txt)"
cmp good/study.json build/study.json || fail "rows of another build changed the result"

# A changed key: nobody would look for that row, and merge would refuse the store for ever.
for change in "engine = 'another'" "replication = 99" "candidate = 'f' || candidate"; do
  rm -rf key joined.db
  cp -r good key
  sql key/study.db "update run set $change where replication = 1 and label like '13+3%'"
  expect_fault key/study.db "$fleetsim" merge key/study.db -o joined.db
  study --out key > /dev/null 2> err.txt || [ $? -eq 1 ] || fail "a store with changed keys cannot be used: $(cat err.txt)"
  grep -qE 'key/study.db: [0-9]+ damaged runs? w(as|ere) removed and simulated again' err.txt || fail "changed keys ($change) are not told: $(cat err.txt)"
  cmp good/study.json key/study.json || fail "changed keys change the result"
  "$fleetsim" merge key/study.db -o joined.db > /dev/null || fail "merge refuses a mended store"
done
echo "study_store.sh: fine"
