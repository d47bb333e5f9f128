#!/usr/bin/env bash
# Known pitfalls of reading and writing files. Usage: io.sh FLEETSIM SOURCE_DIR NUMBER
set -eu
fleetsim=$(realpath "$1") source=$(realpath "$2")
dir=$(mktemp -d)
trap 'chmod -R u+rwx "$dir" 2>/dev/null; rm -rf "$dir"' EXIT
cd "$dir"
fail() { echo "io.sh: $*" >&2; exit 1; }
lab=$source/scenarios/lab-66-33.yaml
short=(--replications 1 --set 'time.warm_up=1 day' --set 'time.measure=1 week' --set 'time.drain=1 week' --set study.price_draws=0)

# A write that fails names the path and the cause and ends with 3. Into a folder that may not be written (root may
# write anywhere, so as another user) and through each option that writes.
B009() {
  mkdir readonly open
  cp "$fleetsim" ./fleetsim; cp "$lab" lab.yaml; chmod 755 .; chmod 555 readonly; chmod 777 open
  local as=()
  [ "$(id -u)" -ne 0 ] || as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  refused() { # TEXT command...
    local code=0 said=$1
    shift
    "${as[@]}" ./fleetsim "$@" >/dev/null 2>err.txt || code=$?
    [ $code -eq 3 ] || fail "'$*' ends with $code: $(cat err.txt)"
    grep -qF "$said" err.txt || fail "'$*' does not say '$said' but: $(cat err.txt)"
  }
  refused "cannot write readonly/result.json: Permission denied" run lab.yaml "${short[@]}" --out readonly
  refused "cannot write readonly/s.csv: Permission denied" run lab.yaml "${short[@]}" --out open --schedule readonly/s.csv
  refused "cannot write readonly/t.csv: Permission denied" run lab.yaml "${short[@]}" --out open --time-series readonly/t.csv
  refused "cannot make the folder readonly/new: Permission denied" study lab.yaml "${short[@]}" --out readonly/new
  refused "readonly/study.db" study lab.yaml "${short[@]}" --out readonly
  printf '1 0 -1 60 1 -1 -1 1 60 -1 1 1 1 1 1 -1 -1 -1\n' >one.swf
  refused "cannot write readonly/r.csv: Permission denied" replay one.swf --processors 4 --schedule readonly/r.csv
  [ -z "$(ls -A readonly)" ] || fail "something was left in the folder: $(ls -A readonly)"
}

# A job on 2000 nodes: all of them stand in the schedule, in the order of their numbers, and can be read back.
B070() {
  # No switch has so many ports; one is made up.
  mkdir -p own/links
  sed 's/value: 36$/value: 4096/' "$source/scenarios/catalog/links/infiniband-edr.yaml" >own/links/huge.yaml
  sed -e 's/^  split:.*/  counts: {proto: 2000, scale: 1}/' -e '/^budget:/d' -e 's/^fabric:.*/fabric: {shape: single-switch, link: huge}/' \
    -e 's/gpus: {1: 0.70, 2: 0.20, 4: 0.10}/gpus: {16000: 1}/' -e 's/per_user: 8.5/per_user: 0.05/' -e '0,/model: resnet50/{/model: resnet50/d}' \
    "$lab" >wide.yaml
  "$fleetsim" run wide.yaml --catalog own --replications 1 --set 'time.warm_up=1 day' --set 'time.measure=2 weeks' --set 'time.drain=1 week' \
    --schedule s.csv >/dev/null 2>err.txt || fail "2000 nodes do not run: $(cat err.txt)"
  python3 - <<'PY' || fail "the list of 2000 nodes is not whole"
import csv
wide = [r for r in csv.DictReader(open("s.csv")) if r["gpus"] == "16000" and r["start_s"]]
assert len(wide) >= 5, len(wide)
for row in wide:
    nodes = [part.rsplit(":", 1) for part in row["placement"].split("+")]
    assert nodes == [[f"proto-{i}", "8"] for i in range(2000)], (len(nodes), nodes[:12])
    assert row["nodes"] == "2000" and sum(int(n) for _, n in nodes) == 16000
PY
}

# Numbers are read and written with a point in every language: the same bytes under German and Turkish rules, under
# languages that do not exist, and in another time zone, of every command.
B144() {
  # The languages are made here, since a small system has none.
  mkdir languages
  for one in de_DE tr_TR; do
    localedef -i "$one" -f UTF-8 "$PWD/languages/$one.UTF-8" >/dev/null 2>&1 ||
      { echo "SKIPPED: cannot make the language $one; install: locales" >&2; exit 0; }
  done
  export LOCPATH=$PWD/languages
  [ "$(LC_ALL=de_DE.UTF-8 locale decimal_point)" = , ] || fail "the German language made here has no decimal comma"
  printf '1 0 -1 60.5 1 -1 -1 1 90 -1 1 1 1 1 1 -1 -1 -1\n2 30 -1 60 1 -1 -1 1 90 -1 1 1 1 1 1 -1 -1 -1\n' >two.swf
  local tools=1
  for tool in gnuplot dot pandoc weasyprint; do command -v "$tool" >/dev/null || tools=0; done
  [ $tools -eq 1 ] || echo "SKIPPED the report: its tools are not all installed" >&2
  all() { # into the folder `made`, then moved to $1; the language and time zone are set by the caller
    rm -rf made; mkdir made
    "$fleetsim" check "$lab" >made/check.txt 2>&1
    "$fleetsim" price "$lab" >made/price.txt
    "$fleetsim" price "$lab" --format json --utilisation 0.5 >made/price.json
    "$fleetsim" catalog list >made/catalog.txt
    "$fleetsim" catalog list --format json >made/catalog.json
    "$fleetsim" replay two.swf --processors 1 --schedule made/replay.csv >made/replay.txt
    for stage in scenario fabric jobs schedule metrics; do "$fleetsim" run "$lab" "${short[@]}" --dump $stage >made/$stage.txt; done
    "$fleetsim" run "$lab" "${short[@]}" --out made/run --schedule made/s.csv --time-series made/t.csv >made/run.txt
    "$fleetsim" study "$lab" "${short[@]}" --out made/study >made/study.txt || [ $? -eq 1 ]
    rm -f made/study/study.db*  # holds how long each run took
    [ $tools -eq 0 ] || SOURCE_DATE_EPOCH=1600000000 "$fleetsim" report made/study --to md,html >made/report.txt
    mv made "$1"
  }
  LC_ALL=C TZ=UTC all plain
  LC_ALL=de_DE.UTF-8 TZ=Asia/Kathmandu all german
  LC_ALL=tr_TR.UTF-8 LANGUAGE=tr TZ=America/St_Johns all turkish
  LC_ALL=xx_YY.UTF-8 LANG=de_DE all none 2>/dev/null  # the shell complains of it
  [ "$(find plain -type f | wc -l)" -ge 18 ] || fail "too few files: $(find plain -type f)"
  for other in german turkish none; do diff -r plain $other >diff.txt || fail "$other: $(head -c 1000 diff.txt)"; done
}

# Disk full: exit 3 with a sentence, and a result that stood there before is untouched. /dev/full for everything that
# takes a file name; a file system of 64 KiB where one can be made.
B147() {
  full() { # TEXT command...
    local code=0 said=$1
    shift
    "$@" >/dev/null 2>err.txt || code=$?
    [ $code -eq 3 ] && grep -qF "$said" err.txt || fail "'$*' ends with $code: $(cat err.txt)"
  }
  printf '1 0 -1 60 1 -1 -1 1 60 -1 1 1 1 1 1 -1 -1 -1\n' >one.swf
  full "cannot write /dev/full: No space left on device" "$fleetsim" run "$lab" "${short[@]}" --schedule /dev/full
  full "cannot write /dev/full: No space left on device" "$fleetsim" run "$lab" "${short[@]}" --time-series /dev/full
  full "cannot write /dev/full: No space left on device" "$fleetsim" replay one.swf --processors 4 --schedule /dev/full
  local code=0
  "$fleetsim" run "$lab" "${short[@]}" >/dev/full 2>err.txt || code=$?
  [ $code -eq 3 ] && grep -q 'standard output: No space left' err.txt || fail "a full stdout ends with $code: $(cat err.txt)"
  # A limit on the size of files cuts a write short, like a full disk (SIGXFSZ is for those who do not ask).
  mkdir small
  (trap '' XFSZ; ulimit -f 8; "$fleetsim" run "$lab" "${short[@]}" --out small --schedule small/s.csv >/dev/null 2>err.txt) && fail "a cut schedule is taken for whole" || [ $? -eq 3 ] || fail "a cut write ends with another code: $(cat err.txt)"
  grep -q 'cannot write small/s.csv: File too large' err.txt || fail "a cut write says: $(cat err.txt)"
  [ -z "$(ls -A small)" ] || fail "a failed write leaves: $(ls -A small)"
  mkdir tiny
  if ! mount -t tmpfs -o size=64k tmpfs tiny 2>/dev/null; then
    echo "SKIPPED the small file system: mounting is not allowed here" >&2
    return 0
  fi
  trap 'umount "$dir/tiny" 2>/dev/null; rm -rf "$dir"' EXIT
  echo earlier >tiny/s.csv
  full "cannot write tiny/s.csv: No space left on device" "$fleetsim" run "$lab" "${short[@]}" --schedule tiny/s.csv
  [ "$(cat tiny/s.csv)" = earlier ] || fail "a full disk destroyed the earlier file"
  [ "$(ls -A tiny)" = s.csv ] || fail "a full disk leaves: $(ls -A tiny)"
}

"$3"
