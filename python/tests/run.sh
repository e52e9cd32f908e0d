#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154 # the two folders come from the environment
# The Python package against the library of this build, where a Python with NumPy and pytest is there.

for python in "${PYTHON-python3}" /usr/bin/python3 none; do
    "$python" -c 'import numpy, pytest' 2>/dev/null && break
done
[ "$python" != none ] || { echo "skipped: no python3 with numpy and pytest"; exit 77; }
[ -e "$abs_top_builddir/.libs/libheadgate.so" ] || { echo "skipped: the library was not built shared"; exit 77; }

HEADGATE_LIBRARY=$abs_top_builddir/.libs/libheadgate.so
FAKE_PLUGINS=$abs_top_builddir/tests/fake/.libs
PYTHONPATH=$abs_top_srcdir/python
PYTHONDONTWRITEBYTECODE=1
export HEADGATE_LIBRARY FAKE_PLUGINS PYTHONPATH PYTHONDONTWRITEBYTECODE
cd "$abs_top_builddir/tests" || exit 1
"$python" -m pytest -q -p no:cacheprovider --rootdir="$abs_top_srcdir/python" "$abs_top_srcdir/python/tests" -rs
