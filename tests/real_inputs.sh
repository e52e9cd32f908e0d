#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154 # the two folders come from the environment
# Real measurements through the command: the beam of a HERA dipole, the baselines of an ALMA observation, a velocity
# section. They lie in shared/data beside the source tree, or in REAL_DATA; without them the test is skipped.

data=${REAL_DATA-$abs_top_srcdir/../shared/data}
for file in NF_HERA_Dipole_small.fits alma_uv_wavelengths.npy kirchhoff_velocity_section.npy; do
    [ -r "$data/$file" ] || { echo "skipped: $data has no $file"; exit 77; }
done
[ -x "$abs_top_builddir/headgate" ] || { echo "skipped: the command headgate was not built"; exit 77; }
for python in "${PYTHON-python3}" /usr/bin/python3 none; do
    "$python" -c 'import h5py, numpy' 2>/dev/null && break
done
[ "$python" != none ] || { echo "skipped: no python3 with numpy and h5py"; exit 77; }

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$abs_top_builddir/headgate" generate emi -o "$work/probe.h5" >/dev/null 2>&1
[ $? -ne 69 ] || { echo "skipped: the command was built without HDF5"; exit 77; }
"$python" -B "$abs_top_srcdir/tests/real_inputs.py" "$abs_top_builddir/headgate" "$data" "$work"
