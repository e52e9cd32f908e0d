#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The calibration files that ship: every one is taken by the plugins of this build, where their kernels can run.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$abs_top_srcdir/tests/cli/lib.sh"

n_taken=0
for isa in avx2 avx512; do
    file=$abs_top_srcdir/config/calibration-$isa.yaml
    has "$file" "isa: $isa"
    for word in cpu: cores: blas:; do
        lacks "$file" "  $word"
    done
    set -- -s "plugins.cpu-serial.options.isa=$isa" -s "plugins.cpu-openmp.options.isa=$isa" \
        -s "calibration.file=$file" -s calibration.on_mismatch=error
    headgate info "$@" >"$work/out" 2>"$work/err"
    if grep -q "$isa was asked for" "$work/out" "$work/err"; then
        echo "this machine does not reach $isa"
        continue
    fi
    expect 0 headgate explain visibility_gram "$@"
    has "$work/out" "constants: $file"
    has "$work/out" "chosen: cpu-"
    n_taken=$((n_taken + 1))
done

# of another instruction set: one warning, the defaults
if [ "$n_taken" -eq 2 ]; then
    expect 0 headgate explain visibility_gram -s plugins.cpu-serial.options.isa=avx2 \
        -s plugins.cpu-openmp.options.isa=avx2 -s "calibration.file=$abs_top_srcdir/config/calibration-avx512.yaml"
    has "$work/out" "constants: defaults"
    is "one warning" "$(grep -c warning "$work/err")" -eq 1
fi

file=$abs_top_srcdir/config/calibration-h200.yaml
if headgate info --json | grep -q '"name":"cuda"'; then
    expect 0 headgate explain emi n=64 batch=1000 dtype=c64 mem=cuda:0 --assume-device h200 \
        -s "calibration.file=$file" -s calibration.on_mismatch=error
    has "$work/out" "constants: $file"
    has "$work/out" "chosen: cuda/"
else
    expect 78 headgate explain emi -s "calibration.file=$file" -s calibration.on_mismatch=error
    has "$work/err" "NVIDIA H200"
fi
finish
