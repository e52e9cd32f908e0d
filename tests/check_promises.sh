#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154 # the folder comes from the environment
# Every test that README.md names for a promise is there, and every promise names one.

awk -v top="$abs_top_srcdir" '
    /^## / { is_section = ($0 == "## What it promises") }
    is_section && /^\| [A-Z]/ {
        n = split($0, cell, / *\| */)
        n_promises++
        n_named = 0
        text = cell[3]
        while (match(text, /`[^`]+`/)) {
            path = substr(text, RSTART + 1, RLENGTH - 2)
            text = substr(text, RSTART + RLENGTH)
            if (path !~ /^tests\//) continue
            n_named++
            if (system("ls -d " top "/" path " >/dev/null 2>&1") != 0) {
                print path " is not there: " cell[2]
                n_wrong++
            }
        }
        if (n_named == 0) { print "no test is named: " cell[2]; n_wrong++ }
    }
    END {
        print n_promises + 0 " promises, " n_wrong + 0 " wrong"
        exit !(n_promises >= 7 && n_wrong == 0)
    }' "$abs_top_srcdir/README.md"
