#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run --devices: the parts of several workers make what one process makes, and a visibility at many frequencies is a call
# for each. Without a GPU the workers are engines on the processor, or the fake device plugin.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$abs_top_srcdir/tests/cli/lib.sh"
need_hdf5
need_h5py
cd "$work" || exit 1
compare="$h5python $abs_top_srcdir/tests/cli/compare_h5.py"

# No number of parts divides the 7 sources or the 203 points.
divide() { # op, tolerance in eps of the peak ("0": the same bits), KEY=VALUE...
    op=$1 tolerance=$2
    shift 2
    expect 0 headgate generate "$op" "$@" -q -o in.h5
    expect 0 headgate run "$op" in.h5 -q -o one.h5
    for devices in cpu cpu,cpu cpu,cpu,cpu cpu,cpu,cpu,cpu; do
        expect 0 headgate run "$op" in.h5 -q -o many.h5 --devices $devices
        # shellcheck disable=SC2086 # a command and its argument
        expect 0 $compare one.h5 many.h5 "$tolerance"
    done
}
divide kirchhoff_forward 0 ns=7 nr=5 nt=300 nx=40 nz=30 dynamic=1
divide kirchhoff_adjoint 16 ns=7 nr=5 nt=300 nx=40 nz=30 dynamic=1
divide kirchhoff_adjoint 16 ns=3 nr=5 nt=200 nx=17 nz=13 dtype=f64
divide emi 0 n=20 batch=203
divide evd 0 n=9 batch=203 dtype=c128 layout=full
divide ds_temp_coh 0 n=11 batch=203
divide visibility 0 nant=5 nsrc=90

# Flat data, tables by station, outputs that are read, more workers than sources.
for kind in flat station; do
    # shellcheck disable=SC2086
    expect 0 $compare --make $kind forward.h5 adjoint.h5
    for op in forward adjoint; do
        tolerance=$([ $op = forward ] && echo 0 || echo 20)
        expect 0 headgate run kirchhoff_$op $op.h5 -q -o one.h5
        expect 0 headgate run kirchhoff_$op $op.h5 -q -o many.h5 --devices cpu,cpu,cpu,cpu,cpu
        # shellcheck disable=SC2086
        expect 0 $compare one.h5 many.h5 "$tolerance"
    done
done

# Many frequencies: the stack of what the single ones give.
# shellcheck disable=SC2086
expect 0 $compare --frequencies 5 all.h5
expect 0 headgate run visibility all.h5 -q -o one.h5
for k in 0 1 2 3 4; do
    expect 0 headgate run visibility all.$k.h5 -q -o one.$k.h5
done
# shellcheck disable=SC2086
expect 0 $compare --stacked one.h5 one.0.h5 one.1.h5 one.2.h5 one.3.h5 one.4.h5
for devices in cpu,cpu cpu,cpu,cpu; do
    expect 0 headgate run visibility all.h5 -q -o many.h5 --devices $devices
    # shellcheck disable=SC2086
    expect 0 $compare one.h5 many.h5 0
done
# shellcheck disable=SC2086
expect 0 $compare --frequencies -1 wrong.h5
expect 65 headgate run visibility wrong.h5 -o never.h5
has err flux
# shellcheck disable=SC2086
expect 0 $compare --frequencies 0 twice.h5
expect 65 headgate run visibility twice.h5 -o never.h5
has err "freq_hz is a dataset and an attribute"

# An output that is read has the frequencies, too.
"$h5python" - all.h5 summed.h5 lonely.h5 <<'END'
import shutil, sys
import h5py
import numpy as np
source, summed, lonely = sys.argv[1:]
for path, shape in ((summed, (5, 8, 8)), (lonely, (8, 8))):
    shutil.copy(source, path)
    with h5py.File(path, "a") as file:
        file.attrs["beta"] = 1.0
        file["V"] = np.zeros(shape, [("r", "f4"), ("i", "f4")])
END
expect 0 headgate run visibility summed.h5 -q -o many.h5
# shellcheck disable=SC2086
expect 0 $compare one.h5 many.h5 0
expect 0 headgate run visibility summed.h5 -q -o many.h5 --devices cpu,cpu
# shellcheck disable=SC2086
expect 0 $compare one.h5 many.h5 0
expect 65 headgate run visibility lonely.h5 -q -o never.h5
has err "V: expected one for each of the 5 frequencies"

# What is told, and what is refused.
expect 0 headgate generate kirchhoff_forward ns=7 nr=5 nt=300 nx=40 nz=30 -q -o in.h5
expect 0 headgate run kirchhoff_forward in.h5 -o out.h5 --devices cpu,cpu --json
json out
has out '"workers":"cpu,cpu"'
expect 64 headgate run kirchhoff_forward in.h5 -o never.h5 --devices cpu,
has err "--devices is 'cpu,'"
expect 64 headgate run kirchhoff_forward in.h5 -o never.h5 --devices gpu
expect 69 headgate run kirchhoff_forward in.h5 -o never.h5 --devices cpu,cpu -b cpu-serial/no_such_kernel
has err HGATE_ENOKERNEL
expect 69 headgate run kirchhoff_forward in.h5 -o never.h5 --devices 0 -s plugins.cuda.enabled=false
has err HGATE_EUNAVAILABLE
expect 0 headgate generate visibility_gram m=4 k=5 -q -o gram.h5
expect 64 headgate run visibility_gram gram.h5 -o never.h5 --devices cpu,cpu
has err "cannot be divided"

# A part that fails stops the others, and no file appears.
# shellcheck disable=SC2086
expect 0 $compare --spoil in.h5 spoiled.h5
expect 65 headgate run kirchhoff_forward spoiled.h5 -o never.h5 --devices cpu,cpu,cpu
has err HGATE_EVALUE
has err trav_src
is "no output of a failed run" ! -e never.h5
is "no temporary file is left" "$(find . -name '.*headgate-*' | wc -l)" -eq 0

# Devices 0 and 1 of the fake plugin: each engine copies its part in and out; device 2 is not there.
fake=$abs_top_builddir/tests/fake/.libs/headgate-fake-device.so
if [ -e "$fake" ]; then
    set -- -s plugins.files="[$fake]" -s plugins.fake-device.options.fill=7 -s plugins.cuda.enabled=false
    expect 0 headgate run kirchhoff_forward in.h5 -o fake.h5 --devices 0,1 "$@"
    has out "fake-device/"
    # shellcheck disable=SC2086
    expect 0 $compare --all-are 7 fake.h5
    expect 65 headgate run kirchhoff_forward in.h5 -o never.h5 --devices 1,2 "$@"
    has err "device 2, there are 0 and 1"
    is "no output where a device is missing" ! -e never.h5
fi

# A survey that is larger than the devices goes through them in groups of sources; with factors it cannot.
fake=$abs_top_builddir/tests/fake/.libs/headgate-fake-survey.so
if [ -e "$fake" ]; then
    set -- -s plugins.files="[$fake]" -s plugins.cuda.enabled=false
    small="plugins.fake-survey.options.device_memory=60000"
    for op in forward adjoint; do
        tolerance=$([ $op = forward ] && echo 0 || echo 16)
        expect 0 headgate generate kirchhoff_$op ns=7 nr=5 nt=300 nx=40 nz=30 -q -o $op.h5
        expect 0 headgate run kirchhoff_$op $op.h5 -q -o one.h5 -b cpu-serial/reference
        expect 0 headgate run kirchhoff_$op $op.h5 -o many.h5 --devices 0,1 "$@"
        lacks out groups
        # shellcheck disable=SC2086
        expect 0 $compare one.h5 many.h5 "$tolerance"
        for devices in 0 0,1 0,1,2; do
            expect 0 headgate run kirchhoff_$op $op.h5 -o many.h5 --devices $devices "$@" -s $small
            has out " groups of sources"
            # shellcheck disable=SC2086
            expect 0 $compare one.h5 many.h5 "$tolerance"
        done
    done
    expect 0 headgate run kirchhoff_forward in.h5 -o many.h5 --devices 0,1 --json "$@" -s $small
    json out
    has out '"groups":'
    expect 71 headgate run kirchhoff_forward in.h5 -o never.h5 --devices 0,1 "$@" \
        -s plugins.fake-survey.options.device_memory=20000
    has err "a group of 1 sources and 1 receivers needs"
    # shellcheck disable=SC2086
    expect 0 $compare --make flat forward.h5 adjoint.h5
    expect 71 headgate run kirchhoff_forward forward.h5 -o never.h5 --devices 0 "$@" \
        -s plugins.fake-survey.options.device_memory=2000
    has err "hgate_kirchhoff_group_forward() takes a survey"
    is "no output where memory is short" ! -e never.h5
fi
finish
