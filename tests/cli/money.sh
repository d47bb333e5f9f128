#!/usr/bin/env bash
# Money is one number everywhere, a quotation has a source for every line, and wrong money ends with 2 and a sentence.
# Usage: money.sh FLEETSIM SOURCE_DIR
. "$(dirname "$0")/../script.sh" "$@"
lab=$source/scenarios/lab-66-33.yaml
export SOURCE_DATE_EPOCH=1795996800  # 2026-11-30

cat >economics.yaml <<'YAML'
economics:
  years: 4
  discount_rate: 4 %
  academic_discount: 7.13 %
  delivery: 1234.56 EUR
  installation: 3.3 %
  storage: 9999.99 USD
  tax: 19 %
  contingency: 4.9 %
  staff: {fte: 0.25, salary: 87654.32 USD}
  colocation: {per_kw_month: 163.44 USD}
  depreciation: {life_years: 5, salvage: 10 %}
  exchange: {EUR: {rate: 1.18 USD, as_of: 2026-11-02, source: ECB}}
YAML
{ cat "$lab"; echo; cat economics.yaml; } >full.yaml
sed -i 's/{capital: 300000 USD}/{capital: 400000 USD, by_year: [600000 USD, 250000 USD]}/' full.yaml

# --- a quotation: every line has a date and a source, or says estimate with its range
"$fleetsim" price "$lab" >quotation.txt
sed -n '/^Bill of materials/,/^  nodes with/p' quotation.txt | grep '^    ' >lines.txt
[ -s lines.txt ] || fail "no lines: $(cat quotation.txt)"
grep -vE '(19|20)[0-9]{2}(-[0-9]{2})* \[[0-9]+\]$|estimate, [0-9,]+ to [0-9,]+ USD \[[0-9]+\]$' lines.txt && fail "a line without source and date"
grep -oE '\[[0-9]+\]$' lines.txt | sort -u | while read -r mark; do
  grep -qF " $mark " <(sed -n '/^Sources/,/^$/p' quotation.txt) || fail "$mark is not among the sources"
done
sed '/^Own or rent/,$d' quotation.txt | awk 'length > 130' | grep . && fail "lines of more than 140 characters"

# --- text, JSON and the report of a run agree to the cent
code=0; "$fleetsim" price full.yaml >price.txt || code=$?
[ $code -eq 0 ] || fail "price ends with $code: $(cat price.txt)"
"$fleetsim" price full.yaml --format json >price.json
python3 - price.json price.txt <<'PY' || fail "text and JSON part"
import json, re, sys
d, text = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
cents = lambda x: round(100 * x)
def shown(x):
    s = f"{abs(x):,.2f}"
    return ("-" if x < 0 else "") + (s[:-3] if s.endswith(".00") else s) + " USD"
assert cents(sum(l["total"] for l in d["bill"])) == cents(d["bill_total"])
assert cents(d["bill_total"] + sum(c["amount"] for c in d["charges"])) == cents(d["capex"])
assert [c["item"] for c in d["charges"]] == ["Academic discount", "Delivery", "Installation", "Storage", "Tax", "Contingency"]
# the one rule, by whole cents: shares of the whole base, halves away from zero
from decimal import Decimal, ROUND_HALF_UP
def share(base, rate): return int((Decimal(base) * Decimal(rate)).quantize(Decimal(1), ROUND_HALF_UP))
bill = cents(d["bill_total"]); by = {c["item"]: cents(c["amount"]) for c in d["charges"]}
assert by["Academic discount"] == -share(bill, "0.0713"), by
assert by["Delivery"] == share(123456, "1.18"), by
goods = bill + by["Academic discount"]
assert by["Installation"] == share(goods, "0.033"), by
taxed = goods + by["Delivery"] + by["Installation"] + by["Storage"]
assert by["Tax"] == share(taxed, "0.19"), by
assert by["Contingency"] == share(taxed + by["Tax"], "0.049"), by
assert d["capex"] <= d["budget"] == 400000 and d["years"] == 4
for year in range(4):
    assert cents(sum(l["by_year"][year] for l in d["cost_by_year"])) == cents(d["total_by_year"][year])
    assert cents(d["cash_flow"][year]["paid"]) == cents(d["total_by_year"][year])
assert cents(sum(d["total_by_year"])) == cents(d["total"])
running = [d["total_by_year"][y] - (d["capex"] if y == 0 else 0) for y in range(4)]
present = d["capex"] + sum(running[y] / 1.04 ** (y + 1) for y in range(4))
assert abs(present - d["present_cost"]) < 0.006, (present, d["present_cost"])
for amount in [l["total"] for l in d["bill"]] + [c["amount"] for c in d["charges"]] + d["total_by_year"] + [d["total"], d["capex"], d["present_cost"]]:
    assert shown(amount) in text, (amount, shown(amount))
PY
for tool in gnuplot dot pandoc; do
  command -v "$tool" >/dev/null || { echo "SKIPPED the report: $tool is not installed" >&2; tools=none; }
done
"$fleetsim" run full.yaml --replications 1 --set 'time.warm_up=1 day' --set 'time.measure=1 week' --set 'time.drain=1 week' --out one >run.txt
if [ -z "${tools:-}" ]; then
  "$fleetsim" report one --to md >report.txt
  python3 - price.json one/result.json one/report/report.md <<'PY' || fail "the report parts from the JSON"
import json, sys
price, run, md = json.load(open(sys.argv[1])), json.load(open(sys.argv[2])), open(sys.argv[3]).read()
def shown(x):
    s = f"{abs(x):,.2f}"
    return ("\u2212" if x < 0 else "") + "$" + (s[:-3] if s.endswith(".00") else s)
plain = md.replace("\\$", "$").replace("\\-", "-")
for line in price["bill"]:
    assert shown(line["total"]) in plain, line
for charge in price["charges"]:
    assert shown(charge["amount"]) in plain, charge
assert shown(price["capex"]) in plain
d = run.get("dossier", run)
def find(x, key):
    if isinstance(x, dict):
        if key in x: return x[key]
        x = list(x.values())
    if isinstance(x, list):
        for y in x:
            r = find(y, key)
            if r is not None: return r
cost = find(d, "total_by_year_usd")
assert cost, "no cost by year in result.json"
for amount in cost: assert shown(amount) in plain, amount
assert shown(find(d, "present_cost_usd")) in plain
assert abs(find(d, "purchase_usd") - price["capex"]) < 0.001
PY
fi

# --- a broken cap is the answer no
sed 's/by_year: \[600000 USD, 250000 USD\]/by_year: [600000 USD, 1000 USD]/' full.yaml >cap.yaml
code=0; "$fleetsim" price cap.yaml >cap.txt || code=$?
[ $code -eq 1 ] || fail "exit $code for a broken cap"
grep -q '^Broken: year 2 costs .* more than its cap of 1,000 USD' cap.txt || fail "the broken cap is not told: $(tail -3 cap.txt)"

# --- wrong money: exit 2, place, caret, hint
wrong() {  # wrong WHAT SED_EXPRESSION PATTERN
  sed "$2" full.yaml >wrong.yaml
  cmp -s full.yaml wrong.yaml && fail "$1: nothing was changed"
  code=0; "$fleetsim" price wrong.yaml >out.txt 2>err.txt || code=$?
  [ $code -eq 2 ] || fail "$1: exit $code: $(cat err.txt)"
  grep -qE "^wrong.yaml:[0-9]+:[0-9]+: error: $3.*\(.*\)" err.txt || fail "$1: $(cat err.txt)"
  grep -q '\^' err.txt || fail "$1: no caret: $(cat err.txt)"
}
wrong "negative amount" 's/storage: 9999.99 USD/storage: -5 USD/' "'storage' must not be negative"
wrong "missing rate" 's/delivery: 1234.56 EUR/delivery: 1234.56 CHF/' 'there is no exchange rate for CHF'
wrong "future rate" 's/as_of: 2026-11-02/as_of: 2026-12-01/' "'2026-12-01' lies in the future"
printf 'prices: {rtx3080: {value: -649 USD, source: q, as_of: 2026-11-02}}\n' >>full.yaml
wrong "negative price" 's/nothing//;$s/$/ /' "'value' must not be negative"
sed -i '$d' full.yaml

# --- a quote becomes prices, and they change the price
cat >offer.csv <<'CSV'
Item;Quantity;Unit price;Currency;Date;Total
RTX 3080 10 GB;104;599,00;EUR;2026-11-02;62.296,00
"Rack kit; with rails";2;99,50;EUR;2026-11-02;199,00
CSV
"$fleetsim" import quote offer.csv -o prices.yaml --exchange EUR=1.18 >said.txt
grep -q 'not in the catalogue' said.txt || fail "the unknown item is not told: $(cat said.txt)"
{ cat "$lab"; echo 'prices: {file: prices.yaml}'; } >quoted.yaml
"$fleetsim" price quoted.yaml --format json >quoted.json
python3 - quoted.json <<'PY' || fail "the quote does not change the price as it should"
import json, sys
lines = {l["item"]: l for l in json.load(open(sys.argv[1]))["bill"]}
card = next(l for l in lines.values() if l["unit_price"] == 706.82)  # 599 x 1.18
assert card["source"] == "offer.csv, line 2" and card["as_of"] == "2026-11-02" and not card["estimate"], card
kit = lines["Rack kit; with rails"]
assert kit["quantity"] == 2 and kit["unit_price"] == 117.41, kit  # 99.50 x 1.18
PY

# --- a wrong quote: exit 2, place, and nothing written
bad() {  # bad WHAT LINE PATTERN OPTIONS...
  local what=$1 line=$2 pattern=$3
  shift 3
  printf 'item,quantity,unit_price,currency,date\nrtx3080,1,649,USD,2026-11-02\n%s\n' "$line" >bad.csv
  rm -f never.yaml
  code=0; "$fleetsim" import quote bad.csv -o never.yaml "$@" >out.txt 2>err.txt || code=$?
  [ $code -eq 2 ] || fail "$what: exit $code"
  grep -qE "^bad.csv:3:[0-9]+: error: $pattern" err.txt || fail "$what: $(cat err.txt)"
  [ ! -e never.yaml ] || fail "$what: something was written"
  ls | grep -qi 'never.*tmp' && fail "$what: a temporary file stays"
  return 0
}
bad "wrong currency" 'rack,1,5,Euros,2026-11-02' "'Euros' is not a currency"
bad "no rate" 'rack,1,5,EUR,2026-11-02' 'there is no exchange rate for EUR'
bad "formula" '"=HYPERLINK(""x"")",1,5,USD,2026-11-02' "the cell begins with '='"
bad "negative" 'rack,1,-5,USD,2026-11-02' 'the unit price must not be negative'
bad "future" 'rack,1,5,USD,2027-01-01' "'2027-01-01' lies in the future"
bad "twice" 'rtx3080,1,600,USD,2026-11-02' "'rtx3080' is quoted twice"

# --- formats of later versions are named as such
code=0; "$fleetsim" import sacct x.csv -o y.csv 2>err.txt || code=$?
[ $code -eq 2 ] && grep -q 'not built yet' err.txt || fail "import sacct: $code $(cat err.txt)"
code=0; "$fleetsim" import qoute x.csv -o y.csv 2>err.txt || code=$?
[ $code -eq 2 ] && grep -q "did you mean 'quote'" err.txt || fail "import qoute: $code $(cat err.txt)"

# --- what no sum can hold, what comes too late to be paid, and a rate of tomorrow
said() {
  local what=$1
  shift
  code=0; "$fleetsim" price "$lab" "$@" >/dev/null 2>err.txt || code=$?
  [ $code -eq 2 ] && grep -qF -- "$what" err.txt || fail "'$*' ends with $code: $(cat err.txt)"
}
said 'more than can be counted' --set 'economics={staff: {fte: 1000, salary: 10000000000 USD}}'
said 'the cost is counted over three years' --set 'fleet.deliveries=[{pool: proto, nodes: 2, at: 208 weeks}]'
said "'2027-01' lies in the future" --set 'economics={rent: {gpu: v100-sxm2-16, rate: 2 USD, source: x, as_of: 2027-01}}'

# --- the report asks for what is charged, over the years of the scenario; keeping buys nothing
"$fleetsim" study "$source/scenarios/add-to-existing.yaml" --replications 1 --set economics.years=5 --set 'economics.tax=19 %' --out five >five.txt || [ $? -eq 1 ]
grep -q 'in five years' five.txt && ! grep -q 'three years' five.txt || fail "years of the study: $(cat five.txt)"
"$fleetsim" report five --to md >/dev/null
grep -q 'Cost in five years' five/report/report.md || fail "the report counts other years"
python3 - five <<'PY' || fail "the report asks for another amount than the purchase with its tax"
import json, re, sys
d = json.load(open(sys.argv[1] + "/study.json"))["dossier"]
text = open(sys.argv[1] + "/report/report.md").read()
asked = re.search(r"for \$([0-9,]+), to be shared", text)
assert asked, text[:400]
assert abs(int(asked.group(1).replace(",", "")) - d["economics"]["purchase_usd"]) <= 0.5, (asked.group(1), d["economics"]["purchase_usd"])
PY
"$fleetsim" study "$source/scenarios/add-to-existing.yaml" --replications 1 --set 'prices.Rail kit={value: 900 USD, source: o, as_of: 2026-11-02, quantity: 4}' --set 'economics.delivery=1500 USD' --out kit >kit.txt || [ $? -eq 1 ]
grep -q 'keep (do nothing): purchase 0 USD' kit.txt || fail "keeping buys something: $(cat kit.txt)"

# --- an item that looks like a part of the catalogue is bought beside it: said; names beyond reason are refused
printf 'item,quantity,unit_price,currency,date\ntwo CPUs,3,1500,USD,2026-11-02\n"InfiniBand EDR 4x switch, 36 ports",1,5500,USD,2026-11-02\nRTX 3080,8,600,USD,2026-11-02\nRail kit,4,90,USD,2026-11-02\n' >alike.csv
"$fleetsim" import quote alike.csv -o alike.yaml >/dev/null 2>err.txt || fail "a quote with likenesses: $(cat err.txt)"
[ "$(grep -c 'is no name of the catalogue, but looks like' err.txt)" = 3 ] || fail "likenesses: $(cat err.txt)"
grep -qF "write 'infiniband-edr switch' to replace that price" err.txt || fail "the name is not told: $(cat err.txt)"
{ echo item,quantity,unit_price,currency,date; printf '%0300d,1,5,USD,2026-11-02\n' 7; } >long.csv
code=0; "$fleetsim" import quote long.csv -o long.yaml >/dev/null 2>err.txt || code=$?
[ $code -eq 2 ] && grep -q 'more than 200 characters' err.txt && [ ! -e long.yaml ] || fail "a long item: $code $(cat err.txt)"
