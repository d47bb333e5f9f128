#!/usr/bin/env bash
# fleetsim advise: the verdicts of the guide's tree on small scenarios (G24 to G26), bands that the scenario moves, a tree of
# one's own, and the study beside it.
set -eu
fleetsim=$(realpath "$1") source=$(realpath "$2")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "advise.sh: $*" >&2; exit 1; }
lab=$source/scenarios/lab-66-33.yaml
data=$source/tests/data/advice
cd "$dir"  # no out/ here, so no study is found

# ---- verdicts: each file says what is expected of it --------------------------------------------------------------------
for file in "$data"/*.yaml; do
  # 1: sound, but the room or the rules refuse the fleet.
  code=0; "$fleetsim" check "$file" >/dev/null || code=$?
  [ $code -le 1 ] || fail "$file is not sound"
  "$fleetsim" advise "$file" --format json >advice.json || fail "$file: exit $?"
  python3 - "$file" advice.json <<'PY' || fail "$file gets another verdict"
import json, sys
expect = next(l for l in open(sys.argv[1]) if l.startswith("# expect: "))[10:].strip()
rules, texts = (part.split("|") for part in expect.split("; ", 1))
d = json.load(open(sys.argv[2]))
assert [v["rule"] for v in d["verdicts"]] == rules, (d["verdicts"], rules)
assert [v["verdict"] for v in d["verdicts"]] == texts, (d["verdicts"], texts)
order = ["use", "memory", "hardware", "checks"]
steps = [order.index(s["step"]) for s in d["steps"]]
assert steps == sorted(steps) and set(steps) == {0, 1, 2, 3}, steps
for v in d["verdicts"]:
    for option in v["options"]:
        assert sum(p["share"][0] for p in option["parts"]) <= 1 + 1e-9 <= 2e-9 + sum(p["share"][1] for p in option["parts"])
# the text gives two answers where its two parts differ, and says so
assert (len(d["verdicts"]) > 1) == any("contradicts itself" in c for c in d["contradictions"]), d["contradictions"]
PY
done
verdict() { "$fleetsim" advise "$@" --format json | python3 -c 'import json, sys; print("|".join("+".join(v["said_by"]) + ": " + v["rule"] for v in json.load(sys.stdin)["verdicts"]))'; }
said() { [ "$(verdict "${@:2}")" = "$1" ] || fail "'${*:2}' gets '$(verdict "${@:2}")', not '$1'"; }
said "summary: a100|chapter: superpod" "$data/g25-300.yaml"

# The text's own memory rule and its own card: 11 GB against the RTX 3080 of 10 GB.
"$fleetsim" advise "$data/g24-cooled.yaml" --set advice.buyer=nlp-research | tr '\n' ' ' | tr -s ' ' |
  grep -q "asks for 11 GB here (G10), and the largest card of its own verdict has 10 GB" || fail "the text's memory rule against its card"

# ---- edges are half-open -------------------------------------------------------------------------------------------------
all8=$data/g25-600.yaml
# 15 nodes: 120 GPUs; 16: 128; 32: 256; 33: 264; 64: 512; 65: 520; 128: 1024; 129: 1032
water=(--set advice.cooling_solved=yes)
said "summary+chapter: shared-cluster" "$all8" "${water[@]}" --set fleet.counts.all8=15
said "summary+chapter: cooling-unsolved" "$all8" --set fleet.counts.all8=15
said "summary+chapter: a100" "$all8" --set fleet.counts.all8=16
said "summary+chapter: a100" "$all8" --set fleet.counts.all8=32
said "summary: a100|chapter: superpod" "$all8" --set fleet.counts.all8=33
said "summary: a100|chapter: superpod" "$all8" --set fleet.counts.all8=64
said "summary+chapter: superpod" "$all8" --set fleet.counts.all8=65
said "summary+chapter: superpod" "$all8" --set fleet.counts.all8=128
said "summary+chapter: pod" "$all8" --set fleet.counts.all8=129
# The scenario moves an edge: 120 GPUs then lie in the band of the A100.
said "summary+chapter: a100" "$all8" --set fleet.counts.all8=15 \
  --set 'advice.bands={small: {below: 100}, a100-summary: {from: 100}, a100-chapter: {from: 100}}'
# Buyers of single machines are not asked about clusters.
said "summary+chapter: kaggle" "$data/g24-cooled.yaml" --set advice.buyer=kaggle
said "summary+chapter: company" "$data/g24-cooled.yaml" --set advice.buyer=company
# An office is no data centre, so the licence rules nothing out there; forbidden in a data centre it does.
said "summary+chapter: no-geforce" "$data/g24-cooled.yaml" --set site.geforce_in_datacentre=forbidden

# ---- the fleets of a budget cross bands -----------------------------------------------------------------------------------
"$fleetsim" advise "$lab" >lab.txt || fail "advise of the lab: exit $?"
grep -q "cross its bands" lab.txt || fail "the lab's budget crosses 128 GPUs: $(cat lab.txt)"
grep -q "No study of this scenario is at hand" lab.txt || fail "a missing study is not said"
grep -q -- "--simulate" lab.txt || fail "how to get a study is not said"

# ---- a tree of one's own ---------------------------------------------------------------------------------------------------
mkdir -p own/advice
cat >own/advice/ours.yaml <<'YAML'
based_on: guide-2020
title: Ours
source: our own rule
as_of: 2020-12
bands: {small: {below: 64, as_written: under 64}, a100-summary: {from: 64}, a100-chapter: {from: 64}}
YAML
said "summary+chapter: a100" "$data/g24-cooled.yaml" --catalog own --set advice.tree=ours
said "summary+chapter: model-parallel" "$data/g24-cooled.yaml" --catalog own

# ---- beside a study ----------------------------------------------------------------------------------------------------------
short=(--set 'time.warm_up=1 day' --set 'time.measure=1 week' --set 'time.drain=1 week')
"$fleetsim" study "$lab" "${short[@]}" --replications 2 --out study >/dev/null || [ $? -eq 1 ] || fail "the study fails"
code=0; "$fleetsim" advise "$lab" "${short[@]}" --study study --format json >beside.json || code=$?
python3 - beside.json study/study.json $code <<'PY' || fail "the comparison is not that of the study"
import json, sys
d, study, code = json.load(open(sys.argv[1])), json.load(open(sys.argv[2])), int(sys.argv[3])
s = d["simulated"]
assert s["from"] == "study/study.json" and s["verdict"] == study["verdict"], s
if s["best"]:
    best = next(c for c in study["candidates"] if c["label"] == s["best"])
    assert s["best"] in study["best"] and [p["nodes"] for p in s["pools"]] == best["counts"], (s, best)
    scale = next(p for p in s["pools"] if p["pool"] == "scale")
    low, high = study["rule"]["best_share"]
    assert abs(scale["share"][0] - low) < 1e-9 and abs(scale["share"][1] - high) < 1e-9, (scale, low, high)
    # G23 asks for 20 to 34 % of the scale pool
    g23 = next(c for c in d["parting"]["compared"] if c["guide"] == "G23")
    inside = any(0.20 - 0.005 <= c["share"] <= 0.34 + 0.005 for c in study["candidates"] if c["label"] in study["best"])
    assert (g23["agreement"] == "agree") == inside, (g23, low, high)
assert code == (1 if d["parting"]["agreement"] == "part" else 0), (code, d["parting"])
PY
# A study of another state of the scenario is refused where it is asked for, passed over where it merely lies there.
code=0; "$fleetsim" advise "$lab" --study study >/dev/null 2>err || code=$?
[ $code -eq 2 ] && grep -q "a study of another state of this scenario" err || fail "another state: $code, $(cat err)"
mkdir out; cp -r study out/lab-66-33
"$fleetsim" advise "$lab" >passed.txt || fail "advise with another study in out/: exit $?"
grep -q "so it is not used" passed.txt || fail "a study that is not used is not told"
code=0; "$fleetsim" advise "$lab" "${short[@]}" --format json >found.json || code=$?
[ $code -le 1 ] && grep -q '"from": "out/lab-66-33/study.json"' found.json || fail "the study in out/ is not found: $code"
# Questions of advice change no run: the same study serves.
code=0; "$fleetsim" advise "$lab" "${short[@]}" --set advice.buyer=company --study study >/dev/null 2>err || code=$?
[ $code -le 1 ] || fail "another buyer needs another study: $(cat err)"

# ---- what is wrong is said ---------------------------------------------------------------------------------------------------
refused() {
  local code=0 text=$1
  shift
  "$fleetsim" advise "$@" >/dev/null 2>err || code=$?
  [ $code -eq 2 ] && grep -qF -- "$text" err || fail "'$*' ends with $code: $(cat err)"
}
refused "which scenario?"
refused "did you mean 'kaggle'?" "$lab" --set advice.buyer=kagle
refused "did you mean 'small'?" "$lab" --set 'advice.bands={smal: {below: 64}}'
refused "is empty: it is half-open" "$lab" --set 'advice.bands={small: {from: 200}}'
refused "unknown tree of advice: 'guide'" "$lab" --set advice.tree=guide
refused "'yess'" "$lab" --set advice.cooling_solved=yess
refused "belongs to --simulate" "$lab" --replications 3
refused "keep one of them" "$lab" --study study --simulate
refused "cannot study this scenario" "$data/g25-128.yaml" --simulate
printf 'title: T\nsource: ours\nas_of: 2020\nparts: [all of it]\nbands: {a: {from: 5, below: 5, as_written: five}}\nrules:\n  - {name: r, guide: [X], step: hardware, says: s, verdict: v, options: [{parts: [{node: supermicro-8x-rtx308O}]}], when: {bands: [b]}}\n' >own/advice/bad.yaml
refused "is empty: it is half-open" "$lab" --catalog own
grep -q "did you mean 'supermicro-8x-rtx3080'?" err && grep -q "unknown band: 'b'" err || fail "faults of a tree: $(cat err)"
echo "advise.sh: fine"
