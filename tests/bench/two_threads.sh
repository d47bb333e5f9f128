#!/usr/bin/env bash
# How well two threads of one study use two cores, against two independent processes at the same time:
#   bash tests/bench/two_threads.sh FLEETSIM SOURCEDIR [ROUNDS] [REPLICATIONS]
# In each round, one after the other, (a) two processes at once, each a whole study on one thread, and (b) one study on
# two threads. 2 x (a)'s work in (a)'s time is what two cores can do; ratio = time of a process in (a) / time of (b) is
# how often faster two threads are than one under equal load. Prints the median; ends with 1 below 1.85.
set -eu
fleetsim=$1 source=$2 rounds=${3:-5} replications=${4:-20}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
study() { # DIR, THREADS: prints seconds
  local begun=$EPOCHREALTIME
  "$fleetsim" study "$source/scenarios/lab-66-33.yaml" --set study.price_draws=0 --replications "$replications" --out "$1" --threads "$2" > "$1.txt" 2>&1 || [ $? -eq 1 ]
  local ended=$EPOCHREALTIME
  echo $(((${ended/./} - ${begun/./})))
}
for round in $(seq "$rounds"); do
  rm -rf a b c
  study a 1 > a.us &
  study b 1 > b.us
  wait
  one=$((($(cat a.us) + $(cat b.us)) / 2))
  two=$(study c 2)
  cmp -s a/study.json c/study.json || { echo "the results differ" >&2; exit 1; }
  echo "round $round: two processes $((one / 1000)) ms each, two threads $((two / 1000)) ms: $((one * 1000 / two)) / 1000" >&2
  echo $((one * 1000 / two))
done | sort -n > ratios
ratio=$(sed -n "$(((rounds + 1) / 2))p" ratios)
echo "two threads are $((ratio / 1000)).$(printf %03d $((ratio % 1000))) times one (median of $rounds rounds, two processes give 2)"
[ "$ratio" -ge 1850 ]
