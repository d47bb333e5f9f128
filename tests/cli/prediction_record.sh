#!/usr/bin/env bash
# The figures of the report's box "How well the model predicts measurements" are those of `validate scaling`.
set -eu
fleetsim=$1
source=$2
fail() { echo "prediction_record.sh: $*" >&2; exit 1; }
data=${FLEETSIM_SHARED:-}/facts/scaling_measurements_dev.csv
if [ -z "${FLEETSIM_SHARED:-}" ] || [ ! -f "$data" ]; then
  echo "SKIPPED: the measurements are absent; set FLEETSIM_SHARED" >&2
  exit 0
fi
scores=$(mktemp)
trap 'rm -f "$scores"' EXIT
"$fleetsim" validate scaling --data "$data" --format json >"$scores" || fail "validate scaling: exit $?"
python3 - "$scores" "$source/sim/study/prediction_record.hpp" <<'PY' || fail "the record is not what the model gives"
import json, re, sys
summary = json.load(open(sys.argv[1]))["summary"]
record = {k: float(v) for k, v in re.findall(r"inline constexpr (?:int|double) (k\w+) = ([-0-9.]+);", open(sys.argv[2]).read())}
expected = {"kRows": summary["rows"] * summary["coverage"], "kMedianPercent": 100 * summary["median"], "kP90Percent": 100 * summary["p90"],
            "kHardMedianPercent": 100 * summary["hard_median"], "kSkill": summary["skill_over_constant"],
            "kContrastsPercent": 100 * summary["contrasts_right"], "kConstantMedianPercent": 100 * summary["constant_median"]}
assert set(record) == set(expected), set(record) ^ set(expected)
wrong = {k: (record[k], round(v, 4)) for k, v in expected.items() if abs(record[k] - v) > (0.006 if k == "kSkill" else 0.06)}
assert not wrong, f"recorded and computed differ: {wrong}"
PY
