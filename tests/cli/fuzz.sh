#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Lists of arguments at random: success, or a documented exit code, never a signal. FUZZ_RUNS sets how many.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$abs_top_srcdir/tests/cli/lib.sh"
cd "$work" || exit 1

words="info config generate run explain bench selftest check show list emi curvature visibility_gram \
kirchhoff_forward n=3 n=-1 batch=2 batch=99999999999 m=2 k=3 ny=4 nx=5 s=2 nnz=6 case=one case=none dtype=f32 \
dtype=c128 dtype= mem=cuda:0 mem=host threads=2 seed=7 = a=b in.h5 out.h5 -o -c -s -b --json -q -v --quick \
--no-verify --kernels --assume-device a100 h200 log.level=debug threads.max=1 gates.emi.warp_max_images=off \
-- --help --version --color=never --set=a.b=c cpu-serial cpu-serial/reference all [ {} %s%n"
# shellcheck disable=SC2086
set -- $words
n_words=$#
state=12345
for run in $(seq "${FUZZ_RUNS-150}"); do
    line=
    state=$(((state * 1103515245 + 12345) % 2147483648))
    for _ in $(seq $((state / 65536 % 7 + 1))); do
        state=$(((state * 1103515245 + 12345) % 2147483648))
        # shellcheck disable=SC2086
        set -- $words
        shift $((state / 65536 % n_words))
        line="$line $1"
    done
    n_checks=$((n_checks + 1))
    # shellcheck disable=SC2086
    timeout 60 headgate $line >out 2>err </dev/null
    code=$?
    case $code in
    0 | 1 | 64 | 65 | 66 | 69 | 71 | 73 | 78) ;;
    *) fail "run $run: exit code $code: headgate$line" ;;
    esac
done
finish
