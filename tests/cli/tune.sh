#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Calibration: what tune measures, writes and tells, what a file of it does to the engine, and what Ctrl-C leaves.
# Nothing here depends on how long something takes.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$abs_top_srcdir/tests/cli/lib.sh"
cd "$work" || exit 1
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME # made by the command

# a grid of one operation, to a file that is named
expect 0 headgate tune --op visibility_product -o one.yaml
has out "points of the fit"
has out "chosen over best at"
has out "predicted over measured"
has out "$work/one.yaml"
for line in 'headgate_calibration: 1' 'fingerprint:' 'provenance:' 'note: "headgate tune: ' 'plugin_version:' \
    'visibility_gemm_f32: {value: ' 'residual: ' 'samples: ' 'end: true'; do
    has one.yaml "$line"
done
lacks one.yaml kirchhoff_window
lacks one.yaml ': nan'

# it is taken, and named by the trace
expect 0 headgate explain visibility_product m=9 n=8 k=7 -s "calibration.file=$work/one.yaml"
has out "constants: $work/one.yaml"
lacks err warning

# without -o: the file of this machine, found again; what was measured before and not now stays
expect 0 headgate tune --op visibility_product --json
json out
has out '"constants":[{"plugin":"cpu-'
has out '"points":[{"op":"visibility_product","problem":{"m":'
has out '"chosen_before":"cpu-'
has out '"regret_before":'
own=$(ls cache/headgate/calibration-*.yaml)
is "one file in the cache folder: $own" -e "$own"
expect 0 headgate tune --op visibility_tau --plugin cpu-serial -v
has out "reference_tau_phase"
has "$own" reference_tau_phase
has "$own" visibility_gemm3m_f64
expect 0 headgate explain visibility_product m=9 n=8 k=7
has out "constants: $work/$own"

# only the kernels of one plugin
expect 0 headgate tune --op emi --plugin cpu-serial --time-limit 3s -o serial.yaml
has serial.yaml cpu-serial
lacks serial.yaml cpu-openmp

# a file that is not to be trusted is one warning, and is replaced
sed 's/visibility_gemm_f32: {value: [^,]*/visibility_gemm_f32: {value: -1/' "$own" >bad.yaml
cp bad.yaml "$own"
expect 0 headgate explain visibility_product m=9 n=8 k=7
is "one warning" "$(grep -c warning err)" -eq 1
has err "visibility_gemm_f32"
expect 0 headgate tune --op visibility_product
expect 0 headgate explain visibility_product m=9 n=8 k=7
lacks err warning

# wrong command lines and places
expect 64 headgate tune emi
expect 64 headgate tune --op no_such_op
expect 64 headgate tune --time-limit soon
expect 64 headgate tune --time-limit 0
expect 64 headgate tune --time-limit 5h
expect 69 headgate tune --plugin no-such-plugin
has err "headgate info"
# a place that cannot be written is told before anything is measured
expect 73 headgate tune -o no/such/folder/file.yaml
has err "no/such/folder: cannot make the folder"
lacks err measuring
expect 64 env -u XDG_CACHE_HOME -u HOME headgate tune --op kirchhoff_station_index
has err "-o FILE"
is "no temporary is left" -z "$(find . -name '*.tmp')"

# Ctrl-C keeps what was measured: whole grids would take much longer than this. A build that is slow may need longer
# for a first point.
for seconds in 3 10 40; do
    env --default-signal=INT headgate tune -o cut.yaml >out 2>err &
    job=$!
    sleep "$seconds"
    kill -s INT "$job"
    wait "$job"
    code=$?
    grep -q "interrupted too early" err || break
done
is "exit code $code after Ctrl-C" "$code" -eq 0
has out "interrupted"
has cut.yaml "interrupted"
has cut.yaml "end: true"
expect 0 headgate explain emi n=5 -s "calibration.file=$work/cut.yaml" -s calibration.on_mismatch=error

finish
