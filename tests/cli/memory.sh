#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Memory that runs out under the command: one malloc of the process fails, whoever asks for it; each of the first 20, then
# every MALLOC_STEP-th. Each time an error with its exit code or the whole output; what was there before stays, and no
# crash is in our own code. libhdf5 and the Fortran and OpenMP runtimes end the process for want of memory: that is theirs.
# So does the CUDA runtime where it registers kernels, before any code of the plugin that it is linked into; that one is not
# loaded here.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$abs_top_srcdir/tests/cli/lib.sh"
need_hdf5
shim=$abs_top_builddir/tests/alloc/.libs/fail-malloc.so
[ -e "$shim" ] || { echo "skipped: sanitizers have an allocator of their own"; exit 77; }
cd "$work" || exit 1
export HEADGATE_SET="plugins.cuda.enabled=false"
step=${MALLOC_STEP:-67}

# without_memory N COMMAND...: the N-th malloc fails; 0: none does, and their number goes to the file count.
without_memory() {
    nth=$1
    shift
    timeout 60 env FAIL_MALLOC="$nth" FAIL_MALLOC_COUNT="$work/count" LD_PRELOAD="$shim" "$@" >out 2>err </dev/null
}

# The exit code and what was said belong together.
judge() {
    case $1 in
    0 | 65 | 71 | 73) ;;
    99) grep -q 'ed in \(libheadgate\|headgate\|?\)' err && fail "malloc $nth of $name: $(cat err)" ;;
    1 | 255) grep -q '^headgate' err && fail "malloc $nth of $name: code $1: $(cat err)" ;;
    *) fail "malloc $nth of $name: code $1: $(cat err)" ;;
    esac
}

# sweep BYTES COMMAND...: the command writes out.h5, so many bytes (times are in it, so they differ); 0: it writes nothing.
sweep() {
    bytes=$1
    name=$3
    shift
    without_memory 0 "$@" || fail "$name: $(cat err)"
    most=$(cat count)
    is "$name asks for memory" "$most" -gt 500
    n=1
    n_clean=0
    while [ "$n" -le "$most" ]; do
        n_checks=$((n_checks + 1))
        echo precious >out.h5
        without_memory "$n" "$@"
        code=$?
        judge "$code"
        if [ "$code" -eq 0 ] && [ "$bytes" -gt 0 ]; then
            [ "$(wc -c <out.h5)" -eq "$bytes" ] || fail "malloc $n of $name: $(wc -c <out.h5) bytes, expected $bytes"
        elif [ "$(cat out.h5)" != precious ]; then
            fail "malloc $n of $name: code $code, and the old file is gone"
        fi
        if [ "$code" -ge 65 ] && [ "$code" -le 73 ]; then
            n_clean=$((n_clean + 1))
            is "no temporary file is left by malloc $n of $name" "$(find . -name '.*headgate-*' | wc -l)" -eq 0
        fi
        rm -f .*headgate-*
        n=$((n + (n < 20 ? 1 : step))) # the first ones are our own
    done
    is "$name told of no memory" "$n_clean" -gt 0
}

# A file of the user whose name begins as a temporary's does after an empty prefix, with a process that is no more.
echo precious >99999999-mine
expect 0 headgate generate emi n=7 batch=11 -q -o in.h5
expect 0 headgate run emi in.h5 -q -o wanted.h5
sweep "$(wc -c <in.h5)" headgate generate emi n=7 batch=11 -q -o out.h5
sweep "$(wc -c <wanted.h5)" headgate run emi in.h5 -q -o out.h5
sweep 0 headgate explain emi n=7 batch=11
sweep 0 headgate info
sweep 0 headgate config show

# tune measures each time, so only where MALLOC_STEP asks for a long run, and every 13th of the others. It reads what it has
# written, so the new file may be there after a failure, but never a part of it.
if [ -n "${MALLOC_STEP-}" ]; then
    name=tune
    without_memory 0 headgate tune --op visibility_tau --plugin cpu-serial -q -o out.yaml || fail "tune: $(cat err)"
    most=$(cat count)
    n=20
    while [ "$n" -le "$most" ]; do
        n_checks=$((n_checks + 1))
        echo precious >out.yaml
        without_memory "$n" headgate tune --op visibility_tau --plugin cpu-serial -q -o out.yaml
        code=$?
        case $code in 69 | 78) ;; *) judge "$code" ;; esac
        [ "$(cat out.yaml)" = precious ] || grep -q '^end: true$' out.yaml || fail "malloc $n of tune: a part of a file"
        is "malloc $n of tune leaves no temporary" "$(find . -name '*.tmp' | wc -l)" -eq 0
        n=$((n + 13 * step))
    done
fi
is "the user's file is still there" -e 99999999-mine
finish
