#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A quota that is used up, or a disk that breaks, at any call that writes the output: exit code 73, what was there before
# stays, nothing is left behind.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$abs_top_srcdir/tests/cli/lib.sh"
need_hdf5
shim=$abs_top_builddir/tests/files/.libs/fail-files.so
[ -e "$shim" ] || { echo "skipped: the double of the file calls was not built"; exit 77; }
cd "$work" || exit 1

quota=122 broken=5 # EDQUOT, EIO

# with_failure N ERROR FOR_GOOD COMMAND...: the number of calls that write goes to the file count. libhdf5 forgets some memory
# of files that it could not write.
with_failure() {
    settings="FAIL_FILES=$1 FAIL_FILES_ERROR=$2 FAIL_FILES_FOR_GOOD=$3"
    shift 3
    # shellcheck disable=SC2086 # three words
    env $settings FAIL_FILES_COUNT="$work/count" LD_PRELOAD="$shim" \
        ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0:detect_leaks=0" "$@" >out 2>err </dev/null
}

# sweep ERROR FOR_GOOD COMMAND...: the command writes out.h5. The last call only closes a file that is whole and in place.
sweep() {
    error=$1 for_good=$2
    shift 2
    with_failure 0 0 0 "$@" || fail "$2: $(cat err)"
    most=$(cat count)
    bytes=$(wc -c <out.h5)
    is "$2 makes calls that write" "$most" -gt 5
    n=1
    while [ "$n" -le "$most" ]; do
        n_checks=$((n_checks + 1))
        echo precious >out.h5
        with_failure "$n" "$error" "$for_good" "$@"
        code=$?
        if [ "$code" -eq 73 ]; then
            cp err last_err
            [ "$(cat out.h5)" = precious ] || fail "call $n of $2: the old file is gone"
            grep -q "out.h5: .*cannot write" err || fail "call $n of $2: $(cat err)"
        elif [ "$code" -ne 0 ] || [ "$n" -lt "$most" ] || [ "$(wc -c <out.h5)" -ne "$bytes" ]; then
            fail "call $n of $2: code $code: $(cat err)"
        fi
        is "no temporary file is left by call $n of $2" "$(find . -name '.*headgate-*' | wc -l)" -eq 0
        n=$((n + 1))
    done
}

expect 0 headgate generate emi n=7 batch=11 -q -o in.h5
sweep $quota 1 headgate generate emi n=7 batch=11 -q -o out.h5
has last_err "out.h5: cannot write: Disk quota exceeded"
sweep $quota 1 headgate run emi in.h5 -q -o out.h5
sweep $broken 0 headgate run emi in.h5 -q -o out.h5
has last_err "out.h5: cannot write: Input/output error"
finish
