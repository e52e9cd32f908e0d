#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The C API of libheadgate-mpi on 1 to 4 ranks: parts of the work against one process, sums, failures, device arrays.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$abs_top_srcdir/tests/mpi/lib.sh"

fake=$abs_top_builddir/tests/fake/.libs/headgate-fake-device.so
if [ -e "$fake" ]; then
    LD_LIBRARY_PATH=$abs_top_builddir/tests/mpi/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    CHECK_MPI_FAKE_DEVICE=$fake
    export LD_LIBRARY_PATH CHECK_MPI_FAKE_DEVICE
fi
for n in 1 2 3 4; do
    expect 0 ranks $n "$abs_top_builddir/tests/mpi/check_mpi"
    has "$work/out" "ranks: "
    has "$work/out" ", 0 failed"
    [ ! -e "$fake" ] || lacks "$work/out" "not checked"
done
finish
