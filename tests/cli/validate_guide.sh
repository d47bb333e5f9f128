#!/usr/bin/env bash
# fleetsim validate guide: every claim has its table, the figures follow from each other, the figure is drawn.
set -eu
fleetsim=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "validate_guide.sh: $*" >&2; exit 1; }
expect() { grep -qF -- "$1" <<<"$2" || fail "expected '$1' in: $2"; }

"$fleetsim" validate guide --format json >"$dir/guide.json"
python3 - "$dir/guide.json" <<'PY' || fail "the tables do not hold together"
import json, sys
tables = {t["id"]: t for t in json.load(open(sys.argv[1]))["tables"]}
assert list(tables) == ["G6", "G7", "G7a", "G17", "G18", "G19", "G20", "G21", "G22"], list(tables)
for t in tables.values():
    for row in t["rows"]:
        assert list(row["model"]) == t["columns"], (t["id"], row)
        for m in row["measured"]:
            assert m["column"] in t["columns"] and m["low"] <= m["high"] and row["source"], (t["id"], row)
for t in tables.values():
    assert t["rows"] and t["model_says"], (t["id"], t["left_out"])
# G7: 1499 USD over 999 USD (list) and over 1199 USD (Founders Edition), against the guide's +15 %
for row in tables["G7"]["rows"]:
    assert abs(row["model"]["price over list"] - 100 * (1499 / 999 - 1)) < 1e-9, row
    assert abs(row["model"]["price over Founders Edition"] - 100 * (1499 / 1199 - 1)) < 1e-9, row
assert "+50 % over the list price of 999 USD and +25 %" in tables["G7"]["model_says"], tables["G7"]["model_says"]
# G7a, ResNet-50 by measurement: n v / (base + n card) over the same of the RTX 3080. RTX 3090 in 8: 802/651 x (9600 + 8 x 699) / (9600 + 8 x 1499)
g7a = {row["case"]: row["model"] for row in tables["G7a"]["rows"]}
case = next(k for k in g7a if k.startswith("RTX 3090") and "ResNet-50" in k)
assert abs(g7a[case]["8 GPUs"] - 1 / 0.812 * (9600 + 8 * 699) / (9600 + 8 * 1499)) < 2e-3, g7a[case]
# G32: the costlier the base of a card, the better the costly cards
for name, values in g7a.items():
    if name.startswith(("RTX 3090", "Titan RTX", "Quadro RTX 6000", "A100")):
        assert values["2 GPUs"] < values["4 GPUs"] < values["8 GPUs"], (name, values)
# G17: more of the same link never slows a job
assert all(v >= -1e-9 for row in tables["G17"]["rows"] for v in row["model"].values())
# G20: as slow as the slowest, never faster than the fast
for row in tables["G20"]["rows"]:
    assert abs(row["model"]["over all slow"] - 1) < 0.01 and row["model"]["over all fast"] >= 1, row
for row in tables["G6"]["rows"]:
    a, v, ratio = row["model"].values()
    assert abs(a / v - ratio) < 1e-9 and 1 < v <= 8 and 1 < a <= 8, row
# G22: no job within a node uses the network; others gain by a faster one
for row in tables["G22"]["rows"]:
    values = list(row["model"].values())
    assert values[0] == 0 and all(v > 0 for v in values[1:]), row
# G21: a job over two nodes or more loses on the slower network
assert all(v > 0 for row in tables["G21"]["rows"] for v in row["model"].values())
PY

text=$("$fleetsim" validate guide)
expect "G17 PCIe 4.0 instead of 3.0" "$text"
expect "guide says  nothing at 2 GPUs, 1 to 7 % at 4, nice at 8" "$text"
expect "no measurement" "$text"

if command -v gnuplot >/dev/null; then
  "$fleetsim" validate guide --figure "$dir/value.svg" >/dev/null 2>"$dir/err"
  python3 - "$dir/value.svg" <<'PY' || fail "the figure is no SVG that names its panels"
import sys, xml.etree.ElementTree as E
root = E.parse(sys.argv[1]).getroot()
text = " ".join("".join(e.itertext()) for e in root.iter() if e.tag.endswith("text"))
assert "PCIe 4.0" in text and "GPUs in the job" in text, text
PY
fi

code=0
"$fleetsim" validate gide >/dev/null 2>"$dir/err" || code=$?
[ "$code" = 2 ] || fail "an unknown word: exit $code, not 2"
expect "guide" "$(cat "$dir/err")"
code=0
"$fleetsim" validate guide --format xml >/dev/null 2>"$dir/err" || code=$?
[ "$code" = 2 ] || fail "an unknown format: exit $code, not 2"
"$fleetsim" validate guide --help | grep -q 'fleetsim validate guide --figure' || fail "--help has no example"
