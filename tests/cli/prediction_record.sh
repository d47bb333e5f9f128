#!/usr/bin/env bash
# The figures of the report's box "How well the model predicts measurements" are those of `validate scaling` on the kept
# measurements. FLEETSIM_UPDATE_GOLDEN=1 writes them into sim/study/prediction_record.hpp instead; then build again.
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
python3 - "$scores" "$source/sim/study/prediction_record.hpp" "${FLEETSIM_UPDATE_GOLDEN:-}" <<'PY' || fail "the record is not what the model gives"
import datetime, json, re, sys
scores, header, update = sys.argv[1:]
s = json.load(open(scores))["summary"]
expected = {"kRows": round(s["rows"] * s["coverage"]), "kMedianPercent": 100 * s["median"], "kP90Percent": 100 * s["p90"],
            "kHardMedianPercent": 100 * s["hard_median"], "kSkill": s["skill_over_constant"],
            "kContrasts": s["contrasts"], "kContrastsPercent": 100 * s["contrasts_right"],
            "kConstantMedianPercent": 100 * s["constant_median"]}
line = re.compile(r"(inline constexpr (?:int|double) (k\w+) = )([-0-9.]+);")
text = open(header).read()
record = {m[2]: float(m[3]) for m in line.finditer(text)}
assert set(record) == set(expected), set(record) ^ set(expected)
if update:
    # As validate scaling prints them: percents with one decimal, so three of the skill, which is printed as a percent.
    shown = lambda k: str(expected[k]) if k in ("kRows", "kContrasts") else f"{expected[k]:.3f}" if k == "kSkill" else f"{expected[k]:.1f}"
    text = line.sub(lambda m: f"{m[1]}{shown(m[2])};", text)
    text = re.sub(r'kAsOf = "[^"]*"', f'kAsOf = "{datetime.date.today()}"', text)
    open(header, "w").write(text)
    sys.exit(0)
if record["kRows"] == 0:
    sys.exit("no figures are recorded yet: run this test with FLEETSIM_UPDATE_GOLDEN=1")
wrong = {k: (record[k], round(v, 4)) for k, v in expected.items() if abs(record[k] - v) > (0.0006 if k == "kSkill" else 0.06)}
assert not wrong, f"recorded and computed differ: {wrong}"
PY
