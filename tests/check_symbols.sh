#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154 # the two folders come from the environment
# The library shows what its headers declare with HGATE_API and nothing else; a plugin shows its descriptor alone.

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
status=0

# Names of the defined dynamic symbols of a shared object, without version nodes.
defined() {
    nm -D --defined-only "$1" | sed -n 's/^[0-9a-f]* [B-TV-Z] \([^@]*\).*$/\1/p' | sort
}

cat "$abs_top_srcdir"/include/headgate/*.h "$abs_top_builddir"/include/headgate/version.h | grep -v '#define' |
    tr '\n' ' ' | grep -o 'HGATE_API[^;(]*(' | sed 's/.*[ *]\([a-z0-9_]*\)($/\1/' | sort -u >"$scratch/declared"
[ -s "$scratch/declared" ] || { echo "no declaration found in the headers"; exit 1; }

library=$abs_top_builddir/.libs/libheadgate.so
if [ -e "$library" ]; then
    defined "$library" | grep -v '^HEADGATE_0$' >"$scratch/shown"
    if ! diff -u "$scratch/declared" "$scratch/shown"; then
        echo "libheadgate.so: - declared in a header but not defined, + shown but not declared"
        status=1
    fi
fi

for plugin in "$abs_top_builddir"/plugins/.libs/headgate-*.so; do
    [ -e "$plugin" ] || continue
    shown=$(defined "$plugin")
    if [ "$shown" != hgate_plugin_descriptor ]; then
        echo "$plugin shows: $shown"
        status=1
    fi
done
exit $status
