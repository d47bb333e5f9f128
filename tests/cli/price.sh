#!/usr/bin/env bash
# fleetsim price: text and JSON agree with the bill made by hand, and say when something has no price.
set -eu
fleetsim=$1
source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "price.sh: $*" >&2; exit 1; }
lab=$source/scenarios/lab-66-33.yaml

"$fleetsim" price "$lab" >"$dir/out" || fail "exit $? for a priced fleet"
grep -q '298,992 USD' "$dir/out" || fail "13 x 16,062 + 3 x 26,062 + 12,000 USD is not the purchase: $(cat "$dir/out")"
grep -q '1,008 USD unspent of the budget of 300,000 USD' "$dir/out" || fail "the unspent money is missing"
grep -q 'Own or rent: not compared' "$dir/out" || fail "how to ask for own or rent is not said"
grep -q 'load of this fleet' "$dir/out" || fail "the utilisation's origin is not said"

"$fleetsim" price "$lab" --format json --utilisation '50 %' >"$dir/out.json"
python3 - "$dir/out.json" <<'PY' || fail "JSON does not add up"
import json, sys
d = json.load(open(sys.argv[1]))
cents = lambda x: round(100 * x)
for line in d["bill"]:
    assert set(line) >= {"item", "quantity", "unit_price", "total", "source", "as_of", "estimate"}, line
    assert line["source"] and line["as_of"], line
    assert cents(line["total"]) == cents(line["quantity"] * line["unit_price"]), line
assert cents(sum(l["total"] for l in d["bill"])) == cents(d["capex"]) == 29899200, d["capex"]
assert len(d["opex_by_year"]) == 3
for year in range(3):
    assert cents(sum(l["by_year"][year] for l in d["cost_by_year"])) == cents(d["total_by_year"][year])
    assert cents(d["total_by_year"][year]) == cents(d["opex_by_year"][year] + (d["capex"] if year == 0 else 0))
assert cents(sum(d["total_by_year"])) == cents(d["total"])
# the scenario is built for load 0.5 with 30 % of the demand's money on large runs
assert abs(d["offered_load"] - 0.5) < 0.06 and abs(d["s"] - 0.3) < 0.06, (d["offered_load"], d["s"])
# three years of 128 GPUs at 50 %
assert abs(d["cost_per_gpu_hour"] - d["total"] / (3 * 8760 * 128 * 0.5)) < 1e-5
assert d["utilisation"] == 0.5 and d["own_or_rent"] is None and d["unpriced"] == []
PY

# 40 nodes do not fit one switch; cables between switches have no public price
sed -e 's/^  split:.*/  counts: {proto: 37, scale: 3}/' -e 's/capital: 300000 USD/capital: 900000 USD/' "$lab" >"$dir/large.yaml"
code=0
"$fleetsim" price "$dir/large.yaml" >"$dir/out" 2>"$dir/err" || code=$?
[ "$code" = 1 ] || fail "exit $code, not 1, when cables have no price: $(cat "$dir/err")"
grep -q '^Unpriced: .*cable between switches' "$dir/out" || fail "the unpriced item is not named"

code=0
"$fleetsim" price "$lab" --utilisation 150% >/dev/null 2>"$dir/err" || code=$?
[ "$code" = 2 ] || fail "exit $code for a utilisation of 150 %"
