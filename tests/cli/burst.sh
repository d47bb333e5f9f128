#!/usr/bin/env bash
# Burst to the cloud: who goes, what is rented, and one number of money on the screen, in JSON, CSV and the report.
# Usage: burst.sh FLEETSIM SOURCE_DIR
. "$(dirname "$0")/../script.sh" "$@"
export SOURCE_DATE_EPOCH=1795996800  # 2026-11-30

# One node of 8 GPUs, jobs of 8 GPUs and 5 h: about as many as the node can do, so that queues build up.
cat >small.yaml <<'YAML'
name: small
seed: 3
time: {warm_up: 0 s, measure: 4 weeks, drain: 2 weeks, replications: 2}
fleet: {box: {node: supermicro-8x-rtx3080}, counts: {box: 1}}
fabric: {shape: none}
scheduler:
  burst: {above_wait: 6 h, node: aws-p3-16xlarge}
workload:
  users: 1
  classes:
    job: {arrivals: {per_user: 4 /day, profile: flat}, gpus: 8, wall_time: {fixed: 5 h}}
YAML
"$fleetsim" check small.yaml >check.txt || fail "check: $(cat check.txt)"
"$fleetsim" run small.yaml --out small --schedule schedule.csv --time-series series.csv --format json >run.json || fail "run"
"$fleetsim" run small.yaml >run.txt || fail "run as text"
python3 - run.json run.txt schedule.csv series.csv <<'PY' || fail "the run does not add up"
import csv, json, sys
d, text = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
m, cost = d["metrics"], d["dossier"]["cost"]
hours = m["burst_gpu_hours"]["mean"]
assert m["burst_jobs"]["mean"] > 2 and hours > 0, m["burst_jobs"]
# every bursted job holds 8 GPUs for 5 h, each replication for itself; the window cuts those at its end
rows = list(csv.DictReader(open(sys.argv[3])))
sent = [r for r in rows if r["start_reason"] == "burst"]
assert sent and all(r["placement"] == "rented" and r["nodes"] == "0" for r in sent), sent[:2]
assert all(abs(float(r["start_s"]) - float(r["submit_s"]) - 6 * 3600) < 1e-3 for r in sent)
assert all(float(r["start_s"]) - float(r["submit_s"]) <= 6 * 3600 + 1e-3 for r in rows if r["start_s"])
window = 4 * 7 * 24 * 3600
held = sum(8 * max(0, min(float(r["end_s"]), window) - float(r["start_s"])) / 3600 for r in sent) / 2
assert abs(held - hours) < 1e-6, (held, hours)
series = list(csv.DictReader(open(sys.argv[4])))
assert max(int(r["rented_gpus"]) for r in series) >= 8 and max(int(r["allocated_gpus_box"]) for r in series) == 8
# the bill: GPU-hours x 8760 / window x 3.06 USD, to the cent
line = next(l for l in cost["lines"] if l["item"] == "Cloud rent of bursted jobs")
year = line["by_year_usd"][0]
assert abs(year - round(hours * 8760 / (4 * 168) * 3.06, 2)) < 0.0101, (year, hours)
assert abs(sum(l["by_year_usd"][0] for l in cost["lines"]) - cost["total_by_year_usd"][0]) < 1e-6
assert abs(sum(d["cost"]["by_year_usd"]) - d["cost"]["three_year_usd"]) < 1e-6
shown = f"{year:,.2f}".removesuffix(".00") + " USD a year"
assert "of it rent of GPUs for jobs that burst: " + shown in text, shown
useful = m["utilisation_effective"]["mean"] * 8 * 8760 + m["burst_useful_gpu_hours"]["mean"] * 8760 / 672
assert abs(d["dossier"]["gpu_hours_useful_per_year"] / useful - 1) < 1e-9
assert any("Rented GPUs (AWS p3.16xlarge" in l for l in d["dossier"]["limitations"])
assert any("rent of a GPU-hour, on-demand" in a["what"] and a["as_of"] == "2018-06" for a in d["dossier"]["assumptions"])
assert not any(f["kind"] == "broken-law" for f in d["findings"])
PY

# --- a year's cap sees the rent; so does a constraint of cost
"$fleetsim" run small.yaml --set 'budget={capital: 100000 USD, by_year: [100000 USD, 2000 USD]}' >cap.txt
grep -q 'over the cap: year 2' cap.txt || fail "the cap does not see the rent: $(tail -5 cap.txt)"
"$fleetsim" run small.yaml --set 'study.constraints=[burst_cost <= 1 USD]' >bound.txt
grep -q 'Constraint broken: burst_cost <= 1 USD' bound.txt || fail "the constraint: $(tail -5 bound.txt)"
"$fleetsim" price small.yaml >price.txt || true
grep -q "Jobs that burst: not counted" price.txt || fail "price is silent: $(cat price.txt)"

# --- never renting is another fleet of the study; rows of one setting serve no other
"$fleetsim" study "$source/scenarios/burst-to-cloud.yaml" --replications 1 --set 'time.measure=2 weeks' --set 'time.warm_up=1 week' \
  --set 'time.drain=2 weeks' --out cheap --set scheduler.burst.rate='0.02 USD' >cheap.txt || [ $? -eq 1 ] || fail "study"
"$fleetsim" study "$source/scenarios/burst-to-cloud.yaml" --replications 1 --set 'time.measure=2 weeks' --set 'time.warm_up=1 week' \
  --set 'time.drain=2 weeks' --out dear --set scheduler.burst.rate='300 USD' >dear.txt || [ $? -eq 1 ] || fail "study"
python3 - cheap/study.json dear/study.json <<'PY' || fail "renting beats waiting where it is cheap, and not where it is dear"
import json, sys
for path, rents in zip(sys.argv[1:], (True, False)):
    d = json.load(open(path))
    best = d["dossier"]["recommended"]
    print(path, best)
    assert ("above_wait=4 h" in best) == rents, (path, best)
PY

# --- the report says what the JSON says
if command -v gnuplot >/dev/null && command -v dot >/dev/null && command -v pandoc >/dev/null; then
  "$fleetsim" report small --to md >report.txt || fail "report"
  python3 - run.json small/report/report.md <<'PY' || fail "the report parts from the JSON"
import json, sys
d, md = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
plain = md.replace("\\$", "$").replace("\\-", "-")
line = next(l for l in d["dossier"]["cost"]["lines"] if l["item"] == "Cloud rent of bursted jobs")
year = "$" + f"{line['by_year_usd'][0]:,.2f}".removesuffix(".00")
assert plain.count(year) >= 2, year
assert "Burst to the cloud" in plain
window = "$" + f"{d['metrics']['burst_cost']['mean']:,.2f}"
assert window.removesuffix(".00") in plain, window
PY
else
  echo "SKIPPED the report: a tool is not installed" >&2
fi

# --- wrong input: exit 2 and a sentence
refused() {
  local code=0
  "$fleetsim" check small.yaml --set "$1" >/dev/null 2>err.txt || code=$?
  [ $code -eq 2 ] || fail "exit $code for $1"
  grep -qF -- "$2" err.txt || fail "$1 is not refused in words: $(cat err.txt)"
}
refused 'scheduler.burst.terms=reserved' 'paid whether used or not'
refused 'scheduler.burst.terms=spot' "'interruptions' does not say how often"
refused 'scheduler.burst.node=supermicro-8x-rtx3080' 'no on-demand rate'
refused 'scheduler.burst.classes=[jobs]' "did you mean 'job'"
refused 'scheduler.burst.above_wait=-1 h' "must not be negative"
refused 'scheduler.burst.node=tpu-v3-host' 'no network between rented nodes'
