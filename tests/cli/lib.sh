# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2154 # the two folders come from the environment
# What the tests of the command share: a folder of their own, expectations, one verdict at the end.
#
#   . "$abs_top_srcdir/tests/cli/lib.sh"
#   expect 64 headgate frob
#   has "$work/err" 'unknown command'
#   finish

command -v headgate >/dev/null || { echo "skipped: the command headgate was not built"; exit 77; }

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
n_checks=0
n_failed=0

fail() {
    n_failed=$((n_failed + 1))
    echo "FAILED: $*"
}

# expect CODE COMMAND...: runs it with stdout in $work/out, stderr in $work/err, and compares the exit code.
expect() {
    wanted=$1
    shift
    n_checks=$((n_checks + 1))
    "$@" >"$work/out" 2>"$work/err" </dev/null
    got=$?
    if [ "$got" -ne "$wanted" ]; then
        fail "exit code $got, expected $wanted: $*"
        sed 's/^/    /' "$work/err"
    fi
}

# has FILE TEXT: the file has a line with this text.
has() {
    n_checks=$((n_checks + 1))
    grep -qF -e "$2" "$1" || {
        fail "no \"$2\" in $(basename "$1"):"
        sed 's/^/    /' "$1" | head -n 20
    }
}

# lacks FILE TEXT
lacks() {
    n_checks=$((n_checks + 1))
    if grep -qF -e "$2" "$1"; then fail "\"$2\" in $(basename "$1")"; fi
}

# is WORDS CONDITION...: a test(1) expression.
is() {
    n_checks=$((n_checks + 1))
    words=$1
    shift
    test "$@" || fail "$words"
}

# at_work JOB: returns once this job is the command itself, no more the shell or env before it, where signals may be ignored.
at_work() {
    until grep -q headgate "/proc/$1/comm" 2>/dev/null || ! kill -0 "$1" 2>/dev/null; do :; done
}

# A python that is there without more, for JSON; empty when there is none.
python=$(command -v python3 || true)

# json FILE: it is one JSON document with "schema": 1.
json() {
    [ -n "$python" ] || return 0
    n_checks=$((n_checks + 1))
    "$python" -c '
import json, sys
def refuse(word):
    raise ValueError(word)
document = json.load(open(sys.argv[1]), parse_constant=refuse)
assert document["schema"] == 1' "$1" 2>"$work/json_err" || {
        fail "not one JSON document with schema 1: $(tail -n 1 "$work/json_err")"
        head -c 400 "$1"
    }
}

# Is the command built with HDF5? Otherwise the script is skipped here.
need_hdf5() {
    headgate generate emi n=2 batch=1 -q -o "$work/probe.h5" 2>/dev/null
    if [ $? -eq 69 ]; then
        echo "skipped: built without HDF5"
        exit 77
    fi
    rm -f "$work/probe.h5"
}

# A python with h5py and numpy, or the script is skipped here.
need_h5py() {
    for h5python in "${PYTHON-python3}" /usr/bin/python3 none; do
        "$h5python" -c 'import h5py, numpy' 2>/dev/null && return
    done
    echo "skipped: no python3 with numpy and h5py"
    exit 77
}

finish() {
    echo "$n_checks checks, $n_failed failed"
    if [ "$n_failed" -ne 0 ] || [ "$n_checks" -eq 0 ]; then exit 1; fi
    exit 0
}
