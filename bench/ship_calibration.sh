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
OPENBLAS_CORETYPE=$core XDG_CACHE_HOME=$work headgate tune $words -o "$work/fast.yaml" >&2
# An old OpenBLAS on a new processor takes kernels of 128 bits, with which herk loses five times to herk3; with good ones it
# wins a third at most. So the file has herk as the slow one does it.
# shellcheck disable=SC2086
OPENBLAS_CORETYPE=Prescott XDG_CACHE_HOME=$work headgate tune $words --op visibility_gram -o "$work/slow.yaml" >&2
awk '/^  cpu-/ { plugin = $1 }
    FNR == NR { if ($1 ~ /^visibility_herk_/) slow[plugin, $1] = $0; next }
    (plugin, $1) in slow { $0 = slow[plugin, $1] }
    { print }' "$work/slow.yaml" "$work/fast.yaml" >"$work/tuned.yaml"
cpu=$(sed -n 's/^  cpu: //p' "$work/tuned.yaml")
blas=$(sed -n 's/^  blas: //p' "$work/tuned.yaml")
cores=$(sed -n 's/^  cores: //p' "$work/tuned.yaml")
cat <<EOF
# SPDX-License-Identifier: BSD-3-Clause
# Constants of the CPU plugins for processors with $isa that were not measured themselves, see headgate-calibration(5).
#
# Measured by bench/ship_calibration.sh $isa on: $cpu, $cores cores, $blas;
# visibility_herk_* with its oldest core type, Prescott.
EOF
sed -e '/^  cpu: /d' -e '/^  cores: /d' -e '/^  gpu: /d' -e '/^  blas: /d' "$work/tuned.yaml"
