#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Input files of every kind through `headgate run`: see hdf5.py.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$abs_top_srcdir/tests/cli/lib.sh"
need_hdf5
need_h5py
"$h5python" -B "$abs_top_srcdir/tests/cli/hdf5.py" "$work"
