#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# headgate-mpi run on 1 to 4 ranks and on more than there is work for: the files of one process, bit for bit, but for the
# sums of a migration; and the two directions are adjoint across ranks.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$abs_top_srcdir/tests/mpi/lib.sh"
need_hdf5
need_h5py
cd "$work" || exit 1
compare="$h5python $abs_top_srcdir/tests/cli/compare_h5.py"

# No number of ranks but 1 divides the sources or the points. api.sh has all operations on 1 to 4 ranks.
divide() { # numbers of ranks, op, tolerance in eps of the peak for each rank ("0": the same bits), KEY=VALUE...
    numbers=$1 op=$2 tolerance=$3
    shift 3
    expect 0 headgate generate "$op" "$@" -q -o in.h5
    expect 0 headgate run "$op" in.h5 -q -o one.h5
    for n in $numbers; do
        expect 0 ranks "$n" headgate-mpi run "$op" in.h5 -q -o many.h5
        # shellcheck disable=SC2086 # a command and its argument
        expect 0 $compare one.h5 many.h5 $((tolerance * n))
    done
}
divide '1 2 3 4' kirchhoff_forward 0 ns=7 nr=5 nt=300 nx=40 nz=30 dynamic=1
divide '1 2 3 4' kirchhoff_adjoint 4 ns=7 nr=5 nt=300 nx=40 nz=30 dynamic=1
divide 3 kirchhoff_adjoint 4 ns=5 nr=3 nt=200 nx=17 nz=13 ny=3 dtype=f64
divide '1 2 3 4' emi 0 n=20 batch=203
divide 3 evd 0 n=9 batch=203 dtype=c128 layout=full
divide 3 ds_temp_coh 0 n=11 batch=203
divide 3 visibility 0 nant=5 nsrc=90

# Flat data, tables by station, outputs that are read, ranks without a source.
for kind in flat station; do
    # shellcheck disable=SC2086
    expect 0 $compare --make $kind forward.h5 adjoint.h5
    for op in forward adjoint; do
        tolerance=$([ $op = forward ] && echo 0 || echo 20)
        expect 0 headgate run kirchhoff_$op $op.h5 -q -o one.h5
        expect 0 ranks 5 headgate-mpi run kirchhoff_$op $op.h5 -q -o many.h5
        # shellcheck disable=SC2086
        expect 0 $compare one.h5 many.h5 "$tolerance"
    done
done

# Many frequencies, more ranks than frequencies.
# shellcheck disable=SC2086
expect 0 $compare --frequencies 5 all.h5
expect 0 headgate run visibility all.h5 -q -o one.h5
for n in 1 2 3 4 7; do
    expect 0 ranks $n headgate-mpi run visibility all.h5 -q -o many.h5
    # shellcheck disable=SC2086
    expect 0 $compare one.h5 many.h5 0
done

# <L m, d> = <m, L' d> with data and image made by other numbers of ranks.
expect 0 headgate generate kirchhoff_forward ns=7 nr=5 nt=300 nx=40 nz=30 seed=3 -q -o forward.h5
expect 0 headgate generate kirchhoff_adjoint ns=7 nr=5 nt=300 nx=40 nz=30 seed=3 -q -o adjoint.h5
expect 0 ranks 3 headgate-mpi run kirchhoff_forward forward.h5 -q -o data.h5
expect 0 ranks 4 headgate-mpi run kirchhoff_adjoint adjoint.h5 -q -o image.h5
# shellcheck disable=SC2086
expect 0 $compare --dot forward.h5 data.h5 adjoint.h5 image.h5 5e-7

# What is told, once.
expect 0 ranks 3 headgate-mpi run kirchhoff_adjoint adjoint.h5 -o out.h5
is "one line on stdout" "$(wc -l <out)" -eq 1
has out "3 ranks of "
expect 0 ranks 3 headgate-mpi run kirchhoff_adjoint adjoint.h5 -o out.h5 --json
json out
has out '"workers":"3 ranks of '
has out '"ranks":[{"open":'
expect 0 ranks 2 headgate-mpi --help
is "help is told once" "$(grep -c Usage out)" -eq 1
expect 0 ranks 2 headgate-mpi --version
is "so is the version" "$(grep -c BSD-3 out)" -eq 1

# A survey larger than the devices of the ranks.
fake=$abs_top_builddir/tests/fake/.libs/headgate-fake-survey.so
if [ -e "$fake" ]; then
    expect 0 headgate run kirchhoff_forward forward.h5 -q -o one.h5 -b cpu-serial/reference
    expect 0 ranks 3 headgate-mpi run kirchhoff_forward forward.h5 -o many.h5 -s plugins.cuda.enabled=false \
        -s plugins.files="[$fake]" -s plugins.fake-survey.options.device_memory=60000 -b fake-survey
    has out " groups of sources"
    # shellcheck disable=SC2086
    expect 0 $compare one.h5 many.h5 0
fi

# Without mpirun it is a job of one rank.
expect 0 headgate-mpi run kirchhoff_adjoint adjoint.h5 -q -o out.h5
# ... but where srun has started many that do not find each other
expect 69 env SLURM_STEP_NUM_TASKS=8 headgate-mpi run kirchhoff_adjoint adjoint.h5 -q -o never.h5
has err "Slurm has started 8 processes"
expect 0 env SLURM_STEP_NUM_TASKS=2 mpirun -n 1 headgate-mpi run kirchhoff_adjoint adjoint.h5 -q -o out.h5
finish
