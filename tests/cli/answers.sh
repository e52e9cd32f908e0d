#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# info, explain, bench and selftest: what they answer, as text and as JSON.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$abs_top_srcdir/tests/cli/lib.sh"

expect 0 headgate info
has "$work/out" "cpu-serial: usable"
has "$work/out" "kirchhoff_convolve"
is "80 columns, but for long words" "$(awk 'length > 80 && NF > 2' "$work/out" | wc -l)" -eq 0
expect 0 headgate info --json
json "$work/out"
has "$work/out" '"name":"cpu-serial"'
expect 0 env HEADGATE_DISABLE=cpu-serial headgate info
has "$work/out" "cpu-serial: disabled"

# kernels of an old processor on a new one: slow products, and nobody would know why
if grep -q ' avx2 ' /proc/cpuinfo && headgate info | grep -q DYNAMIC_ARCH; then
    expect 0 env OPENBLAS_CORETYPE=Prescott headgate info
    has "$work/out" "blas_warning"
    expect 0 env OPENBLAS_CORETYPE=Haswell headgate info
    lacks "$work/out" "blas_warning"
fi

# every operation has an answer, on the host and for a device that is not there
for op in $(headgate explain --help | sed -n 's/^  \([a-z_]*\)$/\1/p'); do
    expect 0 headgate explain "$op"
    has "$work/out" "chosen: cpu-"
    expect 0 headgate explain "$op" --json
    json "$work/out"
    expect 0 headgate explain "$op" mem=cuda:0 --assume-device a100 --json
    json "$work/out"
done
expect 0 headgate explain emi n=198 batch=1000 dtype=c64 mem=cuda:0 --assume-device a100 --json
has "$work/out" '"n":198'
has "$work/out" '"space":"cuda:0"'
expect 0 headgate explain emi n=198 batch=1000 dtype=c64 mem=cuda:0 --assume-device a100
# a device that nothing can assume is said to be missing
expect 0 headgate explain emi --assume-device no-such-device
has "$work/err" "no-such-device: nothing is assumed, plugin cuda is missing: "
is "one line says so" "$(grep -c missing "$work/err")" -eq 1
expect 0 headgate explain emi -q --assume-device no-such-device
is "quiet is quiet" ! -s "$work/err"
expect 0 headgate explain emi -s ops.emi.enabled=false
has "$work/out" HGATE_EDISABLED
expect 0 headgate explain emi -s ops.emi.enabled=false --json
json "$work/out"
expect 0 headgate explain visibility_gram -b cpu-serial/gemm
has "$work/out" "chosen: cpu-serial/gemm"
expect 0 headgate explain curvature case=aris8 -s gates.curvature.symmetric_max_work_fraction=0.1
has "$work/out" "0.41"
expect 0 headgate explain visibility_gram m=30 k=100 -s kernels.visibility_gram.cpu-serial.herk.enabled=false --json
json "$work/out"

expect 0 headgate bench visibility_gram m=20 k=300
has "$work/out" "regret"
expect 0 headgate bench visibility_gram m=20 k=300 --json
json "$work/out"
for member in '"max_error":' '"seconds":' '"median":' '"runs":' '"rate":' '"rate_unit":"flop/s"' \
    '"predicted":' '"chosen":{"plugin":' '"regret":' '"machine":{'; do
    has "$work/out" "$member"
done
expect 0 headgate bench visibility_gram m=20 k=300 --kernels cpu-serial/gemm,cpu-serial/reference --no-verify --json
json "$work/out"
has "$work/out" '"max_error":null'
has "$work/out" '"kernel":"reference"'
lacks "$work/out" '"kernel":"gemm3m"'
expect 0 headgate bench kirchhoff_wavelet --kernels all
expect 69 headgate bench emi n=3 --kernels no-such-plugin
expect 0 headgate bench emi n=5 batch=9 dtype=c128 threads=1

# regret over the grid of an operation
expect 0 headgate bench --regret --op kirchhoff_traveltime
has "$work/out" "grid: "
expect 0 headgate bench --regret --op visibility_tau --json
json "$work/out"
has "$work/out" '"points":[{"op":"visibility_tau","problem":{"nant":'
has "$work/out" '"chosen":"cpu-'
# an operation that is switched off ends nothing
expect 0 env HEADGATE_DISABLE=op:visibility_tau headgate bench --regret --op visibility_tau
has "$work/out" "no point with a choice"
expect 64 headgate bench --regret emi
expect 64 headgate bench --regret --op no_such_op
expect 64 headgate bench emi --op emi

# arrays on a device: placed, run and fetched through the plugin that owns it, here one that only claims to
fake=$abs_top_builddir/tests/fake/.libs/headgate-fake-device.so
if [ -e "$fake" ]; then
    device="-s plugins.files=[$fake] mem=cuda:1"
    # shellcheck disable=SC2086 # several words
    {
        expect 0 headgate bench visibility_gram m=7 k=5 $device --no-verify --json
        json "$work/out"
        has "$work/out" '"plugin":"fake-device","kernel":"det","status":"ok"'
        expect 1 headgate bench visibility_gram m=7 k=5 $device
        has "$work/out" "TOO LARGE"
        has "$work/out" "cpu-serial/herk: HGATE_"
        expect 0 headgate bench visibility_horizon nsrc=5 $device --no-verify
        expect 0 headgate bench emi n=4 batch=0 $device --no-verify
        expect 0 headgate explain visibility_gram $device
        has "$work/out" "chosen: fake-device/"
    }
    expect 1 headgate selftest --quick --plugin "$fake" --json
    json "$work/out"
    has "$work/out" '"plugin":"fake-device"'
    lacks "$work/out" '"plugin":"cpu-openmp"'
fi

expect 0 headgate selftest --quick
has "$work/out" " 0 failed"
expect 0 headgate selftest --quick --json
json "$work/out"
expect 0 headgate selftest emi n=3 batch=5 looks=9 -s kernels.emi.cpu-serial.pivoted.enabled=false
has "$work/out" " 0 failed" # what is switched off is refused
expect 0 headgate selftest emi n=3 batch=5 looks=9 --json
json "$work/out"
has "$work/out" '"problem":"emi n=3 batch=5 looks=9"'
lacks "$work/out" '"problem":"evd'
expect 66 headgate selftest --plugin /no/such/plugin.so
expect 69 headgate selftest --quick -s plugins.use_default_path=false -s plugins.cpu-serial.enabled=false \
    -s plugins.cpu-openmp.enabled=false -s plugins.cpu-fftw.enabled=false -s plugins.cuda.enabled=false
finish
