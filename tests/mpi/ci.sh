#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A build with MPI and its tests, for continuous integration: from the top of the tree, into build/ci/mpi.
# Needs Debian's libopenmpi-dev and openmpi-bin; without them it is skipped.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! pkg-config --exists ompi-c || ! command -v mpirun >/dev/null; then
    echo "skipped: Open MPI is not here (Debian: libopenmpi-dev openmpi-bin)"
    exit 0
fi
mkdir -p build/ci/mpi
cd build/ci/mpi
[ -e config.status ] || ../../../configure --enable-werror --with-cuda=no --with-mpi
make -j"$(nproc)"
make -j"$(nproc)" tests/fake/headgate-fake-device.la tests/mpi/libcuda.la
make check -j1 TESTS="tests/mpi/api.sh tests/mpi/run.sh tests/mpi/failures.sh tests/check_symbols.sh tests/check_headers.sh" \
    check_PROGRAMS= check_LTLIBRARIES="tests/fake/headgate-fake-device.la tests/mpi/libcuda.la"
