#!/usr/bin/env bash
# fleetsim price: owning against renting, as the guide of 2020 works it out; and why there is no answer.
set -eu
fleetsim=$1
source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "own_or_rent.sh: $*" >&2; exit 1; }
desktop=$source/scenarios/own-or-rent.yaml
lab=$source/scenarios/lab-66-33.yaml

"$fleetsim" check "$desktop" >/dev/null || fail "own-or-rent.yaml does not check"
"$fleetsim" price "$desktop" >"$dir/out" || fail "exit $? for the desktop"
"$fleetsim" price "$desktop" --format json >"$dir/out.json"
python3 - "$dir/out.json" "$dir/out" <<'PY' || fail "the guide's figures do not come out"
import json, sys
d = json.load(open(sys.argv[1]))
text = open(sys.argv[2]).read()
o = d["own_or_rent"]
assert d["capex"] == o["capex_usd"] == 2200
# (350 + 100) W x 0.15 x 8760 h; at 0.12 USD/kWh
assert abs(o["kwh_year"] - 450 * 0.15 * 8.76) < 1e-9 and abs(d["kwh_year"] - o["kwh_year"]) < 1e-9, o["kwh_year"]
assert o["electricity_usd_year"] == 70.96
electricity = [l for l in d["cost_by_year"] if l["item"] == "Electricity"]
assert electricity[0]["by_year"][0] == 70.96, electricity
# 2.14 USD/h x 0.15 x 24 h x 300
assert o["rent_usd_300d"] == 2311.2 and o["rate"] == 2.14
# 2200 / (2.14 x 0.15 x 24 - 70.96 / 365)
assert abs(o["break_even_days"] - 293) <= 1, o["break_even_days"]
assert abs(o["break_even_days"] - 2200 / (2.14 * 0.15 * 24 - 70.96 / 365)) < 1e-6
assert o["terms"] == "spot" and o["source"] and o["as_of"] and o["utilisation"] == 0.15 == d["utilisation"]
days = [e["days"] for e in o["break_even_utilisation"]]
assert days == [365, 365 * o["horizon_years"]], days
for said in ("2,311.20 USD in 300 days", "break-even after 293 days", "70.96 USD for 591.3 kWh"):
    assert said in text, said
PY

# the use comes from the scenario or the option, nothing is built in
"$fleetsim" price "$desktop" --utilisation '30 %' --format json | python3 -c '
import json, sys
o = json.load(sys.stdin)["own_or_rent"]
assert abs(o["rent_usd_300d"] - 2 * 2311.2) < 0.01 and abs(o["kwh_year"] - 2 * 591.3) < 1e-6
assert o["break_even_days"] < 150' || fail "twice the use is not twice the rent"

"$fleetsim" price "$lab" >"$dir/out" || fail "exit $? for the lab"
grep -q 'Own or rent: not compared; .*economics: {rent:' "$dir/out" || fail "how to ask for it is not said"
"$fleetsim" price "$lab" --format json | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d["own_or_rent"] is None and "economics" in d["own_or_rent_reason"]' || fail "no reason in the JSON"

# a whole fleet, with room and network: 128 GPUs
"$fleetsim" price "$lab" --set 'economics={rent: {gpu: rtx3090, terms: reserved}}' --utilisation 0.5 --format json |
  python3 -c '
import json, sys
d = json.load(sys.stdin)
o = d["own_or_rent"]
assert o["gpus"] == d["gpus"] == 128 and o["capex_usd"] == d["capex"]
assert abs(o["rent_usd_day"] - 128 * 24 * 0.39) < 1e-6
assert abs(o["opex_usd_year"] - d["opex_by_year"][1]) < 1e-6' || fail "a whole fleet does not add up"

refused() {
  local code=0
  "$fleetsim" price "$desktop" --set "$1" >/dev/null 2>"$dir/err" || code=$?
  [ "$code" = 2 ] || fail "exit $code for $1"
  grep -q "$2" "$dir/err" || fail "$1 is not refused in words: $(cat "$dir/err")"
}
refused 'economics.rent={gpu: v100-sxm2-16, node: aws-p4d}' 'keep one of them'
refused 'economics.rent={terms: spot}' 'neither what is rented nor at which rate'
refused 'economics.rent={gpu: rtx3080}' 'no rate'
refused 'economics.rent={gpu: v100-sxm2-16, rate: -1 USD}' 'more than 0 USD'
refused 'economics.rent={gpu: v100-sxm2-16, source: a list}' "belongs to a 'rate'"
refused 'economics.rent={gpu: v100-sxm2-16, interruptions: {rate: 2 /day, lost: 1 h}}' 'terms: spot'
refused 'economics.rent={gpu: v100-sxm2-16, terms: spot, interruptions: {rate: 2 /day, lost: 13 h}}' 'no work is ever done'
refused 'economics.rent={gpu: v100-sxm2-16, terms: monthly}' 'on-demand'
refused 'economics.utilisation=115 %' 'at most 1'
