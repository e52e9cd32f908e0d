#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154 # the two folders come from the environment
# Each public header compiles alone, as C99, C11 and C++11, with every compiler at hand and without a warning.
# With arguments: flags that find the installed headers, in place of those of the source tree.

if [ $# -gt 0 ]; then
    flags=$*
else
    flags="-I$abs_top_builddir/include -I$abs_top_srcdir/include"
fi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

n_done=0
n_failed=0
compile() { # compiler, language, standard, file extension
    for header in $headers; do
        printf '#include <headgate/%s>\n' "$header" >"$scratch/one.$4"
        n_done=$((n_done + 1))
        # shellcheck disable=SC2086 # compilers and flags are lists of words
        $1 -x "$2" -std="$3" $flags -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$scratch/one.$4" ||
            { echo "$header as $3 by $1: failed"; n_failed=$((n_failed + 1)); }
    done
}

headers=$(cd "$abs_top_srcdir/include/headgate" && find . -name '*.h' ! -name version.h ! -name mpi.h | sed 's,^\./,,' | sort)
headers="$headers version.h"
# The header of libheadgate-mpi, where there is an MPI and, of installed ones, where it was installed; MPI's own headers
# are not ours to warn about.
if pkg-config --exists ompi-c 2>/dev/null && { [ $# -eq 0 ] || pkg-config --exists headgate-mpi; }; then
    headers="$headers mpi.h"
    flags="$flags $(pkg-config --cflags-only-I ompi-c | sed 's/-I/-isystem /g')"
fi
for cc in gcc clang; do
    command -v "$cc" >/dev/null || continue
    compile "$cc" c c99 c
    compile "$cc" c c11 c
    compile "$cc" c++ c++11 cc
done
echo "$n_done compilations, $n_failed failed"
[ "$n_done" -gt 0 ] && [ "$n_failed" -eq 0 ]
