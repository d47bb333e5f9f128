# fleetsim study and a results store that cannot be used: exit 3, a sentence with the path, nothing lost.
set -eu
fleetsim=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "study_store.sh: $*" >&2; exit 1; }

study() {
  "$fleetsim" study "$source/scenarios/lab-66-33.yaml" --replications 2 --set 'time.warm_up=1 week' \
    --set 'time.measure=1 week' --set 'time.drain=1 week' "$@"
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
full() { (trap '' XFSZ; ulimit -f 64; study --out full --threads 1); }
expect_fault full full
[ ! -e full/study.json ] || fail "a study on a full disk wrote a result"
study --out full > full.txt || [ $? -eq 1 ] || fail "the study does not resume after a full disk: $(cat full.txt)"
cmp good/study.json full/study.json || fail "a resumed study gives another study.json"
echo "study_store.sh: fine"
