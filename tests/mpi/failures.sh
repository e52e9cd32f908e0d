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
    is "no output $1" ! -e never.h5
    is "no temporary $1" "$(find . -name '.*headgate-*' | wc -l)" -eq 0
}

# refused CODE TEXT WORDS...: on 3 ranks
refused() {
    wanted_code=$1 text=$2
    shift 2
    expect "$wanted_code" ranks 3 headgate-mpi run "$@"
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

# Work of many minutes. One rank of three fails in it at once: the others stop. The limit is there to end what hangs.
# shellcheck disable=SC2086
expect 0 $compare --long 400000 long.h5
long="headgate-mpi run visibility long.h5 -q -o never.h5 -b cpu-serial/reference"
# shellcheck disable=SC2086 # words
expect 69 timeout 60 mpirun --oversubscribe -n 2 $long : -n 1 $long -s ops.visibility.enabled=false
has err "HGATE_EDISABLED: rank 2: visibility"
nothing_is_there "when one rank fails early"

# Killed from outside.
for which in 1 2 3; do
    # shellcheck disable=SC2086
    timeout 100 mpirun --oversubscribe -n 3 $long >out 2>err &
    job=$!
    victim=
    for try in 1 2 3 4 5 6 7 8 9 10; do
        sleep 0.5
        mpirun_pid=$(pgrep -P $job -x mpirun)
        [ -z "$mpirun_pid" ] || victim=$(pgrep -P "$mpirun_pid" | sed -n ${which}p)
        [ -z "$victim" ] || [ "$(find . -name '.*headgate-*' | wc -l)" -eq 0 ] || break
    done
    kill -s KILL "$victim"
    wait $job
    is "the job ends when a rank is killed (turn $which, try $try)" $? -gt 0
    has err "signal 9"
    is "no output when a rank is killed" ! -e never.h5
done
# what a killed rank 0 left is removed by the next run for the same file
expect 0 headgate-mpi run kirchhoff_forward in.h5 -q -o never.h5
rm never.h5
nothing_is_there "after the next run"

# mpirun that is told to end ends all.
# shellcheck disable=SC2086
timeout 100 mpirun --oversubscribe -n 3 $long >out 2>err &
job=$!
sleep 2
kill -s TERM "$(pgrep -P $job -x mpirun)"
wait $job
is "the job ends when mpirun is told to" $? -gt 0
for try in 1 2 3 4 5 6 7 8 9 10; do # mpirun may be gone before the ranks are
    [ "$(find . -name '.*headgate-*' | wc -l)" -gt 0 ] || break
    sleep 0.5
done
nothing_is_there "after SIGTERM"
finish
