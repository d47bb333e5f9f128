# fleetsim study killed fifty times at random moments, and resumed: the store and the results are those of a study that
# nobody disturbed.
. "$(dirname "$0")/../script.sh" "$@"
RANDOM=2020
kills=50

study=("$fleetsim" study "$source/scenarios/lab-66-33.yaml" --replications 8 --set 'time.warm_up=1 week'
  --set 'time.measure=4 weeks' --set 'time.drain=1 week' --set study.price_draws=0)
same() { # DIR: as the undisturbed one
  python3 "$source/tests/store_content.py" "$1/study.db" > content.txt
  cmp -s content.txt calm.txt || fail "the store in $1 differs after $killed kills: $(diff content.txt calm.txt | cut -c1-300 | head -5)"
  cmp "$1/study.json" calm/study.json || fail "study.json differs after $killed kills"
  cmp "$1/candidates.csv" calm/candidates.csv || fail "candidates.csv differs after $killed kills"
  [ ! -e "$1/study.db-wal" ] || fail "a log is left beside the store"
}

"${study[@]}" --out calm --threads 1 > /dev/null || [ $? -eq 1 ] || fail "an undisturbed study failed"
python3 "$source/tests/store_content.py" calm/study.db > calm.txt
killed=0 round=0 middle=0
while [ $killed -lt $kills ]; do # a study that ends in spite of the kills is compared, and a new one begins
  round=$((round + 1))
  while :; do
    "${study[@]}" --out "$round" --threads $((1 + RANDOM % 2)) > /dev/null 2> err.txt &
    victim=$!
    sleep "0.$(printf %03d $((20 + RANDOM % 380)))"
    kill -KILL $victim 2> /dev/null || true
    code=0
    { wait $victim || code=$?; } 2> /dev/null
    [ $code -eq 137 ] || break
    killed=$((killed + 1))
    [ ! -s "$round/study.db" ] || [ -e "$round/study.json" ] || middle=$((middle + 1))
    [ $killed -lt $kills ] || break
  done
  [ $code -eq 137 ] || [ $code -le 1 ] || fail "a resumed study ended with $code: $(cat err.txt)"
  "${study[@]}" --out "$round" > /dev/null || [ $? -eq 1 ] || fail "study $round does not resume"
  same "$round"
done
[ $middle -ge $((kills / 4)) ] || fail "only $middle of $killed kills came in the middle of a study"

# SIGINT and SIGTERM end with 130 after the running simulations; a second one at once. Both resume.
for signal in INT TERM; do
  "${study[@]}" --set seed=5 --out "$signal" --threads 2 > /dev/null 2> err.txt &
  victim=$!
  for _ in $(seq 200); do [ ! -s "$signal/study.db" ] || break; sleep 0.01; done
  kill -$signal $victim
  code=0
  wait $victim || code=$?
  [ $code -eq 130 ] || fail "SIG$signal in a study: exit $code"
  grep -q 'the same command resumes' err.txt || fail "SIG$signal: it does not say how to go on"
  [ ! -e "$signal/study.json" ] || fail "SIG$signal: a result was written"
  "${study[@]}" --set seed=5 --out "$signal" > /dev/null || [ $? -eq 1 ] || fail "it does not resume after SIG$signal"
done
cmp INT/study.json TERM/study.json || fail "resumed studies differ"
echo "study_kill.sh: fine, $killed kills, $middle of them in the middle, $round studies"
