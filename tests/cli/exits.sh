#!/usr/bin/env bash
# Exit codes of every command: 0 fine, 1 the answer is no, 2 wrong input, 3 the environment failed, 130 interrupted (that
# one: tests/pitfalls/cli.sh). Usage: exits.sh FLEETSIM SOURCE_DIR
set -u
fleetsim=$(realpath "$1") source=$(realpath "$2")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
lab=$source/scenarios/lab-66-33.yaml
short=(--replications 1 --threads 1 --set 'time.warm_up=1 day' --set 'time.measure=1 week' --set 'time.drain=1 week' --set study.price_draws=0)
printf '1 0 -1 60 1 -1 -1 1 60 -1 1 1 1 1 1 -1 -1 -1\n' >tiny.swf
sed 's/^seed: 2020/seeds: 2020/' "$lab" >typo.yaml
sed -e 's/^  split:.*/  counts: {proto: 37, scale: 3}/' -e 's/capital: 300000 USD/capital: 900000 USD/' "$lab" >cables.yaml
: >file
mkdir empty

faults=0 lines=0
# is CODE ARGUMENTS...
is() {
  local want=$1 code=0
  shift
  "$fleetsim" "$@" >out.txt 2>err.txt || code=$?
  lines=$((lines + 1))
  [ $code -eq "$want" ] || { echo "exits.sh: 'fleetsim $*' ends with $code, not $want: $(head -c 300 err.txt)" >&2; faults=$((faults + 1)); }
  # A fault is told on stderr, an answer on stdout.
  if [ "$want" -ge 2 ]; then
    [ -s err.txt ] && [ ! -s out.txt ] || { echo "exits.sh: 'fleetsim $*' ($want) must say why on stderr and print nothing" >&2; faults=$((faults + 1)); }
  else
    [ -s out.txt ] || { echo "exits.sh: 'fleetsim $*' ($want) prints nothing" >&2; faults=$((faults + 1)); }
  fi
}

is 0 --help
is 0 help
is 0 --version
is 2
is 2 stdy
is 2 --versoin

is 0 check "$lab"
is 2 check
is 2 check typo.yaml
is 2 check "$lab" --nonsense
is 3 check nowhere.yaml
is 3 check empty

is 0 run "$lab" "${short[@]}" --out one
is 0 run "$lab" "${short[@]}" --out one --format json
is 2 run
is 2 run typo.yaml
is 2 run "$lab" --replications none
is 0 run "$lab" "${short[@]}" --set scheduler.sharing=preempt --out one
is 2 run "$lab" --set scheduler.type=backfill
is 2 run "$lab" --out
is 2 run "$lab" --seed 1 --set seed=2 --out one
is 2 run "$lab" --replications 1 --set time.replications=2 --out one
is 2 run "$lab" --set seed=1 --set seed=2 --out one
is 3 run nowhere.yaml
is 3 run "$lab" "${short[@]}" --out file
is 3 run "$lab" "${short[@]}" --out one --schedule nowhere/s.csv

is 0 replay tiny.swf --processors 4
is 2 replay tiny.swf
is 2 replay tiny.swf --processors 4 --nodes 2
echo "not a trace at all" >words.swf
is 2 replay words.swf --processors 4
is 3 replay nowhere.swf --processors 4
is 3 replay tiny.swf --processors 4 --schedule /dev/full

is 0 study "$lab" "${short[@]}" --plan
is 1 study "$lab" "${short[@]}" --out study --set 'study.constraints=[utilisation_allocated >= 0.99]'
is 2 study
is 2 study typo.yaml
is 2 study "$lab" --format yaml
is 3 study nowhere.yaml
is 3 study "$lab" "${short[@]}" --out file

is 0 merge study/study.db -o joined.db
is 2 merge
is 2 merge study/study.db
is 3 merge nowhere.db -o other.db

is 0 submit "$lab" --set study.price_draws=0 --shards 2 --out cluster --dry-run
is 2 submit
is 2 submit typo.yaml --shards 2
is 2 submit "$lab" --shards 0
is 2 submit --resubmit --out cluster
is 2 submit --continue cluster
is 3 submit nowhere.yaml --shards 2

is 0 schema
is 2 schema --nonsense

is 2 report
is 2 report empty
is 2 report study --to docx
if command -v gnuplot dot >/dev/null; then
  is 0 report study --to md
  is 3 report study --to md --out file
  is 3 report study --to md --out file/below
  export SOURCE_DATE_EPOCH=yesterday
  is 3 report study --to md
  unset SOURCE_DATE_EPOCH
else
  echo "SKIPPED a report that works: gnuplot or dot is not installed" >&2
fi

is 0 price "$lab"
is 1 price cables.yaml
is 2 price
is 2 price "$lab" --utilisation 150%
is 3 price nowhere.yaml

is 0 catalog list
is 0 catalog show rack
is 2 catalog
is 2 catalog show nothing
is 3 catalog list --catalog nowhere

[ $faults -eq 0 ] || { echo "exits.sh: $faults faults" >&2; exit 1; }
echo "exits.sh: $lines calls end as promised"
