#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A rank that fails, or is killed: all end, soon, with its message, and no output file appears.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$abs_top_srcdir/tests/mpi/lib.sh"
need_hdf5
need_h5py
cd "$work" || exit 1
compare="$h5python $abs_top_srcdir/tests/cli/compare_h5.py"

nothing_is_there() {
    for try in 1 2 3 4 5 6 7 8 9 10; do # mpirun may be gone before the ranks are
        [ "$(find . -name '.*headgate-*' | wc -l)" -gt 0 ] || break
        sleep 0.5
    done
    is "no output $1" ! -e never.h5
    is "no temporary $1" "$(find . -name '.*headgate-*' | wc -l)" -eq 0
}

# soon_after FILE [SECONDS]: the job that has just ended did so within 10 s of the last write to the file, or later than
# that by so many seconds. A log serves whose last word is older than the failure: the start of a job, which may take long
# on a busy machine, does not count.
soon_after() {
    passed=$(($(date +%s) - $(stat -c %Y "$1")))
    is "the end came $passed s after the last word of $1" $passed -le $((10 + ${2-0}))
}

# refused CODE TEXT WORDS...: on 3 ranks
refused() {
    wanted_code=$1 text=$2
    shift 2
    expect "$wanted_code" ranks 3 headgate-mpi run "$@" -v --log-file log
    [ ! -e log ] || soon_after log # the command line itself may be wrong
    rm -f log
    has err "$text"
    is "the message is told once" "$(grep -c '^headgate-mpi: ' err)" -eq 1
    nothing_is_there "after exit code $wanted_code"
}
expect 0 headgate generate kirchhoff_forward ns=7 nr=5 nt=300 nx=40 nz=30 -q -o in.h5
# shellcheck disable=SC2086
expect 0 $compare --spoil in.h5 spoiled.h5
refused 65 "HGATE_EVALUE: rank 2: trav_src" kirchhoff_forward spoiled.h5 -o never.h5
refused 66 "absent.h5: cannot read" kirchhoff_forward absent.h5 -o never.h5
refused 65 "op is 'kirchhoff_forward', not 'kirchhoff_adjoint'" kirchhoff_adjoint in.h5 -o never.h5
refused 73 "cannot write" kirchhoff_forward in.h5 -o no/such/folder/never.h5
refused 73 "it is the input file" kirchhoff_forward in.h5 -o in.h5
refused 64 "cannot be divided" curvature in.h5 -o never.h5
refused 64 "no output file" kirchhoff_forward in.h5
refused 64 "unknown or ambiguous option" kirchhoff_forward in.h5 -o never.h5 --devices 0
refused 78 "HGATE_ECONFIG" kirchhoff_forward in.h5 -o never.h5 -s routing.tie_margin=wide
refused 69 "HGATE_EDISABLED" kirchhoff_forward in.h5 -o never.h5 -s ops.kirchhoff.enabled=false
refused 69 "HGATE_ENOKERNEL" kirchhoff_forward in.h5 -o never.h5 -b cpu-serial/no_such_kernel
head -c 3000 in.h5 >short.h5
refused 65 "short.h5: " kirchhoff_forward short.h5 -o never.h5
echo precious >old.h5
expect 65 ranks 2 headgate-mpi run kirchhoff_forward spoiled.h5 -o old.h5
is "the old file is as it was" "$(cat old.h5)" = precious

# Work of many minutes on three ranks. The first two run "$long", the last has settings and troubles of its own.
# shellcheck disable=SC2086
expect 0 $compare --long 400000 long.h5
# shellcheck disable=SC2086
expect 0 $compare --long 20000 brief.h5
fails() { # CODE TEXT SECONDS WORDS...: those of the last rank, and how long it works before it fails
    wanted_code=$1 text=$2 works=$3
    shift 3
    # shellcheck disable=SC2086 # words; the limit ends what hangs
    expect "$wanted_code" timeout 60 mpirun --oversubscribe -n 2 $long : -n 1 "$@" -v --log-file log
    has err "$text"
    soon_after log "$works"
    nothing_is_there "after: $text"
}
work_long="headgate-mpi run visibility long.h5 -q -o never.h5 -b cpu-serial/reference"
long=$work_long
# shellcheck disable=SC2086
fails 69 "HGATE_EDISABLED: rank 2: visibility" 0 $long -s ops.visibility.enabled=false

trouble=$abs_top_builddir/tests/mpi/.libs/libtrouble.so
if [ -e "$trouble" ]; then
    # shellcheck disable=SC2086
    fails 71 "HGATE_ENOMEM: rank 2: V: no memory for" 0 env LD_PRELOAD="$trouble" TROUBLE=memory $long
    # the second rank writes for half a minute when the disk is full for the last
    words="headgate-mpi run visibility brief.h5 -q -o never.h5 -b cpu-serial/herk"
    long="env LD_PRELOAD=$trouble TROUBLE=slow $words"
    # shellcheck disable=SC2086
    fails 73 "cannot write: No space left" 0 env LD_PRELOAD="$trouble" TROUBLE=disk $words
    # where MPI itself fails nothing can be agreed upon, and the job ends all the same
    expect 0 headgate generate kirchhoff_adjoint ns=7 nr=5 nt=300 nx=40 nz=30 -q -o image.h5
    long="headgate-mpi run kirchhoff_adjoint image.h5 -q -o never.h5"
    # shellcheck disable=SC2086
    fails 70 "rank 2: MPI_Allgatherv: " 0 env LD_PRELOAD="$trouble" TROUBLE=mpi $long
fi

# A kernel fails after two seconds of work, when it has written already.
fake=$abs_top_builddir/tests/fake/.libs/headgate-fake-good.so
if [ -e "$fake" ]; then
    set -- run visibility long.h5 -o never.h5 -s plugins.files="[$fake]" -b fake-good/det
    long="headgate-mpi $* -q -s plugins.fake-good.options.sleep=0.1"
    fails 70 "HGATE_EINTERNAL: rank 2: " 2 headgate-mpi "$@" -s plugins.fake-good.options.sleep=2 \
        -s plugins.fake-good.options.fail_status=-20 -s plugins.fake-good.options.fail_after_write=1
    has err "told to fail late"
fi

# end_by SIGNAL WHICH: three ranks at work get a signal: mpirun (0), or one of them.
end_by() {
    rm -f .never.h5.headgate-* # it tells that the ranks are at work
    # shellcheck disable=SC2086
    timeout 100 mpirun --oversubscribe -n 3 $work_long >out 2>err &
    job=$!
    victim=
    for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        sleep 0.5
        victim=$(pgrep -P $job -x mpirun)
        [ -z "$victim" ] || [ "$2" -eq 0 ] || victim=$(pgrep -P "$victim" | sed -n "${2}p")
        [ -z "$victim" ] || [ "$(find . -name '.*headgate-*' | wc -l)" -eq 0 ] || break
    done
    sleep 0.5
    touch begin
    kill -s "$1" "$victim"
    wait $job
    is "the job ends by $1 (process $2, try $try)" $? -gt 0
    soon_after begin
    is "no output after $1" ! -e never.h5
}
end_by TERM 0
end_by TERM 2
for which in 3 2 1; do
    end_by KILL $which
    has err "signal 9"
done
is "rank 0 had no time to clean up" "$(find . -name '.*headgate-*' | wc -l)" -eq 1
# what it left is removed by the next run for the same file
expect 0 headgate-mpi run kirchhoff_forward in.h5 -q -o never.h5
rm never.h5
nothing_is_there "after the next run"
finish
