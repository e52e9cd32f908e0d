#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154 # the two folders come from the environment
# The package installed by pip into a fresh virtual environment, its tests with the NumPy of the day, its host adapters
# against the real packages, and the examples with their pictures. Not part of make check, since pip fetches some 200 MB:
#     make check-hosts
# HOST_PACKAGES adds packages whose tests are skipped otherwise (autoarray jax, moraine). The pictures stay in
# python/pictures of the build.

venv=$abs_top_builddir/python/hosts-venv
pictures=$abs_top_builddir/python/pictures
packages="numpy scipy pytest matplotlib dask[array] pylops matvis ${HOST_PACKAGES-}"
fetch_seconds=300

for python in "${PYTHON-python3}" /usr/bin/python3 none; do
    "$python" -c 'import ensurepip, venv' 2>/dev/null && break
done
[ "$python" != none ] || { echo "skipped: no python3 with venv"; exit 77; }
mkdir -p "$pictures" && "$python" -m venv --clear "$venv" || exit 1
# shellcheck disable=SC2086 # the packages are words
timeout "$fetch_seconds" "$venv/bin/pip" install -q --prefer-binary $packages ||
    { echo "skipped: pip could not fetch $packages within $fetch_seconds s"; exit 77; }

# A build in build/ is found by the package itself.
if [ "$abs_top_builddir" = "$abs_top_srcdir/build" ]; then
    unset HEADGATE_LIBRARY HEADGATE_PLUGIN_PATH
else
    HEADGATE_LIBRARY=$abs_top_builddir/.libs/libheadgate.so
    export HEADGATE_LIBRARY
fi
"$venv/bin/pip" install -q "$abs_top_srcdir/python" || exit 1

cd "$pictures" || exit 1
PYTHONDONTWRITEBYTECODE=1
FAKE_PLUGINS=$abs_top_builddir/tests/fake/.libs
export PYTHONDONTWRITEBYTECODE FAKE_PLUGINS
"$venv/bin/python" -m pytest -q -p no:cacheprovider -rs --rootdir="$abs_top_srcdir/python" \
    "$abs_top_srcdir/python/tests" || exit 1
"$venv/bin/python" "$abs_top_srcdir/examples/dask/stack_blocks.py" || exit 1
for example in "$abs_top_srcdir"/examples/python/*.py; do
    picture=$(basename "$example" .py).png
    rm -f "$picture"
    "$venv/bin/python" -W ignore "$example" "$picture" || exit 1
    [ "$(wc -c <"$picture")" -gt 20000 ] || { echo "$picture: no picture"; exit 1; }
done
