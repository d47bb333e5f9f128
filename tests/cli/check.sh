#!/bin/bash
# fleetsim check: the lab scenario is sound; seven planted mistakes are all printed in one run, each in its place.
. "$(dirname "$0")/../script.sh" "$@"
expect() {  # expect EXIT COMMAND...: output in out, errors in err
  local want=$1 got=0
  shift
  "$@" >out 2>err || got=$?
  [ "$got" = "$want" ] || { cat out err >&2; fail "exit $got instead of $want: $*"; }
}
has() { grep -qF -- "$2" "$1" || { cat "$1" >&2; fail "'$2' is not in $1"; }; }

# The scenario that must always work.
cp "$source/scenarios/lab-66-33.yaml" lab.yaml
expect 0 "$fleetsim" check lab.yaml
[ ! -s err ] || fail "a sound scenario prints nothing on stderr: $(cat err)"
has out "13 x supermicro-8x-rtx3080 as 'proto'"
has out "3 x supermicro-8x-rtx3090-water as 'scale'"
has out "unspent"
has out "offered load"
has out "fleet load    49.6 % of the GPU time of this fleet"
has out "impossible"
has out "room and rules: 0 hard, 0 soft, 4 notes"
! grep -q "not yet evaluated" out || fail "every key of the lab scenario is evaluated"
! grep -q "not built" out || fail "nothing of the lab scenario is unbuilt"

# Seven mistakes: unknown key, missing unit, unknown node, negative price, PUE below 1, duplicate key, word for a number.
sed -e 's/measure: 26 weeks/mesure: 26 weeks/' \
    -e 's/capital: 300000 USD/capital: 300000/' \
    -e 's/{node: supermicro-8x-rtx3080}/{node: supermicro-8x-rtx308O}/' \
    -e 's/electricity: 0.12/electricity: -0.12/' \
    -e 's/^  pue: 1.5/  pue: 0.9/' \
    -e 's/^  sharing: overflow .*/  sharing: overflow\n  type: fifo/' \
    -e 's/users: 30/users: thirty/' lab.yaml >bad.yaml
line() { grep -n -m1 -- "$1" bad.yaml | cut -d: -f1; }
column() { local l; l=$(grep -m1 -- "$1" bad.yaml); local before=${l%%"$2"*}; echo $((${#before} + 1)); }
expect 2 "$fleetsim" check bad.yaml
[ ! -s out ] || fail "a faulty scenario prints nothing on stdout"
[ "$(grep -c ': error: ' err)" = 7 ] || { cat err >&2; fail "not seven errors"; }
first=$(line '^  type: easy')
cat >expected <<END
bad.yaml:$(line mesure):$(column mesure mesure): error: unknown key 'mesure' (did you mean 'measure'?)
bad.yaml:$(line '^budget'):$(column '^budget' 300000): error: '300000' has no unit (write '300000 USD')
bad.yaml:$(line rtx308O):$(column rtx308O supermicro): error: unknown node: 'supermicro-8x-rtx308O' (did you mean 'supermicro-8x-rtx3080'? own entries come with --catalog DIR)
bad.yaml:$(line electricity):$(column electricity -0.12): error: 'electricity' must not be negative, but is -0.12 USD/kWh (at least 0 USD/kWh)
bad.yaml:$(line '^  pue'):$(column '^  pue' 0.9): error: 'pue' must be at least 1, not 0.9
bad.yaml:$(line '^  type: fifo'):3: error: duplicate key 'type' (line $first gives it first; keep one of lines $first and $(line '^  type: fifo'))
bad.yaml:$(line thirty):$(column thirty thirty): error: 'thirty' is not a whole number
END
grep ': error: ' err | diff expected - || fail "the seven errors differ"
# The caret underlines the word at fault, the path follows.
{ echo "   $(line '^  pue') |   pue: 0.9"; echo '      |        ^~~'; echo '      at site.pue'; } >expected
grep -A3 "'pue' must be" err | tail -3 | diff expected - || fail "caret and path differ"

# All files are checked, the worst decides; JSON holds the same problems.
expect 2 "$fleetsim" check lab.yaml bad.yaml lab.yaml
[ "$(grep -c '^scenario' out)" = 2 ] || fail "sound files beside a faulty one are summed up"
expect 2 "$fleetsim" check --format json bad.yaml
has out '"valid": false'
[ "$(grep -c '"severity": "error"' out)" = 7 ] || fail "seven problems in JSON"
expect 0 "$fleetsim" check --format json lab.yaml
has out '"count": 13'
has out '"not_evaluated"'

# Options.
expect 0 "$fleetsim" check lab.yaml --set scheduler.type=backfill --set scheduler.sharing=preempt
has out "not built yet"
has out "backfill"
! grep -q "preempt.*not built" out || fail "preempt is built"
expect 2 "$fleetsim" check lab.yaml --set site.pue=0.5
has err "--set: error: 'pue' must be at least 1, not 0.5"
expect 2 "$fleetsim" check
expect 2 "$fleetsim" check lab.yaml --form json
expect 3 "$fleetsim" check absent.yaml
has err "absent.yaml"

# The file's own faults are told even where an option replaces the value.
sed 's/^seed: 2020/seed: -1/' lab.yaml >hidden.yaml
expect 2 "$fleetsim" check hidden.yaml --set seed=3
has err "'-1' is negative"
expect 2 "$fleetsim" run hidden.yaml --seed 3
sed 's/replications: 20/replications: none/' lab.yaml >hidden.yaml
expect 2 "$fleetsim" run hidden.yaml --replications 2
has err "'none' is not a whole number"

# Bytes that are no text: told with their place, and JSON stays JSON whatever the file is called.
printf 'name: caf\351\n' >latin.yaml
expect 2 "$fleetsim" check latin.yaml
has err "latin.yaml:1:10: error: byte 0xE9 is not UTF-8"
expect 2 "$fleetsim" check --format json latin.yaml
has out '"column": 10'
strange=$(printf 'caf\351.yaml')
cp lab.yaml "$strange"
expect 0 "$fleetsim" check --format json "$strange"
has out '"valid": true'
expect 3 "$fleetsim" check /dev/zero

# A catalogue file that is wrong is the cause, and its consequences are not listed.
mkdir -p own/nodes
echo 'title: mine' >own/nodes/mine.yaml
sed 's/node: supermicro-8x-rtx3080}/node: mine}/' lab.yaml >mine.yaml
expect 2 "$fleetsim" check mine.yaml --catalog own
head -1 err | grep -q 'own/nodes/mine.yaml' || { cat err >&2; fail "the cause is not told first"; }
! grep -q "unknown node" err || fail "a consequence is listed"

# Without a promotion there is nothing to study.
cat >small.yaml <<'END'
name: small
fleet: {box: {node: desktop-4x-rtx3090}, counts: {box: 2}}
workload: {classes: {job: {arrivals: {per_user: 3 /day}, gpus: 1, wall_time: {fixed: 2 h}}}}
END
expect 0 "$fleetsim" check small.yaml
has out "'study' refuses this scenario"
expect 0 "$fleetsim" check --format json small.yaml
has out '"can_study": false'

# Recorded jobs that no pool can hold: 9 GPUs x 10 s of 10 GPUs x 10 s, where the pool has 2 x 4.
cat >trace.swf <<'END'
1 0 -1 10 1 -1 -1 1 10 -1 1 1 1 -1 1 -1 -1 -1
2 9 -1 10 9 -1 -1 9 10 -1 1 1 1 -1 1 -1 -1 -1
END
cat >trace.yaml <<'END'
name: traced
fleet: {box: {node: desktop-4x-rtx3090}, counts: {box: 2}}
workload: {trace: {file: trace.swf}}
END
expect 0 "$fleetsim" check --format json trace.yaml
has out '"impossible_share": 0.9'

# A class is counted on the nodes that its partition gives it; what overloads them, and what their limit kills, is said.
cat >part.yaml <<'YAML'
name: part
time: {warm_up: 1 week, measure: 4 weeks, drain: 2 weeks, replications: 3}
fleet: {a: {node: supermicro-8x-rtx3080}, b: {node: dgx-a100}, counts: {a: 10, b: 1}}
scheduler:
  sharing: strict
  partitions: {pa: {nodes: a, default: true}, pb: {nodes: b, max_time: 4 h}}
workload:
  classes:
    big: {arrivals: {per_user: 20 /day, profile: flat}, gpus: 8, wall_time: {fixed: 5 h}, partition: pb}
YAML
expect 0 "$fleetsim" check part.yaml
# 20 a day x 5 h on one node of eight GPUs = 100 h of every 24
has out "partition pb: its classes ask for 417 % of its GPU time: OVERLOADED"
has out "big: 100.0 % of its jobs run longer on b than the partition's max_time and are killed there"

# A map that is missing comes with an example; no unit is guessed from one letter.
sed 's/time_limit: {factor: 2.5}/time_limit: 24 h/; s/inlet_temperature: 22 C/inlet_temperature: 72 F/' lab.yaml >hints.yaml
expect 2 "$fleetsim" check hints.yaml
has err "write e.g. '{factor: 2.5}'"
has err "unknown unit 'F' in '72 F' (a temperature is written in C)"
