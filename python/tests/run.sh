#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154 # the two folders come from the environment
# The Python package against the library of this build, where a Python with NumPy and pytest is there.

for python in "${PYTHON-python3}" /usr/bin/python3 none; do
    "$python" -c 'import numpy, pytest' 2>/dev/null && break
done
[ "$python" != none ] || { echo "skipped: no python3 with numpy and pytest"; exit 77; }
library=$abs_top_builddir/.libs/libheadgate.so
[ -e "$library" ] || { echo "skipped: the library was not built shared"; exit 77; }

# A sanitizer's runtime has to be there before the interpreter's own libraries; what the interpreter forgets is not ours.
if nm -D "$library" | grep -q -e __asan_init -e __tsan_init; then
    LD_PRELOAD=$(ldd "$library" | sed -n 's,.* => \(/.*/lib[atu][a-z]*san\.so[.0-9]*\) .*,\1,p' | tr '\n' ' ')
    [ -n "$LD_PRELOAD" ] || { echo "skipped: the sanitizer's runtime is no library"; exit 77; }
    ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
    export LD_PRELOAD ASAN_OPTIONS
fi

HEADGATE_LIBRARY=$library
FAKE_PLUGINS=$abs_top_builddir/tests/fake/.libs
PYTHONPATH=$abs_top_srcdir/python
PYTHONDONTWRITEBYTECODE=1
export HEADGATE_LIBRARY FAKE_PLUGINS PYTHONPATH PYTHONDONTWRITEBYTECODE
cd "$abs_top_builddir/tests" || exit 1
"$python" -m pytest -q -p no:cacheprovider --rootdir="$abs_top_srcdir/python" "$abs_top_srcdir/python/tests" -rs
