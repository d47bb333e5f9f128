#!/usr/bin/env bash
# Each known pitfall of the parts that are built has a test named after its number. Usage: pitfalls.sh FLEETSIM SOURCE_DIR
set -u
cd "$2" || exit 2

# Numbers without a test yet wait for what they are about: B127 for dependencies between jobs, B047 for partitions with a
# default limit, B125 for jobs without GPUs, those of accounting dumps and of published traces for their importers.
numbers='
yaml          B130 B131 B132 B134 B135 B136 B137 B139 B142 B166 B167
config        B174 B175
numeric       B059 B113 B172
engine        B029 B031 B032 B034 B035 B038 B041 B042 B044 B048 B050 B061 B062
importer-swf  B001 B003 B005 B006 B008 B012 B014 B015 B016 B019 B021 B022 B025 B026 B028 B030
io            B009 B070 B143 B144 B147 B169 B171
reproducible  B064 B065 B066
cli           B086 B149 B165
scheduler     B043 B046 B056 B120 B121 B123
report        B118 B159 B160 B161
performance   B052
limitation    B126
sweep         B148 B150 B152 B153
topology      B037
cost          B088 B117 B163
'
named=$({
  grep -rhoE --include='*.cpp' 'TEST_CASE\("B[0-9]{3}:' tests/unit tests/property tests/analytic tests/golden
  grep -hoE '^B[0-9]{3}\(\)' tests/pitfalls/*.sh
} | grep -oE 'B[0-9]{3}' | sort)
missing=() count=0
for number in $(grep -oE 'B[0-9]{3}' <<<"$numbers"); do
  count=$((count + 1))
  grep -qx "$number" <<<"$named" || missing+=("$number")
done
((count == 78)) || { echo "the list holds $count numbers"; exit 1; }
# A function in tests/pitfalls that nobody calls would pass by doing nothing: the last line runs the one asked for.
for script in tests/pitfalls/*.sh; do
  [[ $(tail -n 1 "$script") == '"$3"' ]] || { echo "$script does not end by running the function named"; exit 1; }
done
((${#missing[@]} == 0)) || { echo "no test is named after: ${missing[*]}"; exit 1; }
echo "$count pitfalls have a test"
