#!/usr/bin/env bash
# Room and rules: every scenario of tests/data/facility gives exactly the findings that its head expects, in order;
# hard findings end `check` with 1, refuse a fleet in `study`, and stand in every output.
set -eu
fleetsim=$1
source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "facility.sh: $*" >&2; exit 1; }
data=$source/tests/data/facility

python3 - "$fleetsim" "$data" <<'PY' || fail "findings differ from what the scenarios expect"
import json, pathlib, re, subprocess, sys
program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
files = sorted(folder.glob("*.yaml"))
assert len(files) >= 20, f"only {len(files)} scenarios"
faults, severities, checks = 0, set(), set()
for file in files:
    text = file.read_text()
    expected = re.findall(r"^# expect: (\S+) (\S+) (\S+)$", text, re.M)
    if not expected:
        assert "# expect nothing\n" in text, f"{file.name} expects neither something nor nothing"
    run = subprocess.run([program, "check", str(file), "--format", "json", "--catalog", str(folder / "catalog")],
                         capture_output=True, text=True)
    want = 1 if any(e[0] == "hard" for e in expected) else 0
    if run.returncode != want:
        print(f"{file.name}: exit {run.returncode}, not {want}: {run.stderr}")
        faults += 1
        continue
    findings = json.loads(run.stdout)["files"][0]["findings"]
    found = [(f["severity"], f["check"], f["place"]) for f in findings]
    if found != expected:
        print(f"{file.name}:\n  expected {expected}\n  found    {found}")
        faults += 1
    for f in findings:
        assert f["message"], (file.name, f)
        assert f["severity"] == "note" or (f["figure"] and f["limit"] and f["remedy"]), (file.name, f)
    severities |= {f[0] for f in found}
    checks |= {f[1] for f in found}
assert severities == {"hard", "soft", "note"}, severities
page = (folder.parent.parent.parent / "docs" / "facility.md").read_text()
for check in checks:
    assert f"### {check}\n" in page, f"docs/facility.md lacks {check}"
assert len(checks) == len(re.findall(r"^### ", page, re.M)), "a check of docs/facility.md is found nowhere"
sys.exit(1 if faults else 0)
PY

# The figures of a finding, in words and with its remedy.
code=0
"$fleetsim" check "$data/meter-not-it.yaml" >"$dir/out" || code=$?
[ "$code" = 1 ] || fail "exit $code for a fleet that the room cannot feed"
grep -q 'HARD room-power at site.power_limit: all nodes at load draw 31.10 kW x PUE 1.5 = 46.65 kW at the meter' "$dir/out" ||
  fail "the figure is not told: $(cat "$dir/out")"
grep -q 'remedy: fewer nodes' "$dir/out" || fail "no remedy"
"$fleetsim" price "$data/meter-not-it.yaml" >"$dir/out" || true
grep -q 'HARD room-power' "$dir/out" || fail "price does not show the finding"
"$fleetsim" price "$data/meter-not-it.yaml" --format json >"$dir/out" || true
grep -q '"check": "room-power"' "$dir/out" || fail "price --format json does not show the finding"

# The lab of the 66/33 rule: notes only.
"$fleetsim" check "$source/scenarios/lab-66-33.yaml" >"$dir/out" || fail "the lab scenario is refused"
grep -q 'room and rules: 0 hard, 0 soft, 4 notes' "$dir/out" || fail "findings of the lab: $(cat "$dir/out")"

# A study refuses what the room cannot feed, before it simulates. 8+0, 5+2, 3+4, ... of 150 000 USD; 30 kW at the meter.
short="--replications 2 --set study.price_draws=20 --set study.draw_replications=1 --set time.warm_up=0 --set time.drain=0 --set time.measure=2days"
lab=$source/scenarios/lab-66-33.yaml
"$fleetsim" study "$lab" $short --set 'budget.capital=150000 USD' --set 'site.power_limit=32 kW' --plan --format json >"$dir/plan"
"$fleetsim" study "$lab" $short --set 'budget.capital=150000 USD' --set 'site.power_limit=32 kW' --out "$dir/study" >"$dir/out" || true
"$fleetsim" run "$lab" $short --set 'site.power_limit=40 kW' --out "$dir/run" >"$dir/run.txt"
python3 - "$dir" <<'PY' || fail "refused fleets"
import csv, json, sys
d = sys.argv[1]
study = json.load(open(d + "/study/study.json"))
plan = json.load(open(d + "/plan"))
assert study["rejected"] and study["candidates"], (study["rejected"], len(study["candidates"]))
watts = lambda counts: 1.5 * (3110 * counts[0] + 3350 * counts[1])
for fleet in study["rejected"]:
    assert watts(fleet["counts"]) > 32000 and fleet["reason"].startswith("room-power: "), fleet
for fleet in study["candidates"]:
    assert watts(fleet["counts"]) <= 32000, fleet["label"]
assert [r["fleet"] for r in plan["rejected"]] == [r["fleet"] for r in study["rejected"]]
assert len(plan["rows"]) - plan.get("drawn_fleets", 0) == len(study["candidates"])
for fleet in study["price_robustness"]["fleets"]:  # what other prices would make affordable must fit the room too
    assert watts(fleet["counts"]) <= 32000, fleet
assert "refuse" in study["verdict"], study["verdict"]
rows = list(csv.reader(open(d + "/study/candidates.csv")))
assert all(len(row) == len(rows[0]) for row in rows), "rows of different length"
refused = [row for row in rows if row[rows[0].index("reasons")].startswith("rejected: room-power")]
assert len(refused) == len(study["rejected"])
run = json.load(open(d + "/run/result.json"))
hard = [f for f in run["findings"] if f.get("severity") == "hard"]
assert [f["check"] for f in hard] == ["room-power"], run["findings"]
assert run["dossier"]["facility"][0]["check"] == "room-power"
PY
grep -q 'rejected: ' "$dir/out" || fail "the study's text does not name refused fleets"
grep -q 'HARD room-power' "$dir/run.txt" || fail "run does not show the finding"
"$fleetsim" report "$dir/study" --to md >/dev/null
report=$(find "$dir/study" -name report.md)
grep -q '^# Room and rules' "$report" || fail "the report has no section on room and rules"
grep -q 'not simulated, because the room or the rules refuse' "$report" || fail "the report does not name refused fleets"

# A room too small for everything that the budget buys still gets an answer: the largest fleets that it takes.
"$fleetsim" study "$lab" ${short/price_draws=20/price_draws=0} --set 'budget.capital=150000 USD' --set 'site.power_limit=20 kW' --plan --format json >"$dir/plan"
python3 - "$dir/plan" <<'PY' || fail "fleets of a small room"
import json, sys
plan = json.load(open(sys.argv[1]))
watts = lambda counts: 1.5 * (3110 * counts[0] + 3350 * counts[1])
fleets = {tuple(int(n) for n in row["label"].split()[0].split("+")) for row in plan["rows"]}
assert fleets and plan["rejected"], plan
for a, b in fleets:
    assert watts((a, b)) <= 20000 < watts((a + 1, b)), (a, b)
assert (4, 0) in fleets, fleets  # 4 x 3110 x 1.5 = 18.66 kW, five would be 23.3 kW
PY

# A room that takes no fleet at all is an answer, too.
code=0
"$fleetsim" study "$lab" $short --set site.geforce_in_datacentre=forbidden --out "$dir/none" >"$dir/out" || code=$?
[ "$code" = 1 ] || fail "exit $code where every fleet is refused"
grep -q 'none that the budget buys may stand in this room' "$dir/out" || fail "the verdict: $(cat "$dir/out")"
"$fleetsim" report "$dir/none" --to md >/dev/null || fail "no report of a study that refuses every fleet"

# A limit that limits nothing is a mistake.
code=0
"$fleetsim" check "$lab" --set 'fleet.scale.gpu_power_limit=350 W' >/dev/null 2>"$dir/err" || code=$?
[ "$code" = 2 ] || fail "exit $code for a power limit at board power"
grep -q 'so this limits nothing' "$dir/err" || fail "$(cat "$dir/err")"

# Where the room refuses the private machines themselves, no pool is compared with them.
cat >"$dir/desks.yaml" <<'YAML'
name: desks
time: {warm_up: 0, measure: 1 week, drain: 1 week, replications: 2}
fleet: {d: {node: desktop-1x-rtx3090}, counts: {d: 4}}
site: {pue: 1, power_limit: 1 kW}
scheduler: {sharing: private}
workload: {users: 4, classes: {job: {arrivals: {per_user: 3 /day}, gpus: 1, wall_time: {exponential: {mean: 3 h}}}}}
study: {candidates: pool-sizes}
YAML
code=0
"$fleetsim" study "$dir/desks.yaml" --out "$dir/desks" >"$dir/out" || code=$?
[ "$code" = 1 ] && grep -q 'The private machines may not stand in this room' "$dir/out" || fail "a pool without private machines: $code $(cat "$dir/out")"
"$fleetsim" report "$dir/desks" --to md >/dev/null || fail "no report of it"

# Adding nothing is keeping: where no addition fits the room, that is said. A study run by 'advise' refuses the same fleets.
old=$source/scenarios/add-to-existing.yaml
"$fleetsim" study "$old" --replications 1 --set 'site.power_limit=9.5 kW' --out "$dir/old" >"$dir/out" || true
grep -q 'add 0+0' "$dir/out" && fail "an addition of nothing is compared: $(cat "$dir/out")"
grep -q 'add: the money buys no node that the room takes' "$dir/out" || fail "no word of the addition: $(cat "$dir/out")"
"$fleetsim" advise "$lab" --set study.price_draws=0 --set time.measure=2days --set time.warm_up=0 --set time.drain=0 --set 'site.power_limit=72 kW' --simulate --replications 2 --out "$dir/advised" --format json >"$dir/out" || [ $? -eq 1 ]
python3 - "$dir/advised/study.db" <<'PY' || fail "advise simulates fleets that the room refuses"
import sqlite3, sys
labels = [row[0] for row in sqlite3.connect(sys.argv[1]).execute("select distinct label from run")]
watts = lambda label: 1.5 * sum(w * int(n) for w, n in zip((3110, 3350), label.split()[0].split("+")))
assert labels and all(watts(label) <= 72000 for label in labels), labels
PY
