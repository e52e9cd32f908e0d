#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Plugins that end the process that loads them: info --probe-isolated and selftest live on, tell of each one how it
# ended, and use the others.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$abs_top_srcdir/tests/cli/lib.sh"

mkdir "$work/plugins"
cp "$abs_top_builddir"/tests/fake/fatal/.libs/headgate-fake-*.so \
    "$abs_top_builddir/tests/fake/.libs/headgate-fake-good.so" \
    "$abs_top_builddir/tests/fake/.libs/headgate-fake-probe-refuses.so" \
    "$abs_top_builddir/plugins/.libs/headgate-cpu-serial.so" "$work/plugins" || exit 1
export HEADGATE_PLUGIN_PATH="$work/plugins"
seven="-s plugins.use_default_path=false -q --time-limit 5"

# says NAME STATUS [TEXT]: the paragraph of one plugin in $work/out.
says() {
    sed -n "/^$1: /,/^\$/p" "$work/out" >"$work/paragraph"
    has "$work/paragraph" "$1: $2"
    if [ -n "$3" ]; then has "$work/paragraph" "$3"; else lacks "$work/paragraph" "the process"; fi
}

# shellcheck disable=SC2086 # words
expect 0 headgate info --probe-isolated $seven
says fake-constructor-aborts load_failed "reason  loading it ended the process by signal 6 (Aborted)"
says fake-probe-exits malformed "reason  its probe ended the process with exit code 3"
says fake-probe-hangs malformed "reason  its probe took longer than 5 s"
says fake-probe-segfaults malformed "reason  its probe ended the process by signal 11 (Segmentation fault)"
if [ -e "$work/plugins/headgate-fake-probe-throws.so" ]; then
    says fake-probe-throws malformed "its probe ended the process" # by signal 6; a sanitizer may exit in its place
fi
says fake-good usable
says cpu-serial usable
says fake-probe-refuses unavailable
has "$work/paragraph" "no such device"

# shellcheck disable=SC2086
expect 0 headgate info --probe-isolated --json $seven
json "$work/out"
has "$work/out" '"name":"fake-probe-exits"'

# shellcheck disable=SC2086
expect 1 headgate selftest --quick $seven
has "$work/out" "fake-probe-exits"
has "$work/out" "its probe ended the process with exit code 3"
lacks "$work/out" "cpu-serial"
# shellcheck disable=SC2086
expect 1 headgate selftest --quick --json $seven
json "$work/out"
has "$work/out" '"text":"its probe took longer than 5 s"'
expect 69 headgate selftest --quick -q --plugin "$work/plugins/headgate-fake-probe-exits.so" \
    -s plugins.path=[] -s plugins.use_default_path=false --time-limit 5
has "$work/err" "exit code 3"

# a kernel that goes one byte too far
expect 1 headgate selftest --quick -q --plugin "$abs_top_builddir/tests/fake/.libs/headgate-fake-writes-beyond.so" \
    --time-limit 5
has "$work/out" "fake-writes-beyond/det"
has "$work/out" "wrote behind the end of"
lacks "$work/out" "fake-probe-exits"

# without the option nothing is caught: so is the process of an application
rm "$work"/plugins/*
cp "$abs_top_builddir/tests/fake/fatal/.libs/headgate-fake-probe-exits.so" "$work/plugins"
expect 3 headgate info -s plugins.use_default_path=false
expect 64 headgate info --probe-isolated --time-limit 0
finish
