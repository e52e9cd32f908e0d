#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A run that is killed at any moment leaves the old output or the whole new one, and nothing else; KILLS sets how many.
# The same where the disk, a quota or the rights end.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$abs_top_srcdir/tests/cli/lib.sh"
need_hdf5
cd "$work" || exit 1

# shellcheck disable=SC2317 # called by expect
run_it() { headgate run visibility_gram in.h5 -o out.h5 -q -s calibration.file=~; }
temporaries() { find . -name '.*headgate-*' | wc -l; }

expect 0 headgate generate visibility_gram m=260 k=1500 -q -o in.h5
start=$(date +%s%N)
expect 0 run_it
took=$((($(date +%s%N) - start) / 1000000))
whole=$(stat -c %s out.h5)
n_old=0
n_new=0
state=12345
for round in $(seq "${KILLS-20}"); do
    for signal in INT TERM HUP PIPE KILL; do
        case $((round % 5))$signal in 0INT | 1TERM | 2HUP | 3PIPE | 4KILL | *KILL) ;; *) continue ;; esac
        echo precious >out.h5
        state=$(((state * 1103515245 + 12345) % 2147483648))
        moment=$((state / 65536 % (took + took / 4 + 1)))
        env --default-signal=INT,TERM,HUP,PIPE headgate run visibility_gram in.h5 -o out.h5 -q &
        job=$!
        sleep "$(printf '0.%03d' $((moment % 1000)))"
        kill -s "$signal" "$job" 2>/dev/null
        wait "$job" 2>/dev/null
        if [ "$(stat -c %s out.h5)" -eq "$whole" ]; then
            n_new=$((n_new + 1))
        elif [ "$(cat out.h5)" = precious ]; then
            n_old=$((n_old + 1))
        else
            fail "SIG$signal after $moment ms: $(stat -c %s out.h5) bytes of output"
        fi
        n_checks=$((n_checks + 1))
        [ "$signal" = KILL ] || [ "$(temporaries)" -eq 0 ] || fail "SIG$signal after $moment ms: a temporary is left"
        [ "$signal" != KILL ] || [ "$(temporaries)" -eq 0 ] || {
            expect 0 run_it
            is "the next run removes what was left" "$(temporaries)" -eq 0
        }
    done
done
echo "killed runs: $n_old with the old output, $n_new were done already"
is "some runs were killed in time" "$n_old" -gt 0

# a limit on the size of files, as a quota or a full disk would be
echo precious >out.h5
expect 73 sh -c 'ulimit -f 100; headgate run visibility_gram in.h5 -o out.h5 -q'
is "the old file is as it was" "$(cat out.h5)" = precious
is "no temporary is left" "$(temporaries)" -eq 0
expect 73 sh -c 'ulimit -f 1; headgate generate emi n=20 batch=200 -q -o out.h5'
is "the old file is as it was" "$(cat out.h5)" = precious
expect 73 sh -c 'headgate info --json >/dev/full'

# a folder that may be read and no more; root may do everything
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    as_other="setpriv --reuid=65534 --regid=65534 --clear-groups"
else
    as_other=
fi
mkdir locked && chmod 755 "$work" && chmod 555 locked && chmod 644 in.h5
command=$(command -v headgate)
if { [ -n "$as_other" ] || [ "$(id -u)" -ne 0 ]; } && $as_other "$command" --version >/dev/null 2>&1; then
    # shellcheck disable=SC2086
    expect 73 $as_other "$command" run visibility_gram in.h5 -o locked/out.h5 -s plugins.allow_insecure_path=true
    is "nothing in the folder" "$(find locked -type f | wc -l)" -eq 0
fi

# the input is replaced while it is read: the open file is what counts
cp in.h5 moving.h5
headgate run visibility_gram moving.h5 -o out.h5 -q &
job=$!
echo other >new.h5 && mv new.h5 moving.h5
wait "$job"
code=$?
n_checks=$((n_checks + 1))
case $code in 0 | 65) ;; *) fail "input replaced: exit code $code" ;; esac
finish
