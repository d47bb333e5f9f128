#!/usr/bin/env bash
# Every command, those of later versions too: closed and full streams, broken pipes, odd names, links, permissions,
# a folder that is gone. Usage: manners.sh FLEETSIM SOURCE_DIR
set -eu
fleetsim=$(realpath "$1") source=$(realpath "$2")
dir=$(mktemp -d)
trap 'chmod -R u+rwx "$dir" 2>/dev/null; rm -rf "$dir"' EXIT
cd "$dir"
fail() { echo "manners.sh: $*" >&2; exit 1; }
faults=0
fault() { echo "manners.sh: $*" >&2; faults=$((faults + 1)); }

lab=$source/scenarios/lab-66-33.yaml
short=(--replications 1 --set 'time.warm_up=1 day' --set 'time.measure=1 week' --set 'time.drain=1 week' --set study.price_draws=0 --threads 1)
tools=1
for tool in gnuplot dot pandoc weasyprint; do
  command -v "$tool" >/dev/null || { echo "SKIPPED what needs a report: $tool is not installed" >&2; tools=0; }
done

printf '; MaxProcs: 4\n1 0 -1 60 1 -1 -1 1 60 -1 1 1 1 1 1 -1 -1 -1\n2 5 -1 60 4 -1 -1 4 60 -1 1 1 1 1 1 -1 -1 -1\n' >tiny.swf
"$fleetsim" study "$lab" "${short[@]}" --out base >/dev/null || [ $? -eq 1 ] || fail "a plain study fails"

# arguments_of COMMAND: into `arguments`, for a call that works and prints something
arguments_of() {
  case $1 in
    check) arguments=(check "$lab") ;;
    run) arguments=(run "$lab" "${short[@]}" --out made) ;;
    replay) arguments=(replay tiny.swf --processors 4) ;;
    study) arguments=(study "$lab" "${short[@]}" --out base) ;;
    merge) rm -rf joined.db && arguments=(merge base/study.db -o joined.db) ;;
    submit) arguments=(submit "$lab" --set study.price_draws=0 --shards 2 --out made --dry-run) ;;
    report) arguments=(report base --to md) ;;
    price) arguments=(price "$lab") ;;
    import) printf 'item,quantity,unit_price,currency,date\nrtx3080,1,649,USD,2020-11-02\n' >offer.csv && arguments=(import quote offer.csv -o offer.yaml) ;;
    catalog) arguments=(catalog list) ;;
    schema) arguments=(schema) ;;
    topology) arguments=(topology supermicro-8x-rtx3090) ;;
    validate) arguments=(validate guide --format json) ;;
    advise) arguments=(advise "$lab" --format json) ;;
    *) return 1 ;;
  esac
}
mapfile -t commands < <("$fleetsim" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p')
[ "${#commands[@]}" -ge 7 ] || fail "--help lists only: ${commands[*]}"

# streams WHAT ARGUMENTS...: stdout that cannot be written to ends with 3 and a sentence, whatever it is; the other
# streams do not matter; nothing is ever written to a file that got their number.
streams() {
  local what=$1 code
  shift
  code=0; "$fleetsim" "$@" >whole.txt 2>err.txt || code=$?
  [ $code -le 1 ] || { fault "$what ends with $code: $(cat err.txt)"; return; }
  local usual=$code
  code=0; "$fleetsim" "$@" >/dev/full 2>err.txt || code=$?
  [ $code -eq 3 ] && grep -q 'cannot write to standard output: No space left' err.txt || fault "$what to a full disk: $code, $(cat err.txt)"
  code=0; "$fleetsim" "$@" >&- 2>err.txt || code=$?
  [ $code -eq 3 ] && grep -q 'cannot write to standard output: Bad file' err.txt || fault "$what to a closed stdout: $code, $(cat err.txt)"
  mkfifo pipe
  { code=0; "$fleetsim" "$@" >pipe 2>err.txt || code=$?; echo $code >code.txt; } &
  exec 9<pipe; exec 9<&-  # opened, and left before anything is read
  wait
  # A reader that leaves early may miss the writing or not: both ends are clean.
  code=$(cat code.txt)
  [ "$code" -eq 3 ] && grep -q 'standard output: Broken pipe' err.txt || [ "$code" -eq "$usual" ] || fault "$what to a broken pipe: $code, $(cat err.txt)"
  rm pipe
  code=0; "$fleetsim" "$@" >out.txt 2>&- || code=$?
  [ $code -eq "$usual" ] && cmp -s out.txt whole.txt || fault "$what with stderr closed: $code, or another output"
  code=0; "$fleetsim" "$@" <&- >out.txt 2>err.txt || code=$?
  [ $code -eq "$usual" ] && cmp -s out.txt whole.txt || fault "$what with stdin closed: $code, or another output"
  code=0; "$fleetsim" "$@" <&- >&- 2>&- || code=$?
  [ $code -eq 3 ] || fault "$what with everything closed: $code"
}
streams "--help" --help
streams "--version" --version
for command in "${commands[@]}"; do
  streams "$command --help" "$command" --help
  arguments_of "$command" || { fault "give arguments for '$command' in manners.sh"; continue; }
  [ "$command" = report ] && [ $tools -eq 0 ] && continue
  [ "$command" = merge ] && continue  # below: a second call finds the file of the first
  streams "$command" "${arguments[@]}"
done
# With stdout closed a result file must not have become descriptor 1.
"$fleetsim" run "$lab" "${short[@]}" --out straight >/dev/null
"$fleetsim" run "$lab" "${short[@]}" --out crooked >&- 2>/dev/null || true
cmp straight/result.json crooked/result.json || fault "a closed stdout changes result.json"
# A reader that takes one line and leaves.
code=0; { "$fleetsim" run "$lab" "${short[@]}" --dump jobs 2>err.txt || echo $? >code.txt; } | head -n 1 >/dev/null
grep -qx 3 code.txt && grep -q 'Broken pipe' err.txt || fault "head -1 of a long output: $(cat code.txt err.txt)"

# expect CODE TEXT command...: exit code, a text on stderr, never an internal error
expect() {
  local want=$1 said=$2 code=0
  shift 2
  local call=$*
  "$@" >out.txt 2>err.txt || code=$?
  [ $code -eq "$want" ] || fault "'${call::160}' ends with $code, not $want: $(head -c 600 err.txt)"
  [ -z "$said" ] || grep -qF -- "$said" err.txt || fault "'${call::160}' does not say '$said' but: $(head -c 600 err.txt)"
  ! grep -q 'internal error' err.txt || fault "internal error: $(head -c 600 err.txt)"
}
run=("$fleetsim" run "$lab" "${short[@]}")
long=$(printf 'n%.0s' $(seq 300))
deep=$(printf 'folder-of-a-long-name/%.0s' $(seq 250))

# ---- what cannot be read ---------------------------------------------------------------------------------------
expect 3 "cannot read nowhere.yaml: No such file or directory" "$fleetsim" check nowhere.yaml
expect 3 "it is a folder" "$fleetsim" check "$dir"
expect 3 "longer than" "$fleetsim" check /dev/zero
expect 3 "File name too long" "$fleetsim" check "$long.yaml"
expect 3 "File name too long" "$fleetsim" check "$deep/x.yaml"
expect 0 "" "$fleetsim" check <(cat "$lab")
ln -s loop-b loop-a; ln -s loop-a loop-b
expect 3 "Too many levels of symbolic links" "$fleetsim" check loop-a
cp "$lab" "it's a \"lab\" of ours, été – 集群.yaml"
expect 0 "" "$fleetsim" check "it's a \"lab\" of ours, été – 集群.yaml"
cp "$lab" ./-lab.yaml
expect 0 "" "$fleetsim" check -- -lab.yaml
expect 0 "" "$fleetsim" check ./-lab.yaml
expect 3 'cannot read a\x0ab\x1b[31m: No such' "$fleetsim" check $'a\nb\e[31m'

# ---- folders of results ----------------------------------------------------------------------------------------
odd=$'out of "our" lab\'s, é/second part; $HOME/new\nline'
expect 0 "" "${run[@]}" --out "$odd"
cmp "$odd/result.json" straight/result.json || fault "a folder with an odd name holds another result"
[ -z "$(find . -name '.fleetsim-*')" ] || fault "a temporary file was left: $(find . -name '.fleetsim-*')"
expect 0 "" "${run[@]}" --out "$odd"  # it exists: the result is replaced
expect 0 "" "${run[@]}" --out=-dash
[ -s ./-dash/result.json ] || fault "--out=-dash made no folder of that name"
expect 0 "" "${run[@]}" --out -
[ -s ./-/result.json ] || fault "'-' must be a name like any other"
echo keep >file
expect 3 "cannot make the folder file: a file stands there" "${run[@]}" --out file
expect 3 "cannot make the folder file/below: Not a directory" "${run[@]}" --out file/below
expect 3 "cannot make the folder file: a file stands there" "$fleetsim" study "$lab" "${short[@]}" --out file
for result in study.json candidates.csv; do  # said before anything is simulated: no store is made
  mkdir -p taken-$result/$result
  expect 3 "cannot write taken-$result/$result: Is a directory" "$fleetsim" study "$lab" "${short[@]}" --out taken-$result
  [ ! -e taken-$result/study.db ] || fault "a study was simulated whose $result cannot be written"
done
[ "$(cat file)" = keep ] || fault "a file was lost to --out"
expect 3 "File name too long" "${run[@]}" --out "$long"
expect 3 "File name too long" "${run[@]}" --out "$deep"
expect 2 "has an empty value" "${run[@]}" --out ''
mkdir here; ln -s here linked
expect 0 "" "${run[@]}" --out linked
[ -L linked ] && [ -s here/result.json ] || fault "--out through a link"

# ---- files of results: links, permissions, devices -------------------------------------------------------------
schedule() { expect "$1" "$2" "${run[@]}" --out made --schedule "$3"; }
schedule 0 "" plain.csv
(umask 027; schedule 0 "" umask.csv)
[ "$(stat -c %a umask.csv)" = 640 ] || fault "umask 027 gives $(stat -c %a umask.csv)"
(umask 002; schedule 0 "" group.csv)
[ "$(stat -c %a group.csv)" = 664 ] || fault "umask 002 gives $(stat -c %a group.csv)"
echo old >kept.csv; chmod 604 kept.csv; schedule 0 "" kept.csv
[ "$(stat -c %a kept.csv)" = 604 ] && cmp plain.csv kept.csv || fault "the permissions of a replaced file were lost"
mkdir far
ln -s far/target.csv one; ln -s one two; echo old >far/target.csv; schedule 0 "" two
[ -L one ] && [ -L two ] && cmp far/target.csv plain.csv || fault "a chain of links must stay, its target change"
ln -s far/not-yet.csv dangling; schedule 0 "" dangling
[ -L dangling ] && cmp far/not-yet.csv plain.csv || fault "a dangling link must be written through"
(cd far && ln -s ../relative.csv up); schedule 0 "" far/up
[ -L far/up ] && cmp relative.csv plain.csv || fault "a relative link counts from its own folder"
ln -s nowhere/x.csv nofolder
schedule 3 "the folder nowhere does not exist" nofolder
schedule 3 "Too many levels of symbolic links" loop-a
schedule 3 "the folder nowhere does not exist" nowhere/x.csv
schedule 3 "cannot write far: Is a directory" far
schedule 3 "Not a directory" file/x.csv
schedule 3 "File name too long" "$long"
schedule 0 "" "$(printf 'n%.0s' $(seq 255))"
schedule 3 "cannot write /dev/full: No space left on device" /dev/full
schedule 0 "" /dev/null
[ -c /dev/null ] || fault "/dev/null is no device any more"
"${run[@]}" --out made --schedule /dev/stdout >both.txt
head -n "$(wc -l <plain.csv)" both.txt | cmp - plain.csv || fault "--schedule /dev/stdout into a file"
grep -q '^Files:' both.txt || fault "the summary after --schedule /dev/stdout was lost"
"${run[@]}" --out made --schedule /dev/stdout | head -n "$(wc -l <plain.csv)" | cmp - plain.csv || fault "--schedule /dev/stdout into a pipe"
"${run[@]}" --out made --schedule /dev/stderr 2>&1 >/dev/null | cmp - plain.csv || fault "--schedule /dev/stderr"
mkfifo fifo; cat fifo >from-fifo.csv & schedule 0 "" fifo; wait
cmp from-fifo.csv plain.csv || fault "--schedule into a named pipe"
[ -p fifo ] || fault "a named pipe was replaced by a file"
rm -r ./-; expect 0 "" "$fleetsim" replay tiny.swf --processors 4 --schedule -
[ -s ./- ] || fault "'-' must be a name like any other"

# ---- permissions: root may do everything, so as another user ---------------------------------------------------
as=()
if [ "$(id -u)" -eq 0 ]; then
  as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  cp "$fleetsim" ./moved; cp "$lab" lab.yaml; chmod 755 "$dir"
  "${as[@]}" ./moved --version >/dev/null 2>&1 || { echo "SKIPPED permissions: no other user may run here" >&2; as=(false); }
else
  cp "$fleetsim" ./moved; cp "$lab" lab.yaml
fi
if [ "${as[*]}" != false ]; then
  mkdir readonly ours; chmod 555 readonly; chmod 777 ours
  echo secret >secret.yaml; chmod 000 secret.yaml
  echo fixed >ours/fixed.csv; chmod 444 ours/fixed.csv
  expect 3 "cannot read secret.yaml: Permission denied" "${as[@]}" ./moved check secret.yaml
  expect 3 "cannot make the folder readonly/new: Permission denied" "${as[@]}" ./moved run lab.yaml "${short[@]}" --out readonly/new
  expect 3 "cannot write readonly/result.json: Permission denied" "${as[@]}" ./moved run lab.yaml "${short[@]}" --out readonly
  expect 3 "readonly/study.db" "${as[@]}" ./moved study lab.yaml "${short[@]}" --out readonly
  expect 3 "cannot write ours/fixed.csv: Permission denied" "${as[@]}" ./moved run lab.yaml "${short[@]}" --out ours --schedule ours/fixed.csv
  [ "$(cat ours/fixed.csv)" = fixed ] || fault "a read-only file was replaced"
fi

# ---- a moved, linked program without home, temporary folder or current folder -----------------------------------
cp "$fleetsim" ./moved; ln -sf moved by-link
"$fleetsim" catalog list >catalog.txt
for program in ./moved ./by-link; do
  env -i HOME=/nowhere TMPDIR=/nowhere "$program" catalog list | cmp - catalog.txt || fault "$program without its place and environment"
done
(mkdir gone && cd gone && rmdir ../gone
  "$dir/moved" catalog list | cmp - "$dir/catalog.txt" || exit 1
  "$dir/moved" check "$lab" >/dev/null 2>&1 || exit 1
  "$dir/moved" run "$lab" "${short[@]}" --out "$dir/from-gone" >/dev/null 2>&1 || exit 1
  code=0; "$dir/moved" run "$lab" "${short[@]}" --out out >/dev/null 2>"$dir/err.txt" || code=$?
  [ $code -eq 3 ] || exit 1) || fault "in a folder that is gone: $(cat err.txt)"
cmp from-gone/result.json straight/result.json || fault "a folder that is gone changes the result"

[ $faults -eq 0 ] || fail "$faults faults"
echo "manners.sh: fine for ${commands[*]}"
