#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Output files appear whole or not at all; exit codes of missing, foreign and forbidden files.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$abs_top_srcdir/tests/cli/lib.sh"
need_hdf5
cd "$work" || exit 1

no_leftovers() {
    is "no temporary file is left $1" "$(find . -name '.*headgate-*' | wc -l)" -eq 0
}

expect 0 headgate generate kirchhoff_forward ns=2 nr=3 nt=60 nx=7 nz=5 -o in.h5
has out "trav_src"
expect 0 headgate generate kirchhoff_forward ns=2 nr=3 nt=60 nx=7 nz=5 -o again.h5 --json
json out
expect 0 headgate run kirchhoff_forward in.h5 -o out.h5
has out "kirchhoff_forward: "
expect 0 headgate run kirchhoff_forward in.h5 -o out.h5 --json
json out
has out '"trace":{"schema":1'
expect 0 headgate run kirchhoff_forward in.h5 -o out.h5 -q
is "-q says nothing" ! -s out
no_leftovers "after success"

# what was there stays when a run fails
echo precious >old.h5
expect 66 headgate run kirchhoff_forward absent.h5 -o old.h5
has err "absent.h5"
expect 65 headgate run kirchhoff_adjoint in.h5 -o old.h5
has err "op is 'kirchhoff_forward', not 'kirchhoff_adjoint'"
echo "no HDF5" >text.h5
expect 65 headgate run kirchhoff_forward text.h5 -o old.h5
has err "not an HDF5 file"
expect 69 headgate run kirchhoff_forward in.h5 -o old.h5 -b cpu-serial/no_such_kernel
expect 69 headgate run kirchhoff_forward in.h5 -o old.h5 -s ops.kirchhoff.enabled=false
has err HGATE_EDISABLED
expect 69 headgate run kirchhoff_forward in.h5 -o old.h5 -s plugins.required='[no-such-plugin]'
has err HGATE_EUNAVAILABLE
expect 78 headgate run kirchhoff_forward in.h5 -o old.h5 -s routing.tie_margin=wide
is "the old file is as it was" "$(cat old.h5)" = precious
no_leftovers "after failures"

# where nothing can be written
expect 73 headgate run kirchhoff_forward in.h5 -o in.h5
has err "it is the input file"
ln -s in.h5 link.h5
expect 73 headgate run kirchhoff_forward in.h5 -o link.h5
expect 73 headgate run kirchhoff_forward in.h5 -o no/such/folder/out.h5
expect 73 headgate generate emi n=2 -o .
expect 73 headgate generate emi n=2 -o /dev/null
expect 73 headgate generate emi n=2 -o ''
expect 0 headgate run kirchhoff_forward in.h5 -o fresh.h5
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked && chmod 555 locked
    expect 73 headgate generate emi n=2 -o locked/out.h5
fi

# a disk that is full, and one that is read-only, which root cannot write to either: mounted in a namespace of their own
mkdir disk
cat >disk.sh <<'END'
mount -t tmpfs -o size=64k none disk || exit 1
echo precious >disk/old.h5
for output in old new; do
    headgate generate emi n=20 batch=2000 looks=2 -o "disk/$output.h5"
    [ $? -eq 73 ] || exit 11
done
headgate run kirchhoff_forward in.h5 -o disk/run.h5 -q || exit 12 # a small one has room
rm disk/run.h5
mount -o remount,ro disk || exit 13
headgate run kirchhoff_forward in.h5 -o disk/old.h5
[ $? -eq 73 ] || exit 14
[ "$(ls -A disk)" = old.h5 ] && [ "$(cat disk/old.h5)" = precious ] || exit 15
END
unshare --user --map-root-user --mount sh disk.sh >out 2>err
code=$?
if [ "$code" -ge 11 ] && [ "$code" -le 15 ]; then
    fail "full or read-only disk: step $code: $(tail -n 1 err)"
elif [ "$code" -eq 0 ]; then
    has err "is the disk full?"
    has err "Read-only file system"
else
    echo "no full disk: $(tail -n 1 err)"
fi

# a symbolic link is followed: the file behind it is replaced
ln -s fresh.h5 pointer.h5
expect 0 headgate run kirchhoff_forward in.h5 -o pointer.h5
is "the link is still one" -L pointer.h5

# too much memory is told, not tried
expect 71 headgate generate visibility_gram m=1000000 k=1000000 -o huge.h5
has err HGATE_ENOMEM
expect 65 headgate explain visibility_gram m=1099511627776 k=1099511627776 --json
json out

# what a killed run left is ignored, and removed by the next run for the same file
# (what a shell or nohup ignores stays ignored: INT in background jobs, HUP)
for signal in KILL TERM INT HUP; do
    for wait in 0.02 0.05 0.1 0.2; do
        env --default-signal=INT,TERM,HUP headgate generate emi n=60 batch=100000 looks=50 -q -o killed.h5 &
        job=$!
        at_work "$job"
        sleep "$wait"
        kill -s "$signal" "$job" 2>/dev/null
        wait "$job" 2>/dev/null
        code=$?
        is "SIG$signal ends it: $code" "$code" -gt 128
        is "no output after SIG$signal" ! -e killed.h5
        [ "$signal" = KILL ] || no_leftovers "after SIG$signal"
    done
    if [ "$signal" = KILL ]; then
        expect 0 headgate generate emi n=2 batch=1 -q -o killed.h5
        no_leftovers "by a killed run once there was another one"
        rm killed.h5
    fi
done
env --default-signal=INT,TERM,HUP headgate generate emi n=60 batch=100000 looks=50 -q -o killed.h5 &
job=$!
at_work "$job"
sleep 0.5
kill -s INT "$job"
wait "$job" 2>/dev/null
is "exit code 128 + 2" $? -eq 130

# a closed pipe is quiet
n_checks=$((n_checks + 1))
headgate config list 2>err | head -n 1 >/dev/null
[ ! -s err ] || fail "SIGPIPE is quiet"
finish
