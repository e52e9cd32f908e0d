#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes a calibration file that ships, config/calibration-ISA.yaml: the constants that tune measures on this machine
# with the kernels and OpenBLAS held to an instruction set, for any machine that reaches just that one.
#
#   bench/ship_calibration.sh avx2|avx512 > config/calibration-ISA.yaml       the command headgate in PATH, nothing else running
set -eu
isa=${1-}
case $isa in
avx2) core=Haswell ;;
avx512) core=SkylakeX ;;
*) echo "usage: $0 avx2|avx512" >&2; exit 64 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
words=
for plugin in cpu-serial cpu-openmp; do
    words="$words -s plugins.$plugin.options.isa=$isa"
done
# FFTW cannot be held to an instruction set, so the constants of its plugin ship for the best one only.
[ "$isa" = avx512 ] || words="$words -s plugins.cpu-fftw.enabled=false"
# shellcheck disable=SC2086 # several words
OPENBLAS_CORETYPE=$core XDG_CACHE_HOME=$work headgate tune $words -o "$work/tuned.yaml" >&2
cpu=$(sed -n 's/^  cpu: //p' "$work/tuned.yaml")
blas=$(sed -n 's/^  blas: //p' "$work/tuned.yaml")
cores=$(sed -n 's/^  cores: //p' "$work/tuned.yaml")
cat <<EOF
# SPDX-License-Identifier: BSD-3-Clause
# Constants of the CPU plugins for processors with $isa that were not measured themselves, see headgate-calibration(5).
#
# Measured by bench/ship_calibration.sh $isa on: $cpu, $cores cores, $blas.
EOF
sed -e '/^  cpu: /d' -e '/^  cores: /d' -e '/^  gpu: /d' -e '/^  blas: /d' "$work/tuned.yaml"
