# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154
# Sourced before each test: the build's plugins and nothing of the user's settings.
# Needs abs_top_srcdir and abs_top_builddir.

for name in $(env | sed -n 's/^\(HEADGATE_[A-Za-z0-9_]*\)=.*/\1/p'); do
    unset "$name"
done
unset name

HEADGATE_PLUGIN_PATH=$abs_top_builddir/plugins/.libs
XDG_CACHE_HOME=$abs_top_builddir/tests/cache
XDG_CONFIG_HOME=$abs_top_builddir/tests/cache
PATH=$abs_top_builddir:$PATH
export HEADGATE_PLUGIN_PATH XDG_CACHE_HOME XDG_CONFIG_HOME PATH

# Check's own limit of 4 s would make a slow or busy machine a failure; this one only ends what hangs.
: "${CK_DEFAULT_TIMEOUT:=300}"
export CK_DEFAULT_TIMEOUT

# Threads that wait for a team's next work sleep: spinning, they would take the cores of other tests.
OMP_WAIT_POLICY=passive
export OMP_WAIT_POLICY
