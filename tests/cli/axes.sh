# Axes of a study: the plan, cells with the same bytes for threads, shards and kills, choices, faults.
. "$(dirname "$0")/../script.sh" "$@"

# A small lab: 2 fleets' worth of money, 2 replications of three weeks, 2 x 2 cells.
{
  small_lab -e 's/^site/fabric: {shape: leaf-spine, link: infiniband-edr}\n&/; s/users: 9/users: 10\n  demand: {load: 0.4, scale_share: 30 %}/; s|6 /day|1 /day|'
  cat <<'YAML'
study:
  constraints: [wait_s_p95(prototype) <= 4 h]
  limits: [wait_s_p95(prototype) <= 2 h, wait_s_p95(result) <= 48 h]
  axes:
    workload.demand.scale_share: [20 %, 50 %]
    workload.demand.load: {from: 0.3, to: 0.6, step: 0.3}
YAML
} > small.yaml
study() { # DIR, more options; exit 1: no fleet qualifies
  local dir=$1
  shift
  "$fleetsim" study small.yaml --out "$dir" "$@" || [ $? -eq 1 ]
}
check() { "$fleetsim" check small.yaml "$@"; }

# check says what the demand was set to, and it is what was asked for.
check > check.txt
grep -qE '^offered load +0\.400 .*s = 0\.300' check.txt || fail "check does not show the wished demand: $(cat check.txt)"
grep -qE '^demand set +prototype: [0-9.]+ jobs a day and user' check.txt || fail "check does not say what it set: $(cat check.txt)"

# The plan, whole: axes, cells, candidates, rejected ones, time.
study planned --plan > plan.txt
[ ! -e planned ] || fail "a plan wrote something"
sed -E 's/^(expected time: ).*/\1.../' plan.txt > plan.golden
golden=$source/tests/data/plan/axes.txt
if [ "${FLEETSIM_UPDATE_GOLDEN:-0}" = 1 ]; then mkdir -p "$(dirname "$golden")"; cp plan.golden "$golden"; fi
diff "$golden" plan.golden || fail "the plan says something else (< kept, > printed; FLEETSIM_UPDATE_GOLDEN=1 on purpose)"
grep -qE '^expected time: (about|less than) .* on [0-9]+ cores? \(.* s a run, from one run of ' plan.txt || fail "no expected time: $(tail -1 plan.txt)"
study planned --plan --format json > plan.json
python3 - <<'PY' || fail "the plan is not as promised"
import json
plan = json.load(open("plan.json"))
assert [a["name"] for a in plan["map"]["axes"]] == ["s", "load"]
assert len(plan["map"]["cells"]) == 4
for cell in plan["map"]["cells"]:
    s, load = cell["values"]
    assert abs(cell["s"] - float(s[:-2]) / 100) < 1e-9 and abs(cell["load"] - float(load)) < 1e-9
assert plan["map"]["runs"] == sum(c["runs"] for c in plan["map"]["cells"]) > 0
assert plan["expected_time"]["seconds"] > 0
PY

# Same bytes for 1 and 2 threads.
study one --threads 1 > one.txt
study two --threads 2 > two.txt
for file in study.json candidates.csv map.csv; do cmp one/$file two/$file || fail "$file depends on the number of threads"; done
diff <(grep -v '^Files' one.txt) <(grep -v '^Files' two.txt) || fail "the text depends on the number of threads"
for words in 'Map: 4 cells' 'Best share %, k=30, overflow' 'Shares % that keep the limits, strict' 'By 4 simulated cells'; do
  grep -qF "$words" one.txt || fail "the text lacks '$words'"
done
study one --plan | grep -q '4 cells with .* 0 to run$' || fail "something of a finished map is to run"
study one --plan --replications 3 | grep -q 'from the mean of the runs in the store' || fail "the rows' time is not used"

# 3 shards, merged in another order; a killed study, resumed.
for k in 1 2 3; do study shard$k --shard $k/3 > /dev/null; done
"$fleetsim" merge shard3/study.db shard1/study.db shard2/study.db -o merged/study.db > merged.txt || fail "the merge lacks runs: $(cat merged.txt)"
study merged > merged.txt
for file in study.json candidates.csv map.csv; do cmp one/$file merged/$file || fail "$file of merged shards differs"; done
sql() { python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])' "$@" 2> /dev/null || echo 0; }
long=(--replications 16)  # long enough to be met in the middle
study whole "${long[@]}" > /dev/null
rows=$(sql whole/study.db 'select count(*) from run')
"$fleetsim" study small.yaml --out killed --threads 1 "${long[@]}" > /dev/null 2>&1 &
victim=$!
for _ in $(seq 3000); do
  [ "$(sql killed/study.db 'select count(*) from run')" -lt $((rows / 4)) ] || break
  kill -0 $victim 2> /dev/null || break
  sleep 0.01
done
kill -KILL $victim 2> /dev/null || true
{ wait $victim || true; } 2> /dev/null
[ ! -e killed/study.json ] || fail "the study ended before it was killed"
study killed "${long[@]}" > /dev/null
for file in study.json candidates.csv map.csv; do cmp whole/$file killed/$file || fail "$file of a killed and resumed map differs"; done

# study.json, map.csv and the plain study of one cell say the same.
python3 - <<'PY' || fail "the map is not as promised"
import csv, json
study = json.load(open("one/study.json"))
cells = study["map"]["cells"]
rows = list(csv.DictReader(open("one/map.csv")))
assert len(rows) == sum(len(c["answers"]) for c in cells) and len(cells) == 4
holds = study["rule"]["holds_for"]
assert holds["axis"] == "s" and holds["basis"].startswith("simulated cells: ") and "load" in holds
assert study["verdict"].startswith(study["map"]["holds"]["sentence"])
for row in rows:
    cell = next(c for c in cells if c["values"] == [row["workload.demand.scale_share"], row["workload.demand.load"]])
    answer = next(a for a in cell["answers"] if a["sharing"] == row["sharing"] and abs(a["k"] - float(row["k"])) < 1e-9)
    assert row["best"] == (answer["best"] or "") and row["rule_status"] == answer["rule_status"]
    meets = next(m for m in cell["keeps_limits"] if m["sharing"] == row["sharing"])
    assert row["keeps_limits"] == "; ".join(meets["fleets"])
PY
study cell --set 'workload.demand={load: 0.6, scale_share: 50 %}' --set 'study={constraints: [wait_s_p95(prototype) <= 4 h]}' > /dev/null
python3 - <<'PY' || fail "a cell is not the study of its own scenario"
import json
cell = json.load(open("one/study.json"))["map"]["cells"][3]
own = json.load(open("cell/study.json"))
assert cell["values"] == ["50 %", "0.6"]
for answer in cell["answers"]:
    best = [s["best"] for s in own["best_sets"] if s["sharing"] == answer["sharing"] and abs(s["k"] - answer["k"]) < 1e-6][0]
    assert best == (f'{answer["best"]} {answer["sharing"]}' if answer["best"] else None), (answer, best)
PY

# The report has the heat maps and their twin; a row of a cell runs again.
"$fleetsim" report one --to md > /dev/null
for words in '# The map: when the answer changes' 'Which shares keep the limits' 'split_map_overflow.svg' 'split_map_strict.svg'; do
  grep -qF "$words" one/report/report.md || fail "the report lacks '$words'"
done
key=$(python3 -c 'import sqlite3; print(sqlite3.connect("one/study.db").execute("select candidate from run order by candidate limit 1").fetchone()[0])')
"$fleetsim" run --from-study one/study.db --candidate "${key:0:12}" --replication 1 --out again > again.txt || fail "a row of a cell does not run again"
grep -q 'as stored' again.txt || fail "a row of a cell gives something else: $(cat again.txt)"

# Choices: candidates of all values in one comparison, told by their labels.
study choices --set 'study.axes={scheduler.type: [easy, fifo]}' > choices.txt
grep -qE '^ *[0-9]+[+][0-9]+ type=fifo ' choices.txt || fail "no candidate is called by its choice"
[ ! -e choices/map.csv ] || fail "choices made a map"
study choices --set 'study.axes={scheduler.type: [easy, fifo]}' --plan | grep -q ' 0 to run$' || fail "the choices' runs are not found again"

# Bad input.
refused() { # WORDS, more options
  code=0
  "$fleetsim" study small.yaml --out bad "${@:2}" > out.txt 2> err.txt || code=$?
  [ $code -eq 2 ] && grep -qF "$1" err.txt || fail "exit $code instead of 2 with '$1': $(cat err.txt)"
  [ ! -e bad ] || fail "a refused study made a folder"
}
refused 'the axis has no value' --set 'study.axes={site.pue: []}'
refused 'site.pue refuses the value 0.5' --set 'study.axes={site.pue: [1.2, 0.5]}'
refused "'time.replications' is no axis" --set 'study.axes={time.replications: [1, 2]}'
refused "unknown metric: 'wait_p95'" --set 'study.constraints=[wait_p95 <= 4 h]'
refused 'sum to' --set 'fleet.split={proto: 60 %, scale: 60 %}'
refused 'cannot be reached' --set 'workload.classes.prototype.gpus=8' --set 'workload.classes.prototype.wall_time.exponential=90 h' --set 'workload.demand.scale_share=99 %'
