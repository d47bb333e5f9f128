#!/usr/bin/env bash
# Desktops or a pool, and energy by class: study, report and JSON say the same. Usage: pooling.sh FLEETSIM SOURCE_DIR
. "$(dirname "$0")/../script.sh" "$@"
file=$source/scenarios/desktops-or-pool.yaml
small=(--set workload.users=8 --set fleet.counts.desktop=8 --set 'time.warm_up=1 week' --set 'time.measure=8 weeks'
  --set 'time.drain=1 week' --replications 4)

"$fleetsim" check "$file" >/dev/null || fail "check refuses the scenario"
code=0; "$fleetsim" study "$file" "${small[@]}" --out s >study.txt || code=$?
[ $code -le 1 ] || fail "study ends with $code"
grep -q '^Verdict: .*pool' study.txt || fail "no verdict of pools: $(cat study.txt)"
grep -q 'below 15 % of a desktop' study.txt || fail "the guide's bands are missing"
# A shard of the study simulates the same rows: after it nothing is left to do.
"$fleetsim" study "$file" "${small[@]}" --out s --plan | tail -n 1 | grep -q '9 candidates.* 0 to run' || fail "the plan differs"

python3 - <<'PY' || fail "study.json is wrong"
import json
study = json.load(open("s/study.json"))
pooling = study["pooling"]
assert pooling["private"]["machines"] == 8
assert [p["machines"] for p in pooling["pools"]] == list(range(1, 9))
sure = [p["machines"] for p in pooling["pools"] if p["answer"] == "no longer"]
assert pooling["least"] in sure + [0]
for pool in pooling["pools"]:
    d = pool["difference"]
    assert (pool["answer"] == "no longer") == (d["ci95_high_s"] <= 0), pool
    assert (pool["answer"] == "longer") == (d["ci95_low_s"] > 0), pool
# The same jobs: fewer machines are busier.
busy = [p["utilisation"] for p in pooling["pools"]]
assert busy == sorted(busy, reverse=True)
assert abs(pooling["private"]["utilisation"] - busy[-1]) < 0.02
assert study["verdict"] in open("study.txt").read()
PY

# What the report says is what the JSON says.
if command -v gnuplot >/dev/null && command -v dot >/dev/null; then
  "$fleetsim" report s --to md >/dev/null || fail "no report"
  least=$(python3 -c 'import json; print(json.load(open("s/study.json"))["pooling"]["least"])')
  [ "$least" -eq 0 ] || grep -q "We recommend a shared pool of $least" s/report/report.md || fail "the report differs"
fi

# Two shards, joined, give the same study.
for i in 1 2; do "$fleetsim" study "$file" "${small[@]}" --shard $i/2 --out shard$i >/dev/null || fail "shard $i"; done
mkdir joined
"$fleetsim" merge shard1/study.db shard2/study.db -o joined/study.db >/dev/null || fail "merge"
"$fleetsim" study "$file" "${small[@]}" --out joined >/dev/null || [ $? -eq 1 ] || fail "the joined study"
cmp s/study.json joined/study.json || fail "two shards give another study"

# No carbon without a grid; with one, lines add up, and the text says what the JSON says.
"$fleetsim" run "$file" "${small[@]}" --out r \
  --set 'site.carbon={grid: 0.39 kg/kWh, source: EIA US average, as_of: 2022}' >run.txt
python3 - <<'PY' || fail "energy in result.json is wrong"
import json
result = json.load(open("r/result.json"))
energy = result["dossier"]["energy"]
for total, line in (("kwh", "kwh"), ("cost_usd", "cost_usd"), ("operational_kg", "carbon_kg")):
    assert abs(energy[total] - sum(l[line] for l in energy["lines"])) < 1e-6, total
electricity = next(l for l in result["dossier"]["cost"]["lines"] if l["item"] == "Electricity")
assert abs(energy["cost_usd"] - electricity["by_year_usd"][0]) < 1e-9
assert energy["embodied_low_kg"] < energy["embodied_kg"] < energy["embodied_high_kg"]
m = result["metrics"]
by_class = sum(c["energy_kwh"]["mean"] for c in m["classes"].values())
assert abs(by_class + m["idle_energy_kwh"]["mean"] - m["energy_kwh"]["mean"]) < 1e-6 * m["energy_kwh"]["mean"]
text = open("run.txt").read()
assert f"operational carbon {energy['operational_kg']:.0f} kg CO2e a year" in text
assert f"embodied carbon {energy['embodied_kg']:.0f} kg CO2e" in text
PY

refused() { # MESSAGE ARGUMENTS...
  local message=$1 code=0
  shift
  "$fleetsim" check "$file" "$@" >/dev/null 2>err.txt || code=$?
  [ $code -eq 2 ] || fail "check $* ends with $code"
  grep -qF -- "$message" err.txt || fail "check $* does not say '$message': $(cat err.txt)"
}
refused 'each of 30 users has a private machine, but desktop has 29 nodes' --set fleet.counts.desktop=29
refused 'a grid by hour has 24 values, not 3' \
  --set 'site.carbon={grid: [1 kg/kWh, 0.5 kg/kWh, 0.2 kg/kWh], source: here, as_of: 2022}'
refused "has no unit" --set 'site.carbon={grid: 0.4, source: here, as_of: 2022}'
refused "lacks the key 'source'" --set 'site.carbon={grid: 0.4 kg/kWh, as_of: 2022}'
echo "pooling.sh: fine"
