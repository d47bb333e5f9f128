#!/usr/bin/env bash
# fleetsim validate scaling: what it needs, what it prints, and how it refuses.
set -u
fleetsim=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
fail() { echo "FAILED: $1"; failed=1; }

cat > "$folder/rows.csv" <<'CSV'
row_id,series_id,role,split,system,gpus,nodes,fabric,model,batch_per_gpu,throughput,throughput_unit,base_gpus,base_throughput,speedup_vs_base
B1,S1,base,dev,DGX A100 40GB,1,1,"NVLink3, NVSwitch",ResNet-50 v1.5,256,2375,img/s,1,2375,1
P1,S1,point,dev,DGX A100 40GB,8,1,"NVLink3, NVSwitch",ResNet-50 v1.5,256,17400,img/s,1,2375,7.326
P2,S1,point,dev,A machine nobody knows,8,1,"NVLink3, NVSwitch",ResNet-50 v1.5,256,17400,img/s,1,2375,7.326
CSV

"$fleetsim" validate scaling --data "$folder/rows.csv" > "$folder/text" 2> "$folder/err" || fail "text exits with $?"
[ -s "$folder/err" ] && fail "text writes to stderr"
grep -q '^1 of 2 speed-ups predicted' "$folder/text" || fail "the text counts the rows"
grep -q "unknown system 'A machine nobody knows'" "$folder/text" || fail "the text names what was skipped"

"$fleetsim" validate scaling --data "$folder/rows.csv" --format json > "$folder/json" || fail "json exits with $?"
python3 - "$folder/json" <<'PY' || fail "json"
import json, sys
d = json.load(open(sys.argv[1]))
assert d['rows'] == 2 and d['predicted'] == 1, d
assert d['skipped'] == {"unknown system 'A machine nobody knows'": 1}, d['skipped']
assert [p['row_id'] for p in d['points']] == ['P1'] and 7 < d['points'][0]['predicted'] < 8
assert d['points'][0]['measured'] == 7.326
for part in ('summary', 'control', 'time_to_train', 'megatron', 'bus_bandwidth', 'excluded'):
    assert part in d, part
PY

refuses() { # EXIT WORDS ARGUMENTS...
  local want=$1 words=$2
  shift 2
  "$fleetsim" validate "$@" > "$folder/out" 2> "$folder/err"
  local got=$?
  [ $got -eq "$want" ] || fail "validate $* exits with $got, not $want"
  [ -s "$folder/out" ] && fail "validate $* prints to stdout"
  grep -qF "$words" "$folder/err" || fail "validate $* does not say '$words' but: $(cat "$folder/err")"
}
refuses 2 "no measurements are built in" scaling
refuses 2 "neither text nor json" scaling --data "$folder/rows.csv" --format xml
refuses 3 "none.csv" scaling --data "$folder/none.csv"
refuses 2 "does not exist" nonsense
printf 'row_id,split\nM1,dev\n' > "$folder/short.csv"
refuses 2 "short.csv:1:1: error: the table has no column series_id" scaling --data "$folder/short.csv"
printf '\xef\xbb\xbf' > "$folder/odd.csv"
sed 's/$/\r/' "$folder/rows.csv" >> "$folder/odd.csv"
"$fleetsim" validate scaling --data "$folder/odd.csv" --format json > "$folder/json2" || fail "CRLF and a byte order mark"
cmp -s "$folder/json" "$folder/json2" || fail "CRLF and a byte order mark change the answer"
: > "$folder/empty.csv"
echo "row_id,series_id,role,split,system,gpus,nodes,fabric,model,batch_per_gpu,throughput,throughput_unit,base_gpus,speedup_vs_base" >"$folder/header.csv"
refuses 2 "the table has a header line and no rows" scaling --data "$folder/header.csv"
refuses 2 "the file has no header line" scaling --data "$folder/empty.csv"

# The published table, and the scorer that is not part of the sources.
data=${FLEETSIM_SHARED:-/nowhere}/facts/scaling_measurements_dev.csv
scorer=${FLEETSIM_SHARED:-/nowhere}/tools/score_scaling.py
if [ -e "$data" ] && [ -e "$scorer" ]; then
  "$fleetsim" validate scaling --data "$data" --format json > "$folder/all.json" || fail "the published table"
  python3 "$scorer" "$data" "$folder/all.json" > "$folder/scores.json" || fail "the scorer"
  python3 - "$folder/all.json" "$folder/scores.json" <<'PY' || fail "the program's scores are not the scorer's"
import json, sys
ours, theirs = json.load(open(sys.argv[1]))['summary'], json.load(open(sys.argv[2]))
for key in ('rows', 'coverage', 'median', 'p90', 'hard_rows', 'hard_median', 'hard_p90', 'best_constant_efficiency',
            'constant_median', 'skill_over_constant', 'contrasts', 'contrasts_right'):
    assert abs(ours[key] - theirs[key]) < 1e-9, (key, ours[key], theirs[key])
for key in ('nvlink', 'pcie-p2p', 'pcie-no-p2p', 'multi-node'):
    for part in ('rows', 'median', 'p90'):
        assert abs(ours[key][part] - theirs[key][part]) < 1e-9, (key, part)
PY
else
  echo "SKIPPED: FLEETSIM_SHARED names no folder with the published table; its scores were not checked"
fi
exit $failed
