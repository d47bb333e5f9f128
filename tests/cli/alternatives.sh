#!/usr/bin/env bash
# fleetsim study of a lab that owns nodes: keep, add and replace side by side, doing nothing always among them.
set -eu
fleetsim=$1
source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "alternatives.sh: $*" >&2; exit 1; }
lab=$source/scenarios/add-to-existing.yaml
short=(--replications 2 --threads 1 --set 'time={warm_up: 1 week, measure: 3 weeks, drain: 2 weeks}')

"$fleetsim" check "$lab" >/dev/null || fail "add-to-existing.yaml does not check"
"$fleetsim" study "$lab" "${short[@]}" --out "$dir/out" >"$dir/text" || fail "exit $? of the study"
python3 - "$dir/out/study.json" "$dir/text" <<'PY' || fail "the alternatives do not add up"
import json, sys
d = json.load(open(sys.argv[1]))
text = open(sys.argv[2]).read()
rows = {r["alternative"]: r for r in d["alternatives"]}
assert list(rows) == ["keep", "add", "replace"], list(rows)
assert rows["keep"]["fleet"] == "keep" and rows["keep"]["cost"]["capex_usd"] == 0 and rows["keep"]["fleets"] == 1
# two nodes at 3176 USD each
assert rows["replace"]["cost"]["sale_usd"] == 6352 and rows["add"]["cost"]["sale_usd"] == 0
assert 0 < rows["add"]["cost"]["capex_usd"] <= 60000 < 60000 + 6352 >= rows["replace"]["cost"]["capex_usd"]
assert d["pools"] == ["proto", "scale", "old"]
for c in d["candidates"]:
    kind = c["fleet"].split()[0]
    # existing nodes are in every candidate with their own count, or sold
    assert c["counts"][2] == (0 if kind == "replace" else 2), c["fleet"]
    assert (c["counts"][:2] == [0, 0]) == (kind == "keep"), c["fleet"]
    assert c["fleet"] == kind or c["fleet"] == "%s %d+%d" % (kind, *c["counts"][:2]), c["fleet"]
    budget = 60000 + (6352 if kind == "replace" else 0)
    assert abs(c["cost"]["capex_usd"] + c["cost"]["unspent_usd"] - budget) < 0.005, c["fleet"]
for r in rows.values():
    same = [c for c in d["candidates"] if c["fleet"] == r["fleet"] and c["sharing"] == "overflow"]
    assert len(same) == 1 and same[0]["cost"]["three_year_usd"] == r["cost"]["three_year_usd"]
    assert same[0]["feasible"] == r["feasible"]
assert "keep (do nothing): purchase 0 USD" in text and "6,352 USD from the sale of old nodes" in text
PY

# doing nothing is a row even where nobody asks for it
"$fleetsim" study "$lab" --plan --set 'study.alternatives=[add]' --out "$dir/plan" | grep -q '^ *keep ' ||
  fail "keep is not a row of its own"

refused() {
  local code=0
  "$fleetsim" check "$lab" --set "$1" >/dev/null 2>"$dir/err" || code=$?
  [ "$code" = 2 ] || fail "exit $code for $1"
  grep -q "$2" "$dir/err" || fail "$1 is not refused in words: $(cat "$dir/err")"
}
refused 'fleet.existing=[{node: supermicro-8x-rtx2080ti, count: 2, name: old}]' 'nothing says what they bring'
refused 'study.alternatives=[keep, keep]' 'listed twice'
refused 'study.alternatives=[sell]' 'keep'
refused 'study.price_draws=10' 'drawn prices are not built'
