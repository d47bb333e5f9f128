# The replication loop of a study takes no lock: four times the replications make hardly more calls of futex, and threads
# other than the first, which alone talks to the store, lock no mutex.
. "$(dirname "$0")/../script.sh" "$@"
command -v cc > /dev/null || { echo "study_locks.sh: SKIPPED, no C compiler to count locks with"; exit 0; }
! ldd "$fleetsim" | grep -q asan || { echo "study_locks.sh: SKIPPED, the sanitizer locks by itself"; exit 0; }
study=("$fleetsim" study "$source/scenarios/lab-66-33.yaml" --threads 2 --set 'time.warm_up=1 week'
  --set 'time.measure=2 weeks' --set 'time.drain=1 week' --set study.price_draws=0)

# Nothing in the room that runs threads names a lock.
if grep -nE 'std::(mutex|shared_mutex|condition_variable|lock_guard|unique_lock|scoped_lock|call_once|semaphore)|omp (critical|ordered|single)|omp_.*lock' \
  "$source"/sim/study/*.cpp "$source"/sim/study/*.hpp; then
  fail "a lock stands in the room of the replication loop"
fi

cat > count.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_long first, others;
int pthread_mutex_lock(pthread_mutex_t* m) {
  static int (*next)(pthread_mutex_t*);
  if (!next) next = (int (*)(pthread_mutex_t*))dlsym(RTLD_NEXT, "pthread_mutex_lock");
  atomic_fetch_add(syscall(SYS_gettid) == getpid() ? &first : &others, 1);
  return next(m);
}
__attribute__((destructor)) static void tell(void) {
  FILE* out = fopen(getenv("LOCKS"), "w");
  fprintf(out, "%ld %ld\n", (long)first, (long)others);
  fclose(out);
}
C
cc -shared -fPIC -o count.so count.c -ldl
count() { # REPLICATIONS
  LOCKS=$PWD/locks.$1 LD_PRELOAD=$PWD/count.so "${study[@]}" --replications "$1" --out m$1 > /dev/null || [ $? -eq 1 ] || fail "a study failed"
}
count 4
count 16
read -r first few < locks.4
read -r _ many < locks.16
[ "$first" -gt 0 ] || fail "the counter counts nothing"
[ "$many" -le $((few + 10)) ] || fail "the other threads locked $few mutexes for 4 replications, $many for 16"

if command -v strace > /dev/null && strace -o /dev/null true 2> /dev/null; then
  futexes() { # REPLICATIONS
    strace -f -e trace=futex -o "futex.$1" "${study[@]}" --replications "$1" --out f$1 > /dev/null || [ $? -eq 1 ] || fail "a study failed"
    grep -c 'futex(' "futex.$1" || true
  }
  few=$(futexes 4) many=$(futexes 16)
  # A lock in the loop would wait at least once for each of the 12 x 36 simulations more; the C library's allocator and the
  # end of the parallel region wait now and then, more often on a busy machine.
  [ "$many" -le $((few + 12 * 36 / 2)) ] || fail "$few calls of futex for 4 replications, $many for 16"
  echo "study_locks.sh: calls of futex: $few for 4 replications, $many for 16"
else
  echo "study_locks.sh: SKIPPED the count of futex calls: no strace"
fi
echo "study_locks.sh: fine"
