#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Measures what the pictures of doc/ show and draws them: pictures.sh FOLDER [convolve|curvature|pairs|choices|roofline...]
#
# Needs headgate and gnuplot in the PATH, roofline also python3 and a C compiler. RUN is put in front of each command that
# measures, as in RUN="chrt -f 50" where the machine has other work; everything runs on one thread. FORMAT=png draws PNGs.
# The first call tunes for 100 s; choices then takes one or two minutes, all others together half of one.
set -eu
folder=$(realpath -m "${1:?"a folder for the pictures"}")
shift
here=$(dirname "$0")
format=${FORMAT:-svg}
work=$folder/documents # what was measured stays, to be drawn anew
mkdir -p "$work"

# Constants of this machine, measured once.
alone="-s plugins.cpu-openmp.enabled=false"
tuned()
{
    # shellcheck disable=SC2086 # several words
    [ -e "$work/tuned.yaml" ] || ${RUN:-} headgate tune --quiet $alone -o "$work/tuned.yaml" >"$work/tune.txt"
    alone="$alone -s calibration.file=$work/tuned.yaml"
}

# sizes NAME OP X VALUES KEY=VALUE...: times of the kernels over one number, on one thread.
sizes()
{
    name=$1 op=$2 x=$3 values=$4
    shift 4
    rm -f "$work/$name"-*.json
    for value in $values; do
        # shellcheck disable=SC2086
        ${RUN:-} headgate bench "$op" "$@" "$x=$value" threads=1 $alone --no-verify --quiet --json >"$work/$name-$value.json"
    done
    headgate plot "$work/$name"-*.json -o "$folder/$name.$format" --kind sizes --x "$x"
}

convolve()
{
    sizes convolve kirchhoff_convolve nwav "11 21 41 61 81 101 141 201 281" nt=1000 n=600 dtype=f32
}

curvature()
{
    sizes curvature curvature s "50 100 200 400 800 1600" ny=128 nx=120 nnz=50000
}

pairs()
{
    sizes pairs visibility_pairs npairs "30 100 300 1000 2000 5000" nant=100 k=8000
}

choices()
{
    # shellcheck disable=SC2086
    ${RUN:-} headgate bench --regret $alone --quiet --json >"$work/regret.json"
    headgate plot "$work/regret.json" -o "$folder/choices.$format"
}

roofline()
{
    # shellcheck disable=SC2086
    ${RUN:-} python3 -B "$here/roofline.py" "$folder/roofline.$format"
}

tuned
[ $# -gt 0 ] || set -- convolve curvature pairs choices roofline
for figure; do
    case $figure in
    convolve | curvature | pairs | choices | roofline) "$figure" ;;
    *) echo "no figure '$figure'" >&2 && exit 64 ;;
    esac
done
