#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154,SC2012 # the folders come from make; the corpus has plain names
# Runs every fuzz program of this build for a while and ends with a table. Corpora grow in tests/fuzz/found.
#
#     fuzz.sh SECONDS RUNS     for each program; RUNS -1: as many as there is time for, else at most so many
set -u

seconds=$1
runs=$2
found=$abs_top_builddir/tests/fuzz/found
edit_runs=1000000000000
first_runs=-1
if [ "$runs" -ge 0 ]; then
    first_runs=$((runs / 10 + 1))
    edit_runs=$((runs - runs / 10))
fi
table="$(printf '%-14s %-7s %10s %10s %7s' program state libFuzzer edits kept)
"
n_failed=0
# Small and quick: blocks are freed and taken again by the million.
: "${ASAN_OPTIONS=malloc_context_size=0:quarantine_size_mb=1:thread_local_quarantine_size_kb=64:max_malloc_fill_size=0}"
ASAN_OPTIONS=$ASAN_OPTIONS:allocator_may_return_null=1
export ASAN_OPTIONS
for variable in $(env | sed -n 's/^\(HEADGATE_[A-Za-z0-9_]*\)=.*/\1/p'); do
    unset "$variable"
done
mkdir -p "$found"

# Keys and words of the configuration, for mutations that make sense.
python3 - "$abs_top_srcdir/config/headgate.yaml" >"$found/words" <<'END' || : >"$found/words"
import re, sys
words = set(re.findall(r"[a-z][a-z0-9_-]+", open(sys.argv[1]).read()))
for word in sorted(words | {"true", "false", "off", "on", "auto", "~", "version: 1", "MiB", "1e-3", "0x10"}):
    print('"%s"' % word)
END

# What hdf5 starts from: a file of each operation, behind the byte that chooses it.
hdf5_seeds() {
    mkdir -p "$found/hdf5"
    number=0
    "$abs_top_builddir/headgate" explain none 2>&1 | sed -n 's/.*there are//p' | tr -d ',' | tr ' ' '\n' | grep . |
        while read -r op; do
            sizes=$(sed -n "s/^    \"$op\( [^\"]*\)\",/\1/p" "$abs_top_srcdir/tests/tools/check_hdf5_edits.c" | head -n 1)
            # shellcheck disable=SC2086
            "$abs_top_builddir/headgate" generate "$op" $sizes -q -o "$found/seed.h5" && {
                printf '%b' "\\0$(printf %o "$number")"
                cat "$found/seed.h5"
            } >"$found/hdf5/$op"
            number=$((number + 1))
        done
    rm -f "$found/seed.h5"
}

# libFuzzer first, for a share of the time and the runs; then, many times quicker, random edits of what it kept.
fuzz() { # name, longest input, words of libFuzzer...
    name=$1
    longest=$2
    shift 2
    mkdir -p "$found/$name"
    program=$abs_top_builddir/tests/fuzz/fuzz_$name
    "$program" -max_total_time="$((seconds / 2 + 1))" -runs="$first_runs" -max_len="$longest" -timeout=60 -rss_limit_mb=512 \
        -artifact_prefix="$found/bad-$name-" "$found/$name" "$@" >"$found/$name.log" 2>&1
    code=$?
    n_runs=$(sed -n 's/^Done \([0-9]*\) runs.*/\1/p; s/^#\([0-9]*\):* .*/\1/p' "$found/$name.log" | tail -n 1)
    n_edits=0
    if [ "$code" -eq 0 ] && [ "$name" != hdf5 ]; then
        FUZZ_RUNS=$((edit_runs)) FUZZ_SECONDS=$((seconds / 2)) "$program" "$found/$name" >"$found/$name.edits" 2>&1
        code=$?
        n_edits=$(sed -n 's/.*files, \([0-9]*\) edits.*/\1/p' "$found/$name.edits")
        cat "$found/$name.edits" >>"$found/$name.log"
    fi
    [ "$code" -eq 0 ] || n_failed=$((n_failed + 1))
    table="$table$(printf '%-14s %-7s %10s %10s %7s   ' "$name" "$([ "$code" -eq 0 ] && echo clean || echo FAILED)" \
        "${n_runs:-0}" "${n_edits:-0}" "$(ls "$found/$name" | wc -l)")$(grep '^slowest' "$found/$name.log" | tail -n 1)
"
    [ "$code" -eq 0 ] || tail -n 30 "$found/$name.log"
}

# One 1 MiB configuration after the other, and some edits of them.
fuzz_large() {
    mkdir -p "$found/large"
    python3 "$abs_top_srcdir/tests/fuzz/large.py" "$found/large" || return
    FUZZ_RUNS=1000 FUZZ_SECONDS=$seconds "$abs_top_builddir/tests/fuzz/fuzz_config" "$found/large" >"$found/large.log" 2>&1
    code=$?
    [ "$code" -eq 0 ] || n_failed=$((n_failed + 1))
    table="$table$(printf '%-14s %-7s %10s %10s %7s   ' "config, 1 MiB" "$([ "$code" -eq 0 ] && echo clean || echo FAILED)" 0 \
        "$(sed -n 's/.*files, \([0-9]*\) edits.*/\1/p' "$found/large.log")" "$(ls "$found/large" | wc -l)")$(
        grep '^slowest' "$found/large.log")
"
    [ "$code" -eq 0 ] || tail -n 30 "$found/large.log"
}

corpus=$abs_top_srcdir/tests/fuzz/corpus
fuzz config 1024 -dict="$found/words" "$abs_top_srcdir/tests/config/good" "$abs_top_srcdir/tests/config/bad"
fuzz_large
fuzz config_edits 64
fuzz calibration 2048 -dict="$found/words" "$corpus/calibration"
fuzz command_line 400 -dict="$found/words" "$corpus/command_line"
fuzz dltensor 200
if [ -x "$abs_top_builddir/tests/fuzz/fuzz_hdf5" ]; then
    # libhdf5 of distributions falls over damaged files now and then, and is not ours: its faults are kept and passed over
    hdf5_seeds
    fuzz hdf5 12000 -fork=1 -ignore_crashes=1 -ignore_ooms=1 -ignore_timeouts=1 -detect_leaks=0
    ours=$(grep -h -A 3 'ERROR: AddressSanitizer' "$found/hdf5.log" | grep '#0 ' | grep -c -E 'headgate|h5io|cli_') || :
    [ "${ours:-0}" -eq 0 ] || n_failed=$((n_failed + 1))
fi
printf '%s' "$table"
[ "$n_failed" -eq 0 ]
