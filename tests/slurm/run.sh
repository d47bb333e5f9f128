#!/usr/bin/env bash
# fleetsim submit on a real Slurm: a controller and one node of this test's own on this machine, with its own
# configuration, key, ports and folders, stopped again at the end. One task of the array is killed in the middle; the
# merge job says so, --resubmit runs that shard again, and the joined store is that of a study without Slurm.
# Skipped (exit code 77) without root or without the packages. Usage: run.sh FLEETSIM SOURCE_DIR
set -eu
fleetsim=$(realpath "$1")
source=$(realpath "$2")
skip() { echo "SKIPPED slurm.real: $*. './bootstrap slurm-test' as root installs what it needs and runs it." >&2; exit 77; }
PATH=$PATH:/usr/sbin:/sbin
((EUID == 0)) || skip "it must run as root"
for tool in slurmctld slurmd sbatch squeue scancel scontrol sinfo munged python3; do
  command -v $tool > /dev/null || skip "$tool is not installed (packages slurmctld slurmd slurm-client munge)"
done
for name in $(compgen -e | grep -E '^(SLURM|SBATCH|SQUEUE|SCANCEL)_' || true); do unset "$name"; done

work=$(mktemp -d /tmp/fleetsim-slurm-XXXXXX)
chmod 755 "$work"
mkdir "$work"/{conf,state,spool,run,log,lab}
fail() { # what the daemons said is gone with the folder, so it is shown
  echo "slurm/run.sh: $*" >&2
  tail -n 15 "$work"/log/*.log >&2 || true
  exit 1
}
alive() { [[ -d /proc/$1 && $(cat "/proc/$1/stat" 2> /dev/null | sed 's/.*) //' | cut -c1) != Z ]]; }
pids=()
stop() {
  trap - EXIT INT TERM
  if [[ ${SLURM_CONF:-} ]]; then timeout 10 scancel --user=root > /dev/null 2>&1 || true; fi
  local pid
  for ((i = ${#pids[@]} - 1; i >= 0; i--)); do # in the reverse order of their start
    pid=${pids[i]}
    kill -TERM "$pid" 2> /dev/null || continue
    for _ in $(seq 100); do alive "$pid" || break; sleep 0.1; done
    if alive "$pid"; then kill -KILL "$pid" 2> /dev/null || true; fi
  done
  # What the node had started (slurmstepd, a task) and outlived it names our folder in its environment.
  for step in /proc/[0-9]*; do
    [[ ${step#/proc/} != $$ ]] && grep -qzF "SLURM_CONF=$work/" "$step/environ" 2> /dev/null && tr '\0' ' ' < "$step/cmdline" 2> /dev/null | grep -qE 'slurmstepd|--shard' &&
      kill -KILL "${step#/proc/}" 2> /dev/null
  done
  rm -rf "$work"
}
trap stop EXIT
trap 'exit 130' INT TERM
until_true() { # SECONDS command...
  local end=$((SECONDS + $1))
  shift
  until timeout 10 "$@" > /dev/null 2>&1; do
    ((SECONDS < end)) || return 1
    sleep 0.2
  done
}

# ---- a Slurm of our own ----------------------------------------------------------------------------------------
read -r control_port node_port < <(python3 -c 'import socket
s = [socket.socket() for _ in range(2)]
for one in s: one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in s))')
host=$(hostname -s)
cat > "$work/conf/slurm.conf" <<CONF
ClusterName=fleetsim-test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$control_port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/run/munge.socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/run/slurmctld.pid
SlurmdPidFile=$work/run/slurmd.pid
SlurmctldLogFile=$work/log/slurmctld.log
SlurmdLogFile=$work/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SlurmdParameters=config_overrides
KillWait=5
MinJobAge=3600
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=1
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$node_port CPUs=2 RealMemory=1000
PartitionName=work Nodes=n1 Default=YES MaxTime=1:00:00 State=UP
CONF
export SLURM_CONF=$work/conf/slurm.conf
(umask 077 && head -c 1024 /dev/urandom > "$work/run/munge.key")
munged --foreground --force --key-file="$work/run/munge.key" --socket="$work/run/munge.socket" --pid-file="$work/run/munged.pid" \
  --log-file="$work/log/munged.log" --seed-file="$work/run/munged.seed" > "$work/log/munged.out.log" 2>&1 &
pids+=($!)
until_true 20 test -S "$work/run/munge.socket" || fail "munged does not start"
slurmctld -D -f "$SLURM_CONF" > "$work/log/slurmctld.out.log" 2>&1 &
pids+=($!)
slurmd -D -N n1 -f "$SLURM_CONF" > "$work/log/slurmd.out.log" 2>&1 &
pids+=($!)
node_ready() { [[ $(sinfo --noheader --format=%t) =~ ^(idle|mix|alloc)$ ]]; }
export -f node_ready
until_true 60 bash -c node_ready || fail "the node does not come up: $(timeout 10 sinfo 2>&1)"
echo "slurm $(slurmctld -V | cut -d' ' -f2) is up after $SECONDS s"

# ---- the study -------------------------------------------------------------------------------------------------
cd "$work/lab"
cp "$source/scenarios/lab-66-33.yaml" lab.yaml
short=(--replications 2 --set 'time.warm_up=1 week' --set 'time.measure=104 weeks' --set 'time.drain=1 week' --set study.price_draws=0)
dir=$work/'lab/my "lab'"'"'s" 5%a study'
shards=4 victim=4 # the last of them: it starts when another one has ended, and is watched by then
log=$dir/submit/log
in_queue() { timeout 20 squeue --noheader --format=%i; }
wait_for_all() { # SECONDS: until no job waits or runs
  local end=$((SECONDS + $1))
  while [[ -n $(in_queue) ]]; do
    ((SECONDS < end)) || fail "jobs do not end: $(timeout 10 squeue 2>&1)"
    sleep 0.5
  done
}
state() { timeout 20 scontrol show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1; }
jobs_of() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["jobs"][-1][sys.argv[2]])' "$dir/submission.json" "$1"; }

code=0
"$fleetsim" submit lab.yaml "${short[@]}" --shards $shards --partition nope --out "$dir" > out.txt 2> err.txt || code=$?
[[ $code -eq 2 ]] && grep -q 'Slurm refuses the job array: .*[Ii]nvalid partition' err.txt || fail "a partition that is not there: $code, $(cat err.txt)"
[[ -z $(in_queue) && ! -e $dir/submission.json ]] || fail "a refused study is half submitted"

"$fleetsim" submit lab.yaml "${short[@]}" --shards $shards --partition work --time-limit '30 min' --out "$dir" > out.txt || fail "submit ended with $?"
array=$(jobs_of array) merge=$(jobs_of merge)
code=0
"$fleetsim" submit --resubmit --out "$dir" > out.txt 2> err.txt || code=$?
[[ $code -eq 2 ]] && grep -q "still wait or run: $array" err.txt || fail "resubmitted while it runs: $code, $(cat err.txt)"

# The victim is stopped once its store has rows, seen to be in the middle, and killed.
python3 - "$dir" $victim $shards > killed.txt <<'PY' || fail "no task was killed in the middle: $(cat killed.txt)"
import os, signal, sqlite3, sys, time
folder, shard, of = sys.argv[1], sys.argv[2], sys.argv[3]
store = f"{folder}/shard-{shard}/study.db"
def task():
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open(f"/proc/{pid}/cmdline", "rb").read().split(b"\0")
            if f"{shard}/{of}".encode() in words and os.readlink(f"/proc/{pid}/cwd") == folder: return int(pid)
        except OSError: pass
def rows():
    try:
        db = sqlite3.connect(f"file:{store.replace('%', '%25')}?mode=ro", uri=True)
        n = db.execute("select count(*) from run").fetchone()[0]
        wanted = sum(r * c for r, c in db.execute("select replications, (select count(*) from candidate where candidate.study = study.study) from study"))
        db.close()
        return n, wanted
    except sqlite3.Error: return 0, 0
end = time.time() + 300
while time.time() < end:
    n, wanted = rows() if os.path.exists(store) else (0, 0)
    if n == 0:
        time.sleep(0.005)
        continue
    pid = task()
    if pid is None: sys.exit(print(f"the task ended before it could be killed, {n} rows") or 1)
    os.kill(pid, signal.SIGSTOP)
    time.sleep(0.1)
    n, wanted = rows()
    os.kill(pid, signal.SIGKILL)
    each = wanted // int(of)
    print(f"{n} of about {each} runs were stored")
    sys.exit(0 if 0 < n < each - 1 else 1)
sys.exit(print("its store got no rows") or 1)
PY
echo "killed task ${array}_$victim when $(cat killed.txt)"
wait_for_all 900
[[ $(state "${array}_$victim" JobState) = FAILED ]] || fail "the killed task is $(state "${array}_$victim" JobState)"
[[ $(state "${array}_1" JobState) = COMPLETED ]] || fail "task 1 is $(state "${array}_1" JobState): $(cat "$log/shard-1.txt")"
[[ $(state "$merge" ExitCode) = 1:0 ]] || fail "the merge ended with $(state "$merge" ExitCode): $(cat "$log/merge-$merge.txt")"
grep -q '^3 of 4 shards are whole' "$log/merge-$merge.txt" && grep -qE "^  shard $victim: [0-9]+ of [0-9]+ runs are stored; see submit/log/shard-$victim.txt" "$log/merge-$merge.txt" ||
  fail "the merge does not name the shard that failed: $(cat "$log/merge-$merge.txt")"
[[ ! -e $dir/study.json ]] || fail "a verdict without all shards"

"$fleetsim" submit --resubmit --out "$dir" > out.txt 2> err.txt || fail "resubmit ended with $?: $(cat err.txt)"
grep -q "^Submitted: job array [0-9]*, shard $victim of $shards" out.txt || fail "resubmitted: $(cat out.txt)"
merge=$(jobs_of merge)
wait_for_all 900
grep -q '^4 of 4 shards are whole' "$log/merge-$merge.txt" || fail "the second merge: $(cat "$log/merge-$merge.txt" "$log/shard-$victim.txt")"
grep -qE "Shard $victim of 4: .* [1-9][0-9]* were stored" "$log/shard-$victim.txt" || fail "the killed shard did not go on where it was: $(cat "$log/shard-$victim.txt")"

# ---- the same without Slurm ------------------------------------------------------------------------------------
"$fleetsim" study "$dir/submit/scenario.yaml" --out local > /dev/null || [[ $? -eq 1 ]] || fail "the local study failed"
content() { python3 "$source/tests/store_content.py" "$1"; } # all but the measured columns
content local/study.db > local.txt
content "$dir/study.db" > joined.txt
[[ $(grep -c . local.txt) -gt 60 ]] && cmp local.txt joined.txt || fail "the joined store is not that of a local study"
for file in study.json candidates.csv; do
  cmp "local/$file" "$dir/$file" || fail "$file is not that of a local study"
done
runs=$(python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute("select count(*) from run").fetchone()[0])' local/study.db)
echo "slurm/run.sh: fine, $runs runs in $shards shards, one of them killed and resubmitted, in $SECONDS s"
