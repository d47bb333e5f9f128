#!/usr/bin/env bash
# fleetsim report: from a study and from a run to Markdown, HTML and PDF; what it says when it cannot.
set -eu
fleetsim=$1 source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

# expect CODE TEXT command...: exit code and a text on stderr
expect() {
  local want=$1 said=$2 code=0
  shift 2
  "$@" >"$dir/out.txt" 2>"$dir/err.txt" || code=$?
  [ "$code" -eq "$want" ] || fail "'$*' exits $code, not $want: $(cat "$dir/err.txt")"
  [ -z "$said" ] || grep -qF -- "$said" "$dir/err.txt" || fail "'$*' does not say '$said': $(cat "$dir/err.txt")"
}

expect 2 "holds neither study.json nor result.json" "$fleetsim" report "$dir"
expect 2 "fleetsim study SCENARIO --out" "$fleetsim" report "$dir"
expect 2 "is not a folder" "$fleetsim" report "$dir/nowhere"
expect 2 "--to xlsx is not built yet" "$fleetsim" report "$dir" --to md,xlsx
expect 2 "--to explorer is not built yet" "$fleetsim" report "$dir" --to explorer
expect 2 "--diff is not built yet" "$fleetsim" report "$dir" --diff "$dir"
expect 2 "unknown format 'docx'" "$fleetsim" report "$dir" --to docx
echo '{"fleetsim": "0.1.0"' >"$dir/study.json"
expect 2 "it is not JSON" "$fleetsim" report "$dir"
echo '{"fleetsim": "0.1.0"}' >"$dir/study.json"
expect 2 "it has no key 'dossier'" "$fleetsim" report "$dir"
rm "$dir/study.json"

scenario=$source/scenarios/lab-66-33.yaml
"$fleetsim" study "$scenario" --set time.replications=3 --set 'time.measure=6 weeks' --set study.price_draws=2 --set study.draw_replications=1 --out "$dir/study" >/dev/null
"$fleetsim" run "$scenario" --replications 2 --out "$dir/run" >/dev/null

# What stands beside the dossier must agree with it: else the file is not of one piece.
mkdir "$dir/damaged"
for change in '.seed = 7' '.replications = 9' '.fleetsim = "9.9"' 'del(.scenario)' '.scenario.sha256 = "00"' 'del(.dossier.seed)'; do
  python3 - "$dir/study/study.json" "$dir/damaged/study.json" "$change" <<'PY'
import json, sys
study = json.load(open(sys.argv[1]))
change = sys.argv[3]
if change.startswith("del("):
    *path, last = change[5:-1].split(".")
    value = None
else:
    key, value = change.split(" = ")
    *path, last = key[1:].split(".")
    value = json.loads(value)
at = study
for step in path:
    at = at[step]
if value is None:
    del at[last]
else:
    at[last] = value
json.dump(study, open(sys.argv[2], "w"))
PY
  expect 2 "cannot be read as results" "$fleetsim" report "$dir/damaged" --to md
done
head -c 20000 "$dir/study/study.json" >"$dir/damaged/study.json"
expect 2 "it is not JSON" "$fleetsim" report "$dir/damaged" --to md

# A PATH without gnuplot: exit 3, the package named, nothing made.
mkdir "$dir/bin"
ln -s "$(command -v timeout)" "$dir/bin/timeout"
expect 3 "gnuplot-nox" env PATH="$dir/bin" "$fleetsim" report "$dir/study"
[ ! -e "$dir/study/report" ] || fail "a report without its tools left something behind"

for tool in gnuplot dot pandoc weasyprint; do
  command -v "$tool" >/dev/null || { echo "SKIPPED the rest: $tool is not installed" >&2; exit 0; }
done

export SOURCE_DATE_EPOCH=1600000000
expect 0 "" "$fleetsim" report "$dir/study"
[ "$(tail -n 1 "$dir/out.txt")" = "$dir/study/report/report.pdf" ] || fail "the PDF's path is not the last line"
while read -r path; do [ -s "$path" ] || fail "$path was named but is not there"; done <"$dir/out.txt"
grep -q "date: \"13 September 2020\"" "$dir/study/report/report.md" || fail "the date is not SOURCE_DATE_EPOCH's"
for part in "Interval table: Overflow" "Bill of materials" "We recommend" "| 13+3 |" "| 17+0 |" "split_curve.svg"; do
  grep -qF -- "$part" "$dir/study/report/report.md" || fail "the Markdown lacks '$part'"
done
[ -z "$(find "$dir/study/report" -name '.*' -mindepth 1)" ] || fail "hidden files were left behind"

# The same bytes again, elsewhere, without a home, in another language and time zone, with the temporary folder gone.
env -u HOME TMPDIR=/nowhere LC_ALL=de_DE.UTF-8 TZ=Asia/Kathmandu "$fleetsim" report "$dir/study" --out "$dir/again" >/dev/null
for name in report.md report.html report.pdf split_curve.svg fabric.svg waits.csv; do
  cmp "$dir/study/report/$name" "$dir/again/$name" || fail "$name differs between two runs"
done

# A figure can be made again from what lies beside it.
(cd "$dir/again" && gnuplot -d -c waits.gp waits-again.svg waits.csv 2>/dev/null && [ -s waits-again.svg ]) || fail "waits.gp does not run"

if command -v pdftotext >/dev/null; then
  pdftotext -layout "$dir/study/report/report.pdf" "$dir/report.txt"
  for part in "recommend" "Bill of materials" "Interval table" "95 % interval"; do
    tr '\302\240' '  ' <"$dir/report.txt" | tr -s ' ' | grep -qF -- "$part" || fail "the PDF lacks '$part'"
  done
else
  echo "SKIPPED: pdftotext is not installed" >&2
fi

# A run: Markdown only, no recommendation.
"$fleetsim" report "$dir/run" --to md >"$dir/out.txt"
[ ! -e "$dir/run/report/report.html" ] || fail "--to md made HTML too"
grep -q "recommends nothing" "$dir/run/report/report.md" || fail "a run's report must not recommend"

# Results of own nodes: what is left out without their catalogue is told, and with it nothing is.
unset SOURCE_DATE_EPOCH  # its 2020 lies before the catalogue
mkdir -p "$dir/own/nodes"
printf 'based_on: supermicro-8x-rtx3080\ntitle: Ours\n' >"$dir/own/nodes/ours.yaml"
"$fleetsim" run "$source/scenarios/lab-66-33.yaml" --catalog "$dir/own" --set fleet.proto.node=ours --replications 1 \
  --set 'time.warm_up=1 week' --set 'time.measure=1 week' --set 'time.drain=1 week' --out "$dir/ours" >/dev/null
"$fleetsim" report "$dir/ours" --to md >/dev/null 2>"$dir/err.txt"
grep -q "left out: .*--catalog DIR adds one.*'ours'" "$dir/err.txt" || fail "a section left out is not told: $(cat "$dir/err.txt")"
"$fleetsim" report "$dir/ours" --to md --catalog "$dir/own" >/dev/null 2>"$dir/err.txt"
! grep -q "left out" "$dir/err.txt" || fail "with the catalogue something is left out: $(cat "$dir/err.txt")"
echo "report: fine"
