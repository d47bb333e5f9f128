#!/usr/bin/env bash
# Known pitfalls of the command line. Usage: cli.sh FLEETSIM SOURCE_DIR NUMBER
. "$(dirname "$0")/../script.sh" "$@"
lab=$source/scenarios/lab-66-33.yaml

# SIGINT and SIGTERM end every command with 130 and leave nothing half-made; a study keeps its finished runs and
# resumes to the same bytes.
B149() {
  # stop SIGNAL AFTER_FILE command...: waits until the file is there (or, without one, a moment), then sends the signal
  stop() {
    local signal=$1 file=$2 victim
    shift 2
    "$@" >out.txt 2>err.txt &
    victim=$!
    if [ -n "$file" ]; then
      for _ in $(seq 1000); do compgen -G "$file" >/dev/null && break; sleep 0.01; done
      sleep 0.2
    else
      sleep 0.3
    fi
    kill -0 $victim 2>/dev/null || fail "'$*' ended before it was stopped: $(cat out.txt err.txt)"
    kill -"$signal" $victim
    code=0
    wait $victim || code=$?
    [ $code -eq 130 ] || fail "SIG$signal ends '$*' with $code, not 130: $(cat err.txt)"
    grep -q interrupted err.txt || fail "'$*' does not say that it was interrupted"
  }
  for signal in INT TERM; do
    stop $signal "" "$fleetsim" run "$lab" --replications 5000 --out run
    [ -z "$(ls -A run 2>/dev/null)" ] || fail "an interrupted run leaves: $(ls -A run)"
  done
  stop INT "" "$fleetsim" run "$lab" --replications 5000 --out run --schedule s.csv
  [ -z "$(ls -A run)" ] && [ ! -e s.csv ] || fail "an interrupted run with --schedule leaves files"

  # A long trace: 1.5 million jobs that wait for each other.
  awk 'BEGIN {for (i = 1; i <= 1500000; ++i) printf "%d %d -1 %d %d -1 -1 %d 100000 -1 1 1 1 1 1 -1 -1 -1\n", i, i, 500 + i * 7919 % 9000, 1 + i % 9, 1 + i % 9}' >long.swf
  stop INT "" "$fleetsim" replay long.swf --processors 64 --schedule long.csv
  [ -z "$(ls -A | grep -v -x -e long.swf -e out.txt -e err.txt -e run)" ] || fail "an interrupted replay leaves: $(ls -A)"
  rm long.swf

  small=("$lab" --set 'time.warm_up=1 day' --set 'time.measure=3 weeks' --set 'time.drain=1 week' --set study.price_draws=0)
  "$fleetsim" study "${small[@]}" --replications 40 --out whole >/dev/null || [ $? -eq 1 ] || fail "a study fails"
  stop INT cut/study.db "$fleetsim" study "${small[@]}" --replications 40 --out cut
  [ ! -e cut/study.json ] || fail "an interrupted study wrote its result"
  "$fleetsim" study "${small[@]}" --replications 40 --out cut --plan | grep -qE '; [1-9][0-9]* stored' || fail "an interrupted study kept nothing"
  "$fleetsim" study "${small[@]}" --replications 40 --out cut >/dev/null || [ $? -eq 1 ] || fail "the study does not resume"
  cmp whole/study.json cut/study.json || fail "a resumed study gives another result"

  for tool in gnuplot dot pandoc weasyprint; do
    command -v "$tool" >/dev/null || { echo "SKIPPED the report: $tool is not installed" >&2; return 0; }
  done
  for signal in INT TERM; do
    stop $signal 'whole/report/.report-in-work-*' "$fleetsim" report whole
    [ ! -e whole/report ] || fail "an interrupted report leaves: $(ls -A whole/report)"
  done
  "$fleetsim" report whole --to md >/dev/null
  find whole/report -type f -exec sha256sum {} + | sort >before.txt
  stop INT 'whole/report/.report-in-work-*' "$fleetsim" report whole
  find whole/report -type f -exec sha256sum {} + | sort | cmp - before.txt || fail "an interrupted report changed the earlier one"
}

# Progress: no carriage return and no escape where stderr is no terminal, where the terminal is dumb or where NO_COLOR
# is set; on a terminal a bar that fits its width.
B165() {
  "$fleetsim" study "$lab" --replications 10 --set 'time.measure=3 weeks' --out logged >/dev/null 2>log.txt || [ $? -eq 1 ] || fail "a study fails"
  ! grep -q $'[\r\e]' log.txt || fail "a log holds control characters: $(od -c log.txt | head -3)"
  python3 - "$fleetsim" "$lab" <<'PY' || fail "progress on a terminal is not as promised"
import fcntl, os, pty, re, shutil, struct, subprocess, sys, termios

def on_terminal(columns, **variables):
    """What a study writes to a terminal of so many columns."""
    shutil.rmtree("drawn", ignore_errors=True)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"} | variables
    child = subprocess.Popen([sys.argv[1], "study", sys.argv[2], "--replications", "8",
                              "--set", "time.measure=3 weeks", "--set", "study.price_draws=0",
                              "--out", "drawn"], stdout=subprocess.DEVNULL,
                             stderr=theirs, env=environment)
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        said += part
    assert child.wait() in (0, 1)
    return said.decode()

wide = on_terminal(100)
lines = [re.sub(r"\x1b\[K", "", line) for line in wide.split("\r")]
assert any("[#" in line for line in lines), repr(wide[:300])
assert any(re.search(r"study: \d+/\d+ \(", line) for line in lines), repr(wide[:300])
assert all(len(line) < 100 for line in lines), max(map(len, lines))
assert wide.endswith("\r\x1b[K"), "the bar stays behind: " + repr(wide[-100:])
assert "\n" not in wide, "a bar that is not redrawn"
for columns in (30, 12):
    narrow = on_terminal(columns)
    assert "\r" in narrow and all(len(re.sub(r"\x1b\[K", "", line)) < columns for line in narrow.split("\r")), repr(narrow[:200])
for variables in ({"TERM": "dumb"}, {"NO_COLOR": "1"}):
    plain = on_terminal(100, **variables).replace("\r\n", "\n")  # the terminal itself adds the returns
    assert "\r" not in plain and "\x1b" not in plain, repr(plain[:200])
PY
}

# A beginning without an end, an end without a beginning, both or neither: all are fine.
B086() {
  for i in 1 2 3 4; do echo "$i $((i * 3600)) -1 60 1 -1 -1 1 60 -1 1 1 1 1 1 -1 -1 -1"; done >t.swf
  # jobs LEFT OPTIONS...: as many jobs run with the options
  jobs() {
    local left=$1
    shift
    "$fleetsim" replay t.swf --processors 4 --format json "$@" >out.json || fail "replay $* ends with $?"
    python3 -c 'import json, sys
d = json.load(open("out.json"))
sys.exit((d["jobs"], d["outside_window"], d["rows"]) != (int(sys.argv[1]), 4 - int(sys.argv[1]), 4))' "$left" ||
      fail "replay $*: $(cat out.json)"
  }
  jobs 4
  jobs 3 --from '1 h'
  jobs 2 --to '2 h'
  jobs 1 --from 3600s --to '2 h'
  jobs 0 --from '1 day'
  for wrong in '--from x' '--from -1h' '--from 2h --to 1h' '--to 0'; do
    code=0
    # shellcheck disable=SC2086
    "$fleetsim" replay t.swf --processors 4 $wrong >out.txt 2>err.txt || code=$?
    [ $code -eq 2 ] && grep -q -- '--' err.txt || fail "replay $wrong: $code $(cat err.txt)"
  done
}

"$3"
