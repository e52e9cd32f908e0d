#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154 # the two folders come from the environment
# The library shows what its headers declare with HGATE_API and nothing else, and that is what is stored in
# abi_symbols.txt; abi_layout.c pins every public struct; a plugin shows its descriptor alone. All that is linked has its
# relocations read-only before main, no stack that can be executed, and functions that notice when theirs is overrun.

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
status=0

# Names of the defined dynamic symbols of a shared object, without version nodes.
defined() {
    nm -D --defined-only "$1" | sed -n 's/^[0-9a-f]* [B-TV-Z] \([^@]*\).*$/\1/p' | sort
}

# Functions that headers declare with HGATE_API.
declared() {
    cat "$@" | grep -v '#define' | tr '\n' ' ' | grep -o 'HGATE_API[^;(]*(' | sed 's/.*[ *]\([a-z0-9_]*\)($/\1/' | sort -u
}

# compare LIBRARY VERSION-NODE HEADERS...
compare() {
    library=$abs_top_builddir/.libs/$1
    node=$2
    shift 2
    declared "$@" >"$scratch/declared"
    [ -s "$scratch/declared" ] || { echo "no declaration found in the headers"; exit 1; }
    [ -e "$library" ] || return 0
    defined "$library" | grep -v -x "$node" >"$scratch/shown"
    if ! diff -u "$scratch/declared" "$scratch/shown"; then
        echo "$library: - declared in a header but not defined, + shown but not declared"
        status=1
    fi
}
headers=$abs_top_srcdir/include/headgate
# shellcheck disable=SC2046 # file names without spaces
compare libheadgate.so HEADGATE_0 $(find "$headers" -name '*.h' ! -name mpi.h) "$abs_top_builddir/include/headgate/version.h"
compare libheadgate-mpi.so HEADGATE_MPI_0 "$headers/mpi.h"

# shellcheck disable=SC2046
declared $(find "$headers" -name '*.h') "$abs_top_builddir/include/headgate/version.h" >"$scratch/declared"
grep -v '^#' "$abs_top_srcdir/tests/abi_symbols.txt" >"$scratch/stored"
if ! diff -u "$scratch/stored" "$scratch/declared"; then
    echo "tests/abi_symbols.txt: - no longer declared in a header, + not yet stored"
    status=1
fi

# Structs whose members cross the boundary; those of plugin_util.h stay inside of a plugin.
find "$headers" -name '*.h' ! -name plugin_util.h -exec sed -n 's/^\(typedef \)\{0,1\}struct \(hgate_[a-z0-9_]*\) {$/\2/p' {} + |
    sort >"$scratch/structs"
sed -n 's/^#define STRUCT \(hgate_[a-z0-9_]*\)$/\1/p' "$abs_top_srcdir/tests/abi_layout.c" "$abs_top_srcdir/tests/mpi/check_mpi.c" |
    sort >"$scratch/pinned"
if [ ! -s "$scratch/structs" ] || ! diff -u "$scratch/structs" "$scratch/pinned"; then
    echo "structs: - in a header without a pinned layout, + pinned but in no header"
    status=1
fi

for plugin in "$abs_top_builddir"/plugins/.libs/headgate-*.so; do
    [ -e "$plugin" ] || continue
    shown=$(defined "$plugin")
    if [ "$shown" != hgate_plugin_descriptor ]; then
        echo "$plugin shows: $shown"
        status=1
    fi
done

for file in "$abs_top_builddir"/.libs/libheadgate*.so "$abs_top_builddir"/plugins/.libs/headgate-*.so \
    "$abs_top_builddir/headgate" "$abs_top_builddir/headgate-mpi"; do
    readelf -lW "$file" >"$scratch/segments" 2>/dev/null || continue # not there, or a script of libtool
    grep -q GNU_RELRO "$scratch/segments" || { echo "$file: no read-only relocations (relro)"; status=1; }
    grep GNU_STACK "$scratch/segments" | grep -q ' RW  ' || { echo "$file: an executable stack"; status=1; }
    readelf -dW "$file" | grep -q 'FLAGS.*NOW' || { echo "$file: symbols are bound lazily (now)"; status=1; }
    nm -D "$file" | grep -q __stack_chk_ || { echo "$file: no stack protector"; status=1; }
done
exit $status
